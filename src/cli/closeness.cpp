// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/graph/closeness.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/on_space.hpp"
#include "src/io/text_output.hpp"

namespace araia::cli {
namespace {

using GraphMatrix = Csr<double, std::int32_t, std::int64_t, HostDevice>;

/// The pattern alone: a sum of repeated entries, a zero and a NaN are edges like all others.
GraphMatrix pattern_of(Input& input) {
  if (input.coo.rows != input.coo.cols)
    throw Failure(Exit::input, formatted("{} is {} x {}, expected a square matrix", in_quotes(input.name),
                                         input.coo.rows, input.coo.cols));
  HostCoo& coo = input.coo;
  coo.values = std::monostate{};
  if (coo.symmetry != Symmetry::general) coo.symmetry = Symmetry::symmetric;
  return assemble<double, std::int32_t, std::int64_t>(coo);
}

template <class Exec>
ClosenessResult closeness_on(Exec const& exec, GraphMatrix const& on_host, ClosenessOptions const& options) {
  return closeness(exec, copy_to<typename Exec::device_type>(exec, on_host), options);
}

ClosenessMethod method_of(std::string const& name) {
  for (auto const method : {ClosenessMethod::bit_packed, ClosenessMethod::portable, ClosenessMethod::spmm})
    if (name == to_string(method)) return method;
  return ClosenessMethod::automatic;
}

char const* score_name(Settings const& s) { return s.harmonic ? "harmonic" : s.reach ? "reach" : "closeness"; }

std::vector<double> const& scores_of(Settings const& s, ClosenessResult const& result) {
  return s.harmonic ? result.harmonic : s.reach ? result.reach : result.closeness;
}

/// The nodes of the highest scores, those of equal ones in order.
std::string best_nodes(std::vector<double> const& scores) {
  constexpr std::size_t most = 10;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const shown = std::min(most, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
      [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  std::vector<std::vector<std::string>> rows{{"node", "score"}};
  for (std::size_t i = 0; i < shown; ++i)
    rows.push_back({formatted("{}", order[i] + 1), formatted("{:.6g}", scores[order[i]])});
  return table(rows, 0);
}

/// Of sampled sources: how far the scores may be off.
std::string error_text(Settings const& s, ClosenessResult const& result) {
  if (result.exact) return {};
  auto const sure = formatted("with a probability of {:.3g} at least", 1 - result.failure);
  if (s.harmonic) return formatted("{}, no score is off by more than {:.3g}\n", sure, result.harmonic_error);
  if (s.reach) return formatted("{}, no score is off by more than {:.3g}\n", sure, result.reach_error);
  auto const others = static_cast<std::int64_t>(result.sources.size()) - 1;
  double const error = result.mean_distance_error(others);
  if (!std::isfinite(error)) return "no bound of the error is known, as none of the distances is\n";
  return formatted("{}, no mean distance is off by more than {:.3g}, of nodes that all sources reach\n", sure, error);
}

}  // namespace

Exit run_closeness(Settings const& s) {
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".csv"});
    require_other_file({"-o", s.output}, {{"FILE", s.file}});
  }
  require_choices(s);
  if (s.unscaled && (s.harmonic || s.reach))
    throw Failure(Exit::usage, formatted("--unscaled is for the closeness, but {} asks for another score",
                                         s.harmonic ? "--harmonic" : "--reach"));
  if (s.draw_seed && s.sources == 0)
    throw Failure(Exit::usage, "--seed is for --sources N: of all sources none is drawn");
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  Progress progress;
  progress.show("reading " + s.file);
  Input input = load(s);
  progress.show("assembling");
  GraphMatrix const A = pattern_of(input);
  ClosenessOptions options;
  options.undirected = s.undirected;
  options.outgoing = s.outgoing;
  options.wasserman_faust = !s.unscaled;
  options.harmonic = s.harmonic;
  options.sources = s.sources;
  if (s.draw_seed) options.seed = *s.draw_seed;
  options.method = method_of(s.method);
  options.batch = static_cast<int>(s.batch);
  options.progress = [&progress](double share) { progress.show("searching", share); };
  progress.show("searching");
  ClosenessResult result;
  try {
    result = on_space(s, [&](auto const& exec) { return closeness_on(exec, A, options); });
  } catch (Error const& e) {
    throw about(input, {}, e);
  }
  std::vector<double> const& scores = scores_of(s, result);
  if (!s.output.empty()) {
    progress.show("writing " + s.output);
    araia::detail::write_file(s.output, [&](araia::detail::TextOutput& out) {
      out << "node,score\n";
      for (std::size_t v = 0; v < scores.size(); ++v) out << v + 1 << ',' << scores[v] << '\n';
    });
  }
  progress.show("");
  auto const sources = result.exact ? result.nodes : static_cast<std::int64_t>(result.sources.size());
  if (s.json) {
    using Json = nlohmann::ordered_json;
    auto const estimated = [&](double value) { return result.exact ? Json() : known(value); };
    Json json{{"command", "closeness"},
              {"matrix", to_json(input)},
              {"device", space(s)},
              {"score", score_name(s)},
              {"directed", !s.undirected},
              {"distances", s.outgoing ? "outgoing" : "incoming"},
              {"wasserman_faust", options.wasserman_faust},
              {"edges", result.edges},
              {"sources", sources},
              {"exact", result.exact},
              {"seed", result.exact ? Json() : Json(options.seed)},
              {"failure", estimated(result.failure)},
              {"score_error",
               s.harmonic || s.reach ? estimated(s.harmonic ? result.harmonic_error : result.reach_error) : Json()},
              {"mean_distance_error", estimated(result.mean_distance_error(sources - 1))},
              {"diameter_bound", estimated(result.diameter)},
              {"method", result.method},
              {"batch", result.batch},
              {"batches", result.batches},
              {"levels", result.levels},
              {"prepare_seconds", result.prepare_seconds},
              {"search_seconds", result.search_seconds},
              {"output", s.output.empty() ? Json() : Json(valid_utf8(s.output))},
              {"scores", scores}};
    print_written(s.output, json_text(json));
    return Exit::done;
  }
  std::string text = formatted("{} of {} nodes, {} edges, from {} sources, {} at once by {}, {} levels, {:.3g} s\n",
                               score_name(s), result.nodes, result.edges, sources, result.batch, result.method,
                               result.levels, result.prepare_seconds + result.search_seconds);
  text += error_text(s, result) + best_nodes(scores);
  if (!s.output.empty()) text += "scores written to " + escape(s.output) + '\n';
  print_written(s.output, text);
  return Exit::done;
}

}  // namespace araia::cli
