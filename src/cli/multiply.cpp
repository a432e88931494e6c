// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <complex>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include <araia/detail/formats/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/named_kernel.hpp"

namespace araia::cli {
namespace {

/// A product of one column is SpMV, of others SpMM.
constexpr OpId operations_of_multiply[] = {OpId::spmv, OpId::spmm};

Op op_of(Settings const& s) {
  if (s.transpose) return Op::transpose;
  if (s.conjugate_transpose) return Op::conjugate_transpose;
  return s.conjugate ? Op::conjugate : Op::none;
}

/// Those that leave kernels out, or decide how much memory they take.
std::vector<std::string> multiply_restrictions(Settings const& s) {
  std::vector<std::string> given;
  if (!s.rhs.empty()) given.push_back("--rhs " + in_quotes(s.rhs));
  if (s.transpose) given.emplace_back("--transpose");
  if (s.conjugate_transpose) given.emplace_back("--conjugate-transpose");
  if (s.conjugate) given.emplace_back("--conjugate");
  if (!s.format.empty()) given.push_back("--format " + s.format);
  if (!s.kernel.empty()) given.push_back("--kernel " + in_quotes(s.kernel));
  return given;
}

/// Bytes of X (cols, columns) and Y (rows, columns), twice: as files have them, and as the product reads and writes
/// them.
std::uint64_t operand_bytes(Input const& input, std::int64_t columns, ScalarTypes types) {
  auto const scalar = types == ScalarTypes::c64 ? sizeof(std::complex<double>) : sizeof(double);
  auto const of = [&](std::int64_t extent) {
    return araia::detail::saturating_product(
        araia::detail::saturating_product(static_cast<std::uint64_t>(extent), static_cast<std::uint64_t>(columns)),
        2 * scalar);
  };
  return araia::detail::saturating_sum(of(input.coo.rows), of(input.coo.cols));
}

/// What conversions may take of the host's memory beside the product's copies of X and Y; 0, no limit of the host's, on
/// a device. \throws Error (resource_limit) where the copies do not fit
std::uint64_t conversion_limit(AnySpace const& exec, std::uint64_t copies) {
  if (!exec.reaches(MemorySpace::host)) return 0;
  araia::detail::require_memory("the product", copies, default_host_memory_limit());
  return std::max<std::uint64_t>(1, default_host_memory_limit() - copies);
}

/// Those, beside so many that are held of them already, and A's offsets fit into memory.
/// \throws Error (resource_limit) naming the file
void require_room(Settings const& s, Input const& input, std::int64_t columns, ScalarTypes types,
                  std::uint64_t held) try {
  std::int64_t const rows = transposes(op_of(s)) ? input.coo.cols : input.coo.rows;
  auto const offsets = araia::detail::saturating_product(static_cast<std::uint64_t>(rows) + 1, sizeof(std::int64_t));
  auto const operands = operand_bytes(input, columns, types);
  araia::detail::require_memory("the product",
                                araia::detail::saturating_sum(operands - std::min(operands, held), offsets),
                                default_host_memory_limit());
} catch (Error const& e) {
  throw about(input, multiply_restrictions(s), e);
}

/// Of the values of a file that --rhs or --initial names, which reading held.
std::uint64_t held_bytes(std::string const& file, HostDense const& dense) {
  if (file.empty()) return 0;
  return std::visit([](auto const& values) -> std::uint64_t { return values.size() * sizeof(values[0]); },
                    dense.values);
}

HostDense constant(std::int64_t rows, std::int64_t columns, double value) {
  return {
      .rows = rows, .columns = columns, .values = std::vector<double>(static_cast<std::size_t>(rows * columns), value)};
}

std::unique_ptr<AnyPlan> make(AnyMatrix const& matrix, Op op, std::int64_t columns, PlanOptions const& options) {
  if (columns == 1) return matrix.plan(SpmvDesc{.op = op}, options);
  return matrix.plan(SpmmDesc{.op = op, .columns = columns}, options);
}

/// "; csr has thread_per_row, ...": what could be asked for instead, proposed by the model or not.
std::string kernels_there(Settings const& s, AnyMatrix const& matrix, Op op, std::int64_t columns,
                          std::optional<Choice> const& format) {
  std::unique_ptr<AnyPlan> plan;  // whose report has the problem
  try {
    plan = make(matrix, op, columns, {});
  } catch (Error const& e) {
    if (e.kind() != ErrorKind::unsupported) throw;
    return {};  // no kernel at all
  }
  auto const& report = plan->report();
  OpId const operation[] = {report.problem.operation};
  std::vector<std::string> names;
  for (auto const& label : format ? std::vector<std::string>{format_label(*format)} : format_labels()) {
    Choice choice = choice_of_format(label);
    for (auto const& name : kernels_on(operation, space(s), choice.format, op)) {
      choice.kernel = name;
      if (why_illegal(report.problem, choice, report.machine).empty() &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  std::string const owner = format ? format_label(*format) + " has" : "there are";
  return "; for this product " + owner + ' ' + (names.empty() ? "none" : joined(names));
}

/// The plan that --format and --kernel leave: the model chooses among what they allow.
/// \param memory_limit  of its conversions; 0: as make_plan has it
std::unique_ptr<AnyPlan> plan_for(Settings const& s, AnyMatrix const& matrix, Op op, std::int64_t columns,
                                  std::uint64_t memory_limit) {
  PlanOptions options{.memory_limit = memory_limit};
  if (s.kernel.empty()) {
    if (auto const format = format_choice(s)) options.formats = {format_label(*format)};
    return make(matrix, op, columns, options);
  }
  NamedKernel const kernel = named_kernel(s);
  auto const formats = kernel.format ? std::vector<std::string>{format_label(*kernel.format)} : format_labels();
  // Without a format, that of the first which has the kernel: what is wrong with its parameters.
  std::string reason;
  std::string other_product;  // that it is for
  for (auto const& format : formats) {
    if (!unread_parameter(s, kernel, format, operations_of_multiply).empty()) continue;
    // Parameters that are not given are as the list of candidates has them for the format; none where it leaves the
    // format or the kernel out.
    options.choice = choice_of(s, kernel, choice_of_format(format));
    try {
      return make(matrix, op, columns, options);
    } catch (Error const& e) {
      if (e.kind() != ErrorKind::unsupported) throw;
      bool const is_one = columns == 1;
      bool const is_there = has_kernel(kernel, format, is_one ? OpId::spmv : OpId::spmm, op);
      if (reason.empty() && is_there) reason = e.what();
      if (!is_there && has_kernel(kernel, format, is_one ? OpId::spmm : OpId::spmv, op))
        other_product = formatted("it is for {}, and X has {}", is_one ? "several columns" : "one column", columns);
    }
  }
  reason = reason.empty() ? other_product : why_it_cannot_run(std::move(reason));
  if (reason.empty()) reason = "no format can run it here";
  refuse_kernel(s, reason + kernels_there(s, matrix, op, columns, kernel.format));
}

/// Y = alpha op(A) X + beta Y, on copies of both in the space's memory.
void multiply(AnyPlan const& plan, double alpha, HostDense const& x, double beta, HostDense& y) {
  auto const scalar = operand_scalar(plan.types());
  AnyDense const b(plan.space(), scalar, x);
  AnyDense const c(plan.space(), scalar, y);
  plan.execute(alpha, b.view(), beta, c.view());
  c.to_host(plan.space(), y);
}

/// Fill of blocks is zeros that are multiplied: zero times infinity is NaN, in rows that have no entry there.
void warn_of_fill(AnyMatrix const& matrix, Choice const& choice, HostDense const& x) {
  if (choice.format != "bsr" || all_finite(x.values)) return;
  if (matrix.footprint(choice).slots != matrix.stats({}).nnz)
    warn(
        "X has infinities or NaN, and bsr multiplies the zeros that fill its blocks: they reach rows without an entry "
        "in their column; other formats keep them out");
}

/// \throws Failure with Exit::usage where the vectors' type does not hold alpha or beta
void require_factors(Settings const& s, ScalarTypes types) {
  require_held("--alpha", s.alpha, types);
  require_held("--beta", s.beta, types);
}

}  // namespace

Exit run_multiply(Settings const& s) {
  require_suffix({"-o", s.output}, {".mtx"});
  require_other_file({"-o", s.output}, {{"FILE", s.file}, {"--rhs", s.rhs}, {"--initial", s.initial}});
  require_streams_once({{"FILE", s.file}, {"--rhs", s.rhs}, {"--initial", s.initial}});
  if (s.type == to_string(ScalarTypes::f32)) require_factors(s, ScalarTypes::f32);
  require_choices(s);
  if (s.kernel.empty())
    require_format(s, operations_of_multiply, op_of(s));
  else
    require_kernel(s, operations_of_multiply, op_of(s));
  require_writable({"-o", s.output}, s.json);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  auto types = scalar_types(s, input);
  bool const widens = s.type.empty();
  require_factors(s, types);
  Op const op = op_of(s);
  std::int64_t const rows = transposes(op) ? input.coo.cols : input.coo.rows;
  std::int64_t const cols = transposes(op) ? input.coo.rows : input.coo.cols;
  if (s.rhs.empty()) require_room(s, input, 1, types, 0);
  HostDense const x = s.rhs.empty() ? constant(cols, 1, 1.0) : load_operand(s, {"--rhs", s.rhs}, types, widens);
  if (x.rows != cols)
    throw Failure(Exit::input, formatted("--rhs {} is {} x {}, expected {} rows (and any number of columns)",
                                         in_quotes(s.rhs), x.rows, x.columns, cols));
  std::uint64_t const held_of_x = held_bytes(s.rhs, x);
  require_room(s, input, x.columns, types, held_of_x);
  auto const before = types;
  HostDense y =
      s.initial.empty() ? constant(rows, x.columns, 0.0) : load_operand(s, {"--initial", s.initial}, types, widens);
  std::uint64_t const held = held_of_x + held_bytes(s.initial, y);
  if (types != before) require_room(s, input, x.columns, types, held);
  std::uint64_t const copies = operand_bytes(input, x.columns, types) / 2;
  hold(copies - std::min(copies, held));
  if (y.rows != rows || y.columns != x.columns)
    throw Failure(Exit::input, formatted("--initial {} is {} x {}, expected {} x {}", in_quotes(s.initial), y.rows,
                                         y.columns, rows, x.columns));
  if (s.initial.empty() && s.beta != 0.0)
    warn(formatted("--beta is {}, but without --initial Y0 is zeros, so that it does not count", s.beta));
  if (!s.initial.empty() && s.beta == 0.0) warn("--beta is 0, so that Y0 of --initial does not count");
  progress.show("assembling");
  AnySpace const exec(space(s));
  auto const matrix = make_matrix(exec, input, types);
  progress.show("planning");
  std::unique_ptr<AnyPlan> plan;
  VerifyReport verified;
  try {
    plan = plan_for(s, *matrix, op, x.columns, conversion_limit(exec, copies));
    if (s.verify) {
      hold_plan(*plan, *matrix);
      progress.show("verifying");
      verified = plan->verify();
    }
  } catch (Error const& e) {
    throw about(input, multiply_restrictions(s), e);
  }
  auto const& winner = plan->report().winner();
  warn_of_fill(*matrix, winner.choice, x);
  if (s.verify && !verified.ok)
    throw Failure(Exit::wrong, label(winner.choice) + " failed verification: " + verified.first_violation);
  progress.show("multiplying");
  multiply(*plan, s.alpha, x, s.beta, y);
  progress.show("writing " + s.output);
  write_matrix_market_dense(s.output, y);
  progress.show("");
  if (s.json) {
    nlohmann::ordered_json json{{"command", "multiply"}, {"matrix", to_json(input)}, {"type", to_string(types)},
                                {"device", space(s)},    {"op", to_string(op)},      {"columns", x.columns},
                                {"alpha", s.alpha},      {"beta", s.beta},           {"output", valid_utf8(s.output)}};
    json["choice"] = nlohmann::ordered_json::parse(to_json(winner.choice));
    json["verified"] = to_json(verified);
    print_written(s.output, json_text(json));
  } else {
    print_written(
        s.output,
        formatted("{} x {} written to {} by {}{}\n", y.rows, y.columns, escape(s.output), label(winner.choice),
                  s.verify ? formatted("; the kernel verified, worst {:.3f} of the bound", verified.worst_share) : ""));
  }
  return Exit::done;
}

}  // namespace araia::cli
