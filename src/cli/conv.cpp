// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// araia conv: a layer, or the layers of a net, each by its fastest method, timed and held to the direct convolution.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include <araia/detail/formats/arrays.hpp>
#include <araia/io/npy.hpp>
#include <araia/nn/conv_check.hpp>
#include <araia/nn/conv_net.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/number_option.hpp"
#include "src/cli/on_space.hpp"

namespace araia::cli {
namespace {

using ConvJson = nlohmann::ordered_json;

constexpr std::int64_t conv_samples = 512;  // outputs of a layer that are checked
constexpr int conv_least_runs = 3;          // of a whole net
constexpr int conv_most_runs = 20;
constexpr char const* conv_alone = "layer";  // what reports call that of --layer, which has no name

/// C,H,W,K,R,S[,stride,pad,dilation,groups]; stride, pad and dilation may differ by axis, as 1x2.
ConvShape conv_shape_of(std::string const& text) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  struct Part {
    char const* name;
    std::int64_t least;
  };
  constexpr Part known[] = {{"channels", 1},     {"height", 1}, {"width", 1}, {"filters", 1},  {"kernel height", 1},
                            {"kernel width", 1}, {"stride", 1}, {"pad", 0},   {"dilation", 1}, {"groups", 1}};
  auto const number = [&](std::size_t at, std::string_view part) {
    auto const& [name, least] = known[at];
    return number_of<std::int64_t>(formatted("--layer: {}", name).c_str(), part, least, most,
                                   formatted("an integer from {} to {}", least, most).c_str());
  };
  std::vector<std::string> parts{""};
  for (char const c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() < 6 || parts.size() > 10)
    throw Failure(Exit::usage, formatted("--layer is {}, of {} numbers, expected C,H,W,K,R,S[,stride,pad,dilation,"
                                         "groups]",
                                         in_quotes(text), parts.size()));
  ConvShape s;
  std::int64_t* const single[] = {&s.channels, &s.height, &s.width, &s.filters, &s.kernel_height, &s.kernel_width};
  std::int64_t* const pairs[][2] = {{&s.stride_h, &s.stride_w}, {&s.pad_h, &s.pad_w}, {&s.dilation_h, &s.dilation_w}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < 6) {
      *single[i] = number(i, parts[i]);
    } else if (i < 9) {
      auto const cross = parts[i].find('x');
      *pairs[i - 6][0] = number(i, std::string_view(parts[i]).substr(0, cross));
      *pairs[i - 6][1] = cross == std::string::npos ? *pairs[i - 6][0] : number(i, parts[i].substr(cross + 1));
    } else {
      s.groups = number(i, parts[i]);
    }
  }
  try {
    require_valid(s);
  } catch (Error const& e) {
    throw Error(e.kind(), formatted("--layer is {}: {}", in_quotes(text), said(e)));
  }
  return s;
}

/// What reading brings: of a file that is not there, or not of its kind, bad input and not bad usage.
/// \param option  that names the file: what its refusal begins with; empty where nothing is read
template <class Read>
auto conv_read(std::string const& option, Read const& read) try {
  return read();
} catch (Error const& e) {
  std::string const text = option.empty() ? said(e) : option + ' ' + said(e);
  if (e.kind() == ErrorKind::invalid_argument || e.kind() == ErrorKind::unsupported) throw Failure(Exit::input, text);
  if (option.empty()) throw;
  throw Error(e.kind(), text);
}

/// The layer's weights and biases are finite in f32 where they are in f64.
void require_f32(Settings const& s, NetLayer const& layer, ConvWeights const& weights) {
  std::string const of_net = s.conv.net.empty() ? "" : formatted("{}: layer {}: ", s.conv.net, layer.name);
  std::string const file = layer.weights.empty() ? of_net + "random weights"
                           : s.conv.net.empty()  ? "--weights " + layer.weights.string()
                                                 : of_net + layer.weights.string();
  require_f32_range(layer.batch_norm ? file + " after batch_norm" : file, weights.values, [&](std::size_t k) {
    auto const& offsets = weights.row_offsets;
    auto const row = std::upper_bound(offsets.begin(), offsets.end(), static_cast<std::int64_t>(k)) - offsets.begin();
    return std::pair<std::int64_t, std::int64_t>(row - 1, weights.col_indices[k]);
  });
  require_f32_range(of_net + "bias", weights.bias,
                    [](std::size_t k) { return std::pair(static_cast<std::int64_t>(k), std::int64_t{0}); });
}

Net conv_net_of(Settings const& s) {
  ConvSettings const& c = s.conv;
  if (c.layer.empty() == c.net.empty())
    throw Failure(Exit::usage, c.net.empty() ? "expected --layer or --net" : "--layer and --net exclude each other");
  if (!c.net.empty()) {
    for (auto const& [given, option] : {std::pair<bool, char const*>{c.sparsity >= 0, "--sparsity"},
                                        {!c.weights.empty(), "--weights"},
                                        {c.bias, "--bias"},
                                        {c.relu, "--relu"}})
      if (given) throw Failure(Exit::usage, formatted("{} is for --layer; of --net the file says it", option));
    Net net = conv_read("--net", [&] { return read_net(c.net); });
    if (c.seed >= 0) net.seed = static_cast<std::uint64_t>(c.seed);
    return net;
  }
  Net net;
  NetLayer layer;
  layer.shape = conv_shape_of(c.layer);
  layer.relu = c.relu;
  layer.random_bias = c.bias;
  layer.weights = c.weights;
  // Weights of a file are as they are unless a sparsity is asked for.
  layer.sparsity = c.sparsity >= 0 ? c.sparsity : c.weights.empty() ? 0.9 : 0;
  net.name = conv_alone;
  net.channels = layer.shape.channels;
  net.height = layer.shape.height;
  net.width = layer.shape.width;
  if (c.seed >= 0) net.seed = static_cast<std::uint64_t>(c.seed);
  net.layers.push_back(std::move(layer));
  return net;
}

ConvOptions conv_options_of(Settings const& s) {
  ConvOptions options;
  options.layout = s.conv.layout == "nhwc" ? TensorLayout::nhwc : TensorLayout::nchw;
  options.precision = precision(s);
  options.allow_dense = !s.conv.no_dense;
  options.measure = s.conv.budget > 0;
  options.budget = s.conv.budget;
  for (auto const method : {ConvMethod::shifted_columns, ConvMethod::im2col, ConvMethod::in_place, ConvMethod::dense,
                            ConvMethod::depthwise})
    if (s.conv.method == araia::to_string(method)) options.method = method;
  if (s.conv.no_dense && multiplies_zeros(options.method))
    throw Failure(
        Exit::usage,
        formatted("--method {} multiplies zeros, which --no-dense excludes; expected one of them", s.conv.method));
  return options;
}

std::vector<std::int64_t> conv_extents(TensorLayout layout, std::int64_t batch, std::int64_t channels,
                                       std::int64_t height, std::int64_t width) {
  if (layout == TensorLayout::nchw) return {batch, channels, height, width};
  return {batch, height, width, channels};
}

std::string conv_text(std::vector<std::int64_t> const& extents) {
  std::string text;
  for (auto const extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// Of --input.
struct ConvInput {
  HostTensor tensor;
  std::int64_t batch = 1;
};

ConvInput conv_input_of(Settings const& s, Net const& net, TensorLayout layout) {
  ConvInput input;
  input.tensor = conv_read("--input", [&] { return read_npy(s.conv.input); });
  auto shape = input.tensor.shape;
  if (shape.size() == 3) shape.insert(shape.begin(), 1);
  auto expected = conv_extents(layout, s.conv.batch, net.channels, net.height, net.width);
  if (s.conv.batch == 0 && shape.size() == 4) expected[0] = shape[0];
  if (shape != expected || expected[0] < 1)
    throw Failure(Exit::input, formatted("--input {} is {}, expected {}", in_quotes(s.conv.input),
                                         conv_text(input.tensor.shape), conv_text(expected)));
  input.batch = expected[0];
  return input;
}

template <class T>
std::vector<T> conv_random(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = static_cast<T>(static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  return values;
}

template <class T, class Exec>
Kokkos::View<T*, typename Exec::device_type> conv_upload(Exec const& exec, std::vector<T> const& from) {
  using Device = typename Exec::device_type;
  auto const to =
      araia::detail::new_array<T, Device>(exec, "araia::conv::tensor", static_cast<std::int64_t>(from.size()));
  exec.fence("araia: the tensor is there");
  araia::detail::copy_bytes<Device, Kokkos::HostSpace>(to.data(), from.data(), from.size() * sizeof(T));
  return to;
}

/// What is told of a layer besides its report.
struct ConvTold {
  NetLayerReport report;
  ConvFlip flip;
  ConvCheck check;
};

struct ConvRun {
  std::vector<ConvTold> layers;
  double seconds = 0;  // of the net as a whole
  std::uint64_t tensor_bytes = 0;
  HostTensor output;
};

/// The layer on random input, and a random residual where it adds one, held to the direct convolution.
template <class Exec, class T>
ConvCheck conv_checked(Exec const& exec, ConvLayer<Exec, T> const& layer, ConvWeights const& weights, bool adds) {
  ConvReport const& r = layer.report();
  auto const x = conv_random<T>(r.batch * r.shape.input_size(), 11);
  std::vector<T> y(static_cast<std::size_t>(r.batch * r.shape.output_size()));
  auto const xs = conv_upload(exec, x);
  auto const ys = conv_upload(exec, y);
  std::vector<T> residual;
  if (adds) {
    residual = conv_random<T>(r.batch * r.shape.output_size(), 12);
    layer.execute(exec, xs, ys, conv_upload(exec, residual));
  } else {
    layer.execute(exec, xs, ys);
  }
  exec.fence("araia: the layer is done");
  araia::detail::copy_bytes<Kokkos::HostSpace, typename Exec::device_type>(y.data(), ys.data(), y.size() * sizeof(T));
  auto options = r.options;
  options.precision = r.winner().precision;
  return check_convolution<T>(r.shape, r.batch, weights, options, x.data(), y.data(), adds ? residual.data() : nullptr,
                              conv_samples);
}

template <class T, class Exec>
ConvRun conv_on(Exec const& exec, Settings const& s, Net const& net, ConvOptions const& options, std::int64_t batch,
                ConvInput const* input, Progress& progress) {
  progress.show("weights");
  std::string const option = !s.conv.net.empty()       ? "--net " + s.conv.net + ':'
                             : !s.conv.weights.empty() ? "--weights"
                                                       : "";
  auto const weights = conv_read(option, [&] { return net_weights(net); });
  if (s.type == "f32")
    for (std::size_t i = 0; i < weights.size(); ++i) require_f32(s, net.layers[i], weights[i]);
  ConvNet<Exec, T> const made(exec, net, weights, batch, options, [&](std::string const& layer, double share) {
    progress.show("timing " + (layer.empty() ? conv_alone : layer), share);
  });
  ConvRun run;
  run.tensor_bytes = made.tensor_bytes();
  for (std::size_t i = 0; i < net.layers.size(); ++i) {
    ConvTold told;
    told.report = made.layers()[i];
    if (told.report.name.empty()) told.report.name = conv_alone;
    if (net.layers[i].op == NetOp::convolution) {
      auto const& convolution = told.report.convolution;
      progress.show("checking " + told.report.name, static_cast<double>(i) / static_cast<double>(net.layers.size()));
      told.check = conv_checked(exec, *made.layer(i), weights[i], net.layers[i].add.has_value());
      if (told.report.timed_with != i) {
        told.flip = run.layers[told.report.timed_with].flip;
      } else if (!convolution.measured) {
        told.flip.reason = "nothing was timed";
      } else {
        auto const* const dense = convolution.fastest(true);
        auto flip_options = convolution.options;
        told.flip = find_flip<Exec, T>(exec, convolution.shape, batch, flip_options, dense ? dense->seconds : 0);
      }
    }
    run.layers.push_back(std::move(told));
  }
  progress.show("running the whole");
  std::vector<T> x;
  if (input) {
    x = std::visit([](auto const& values) { return std::vector<T>(values.begin(), values.end()); },
                   input->tensor.values);
  } else {
    x = conv_random<T>(batch * net.channels * net.height * net.width, net.seed);
  }
  std::vector<T> y(static_cast<std::size_t>(made.output_size()));
  auto const xs = conv_upload(exec, x);
  auto const ys = conv_upload(exec, y);
  using Clock = std::chrono::steady_clock;
  auto const started = Clock::now();
  auto const since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  run.seconds = std::numeric_limits<double>::infinity();
  made.execute(exec, xs, ys);
  exec.fence("araia: warm");
  for (int i = 0; i < conv_most_runs && (i < conv_least_runs || since(started) < s.conv.budget); ++i) {
    auto const begin = Clock::now();
    made.execute(exec, xs, ys);
    exec.fence("araia: the net is done");
    run.seconds = std::min(run.seconds, since(begin));
  }
  araia::detail::copy_bytes<Kokkos::HostSpace, typename Exec::device_type>(y.data(), ys.data(), y.size() * sizeof(T));
  ConvShape const& last = net.layers.back().shape;
  run.output.shape = conv_extents(options.layout, batch, last.filters, last.out_height(), last.out_width());
  run.output.values = std::move(y);
  return run;
}

ConvJson conv_number(double value) { return std::isfinite(value) && value != 0 ? ConvJson(value) : ConvJson(nullptr); }

ConvJson conv_text_or_null(std::string const& text) { return text.empty() ? ConvJson(nullptr) : ConvJson(text); }

ConvJson conv_json(ConvTold const& told) {
  ConvReport const& r = told.report.convolution;
  ConvJson candidates = ConvJson::array();
  for (auto const& c : r.candidates)
    candidates.push_back(ConvJson{{"method", araia::to_string(c.method)},
                                  {"kernel", conv_text_or_null(c.kernel)},
                                  {"seconds", conv_number(c.seconds)},
                                  {"weight_bytes", c.weight_bytes},
                                  {"workspace_bytes", c.workspace_bytes},
                                  {"reason", conv_text_or_null(c.reason)}});
  auto const& winner = r.winner();
  return ConvJson{{"name", told.report.name},
                  {"shape", araia::to_string(r.shape)},
                  {"filters", r.shape.filters},
                  {"columns", r.shape.columns()},
                  {"entries", r.nnz},
                  {"sparsity", r.sparsity},
                  {"dense", multiplies_zeros(winner.method)},
                  {"method", araia::to_string(winner.method)},
                  {"kernel", winner.kernel},
                  {"precision", precision_name(winner.precision)},
                  {"seconds", conv_number(winner.seconds)},
                  {"weight_bytes", winner.weight_bytes},
                  {"workspace_bytes", winner.workspace_bytes},
                  {"candidates", candidates},
                  {"flip", ConvJson{{"sparsity", told.flip.known ? ConvJson(told.flip.sparsity) : ConvJson(nullptr)},
                                    {"at", told.flip.at},
                                    {"seconds", told.flip.seconds},
                                    {"reason", conv_text_or_null(told.flip.reason)}}},
                  {"check", ConvJson{{"outputs", told.check.checked},
                                     {"violations", told.check.violations},
                                     {"worst_share", told.check.worst_share},
                                     {"ok", told.check.ok()}}}};
}

struct ConvTotals {
  double seconds = 0;
  double dense_seconds = 0;   // of each layer's fastest that multiplies zeros; NaN where one has none
  double sparse_seconds = 0;  // likewise of those that do not
  std::uint64_t weight_bytes = 0;
  std::uint64_t workspace_bytes = 0;
};

ConvTotals conv_totals(ConvRun const& run) {
  ConvTotals t;
  for (auto const& told : run.layers) {
    if (told.report.op != NetOp::convolution) continue;
    auto const& r = told.report.convolution;
    t.seconds += r.winner().seconds;
    t.weight_bytes += r.winner().weight_bytes;
    t.workspace_bytes += r.winner().workspace_bytes;
    auto const add = [&](double& sum, bool dense) {
      auto const* const fastest = r.fastest(dense);
      sum += fastest ? fastest->seconds : std::numeric_limits<double>::quiet_NaN();
    };
    add(t.dense_seconds, true);
    add(t.sparse_seconds, false);
  }
  return t;
}

std::string conv_seconds(double seconds) {
  return std::isfinite(seconds) && seconds > 0 ? format_seconds(seconds) : "-";
}

std::string conv_report(Settings const& s, Net const& net, ConvOptions const& options, std::int64_t batch,
                        ConvRun const& run) {
  std::vector<std::vector<std::string>> rows{{"layer", "shape", "sparsity", "method", "kernel", "time", "sparse",
                                              "dense", "flips at", "memory", "error/bound"}};
  for (auto const& told : run.layers) {
    if (told.report.op != NetOp::convolution) continue;
    auto const& r = told.report.convolution;
    auto const& winner = r.winner();
    auto const of = [&](bool dense) {
      auto const* const fastest = r.fastest(dense);
      return fastest ? conv_seconds(fastest->seconds) : "-";
    };
    rows.push_back({escape(told.report.name), araia::to_string(r.shape), formatted("{:.3f}", r.sparsity),
                    araia::to_string(winner.method), winner.kernel, conv_seconds(winner.seconds), of(false), of(true),
                    told.flip.known ? formatted("{:.2f}", told.flip.sparsity) : "-",
                    format_bytes_text(static_cast<double>(winner.weight_bytes + winner.workspace_bytes)),
                    formatted("{:.2f}", told.check.worst_share)});
  }
  ConvTotals const t = conv_totals(run);
  std::string text = formatted("{}, batch {}, {}, {} on {}, {}\n", escape(net.name), batch,
                               araia::to_string(options.layout), s.type, space(s), precision_name(options.precision));
  text += table(rows, 5);
  text += formatted(
      "layers {}, all sparse {}, all dense {}; the whole in one go {}; weights {}, workspace {}, "
      "tensors {}\n",
      conv_seconds(t.seconds), conv_seconds(t.sparse_seconds), conv_seconds(t.dense_seconds), conv_seconds(run.seconds),
      format_bytes_text(static_cast<double>(t.weight_bytes)), format_bytes_text(static_cast<double>(t.workspace_bytes)),
      format_bytes_text(static_cast<double>(run.tensor_bytes)));
  if (rows.size() == 1) text += "no output was checked: the net has no convolution\n";
  if (!s.output.empty()) text += "y written to " + escape(s.output) + "\n";
  return text;
}

}  // namespace

Exit run_conv(Settings const& given) {
  Settings s = given;
  if (s.type.empty()) s.type = araia::detail::has_all_types ? "f32" : "f64";
  require_choices(s);
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".npy"});
    require_other_file({"-o", s.output},
                       {{"--input", s.conv.input}, {"--weights", s.conv.weights}, {"--net", s.conv.net}});
  }
  require_streams_once({{"--input", s.conv.input}, {"--weights", s.conv.weights}, {"--net", s.conv.net}});
  ConvOptions const options = conv_options_of(s);
  if (options.precision != Precision::native && s.type != "f32")
    throw Failure(Exit::usage, formatted("--precision {} is for --type f32", s.precision));
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  Progress progress;
  Net const net = conv_net_of(s);
  std::int64_t batch = std::max<std::int64_t>(1, s.conv.batch);
  ConvInput input;
  if (!s.conv.input.empty()) {
    input = conv_input_of(s, net, options.layout);
    batch = input.batch;
    if (auto const* const values = std::get_if<std::vector<double>>(&input.tensor.values); values && s.type == "f32")
      require_f32_range("--input " + s.conv.input, *values, {});
  }
  auto const* const in = s.conv.input.empty() ? nullptr : &input;
  ConvRun run;
  auto const run_in = [&]<class T>() {
    return on_space(s, [&](auto const& exec) { return conv_on<T>(exec, s, net, options, batch, in, progress); });
  };
  using Narrow = std::conditional_t<araia::detail::has_all_types, float, double>;
  try {
    run = s.type == "f32" ? run_in.template operator()<Narrow>() : run_in.template operator()<double>();
  } catch (Error const& e) {
    constexpr std::string_view of_option = "method is ";  // as the layer says it
    std::string text = said(e);
    auto const at = text.find(of_option);
    if (e.kind() != ErrorKind::unsupported || at == text.npos) throw;
    throw Failure(Exit::usage, text.insert(at, "--"));
  }
  if (!s.output.empty()) {
    progress.show("writing " + s.output);
    write_npy(s.output, run.output);
  }
  progress.show("");
  bool const ok = std::all_of(run.layers.begin(), run.layers.end(), [](auto const& told) { return told.check.ok(); });
  std::int64_t checked = 0;
  for (auto const& told : run.layers) checked += told.check.checked;
  if (s.json) {
    ConvJson layers = ConvJson::array();
    for (auto const& told : run.layers)
      if (told.report.op == NetOp::convolution) layers.push_back(conv_json(told));
    ConvTotals const t = conv_totals(run);
    ConvJson const json{{"command", "conv"},
                        {"net", valid_utf8(net.name)},
                        {"device", space(s)},
                        {"type", s.type},
                        {"layout", araia::to_string(options.layout)},
                        {"precision", precision_name(options.precision)},
                        {"batch", batch},
                        {"layers", layers},
                        {"total", ConvJson{{"seconds", conv_number(t.seconds)},
                                           {"sparse_seconds", conv_number(t.sparse_seconds)},
                                           {"dense_seconds", conv_number(t.dense_seconds)},
                                           {"whole_seconds", conv_number(run.seconds)},
                                           {"weight_bytes", t.weight_bytes},
                                           {"workspace_bytes", t.workspace_bytes},
                                           {"tensor_bytes", run.tensor_bytes}}},
                        {"checked", checked},
                        {"ok", checked > 0 ? ConvJson(ok) : ConvJson(nullptr)},
                        {"output", conv_text_or_null(valid_utf8(s.output))}};
    print_written(s.output, json_text(json));
  } else {
    print_written(s.output, conv_report(s, net, options, batch, run));
  }
  return ok ? Exit::done : Exit::wrong;
}

}  // namespace araia::cli
