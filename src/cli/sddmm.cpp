// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <araia/detail/formats/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/named_kernel.hpp"
#include "src/cli/tune_report.hpp"

namespace araia::cli {
namespace {

constexpr OpId operations_of_sddmm[] = {OpId::sddmm};
constexpr std::int64_t default_dot_length = 32;

/// Those that leave kernels out, or decide how much memory operands take.
std::vector<std::string> sddmm_restrictions(Settings const& s) {
  std::vector<std::string> given;
  if (s.columns > 0) given.push_back(formatted("--columns {}", s.columns));
  if (!s.sddmm.x.empty()) given.push_back("--x " + in_quotes(s.sddmm.x));
  if (!s.sddmm.y.empty()) given.push_back("--y " + in_quotes(s.sddmm.y));
  if (!s.kernel.empty()) given.push_back("--kernel " + in_quotes(s.kernel));
  if (s.deterministic) given.emplace_back("--deterministic");
  return given;
}

/// X or Y as the command reads it; without a file, ones, made once the number of columns is known.
struct Operand {
  PathArgument file;
  std::int64_t rows;
  char const* rows_are;  ///< "rows" or "columns" of A
  HostDense dense{};
};

void read(Settings const& s, Operand& operand, ScalarTypes& types, bool widens) {
  if (operand.file.path.empty()) return;
  operand.dense = load_operand(s, operand.file, types, widens);
  if (operand.dense.rows != operand.rows)
    throw Failure(Exit::input, formatted("{} {} is {} x {}, expected {} rows, as A has {}", operand.file.argument,
                                         in_quotes(operand.file.path), operand.dense.rows, operand.dense.columns,
                                         operand.rows, operand.rows_are));
}

/// Of --columns and the operands that are there.
std::int64_t columns_of(Settings const& s, Operand const& x, Operand const& y) {
  std::int64_t columns = s.columns;
  char const* given_by = "--columns";
  for (auto const* operand : {&x, &y}) {
    if (operand->file.path.empty()) continue;
    if (columns > 0 && operand->dense.columns != columns)
      throw Failure(Exit::input, formatted("{} {} has {} columns, expected {}, as {} says", operand->file.argument,
                                           in_quotes(operand->file.path), operand->dense.columns, columns, given_by));
    columns = operand->dense.columns;
    given_by = operand->file.argument;
  }
  return columns > 0 || x.file.path.size() + y.file.path.size() > 0 ? columns : default_dot_length;
}

/// \throws Error (resource_limit) where X, Y and D do not fit into memory beside what is held
void require_room(Input const& input, std::int64_t columns) {
  using araia::detail::saturating_product;
  using araia::detail::saturating_sum;
  constexpr std::uint64_t copies = 2;  // as files have them, and as the product reads and writes them
  auto const rows =
      saturating_sum(static_cast<std::uint64_t>(input.coo.rows), static_cast<std::uint64_t>(input.coo.cols));
  auto const elements = saturating_sum(saturating_product(rows, static_cast<std::uint64_t>(columns)),
                                       static_cast<std::uint64_t>(input.coo.stored()));
  araia::detail::require_memory("the product", saturating_product(elements, copies * sizeof(double)),
                                default_host_memory_limit());
}

void fill_with_ones(Operand& operand, std::int64_t columns) {
  if (!operand.file.path.empty()) return;
  operand.dense = {.rows = operand.rows,
                   .columns = columns,
                   .values = std::vector<double>(static_cast<std::size_t>(operand.rows * columns), 1.0)};
}

/// D = alpha A .* (X Y') with the entries of A, in double or complex<double>.
HostCoo product(Settings const& s, AnySddmmPlan const& plan, AnyMatrix const& matrix, HostDense const& x,
                HostDense const& y) {
  auto const scalar = operand_scalar(plan.types());
  AnyDense const xs(plan.space(), scalar, x);
  AnyDense const ys(plan.space(), scalar, y);
  AnyDense const d(plan.space(), scalar, matrix.nnz());
  plan.execute(s.alpha, xs.view(), ys.view(), 0, d.view());
  HostCoo result = matrix.entries();
  HostDense on_host = d.to_host(plan.space());
  std::visit([&](auto& values) { result.values = std::move(values); }, on_host.values);
  return result;
}

std::string text_of(Settings const& s, Input const& input, AnySddmmPlan const& plan, VerifyReport const& verified) {
  auto const& report = plan.report();
  auto const& st = report.problem.stats;
  std::string text = remarks(report);
  text += formatted("{}: {} x {}, {} entries, {} to {} a row, mean {:.1f}; values: {}\n", escape(input.name), st.rows,
                    st.cols, st.nnz, st.min_length, st.max_length, st.mean_length, input.values);
  text += formatted("sddmm of {} columns in {} on {}, {} thread{}\n", report.problem.columns, to_string(plan.types()),
                    plan.space().name(), report.machine.concurrency, report.machine.concurrency == 1 ? "" : "s");
  if (report.measured)
    text += '\n' + ranking(report) + '\n' + why(report);
  else
    text += formatted("kernel: {}, modelled at {}\n", label(report.winner().choice),
                      format_seconds(report.winner().modelled_seconds));
  if (s.verify) text += verified_line(report, verified);
  if (!s.output.empty()) text += formatted("{} entries written to {}\n", st.nnz, escape(s.output));
  return text;
}

nlohmann::ordered_json json_of(Settings const& s, Input const& input, AnySddmmPlan const& plan,
                               VerifyReport const& verified) {
  auto const& report = plan.report();
  nlohmann::ordered_json json{{"command", "sddmm"},
                              {"matrix", to_json(input)},
                              {"type", to_string(plan.types())},
                              {"device", plan.space().name()},
                              {"alpha", s.alpha},
                              {"pattern", s.pattern}};
  json["stats"] = to_json(report.problem.stats);
  json.update(to_json(report));
  json["winner"] = nlohmann::ordered_json::parse(to_json(report.winner().choice));
  json["verified"] = to_json(verified);
  json["output"] = s.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(s.output);
  return json;
}

std::unique_ptr<AnySddmmPlan> plan_for(Settings const& s, AnyMatrix const& matrix, std::int64_t columns,
                                       Progress& progress) {
  std::optional<FirstInterruptStops> const interrupt(std::in_place);
  std::stop_source stop;
  PlanOptions options;
  options.measure = s.kernel_budget > 0;
  options.budget = s.kernel_budget;
  options.deterministic = s.deterministic;
  options.machine = any_machine(matrix.space(), options.measure);
  options.cancel = stop.get_token();
  options.progress = [&](std::string const& step, double share) {
    if (interrupt->came()) stop.request_stop();
    progress.show(step, share);
  };
  SddmmDesc const desc{.columns = columns, .pattern = s.pattern};
  if (s.kernel.empty()) return matrix.plan(desc, options);
  NamedKernel const kernel = named_kernel(s);
  options.choice = choice_of(s, kernel, kernel.format.value_or(Choice{.format = "csr"}));
  try {
    return matrix.plan(desc, options);
  } catch (Error const& e) {
    if (e.kind() != ErrorKind::unsupported) throw;
    refuse_kernel(s, why_it_cannot_run(e.what()));
  }
}

}  // namespace

Exit run_sddmm(Settings const& s) {
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".mtx"});
    require_other_file({"-o", s.output}, {{"FILE", s.file}, {"--x", s.sddmm.x}, {"--y", s.sddmm.y}});
    require_writable({"-o", s.output}, s.json);
  }
  require_streams_once({{"FILE", s.file}, {"--x", s.sddmm.x}, {"--y", s.sddmm.y}});
  if (s.type == to_string(ScalarTypes::f32)) require_held("--alpha", s.alpha, ScalarTypes::f32);
  require_choices(s);
  if (!s.kernel.empty()) require_kernel(s, operations_of_sddmm, Op::none);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  auto types = scalar_types(s, input);
  bool const widens = s.type.empty();
  Operand x{.file = {"--x", s.sddmm.x}, .rows = input.coo.rows, .rows_are = "rows"};
  Operand y{.file = {"--y", s.sddmm.y}, .rows = input.coo.cols, .rows_are = "columns"};
  read(s, x, types, widens);
  read(s, y, types, widens);
  require_held("--alpha", s.alpha, types);
  std::int64_t const columns = columns_of(s, x, y);
  std::unique_ptr<AnyMatrix> matrix;
  std::unique_ptr<AnySddmmPlan> plan;
  VerifyReport verified;
  try {
    require_room(input, columns);
    AnySpace const exec(space(s));
    progress.show("assembling");
    matrix = make_matrix(exec, input, types);
    progress.show("planning");
    plan = plan_for(s, *matrix, columns, progress);
    if (s.verify) {
      progress.show("verifying");
      verified = plan->verify();
    }
  } catch (Error const& e) {
    throw about(input, sddmm_restrictions(s), e);
  }
  if (s.verify && !verified.ok)
    throw Failure(Exit::wrong,
                  label(plan->report().winner().choice) + " failed verification: " + verified.first_violation);
  if (!s.output.empty()) {
    progress.show("multiplying");
    fill_with_ones(x, columns);
    fill_with_ones(y, columns);
    HostCoo const d = product(s, *plan, *matrix, x.dense, y.dense);
    progress.show("writing " + s.output);
    write_matrix_market(s.output, d);
  }
  progress.show("");
  std::string const text = s.json ? json_text(json_of(s, input, *plan, verified)) : text_of(s, input, *plan, verified);
  if (s.output.empty())
    print(text);
  else
    print_written(s.output, text);
  return Exit::done;
}

}  // namespace araia::cli
