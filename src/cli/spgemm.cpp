// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/formats/container.hpp>
#include <araia/io/container.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/ops/transpose.hpp>
#include <araia/plan/report.hpp>
#include <araia/plan/spgemm_plan.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/container.hpp"
#include "src/cli/named_kernel.hpp"
#include "src/cli/on_space.hpp"
#include "src/cli/tune_report.hpp"
#include "src/spgemm/verify.hpp"

namespace araia::cli {
namespace {

using HostExec = HostDevice::execution_space;
template <class Scalar>
using HostCsr = Csr<Scalar, std::int32_t, std::int64_t, HostDevice>;

/// What B is.
char const* product_of(Settings const& s) {
  if (!s.second.empty()) return "A B";
  return s.with_transpose ? "A A'" : s.transpose_first ? "A' A" : "A A";
}

constexpr OpId operations_of_spgemm[] = {OpId::spgemm};

bool names_kernel(Settings const& s) { return !s.kernel.empty() && s.kernel != "automatic"; }

/// What the command has done.
struct Done {
  SpgemmReport report;
  TuneReport tuned;
  double symbolic_seconds = 0;
  double numeric_seconds = 0;
  VerifyReport verified{};
};

template <class Work>
double seconds_of(Work const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Coordinates, general, in the order of rows.
template <class Matrix>
HostCoo coordinates_of(Matrix const& C) {
  using Scalar = typename Matrix::value_type;
  auto const n = static_cast<std::size_t>(C.nnz);
  std::uint64_t const bytes =
      static_cast<std::uint64_t>(C.nnz) * (2 * sizeof(std::int32_t) + (C.has_values() ? sizeof(Scalar) : 0));
  araia::detail::require_memory("the coordinates of C", bytes, default_host_memory_limit());
  HostCoo coo;
  coo.rows = C.rows;
  coo.cols = C.cols;
  std::vector<std::int32_t> rows(n);
  for (std::int64_t i = 0; i < C.rows; ++i)
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(C.row_offsets(static_cast<std::size_t>(i))),
              rows.begin() + static_cast<std::ptrdiff_t>(C.row_offsets(static_cast<std::size_t>(i) + 1)),
              static_cast<std::int32_t>(i));
  coo.row_indices = std::move(rows);
  coo.col_indices = std::vector<std::int32_t>(C.col_indices.data(), C.col_indices.data() + n);
  if (!C.has_values()) return coo;
  Scalar const* const values = C.values.data();
  if constexpr (is_complex_v<Scalar>) {
    std::vector<std::complex<double>> all(n);
    std::transform(values, values + n, all.begin(),
                   [](Scalar const& value) { return std::complex<double>(value.real(), value.imag()); });
    coo.values = std::move(all);
  } else {
    coo.values = std::vector<double>(values, values + n);
  }
  return coo;
}

template <class Matrix>
void write(Settings const& s, Matrix const& C) {
  if (names_container(s.output))
    write_container(s.output, to_container(HostExec(), C));
  else
    write_matrix_market(s.output, coordinates_of(C));
}

/// The row offsets, of a narrower type in an array of their own. They must fit.
template <class Offset, class Matrix>
Kokkos::View<Offset const*, HostDevice> offsets_as(Matrix const& A) {
  if constexpr (std::is_same_v<Offset, typename Matrix::size_type>) {
    return A.row_offsets;
  } else {
    auto const count = A.row_offsets.extent(0);
    auto const offsets = araia::detail::new_array<Offset, HostDevice>(HostExec(), "araia::cli::row_offsets",
                                                                      static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) offsets(i) = static_cast<Offset>(A.row_offsets(i));
    return offsets;
  }
}

/// Times the kernels, or takes the one that is named or that the model has.
template <class Exec, class Matrix>
auto plan_for(Exec const& exec, Settings const& s, Matrix const& A, Matrix const& B, Progress& progress) {
  std::optional<FirstInterruptStops> interrupt;  // without a budget the first ends the command
  if (s.kernel_budget > 0) interrupt.emplace();
  std::stop_source stop;
  SpgemmOptions options{.sorted = !s.unsorted, .pattern_only = s.pattern, .validate = false};
  if constexpr (!araia::detail::is_device_space<Exec>) options.memory_limit = default_host_memory_limit();
  PlanOptions tune;
  tune.measure = s.kernel_budget > 0;
  tune.budget = s.kernel_budget;
  tune.cancel = stop.get_token();
  tune.progress = [&](std::string const& step, double share) {
    if (interrupt && interrupt->came()) stop.request_stop();
    progress.show(step, share);
  };
  if (!names_kernel(s)) return make_spgemm_plan(exec, A, B, options, tune);
  tune.choice = choice_of(s, named_kernel(s), Choice{.format = "csr"});
  try {
    return make_spgemm_plan(exec, A, B, options, tune);
  } catch (Error const& e) {
    if (e.kind() != ErrorKind::unsupported) throw;
    refuse_kernel(s, why_it_cannot_run(e.what()));
  }
}

/// \tparam Offset  of A and B on the device
template <class Scalar, class Offset, class Exec>
Done multiply_by(Exec const& exec, Settings const& s, HostCsr<Scalar> const& A, HostCsr<Scalar> const& B,
                 Progress& progress) {
  using Device = typename Exec::device_type;
  Done done;
  auto const on_device = [&](HostCsr<Scalar> const& matrix) {
    Csr<Scalar, std::int32_t, Offset, HostDevice> as{.rows = matrix.rows, .cols = matrix.cols, .nnz = matrix.nnz};
    as.row_offsets = offsets_as<Offset>(matrix);
    as.col_indices = matrix.col_indices;
    as.values = matrix.values;
    return copy_to<Device>(exec, as);
  };
  auto const a = on_device(A);
  auto const b = A.col_indices.data() == B.col_indices.data() ? a : on_device(B);
  progress.show("counting");
  std::optional<SpgemmPlan<Exec, Scalar, std::int32_t, Offset>> plan;
  plan.emplace(plan_for(exec, s, a, b, progress));
  auto& product = plan->product();
  done.report = product.report();
  done.tuned = plan->report();
  auto const& winner = done.tuned.winner();
  done.symbolic_seconds = winner.conversion_seconds;
  if (winner.status == CandidateStatus::timed) {
    done.numeric_seconds = winner.seconds;
  } else {
    progress.show("multiplying");
    done.numeric_seconds = seconds_of([&] { product.execute(); });
  }
  hold(done.report.peak_bytes);
  progress.show("verifying");
  std::visit(
      [&](auto const& result) {
        auto const C = copy_to<HostDevice>(exec, result);
        done.verified = winner.verified.done ? winner.verified : araia::detail::verify_rows(A, B, C, !s.unsorted);
        if (!done.verified.ok || s.output.empty()) return;
        progress.show("writing " + s.output);
        write(s, C);
      },
      product.c());
  return done;
}

/// Devices have kernels for offsets of 32 bits that they have for no other.
template <class Scalar, class Exec>
Done multiply_on(Exec const& exec, Settings const& s, HostCsr<Scalar> const& A, HostCsr<Scalar> const& B,
                 Progress& progress) {
  if constexpr (araia::detail::is_device_space<Exec>)
    if (std::max(A.nnz, B.nnz) <= std::numeric_limits<std::int32_t>::max())
      return multiply_by<Scalar, std::int32_t>(exec, s, A, B, progress);
  return multiply_by<Scalar, std::int64_t>(exec, s, A, B, progress);
}

template <class Scalar>
Done multiply_in(Settings const& s, Input const& first, Input const* second, Progress& progress) {
  progress.show("assembling");
  auto A = detail::assembled<Scalar>(first);
  hold(A.bytes());
  auto B = A;
  if (second) {
    B = detail::assembled<Scalar>(*second);
    hold(B.bytes());
  } else if (s.with_transpose || s.transpose_first) {
    auto const transposed = araia::transpose(HostExec(), A);
    hold(transposed.bytes());
    (s.with_transpose ? B : A) = transposed;
  }
  return on_space(s, [&](auto const& exec) { return multiply_on<Scalar>(exec, s, A, B, progress); });
}

/// The type that holds both files' values.
ScalarTypes common_types(Settings const& s, Input const& first, Input const* second) {
  auto const a = scalar_types(s, first);
  auto const b = second ? scalar_types(s, *second) : a;
  if (a == b) return a;
  return a == ScalarTypes::c64 || b == ScalarTypes::c64 ? ScalarTypes::c64 : ScalarTypes::f64;
}

nlohmann::ordered_json json_of(Settings const& s, Input const& first, Input const* second, ScalarTypes types,
                               Done const& done) {
  auto const& r = done.report;
  nlohmann::ordered_json json{{"command", "spgemm"}, {"matrix", to_json(first)}};
  json["second"] = second ? to_json(*second) : nlohmann::ordered_json();
  json["product"] = product_of(s);
  json["type"] = to_string(types);
  json["device"] = space(s);
  json["kernel"] = r.kernel;
  json["rows"] = r.rows;
  json["cols"] = r.cols;
  json["nnz"] = r.nnz;
  json["products"] = r.products;
  json["compression"] = r.compression();
  json["offset_bits"] = r.offset_bits;
  json["bytes"] = r.bytes;
  json["workspace_bytes"] = r.workspace_bytes;
  json["peak_bytes"] = r.peak_bytes;
  json["symbolic_seconds"] = done.symbolic_seconds;
  json["numeric_seconds"] = done.numeric_seconds;
  auto bins = nlohmann::ordered_json::array();
  for (auto const& bin : r.bins) bins.push_back({{"name", bin.name}, {"rows", bin.rows}, {"products", bin.products}});
  json["bins"] = std::move(bins);
  auto others = nlohmann::ordered_json::array();
  for (auto const& other : r.alternatives)
    others.push_back({{"kernel", other.kernel}, {"workspace_bytes", other.workspace_bytes}});
  json["alternatives"] = std::move(others);
  auto tuned = to_json(done.tuned);
  for (auto const* const of_dense : {"op", "transpose", "columns", "precision", "products"}) tuned.erase(of_dense);
  json.update(tuned);
  json["winner"] = nlohmann::ordered_json::parse(to_json(done.tuned.winner().choice));
  json["output"] = s.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(valid_utf8(s.output));
  json["verified"] = to_json(done.verified);
  return json;
}

}  // namespace

Exit run_spgemm(Settings const& s) {
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".mtx", ".araia"});
    require_other_file({"-o", s.output}, {{"A", s.file}, {"B", s.second}});
  }
  require_streams_once({{"A", s.file}, {"B", s.second}});
  require_choices(s);
  if (names_kernel(s)) require_kernel(s, operations_of_spgemm, Op::none);
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  Progress progress;
  progress.show("reading " + s.file);
  Input const first = load(s);
  Input second;
  if (!s.second.empty()) {
    progress.show("reading " + s.second);
    Settings of_second = s;
    of_second.file = s.second;
    second = load(of_second, "B");
  }
  Input const* const other = s.second.empty() ? nullptr : &second;
  auto const types = common_types(s, first, other);
  Done done;
  try {
    using Narrow = std::conditional_t<araia::detail::has_all_types, float, double>;
    using Complex = std::conditional_t<araia::detail::has_all_types, Kokkos::complex<double>, double>;
    if (types == ScalarTypes::f32)
      done = multiply_in<Narrow>(s, first, other, progress);
    else if (types == ScalarTypes::c64)
      done = multiply_in<Complex>(s, first, other, progress);
    else
      done = multiply_in<double>(s, first, other, progress);
  } catch (Error const& e) {
    std::vector<std::string> restrictions;
    if (e.kind() == ErrorKind::resource_limit && s.memory != 0)
      restrictions.push_back(formatted("--memory {}", s.memory));
    throw about(first, restrictions, e);
  }
  progress.show("");
  if (!done.verified.ok)
    throw Failure(Exit::wrong,
                  formatted("{} failed verification: {}", done.report.kernel, done.verified.first_violation));
  std::string text;
  if (s.json) {
    text = json_text(json_of(s, first, other, types, done));
  } else {
    text =
        explain(done.report) +
        formatted("symbolic {:.6f} s, numeric {:.6f} s; {} rows verified, worst {:.3f} of the bound\n",
                  done.symbolic_seconds, done.numeric_seconds, done.verified.rows_checked, done.verified.worst_share);
    if (s.kernel_budget > 0) text += remarks(done.tuned) + '\n' + ranking(done.tuned) + '\n' + why(done.tuned);
    if (s.explain) text += '\n' + explain(done.tuned);
    if (!s.output.empty()) text += formatted("{} written to {}\n", product_of(s), escape(s.output));
  }
  if (s.output.empty())
    print(text);
  else
    print_written(s.output, text);
  return Exit::done;
}

}  // namespace araia::cli
