// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
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
#include <araia/ops/spgemm.hpp>
#include <araia/ops/transpose.hpp>
#include <araia/plan/report.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/container.hpp"
#include "src/cli/on_space.hpp"

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

/// What the command has done.
struct Done {
  SpgemmReport report;
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

/// In long double, as the reference is.
template <class Scalar>
std::complex<long double> wide(Scalar const& value) {
  if constexpr (is_complex_v<Scalar>)
    return {value.real(), value.imag()};
  else
    return static_cast<long double>(value);
}

/// Rows of C, some hundred of them spread evenly, held to a textbook loop.
/// Rounding  |error| <= gamma(n + 2) (|A| |B|) of an entry of n products, four times that of complex numbers
template <class Scalar, class Matrix>
VerifyReport verify_rows(HostCsr<Scalar> const& A, HostCsr<Scalar> const& B, Matrix const& C) {
  using Real = typename araia::detail::ScalarTraits<Scalar>::real;
  constexpr std::int64_t most_rows = 128;
  struct Sum {
    std::complex<long double> value{};
    long double size = 0;
    std::int64_t count = 0;
    bool met = false;  // in C
  };
  VerifyReport report{.done = true, .ok = true, .whole = C.rows <= most_rows};
  auto const a = A.pointers();
  auto const b = B.pointers();
  auto const c = C.pointers();
  std::vector<Sum> sums(static_cast<std::size_t>(B.cols));
  std::vector<std::int32_t> columns;
  auto const violate = [&](std::int64_t row, std::string const& what) {
    report.ok = false;
    if (report.violations++ == 0) report.first_violation = formatted("row {}: {}", row + 1, what);
  };
  std::int64_t const rows = std::min(C.rows, most_rows);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t const i = rows < 2 ? 0
                                    : static_cast<std::int64_t>(static_cast<double>(r) / static_cast<double>(rows - 1) *
                                                                static_cast<double>(C.rows - 1));
    columns.clear();
    for (auto p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p)
      for (auto q = b.row_offsets[a.col_indices[p]]; q < b.row_offsets[a.col_indices[p] + 1]; ++q) {
        auto& sum = sums[static_cast<std::size_t>(b.col_indices[q])];
        if (sum.count++ == 0) columns.push_back(b.col_indices[q]);
        auto const x = a.values ? wide(a.values[p]) : std::complex<long double>(1);
        auto const y = b.values ? wide(b.values[q]) : std::complex<long double>(1);
        sum.value += std::complex<long double>(x.real() * y.real() - x.imag() * y.imag(),
                                               x.real() * y.imag() + x.imag() * y.real());
        sum.size += std::abs(x) * std::abs(y);
      }
    ++report.rows_checked;
    auto const first = static_cast<std::int64_t>(c.row_offsets[i]);
    auto const last = static_cast<std::int64_t>(c.row_offsets[i + 1]);
    if (last - first != static_cast<std::int64_t>(columns.size()))
      violate(i, formatted("{} entries, expected {}", last - first, columns.size()));
    for (auto k = first; k < last; ++k) {
      ++report.entries_checked;
      auto& sum = sums[static_cast<std::size_t>(c.col_indices[k])];
      if (sum.met && sum.count != 0) violate(i, formatted("column {} twice", c.col_indices[k] + 1));
      sum.met = sum.count != 0;  // other columns are not cleared behind the row
      if (sum.count == 0) violate(i, formatted("an entry in column {}, expected none", c.col_indices[k] + 1));
      if (!c.values || sum.count == 0) continue;
      long double const u = static_cast<long double>(std::numeric_limits<Real>::epsilon()) / 2;
      long double const n = static_cast<long double>((is_complex_v<Scalar> ? 4 : 1) * (sum.count + 2));
      long double const bound = n * u / (1 - n * u) * sum.size + std::numeric_limits<Real>::min();
      long double const error = std::abs(wide(c.values[k]) - sum.value);
      bool const overflows = !std::isfinite(static_cast<Real>(sum.size));  // says nothing of its entry
      if (overflows) continue;
      report.worst_share = std::max(report.worst_share, static_cast<double>(error / bound));
      if (!(error <= bound))
        violate(i, formatted("column {}: off by {}, the bound is {}", c.col_indices[k] + 1, static_cast<double>(error),
                             static_cast<double>(bound)));
    }
    for (auto const column : columns) sums[static_cast<std::size_t>(column)] = {};
  }
  return report;
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

/// \tparam Offset  of A and B on the device
template <class Scalar, class Offset, class Exec>
Done multiply_by(Exec const& exec, Settings const& s, HostCsr<Scalar> const& A, HostCsr<Scalar> const& B,
                 Progress& progress) {
  using Device = typename Exec::device_type;
  Done done;
  SpgemmOptions options{.kernel = s.kernel.empty() ? SpgemmKernel::automatic : spgemm_kernel(s.kernel),
                        .sorted = !s.unsorted,
                        .pattern_only = s.pattern,
                        .validate = false};
  if constexpr (!araia::detail::is_device_space<Exec>) options.memory_limit = default_host_memory_limit();
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
  std::unique_ptr<Spgemm<Exec, Scalar, std::int32_t, Offset>> product;
  done.symbolic_seconds = seconds_of([&] {
    product = std::make_unique<Spgemm<Exec, Scalar, std::int32_t, Offset>>(make_spgemm(exec, a, b, options));
  });
  done.report = product->report();
  progress.show("multiplying");
  done.numeric_seconds = seconds_of([&] { product->execute(); });
  hold(done.report.peak_bytes);
  progress.show("verifying");
  std::visit(
      [&](auto const& result) {
        auto const C = copy_to<HostDevice>(exec, result);
        done.verified = verify_rows(A, B, C);
        if (!done.verified.ok || s.output.empty()) return;
        progress.show("writing " + s.output);
        write(s, C);
      },
      product->c());
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
  json["kernel"] = to_string(r.kernel);
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
    others.push_back({{"kernel", to_string(other.kernel)}, {"workspace_bytes", other.workspace_bytes}});
  json["alternatives"] = std::move(others);
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
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  Progress progress;
  progress.show("reading " + s.file);
  Input const first = load(s);
  Input second;
  if (!s.second.empty()) {
    progress.show("reading " + s.second);
    Settings of_second = s;
    of_second.file = s.second;
    second = load(of_second);
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
    throw about(first, {}, e);
  }
  progress.show("");
  if (!done.verified.ok)
    throw Failure(Exit::wrong, formatted("{} failed verification: {}", to_string(done.report.kernel),
                                         done.verified.first_violation));
  std::string text;
  if (s.json) {
    text = json_text(json_of(s, first, other, types, done));
  } else {
    text =
        explain(done.report) +
        formatted("symbolic {:.6f} s, numeric {:.6f} s; {} rows verified, worst {:.3f} of the bound\n",
                  done.symbolic_seconds, done.numeric_seconds, done.verified.rows_checked, done.verified.worst_share);
    if (!s.output.empty()) text += formatted("{} written to {}\n", product_of(s), escape(s.output));
  }
  if (s.output.empty())
    print(text);
  else
    print_written(s.output, text);
  return Exit::done;
}

}  // namespace araia::cli
