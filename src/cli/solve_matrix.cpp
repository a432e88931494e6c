// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/solvers/cg.hpp>
#include "src/io/escape.hpp"

#include "src/cli/named_kernel.hpp"
#include "src/cli/on_space.hpp"
#include "src/cli/solve.hpp"
#include "src/cli/symmetry.hpp"

namespace araia::cli {
namespace {

/// The solver's vectors and the matrix, which are made beside the file's entries.
void require_room(Input const& input) try {
  constexpr std::uint64_t vectors = 10;
  auto const rows = araia::detail::saturating_product(static_cast<std::uint64_t>(input.coo.rows),
                                                      vectors * sizeof(double) + sizeof(std::int32_t));
  auto const entries = araia::detail::saturating_product(static_cast<std::uint64_t>(most_entries(input.coo)),
                                                         sizeof(double) + sizeof(std::int32_t));
  // The matrix, its transpose, and what a plan makes of it.
  constexpr std::uint64_t copies = 3;
  araia::detail::require_memory("the solve",
                                araia::detail::saturating_sum(rows, araia::detail::saturating_product(entries, copies)),
                                default_host_memory_limit());
} catch (Error const& e) {
  throw about(input, {}, e);
}

struct Solved {
  CgResult result;
  double seconds = 0;
};

/// \param x  takes the solution
template <class Exec>
Solved solve_on(Exec const& exec, Settings const& s, HostMatrix const& on_host, std::vector<double> const& b,
                std::vector<double>& x, CgOptions const& options) {
  using Device = typename Exec::device_type;
  auto const A = copy_to<Device>(exec, on_host);
  auto const new_vector = [&](char const* label, std::vector<double> const& from) {
    auto const to = araia::detail::new_array<double, Device>(exec, label, static_cast<std::int64_t>(from.size()));
    exec.fence("araia: the vector is there");
    araia::detail::copy_bytes<Device, Kokkos::HostSpace>(to.data(), from.data(), from.size() * sizeof(double));
    return to;
  };
  auto const bs = new_vector("araia::solve::b", b);
  auto const xs = new_vector("araia::solve::x", x);
  auto const start = std::chrono::steady_clock::now();
  Solved solved;
  if (auto const format = format_choice(s)) {
    PlanOptions plan_options;
    plan_options.deterministic = true;
    plan_options.formats = {format_label(*format)};
    auto const plan = make_plan(exec, SpmvDesc{.fused = true}, A, plan_options);
    solved.result = make_cg(exec, plan, A, options).solve(exec, bs, xs);
  } else {
    solved.result = make_cg(exec, A, options).solve(exec, bs, xs);
  }
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  araia::detail::copy_bytes<Kokkos::HostSpace, Device>(x.data(), xs.data(), x.size() * sizeof(double));
  return solved;
}

/// --rhs, or the matrix times ones.
std::vector<double> right_hand_side(Settings const& s, HostMatrix const& A) {
  auto const rows = static_cast<std::size_t>(A.rows);
  if (s.rhs.empty()) {
    std::vector<double> b(rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (auto k = A.row_offsets(i); k < A.row_offsets(i + 1); ++k) b[i] += A.has_values() ? A.values(k) : 1.0;
    return b;
  }
  auto types = ScalarTypes::f64;
  HostDense const b = load_operand(s, {"--rhs", s.rhs}, types, false);
  if (b.rows != A.rows || b.columns != 1)
    throw Failure(Exit::input,
                  formatted("--rhs {} is {} x {}, expected {} x 1", in_quotes(s.rhs), b.rows, b.columns, A.rows));
  return std::get<std::vector<double>>(b.values);
}

CgOptions options_of(Settings const& s) {
  CgOptions options;
  if (s.tolerance != 0) options.tolerance = s.tolerance;
  options.max_iterations = s.max_iterations;
  options.preconditioner = s.precondition == "none" ? CgPreconditioner::none : CgPreconditioner::jacobi;
  return options;
}

}  // namespace

Exit solve_matrix(Settings const& s) {
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".mtx"});
    require_other_file({"-o", s.output}, {{"FILE", s.file}, {"--rhs", s.rhs}});
  }
  require_streams_once({{"FILE", s.file}, {"--rhs", s.rhs}});
  require_choices(s);
  constexpr OpId operation[] = {OpId::spmv};
  require_format(s, operation, Op::none);
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  CgOptions const options = options_of(s);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  require_real(input);
  require_room(input);
  progress.show("assembling");
  HostMatrix const A = assemble<double>(input.coo);
  require_symmetric(input, A, "conjugate gradients are for symmetric positive definite matrices");
  std::vector<double> const b = right_hand_side(s, A);
  std::vector<double> x(b.size(), 0.0);
  progress.show("solving");
  Solved solved;
  try {
    solved = on_space(s, [&](auto const& exec) { return solve_on(exec, s, A, b, x, options); });
  } catch (Error const& e) {
    throw about(input, s.format.empty() ? std::vector<std::string>{} : std::vector<std::string>{"--format " + s.format},
                e);
  }
  CgResult const& r = solved.result;
  if (!s.output.empty()) {
    progress.show("writing " + s.output);
    write_matrix_market_dense(s.output, HostDense{.rows = A.rows, .columns = 1, .values = x});
  }
  progress.show("");
  auto const text_or_null = [](std::string const& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
  };
  std::string const rhs = s.rhs.empty() ? "A times ones" : valid_utf8(s.rhs);
  if (s.json) {
    nlohmann::ordered_json json{{"command", "solve"},
                                {"matrix", to_json(input)},
                                {"device", space(s)},
                                {"rhs", rhs},
                                {"tolerance", options.tolerance},
                                {"precondition", to_string(options.preconditioner)},
                                {"status", to_string(r.status)},
                                {"iterations", r.iterations},
                                {"residual", known(r.residual)},
                                {"relative_residual", known(r.relative_residual)},
                                {"backward_error", known(r.backward_error)},
                                {"form", r.form},
                                {"product", r.product},
                                {"seconds", solved.seconds},
                                {"output", text_or_null(valid_utf8(s.output))}};
    print_written(s.output, json_text(json));
  } else {
    print_written(
        s.output,
        formatted("{} in {} iterations, {:.3g} s: ||b - A x|| / ||b|| = {:.3g}, backward error {:.3g}; b is {}"
                  "{}\n",
                  to_string(r.status), r.iterations, solved.seconds, r.relative_residual, r.backward_error, escape(rhs),
                  s.output.empty() ? "" : "; x written to " + escape(s.output)));
  }
  return r.status == CgStatus::converged ? Exit::done : Exit::wrong;
}

}  // namespace araia::cli
