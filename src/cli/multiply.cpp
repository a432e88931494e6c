// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <araia/io/escape.hpp>
#include <araia/io/matrix_market.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

HostDense constant(std::int64_t rows, std::int64_t columns, double value) {
  return {
      .rows = rows, .columns = columns, .values = std::vector<double>(static_cast<std::size_t>(rows * columns), value)};
}

void require_shape(char const* option, HostDense const& got, std::int64_t rows, std::int64_t columns) {
  if (got.rows != rows || got.columns != columns)
    throw Failure(Exit::input,
                  fmt::format("{} is {} x {}, expected {} x {}", option, got.rows, got.columns, rows, columns));
}

std::unique_ptr<AnyPlan> make(AnyMatrix const& matrix, Op op, std::int64_t columns, PlanOptions const& options) {
  if (columns == 1) return matrix.plan(SpmvDesc{.op = op}, options);
  return matrix.plan(SpmmDesc{.op = op, .columns = columns}, options);
}

/// The plan that --format and --kernel leave: the model chooses among what they allow.
std::unique_ptr<AnyPlan> plan_for(Settings const& s, AnyMatrix const& matrix, Op op, std::int64_t columns) {
  PlanOptions options;
  if (!s.format.empty()) options.formats = {s.format};
  if (s.kernel.empty()) return make(matrix, op, columns, options);
  std::vector<std::string> const formats = s.format.empty() ? format_labels() : std::vector<std::string>{s.format};
  std::string reason;
  for (auto const& format : formats) {
    // Parameters as the list of candidates has them for the format; none where it leaves the format or the kernel out.
    options.choice = choice_of_format(format);
    options.choice->kernel = s.kernel;
    try {
      return make(matrix, op, columns, options);
    } catch (Error const& e) {
      if (e.kind() != ErrorKind::unsupported) throw;
      if (reason.empty() || formats.size() == 1) reason = e.what();
    }
  }
  throw Failure(Exit::usage, reason);
}

}  // namespace

Exit run_multiply(Settings const& s) {
  require_suffix({"-o", s.output}, {".mtx"}, true);
  require_other_file({"-o", s.output}, {{"FILE", s.file}, {"--rhs", s.rhs}, {"--initial", s.initial}});
  if (!s.format.empty()) (void)choice_of_format(s.format);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  Op const op = s.conjugate ? Op::conjugate_transpose : s.transpose ? Op::transpose : Op::none;
  std::int64_t const rows = op == Op::none ? input.coo.rows : input.coo.cols;
  std::int64_t const cols = op == Op::none ? input.coo.cols : input.coo.rows;
  HostDense const x = s.rhs.empty() ? constant(cols, 1, 1.0) : load_dense(s.rhs);
  require_shape("--rhs", x, cols, x.columns);
  HostDense y = s.initial.empty() ? constant(rows, x.columns, 0.0) : load_dense(s.initial);
  require_shape("--initial", y, rows, x.columns);
  auto const types = scalar_types(s, input.coo);
  progress.show("assembling");
  auto const matrix = make_any_matrix(input.coo, types, space(s));
  progress.show("planning");
  auto const plan = plan_for(s, *matrix, op, x.columns);
  VerifyReport verified;
  if (s.verify) {
    progress.show("verifying");
    verified = plan->verify();
    if (!verified.ok)
      throw Failure(Exit::wrong,
                    label(plan->report().winner().choice) + " failed verification: " + verified.first_violation);
  }
  progress.show("multiplying");
  plan->execute(s.alpha, x, s.beta, y);
  progress.show("writing " + s.output);
  write_matrix_market_dense(s.output, y);
  progress.show("");
  auto const& winner = plan->report().winner();
  if (s.json) {
    nlohmann::ordered_json json{{"command", "multiply"}, {"matrix", to_json(input)}, {"type", to_string(types)},
                                {"device", space(s)},    {"op", to_string(op)},      {"columns", x.columns},
                                {"alpha", s.alpha},      {"beta", s.beta},           {"output", escape(s.output)}};
    json["choice"] = nlohmann::ordered_json::parse(to_json(winner.choice));
    json["verified"] = to_json(verified);
    print_json(json);
  } else {
    print(fmt::format("{} x {} written to {} by {}{}\n", y.rows, y.columns, escape(s.output), label(winner.choice),
                      s.verify ? fmt::format("; verified, worst {:.3f} of the bound", verified.worst_share) : ""));
  }
  return Exit::done;
}

}  // namespace araia::cli
