// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/net.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include <nlohmann/json.hpp>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/error.hpp>
#include <araia/io/read_matrix.hpp>

#include "src/io/byte_source.hpp"
#include "src/reason.hpp"

namespace araia {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{1} << 20;  // of a description
constexpr std::size_t most_depth = 16;                    // of arrays and objects in one another

/// A walk over JSON that keeps no value: refuses what is broken, too deep, or has a key twice in an object.
class Walk final : public nlohmann::json_sax<Json> {
 public:
  explicit Walk(std::string file) : file_(std::move(file)) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, string_t const& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return enter(); }
  bool start_array(std::size_t /*size*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) fail("the key \"" + name + "\" is there twice in one object");
    return true;
  }
  bool parse_error(std::size_t /*position*/, std::string const& /*token*/, Json::exception const& e) override {
    std::string const what = e.what();  // "[json.exception.parse_error.101] parse error at line ..."
    auto const begin = what.find("] ");
    fail(begin == what.npos ? what : what.substr(begin + 2));
  }

 private:
  [[noreturn]] void fail(std::string const& what) const { throw Error(ErrorKind::parse, {file_, 0, 0}, what); }
  bool enter() {
    if (keys_.size() == most_depth) fail("arrays and objects are more than " + std::to_string(most_depth) + " deep");
    keys_.emplace_back();
    return true;
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::string file_;
  std::vector<std::set<std::string>> keys_;  // of each array (none) and object that is open
};

/// A JSON object of a file: what it says, and complaints that name file and layer.
class Reader {
 public:
  Reader(std::string file, std::string layer, Json const& object)
      : file_(std::move(file)), layer_(std::move(layer)), object_(object) {
    if (!object.is_object()) fail("is no object");
  }

  [[noreturn]] void fail(std::string const& what) const {
    throw Error(ErrorKind::parse, {file_, 0, 0}, (layer_.empty() ? "the net " : "layer " + layer_ + " ") + what);
  }
  [[nodiscard]] bool has(char const* key) const { return object_.contains(key); }

  std::int64_t integer(char const* key, std::optional<std::int64_t> otherwise = {}) {
    auto const* value = find(key, otherwise.has_value());
    return value ? integer_of(key, *value) : *otherwise;
  }
  /// A number for both axes, or [lines, elements].
  void pair(char const* key, std::int64_t& h, std::int64_t& w) {
    auto const* value = find(key, true);
    if (!value) return;
    if (!value->is_array()) {
      h = w = integer_of(key, *value);
      return;
    }
    if (value->size() != 2) fail(std::string("has \"") + key + "\" of other than two numbers");
    h = integer_of(key, (*value)[0]);
    w = integer_of(key, (*value)[1]);
  }
  double number(char const* key, double otherwise) {
    auto const* value = find(key, true);
    if (!value) return otherwise;
    if (!value->is_number()) fail(std::string("has \"") + key + "\" that is no number");
    return value->get<double>();
  }
  bool flag(char const* key, bool otherwise) {
    auto const* value = find(key, true);
    if (!value) return otherwise;
    if (!value->is_boolean()) fail(std::string("has \"") + key + "\" that is neither true nor false");
    return value->get<bool>();
  }
  std::string text(char const* key, std::optional<std::string> otherwise = {}) {
    auto const* value = find(key, otherwise.has_value());
    if (!value) return *otherwise;
    if (!value->is_string()) fail(std::string("has \"") + key + "\" that is no text");
    return value->get<std::string>();
  }
  std::vector<double> numbers(char const* key) {
    auto const* value = find(key, false);
    if (!value->is_array()) fail(std::string("has \"") + key + "\" that is no array");
    std::vector<double> all;
    for (auto const& one : *value) {
      if (!one.is_number()) fail(std::string("has \"") + key + "\" with what is no number");
      all.push_back(one.get<double>());
    }
    return all;
  }
  Json const* find(char const* key, bool may_lack) {
    known_.insert(key);
    auto const at = object_.find(key);
    if (at != object_.end()) return &*at;
    if (!may_lack) fail(std::string("lacks \"") + key + "\"");
    return nullptr;
  }
  /// That nothing was left unread.
  void finish() const {
    for (auto const& item : object_.items())
      if (!known_.contains(item.key())) fail("has \"" + item.key() + "\", which means nothing there");
  }

 private:
  std::int64_t integer_of(char const* key, Json const& value) const {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() &&
         value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())))
      fail(std::string("has \"") + key + "\" that is no integer");
    return value.get<std::int64_t>();
  }

  std::string file_;
  std::string layer_;
  Json const& object_;
  std::set<std::string> known_;
};

double sparsity_of(Reader& r, double otherwise) {
  double const sparsity = r.number("sparsity", otherwise);
  if (!(sparsity >= 0 && sparsity <= 1)) r.fail("has a \"sparsity\" that is not from 0 to 1");
  return sparsity;
}

BatchNorm batch_norm_of(std::string const& file, std::string const& name, Json const& object) {
  Reader r(file, name, object);
  BatchNorm norm{.gamma = r.numbers("gamma"),
                 .beta = r.numbers("beta"),
                 .mean = r.numbers("mean"),
                 .variance = r.numbers("variance"),
                 .epsilon = r.number("epsilon", BatchNorm{}.epsilon)};
  r.finish();
  return norm;
}

/// The path of a file that a net names: below the net's own folder, and a regular file, so that reading it ends.
std::filesystem::path file_beside(Reader const& r, std::filesystem::path const& directory, std::string const& name) {
  std::filesystem::path const path(name);
  if (path.has_root_path() || std::find(path.begin(), path.end(), "..") != path.end())
    r.fail("has \"weights\" " + name + ", expected a path below the net's own folder, without ..");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(directory / path, ignored))
    r.fail("has \"weights\" " + name + ", expected a regular file that is there");
  return directory / path;
}

NetLayer layer_of(Net const& net, std::map<std::string, std::size_t> const& places, Json const& object,
                  std::string const& file, std::filesystem::path const& directory) {
  std::string const number = std::to_string(net.layers.size() + 1);
  Reader r(file, number, object);
  NetLayer layer;
  layer.name = r.text("name", "layer" + number);
  if (places.contains(layer.name) || layer.name == "input") r.fail("has a name that is taken, " + layer.name);
  std::string const called = number + " (" + layer.name + ")";
  Reader named(file, called, object);
  auto const before = [&](char const* key) {
    std::string const name = named.text(key);
    auto const place = places.find(name);
    if (place == places.end())
      named.fail(std::string("has \"") + key + "\" " + name + ", and no layer before it is called that");
    return place->second;
  };
  (void)named.find("name", true);
  if (!net.layers.empty()) layer.from = net.layers.size() - 1;
  if (named.has("from")) {
    if (named.text("from") == "input") {
      layer.from.reset();
    } else {
      layer.from = before("from");
    }
  }
  ConvShape& s = layer.shape;
  if (layer.from) {
    ConvShape const& from = net.layers[*layer.from].shape;
    s.channels = from.filters;
    s.height = from.out_height();
    s.width = from.out_width();
  } else {
    s.channels = net.channels;
    s.height = net.height;
    s.width = net.width;
  }
  std::string const op = named.text("op", "conv");
  bool const whole = op == "linear" || op == "global_average_pool";
  if (whole) {
    s.kernel_height = s.height;
    s.kernel_width = s.width;
  } else {
    (void)named.find("kernel", false);
    named.pair("kernel", s.kernel_height, s.kernel_width);
    named.pair("stride", s.stride_h, s.stride_w);
    named.pair("pad", s.pad_h, s.pad_w);
  }
  if (op == "conv" || op == "linear") {
    if (!whole) {
      named.pair("dilation", s.dilation_h, s.dilation_w);
      s.groups = named.integer("groups", 1);
    }
    s.filters = named.integer("filters");
    layer.relu = named.flag("relu", false);
    layer.sparsity = sparsity_of(named, net.sparsity);
    if (auto const file_name = named.text("weights", std::string()); !file_name.empty())
      layer.weights = file_beside(named, directory, file_name);
    if (auto const* bias = named.find("bias", true)) {
      if (bias->is_array()) {
        layer.bias = named.numbers("bias");
        if (static_cast<std::int64_t>(layer.bias.size()) != s.filters)
          named.fail("has a \"bias\" of " + std::to_string(layer.bias.size()) + " numbers, expected " +
                     std::to_string(s.filters));
      } else {
        layer.random_bias = named.flag("bias", false);
      }
    }
    if (auto const* norm = named.find("batch_norm", true)) layer.batch_norm = batch_norm_of(file, called, *norm);
    if (named.has("add")) layer.add = before("add");
  } else if (op == "max_pool" || op == "average_pool" || op == "global_average_pool") {
    layer.op = op == "max_pool" ? NetOp::max_pool : NetOp::average_pool;
    s.filters = s.groups = s.channels;
  } else {
    named.fail("has \"op\" " + op + ", expected conv, linear, max_pool, average_pool or global_average_pool");
  }
  named.finish();
  try {
    detail::require_fits(net, net.layers.size(), layer);
  } catch (Error const& e) {
    std::string const why = detail::without_function(e.what());
    if (e.kind() == ErrorKind::resource_limit) throw Error(e.kind(), {file, 0, 0}, "layer " + called + ": " + why);
    named.fail("cannot be: " + why);
  }
  return layer;
}

/// The refusal with the layer that it is about, in the file of its weights if it is about one: "w.mtx:3:1: layer a:
/// ...". A layer without a name stands alone.
Error of_layer(NetLayer const& layer, std::string const& file, Error const& e) {
  std::string what = e.what();
  FilePlace place = e.place();
  if (!place.file.empty()) {
    what.erase(0, std::string_view(Error(e.kind(), place, "").what()).size());
  } else {
    what = detail::without_function(what);
    place.file = file;
  }
  if (!layer.name.empty()) what.insert(0, "layer " + layer.name + ": ");
  return place.file.empty() ? Error(e.kind(), what) : Error(e.kind(), place, what);
}

[[noreturn]] void refuse_large(std::string const& file) {
  throw Error(ErrorKind::resource_limit,
              file + " is larger than " + std::to_string(most_bytes) + " bytes, the limit of a net's description");
}

/// Normal numbers enough for biases.
std::vector<double> random_bias(std::int64_t count, std::uint64_t seed) {
  constexpr double deviation = 0.1;
  ConvShape shape;
  shape.channels = shape.height = shape.width = 1;
  shape.filters = count;
  auto values = random_weights(shape, 0, seed).values;
  for (auto& value : values) value *= deviation / std::sqrt(2.0);  // of sqrt(2 / 1) there
  return values;
}

}  // namespace

namespace detail {

void require_fits(Net const& net, std::size_t place, NetLayer const& layer) {
  auto const refuse = [](ErrorKind kind, std::string const& why) { throw Error(kind, "araia::Net: " + why); };
  for (auto const& read : {layer.from, layer.add})
    if (read && *read >= place)
      refuse(ErrorKind::invalid_argument, "it reads layer " + std::to_string(*read) + ", expected one before it");
  ConvShape const& s = layer.shape;
  bool const pools = layer.op != NetOp::convolution;
  require_valid(s);
  if (pools &&
      (s.filters != s.channels || s.groups != s.channels || s.dilation_h != 1 || s.dilation_w != 1 || layer.add))
    refuse(ErrorKind::invalid_argument,
           "as a pool it has groups or filters other than its channels, dilation or an \"add\"");
  // So that each window holds a part of the input.
  if (pools && (s.pad_h > s.kernel_height / 2 || s.pad_w > s.kernel_width / 2))
    refuse(ErrorKind::invalid_argument, "as a pool it has a \"pad\" of more than half of its kernel");
  std::int64_t read[3] = {net.channels, net.height, net.width};
  if (layer.from) {
    ConvShape const& from = net.layers[*layer.from].shape;
    read[0] = from.filters;
    read[1] = from.out_height();
    read[2] = from.out_width();
  }
  if (s.channels != read[0] || s.height != read[1] || s.width != read[2])
    refuse(ErrorKind::dimension_mismatch, "its shape is not that of what it reads");
  if (layer.add) {
    ConvShape const& added = net.layers[*layer.add].shape;
    if (added.filters != s.filters || added.out_height() != s.out_height() || added.out_width() != s.out_width())
      refuse(ErrorKind::dimension_mismatch,
             "it adds " + net.layers[*layer.add].name + ", whose output is of another shape");
  }
}

}  // namespace detail

void require_valid(Net const& net) {
  for (std::size_t i = 0; i < net.layers.size(); ++i) try {
      detail::require_fits(net, i, net.layers[i]);
    } catch (Error const& e) {
      throw of_layer(net.layers[i], {}, e);
    }
}

Net parse_net(std::string_view text, std::string const& file, std::filesystem::path const& directory) {
  if (text.size() > most_bytes) refuse_large(file);
  // Before values are kept, as a parse that calls back takes time quadratic in the elements of an array.
  Walk walk(file);
  (void)Json::sax_parse(text, &walk);
  Json const json = Json::parse(text);
  Reader r(file, "", json);
  Net net;
  net.name = r.text("name", std::filesystem::path(file).stem().string());
  auto const input = r.numbers("input");
  if (input.size() != 3) r.fail("has an \"input\" of other than [channels, height, width]");
  std::int64_t extents[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr double most = 2147483647;
    if (!(input[i] >= 1 && input[i] <= most) || input[i] != std::floor(input[i]))
      r.fail("has an \"input\" that is not of integers from 1 to 2^31 - 1");
    extents[i] = static_cast<std::int64_t>(input[i]);
  }
  net.channels = extents[0];
  net.height = extents[1];
  net.width = extents[2];
  net.sparsity = sparsity_of(r, 0);
  auto const seed = r.integer("seed", 1);
  if (seed < 0) r.fail("has a negative \"seed\"");
  net.seed = static_cast<std::uint64_t>(seed);
  auto const prune = r.text("prune", "layer");
  if (prune != "layer" && prune != "global") r.fail("has \"prune\" " + prune + ", expected layer or global");
  net.prunes_globally = prune == "global";
  auto const* layers = r.find("layers", false);
  if (!layers->is_array() || layers->empty())
    r.fail("has \"layers\" that are no array or an empty one, expected an array of one layer or more");
  r.finish();
  std::map<std::string, std::size_t> places;
  for (auto const& object : *layers) {
    net.layers.push_back(layer_of(net, places, object, file, directory));
    places[net.layers.back().name] = net.layers.size() - 1;
  }
  return net;
}

Net read_net(std::filesystem::path const& path) {
  auto const in = detail::open_source(path, {});
  std::string text(most_bytes + 1, '\0');
  text.resize(in->read(text.data(), text.size()));
  return parse_net(text, path.string(), path.parent_path());
}

std::vector<ConvWeights> net_weights(Net const& net) {
  require_valid(net);
  std::vector<ConvWeights> all(net.layers.size());
  std::vector<ConvWeights*> together;
  constexpr std::uint64_t of_entry = sizeof(double) + sizeof(std::int32_t);
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    NetLayer const& layer = net.layers[i];
    if (layer.op != NetOp::convolution) continue;
    std::uint64_t const seed = net.seed * 1000003 + i;
    // With one threshold over the net, layers that say nothing else have the net's sparsity.
    bool const global = net.prunes_globally && layer.sparsity == net.sparsity;
    try {
      if (layer.weights.empty()) {
        // One by one they may fit where all do not.
        detail::require_memory("araia::net_weights: the weights up to this layer",
                               held + static_cast<std::uint64_t>(layer.shape.weights()) * of_entry,
                               default_host_memory_limit());
        all[i] = random_weights(layer.shape, global ? 0 : layer.sparsity, seed);
      } else {
        all[i] = weights_of(layer.shape, read_matrix(layer.weights), seed);
        if (!global) prune_by_magnitude(all[i], layer.sparsity);
      }
      if (layer.random_bias) all[i].bias = random_bias(layer.shape.filters, seed + 1);
      if (!layer.bias.empty()) all[i].bias = layer.bias;
    } catch (Error const& e) {
      throw of_layer(layer, layer.weights.string(), e);
    }
    held += static_cast<std::uint64_t>(all[i].nnz()) * of_entry;
    if (global) together.push_back(&all[i]);
  }
  try {
    prune_by_magnitude(std::span<ConvWeights* const>(together), net.sparsity);
  } catch (Error const& e) {
    throw Error(e.kind(), "the layers that are pruned together: " + detail::without_function(e.what()));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (net.layers[i].batch_norm) try {
        fold_batch_norm(all[i], *net.layers[i].batch_norm);
      } catch (Error const& e) {
        throw of_layer(net.layers[i], {}, e);
      }
  return all;
}

}  // namespace araia
