// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/net.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>

#include <nlohmann/json.hpp>

#include <araia/error.hpp>
#include <araia/io/memory_limit.hpp>
#include <araia/io/read_matrix.hpp>

#include "src/reason.hpp"

namespace araia {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;  // of a description
constexpr int most_depth = 32;                                // of arrays and objects in one another

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
      layer.weights = directory / file_name;
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
    if (2 * s.pad_h > s.kernel_height || 2 * s.pad_w > s.kernel_width)
      named.fail("has a \"pad\" of more than half of its kernel");
  } else {
    named.fail("has \"op\" " + op + ", expected conv, linear, max_pool, average_pool or global_average_pool");
  }
  named.finish();
  try {
    require_valid(s);
  } catch (Error const& e) {
    std::string const why = detail::without_function(e.what());
    if (e.kind() == ErrorKind::resource_limit) throw Error(e.kind(), {file, 0, 0}, "layer " + called + ": " + why);
    named.fail("cannot be: " + why);
  }
  if (layer.add) {
    ConvShape const& added = net.layers[*layer.add].shape;
    if (added.filters != s.filters || added.out_height() != s.out_height() || added.out_width() != s.out_width())
      named.fail("adds " + net.layers[*layer.add].name + ", whose output is of another shape");
  }
  return layer;
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

Net parse_net(std::string_view text, std::string const& file, std::filesystem::path const& directory) {
  Json json;
  try {
    json = Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
      if (depth > most_depth) throw std::length_error("arrays and objects are more than 32 deep");
      return true;
    });
  } catch (std::length_error const& e) {
    throw Error(ErrorKind::parse, {file, 0, 0}, e.what());
  } catch (Json::exception const& e) {
    std::string const what = e.what();  // "[json.exception.parse_error.101] parse error at line ..."
    auto const begin = what.find("] ");
    throw Error(ErrorKind::parse, {file, 0, 0}, begin == what.npos ? what : what.substr(begin + 2));
  }
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
  if (!layers->is_array() || layers->empty()) r.fail("has \"layers\" that are no array of some");
  r.finish();
  std::map<std::string, std::size_t> places;
  for (auto const& object : *layers) {
    net.layers.push_back(layer_of(net, places, object, file, directory));
    places[net.layers.back().name] = net.layers.size() - 1;
  }
  return net;
}

Net read_net(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw Error(ErrorKind::invalid_argument, path.string() + ": cannot be read");
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw Error(ErrorKind::resource_limit, path.string() + " is larger than " + std::to_string(most_bytes) +
                                                 " bytes, the limit of a net's description");
  }
  return parse_net(text, path.string(), path.parent_path());
}

std::vector<ConvWeights> net_weights(Net const& net) {
  std::vector<ConvWeights> all(net.layers.size());
  std::vector<ConvWeights*> together;
  for (std::size_t i = 0; i < all.size(); ++i) {
    NetLayer const& layer = net.layers[i];
    if (layer.op != NetOp::convolution) continue;
    std::uint64_t const seed = net.seed * 1000003 + i;
    // With one threshold over the net, layers that say nothing else have the net's sparsity.
    bool const global = net.prunes_globally && layer.sparsity == net.sparsity;
    try {
      if (layer.weights.empty()) {
        all[i] = random_weights(layer.shape, global ? 0 : layer.sparsity, seed);
      } else {
        all[i] = weights_of(layer.shape, read_matrix(layer.weights), seed);
        if (!global) prune_by_magnitude(all[i], layer.sparsity);
      }
      if (layer.random_bias) all[i].bias = random_bias(layer.shape.filters, seed + 1);
      if (!layer.bias.empty()) all[i].bias = layer.bias;
    } catch (Error const& e) {
      throw Error(e.kind(), e.place(), "layer " + layer.name + ": " + detail::without_function(e.what()));
    }
    if (global) together.push_back(&all[i]);
  }
  prune_by_magnitude(std::span<ConvWeights* const>(together), net.sparsity);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (net.layers[i].batch_norm) try {
        fold_batch_norm(all[i], *net.layers[i].batch_norm);
      } catch (Error const& e) {
        throw Error(e.kind(), "layer " + net.layers[i].name + ": " + detail::without_function(e.what()));
      }
  return all;
}

}  // namespace araia
