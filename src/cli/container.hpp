// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A file to a container in a format that is named at run time.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/formats/container.hpp>
#include <araia/plan/choice.hpp>
#include "src/cli/cli.hpp"
#include "src/plan/format_options.hpp"

namespace araia::cli::detail {

/// \throws Failure with Exit::input where a sum of entries is not finite, though all entries of the file are
template <class Matrix>
void require_finite_sums(Input const& input, Matrix const& A) {
  auto const* const values = A.values.data();
  auto const* const end = values + A.values.extent(0);
  auto const* const found = std::find_if_not(values, end, finite<typename Matrix::value_type>);
  if (found == end) return;
  if (!all_finite(input.coo.values)) return;
  throw Failure(Exit::input, formatted("{}: entries at one place sum up beyond the range of {}, {} in size", input.name,
                                       std::is_same_v<typename Matrix::value_type, double> ? "f64" : "c64",
                                       std::numeric_limits<double>::max()));
}

/// The matrix of a file. float: duplicates are summed in double, each value is rounded once.
/// \throws Failure with Exit::input where a sum leaves the range of its type, which its parts keep
template <class Scalar>
auto assembled(Input const& input) {
  if constexpr (!std::is_same_v<Scalar, float>) {
    auto const A = assemble<Scalar, std::int32_t, std::int64_t>(input.coo);
    require_finite_sums(input, A);
    return A;
  } else {
    auto const sums = assemble<double, std::int32_t, std::int64_t>(input.coo);
    auto const* const values = sums.values.data();
    if (auto const* const found = std::find_if(values, values + sums.values.extent(0), beyond_f32);
        found != values + sums.values.extent(0))
      throw Failure(Exit::input, formatted("{}: entries at one place sum up to {}, beyond the range of f32; --type "
                                           "f64 holds it",
                                           input.name, *found));
    auto const rounded =
        araia::detail::new_view<Kokkos::View<float*, HostDevice>>("araia::convert::values", sums.values.extent(0));
    std::transform(values, values + rounded.extent(0), rounded.data(),
                   [](double value) { return static_cast<float>(value); });
    return Csr<float, std::int32_t, std::int64_t, HostDevice>{.rows = sums.rows,
                                                              .cols = sums.cols,
                                                              .nnz = sums.nnz,
                                                              .row_offsets = sums.row_offsets,
                                                              .col_indices = sums.col_indices,
                                                              .values = rounded,
                                                              .row_permutation = sums.row_permutation};
  }
}

/// The assembled matrix in a format of format_labels(), with the options that the conversion has by default; blocks are
/// of the size that takes the fewest bytes. Fill is told from stored zeros by a mask. Offsets have 64 bits.
/// \throws Failure as assembled; araia::Error as choice_of_format, assemble and the conversion
template <class Scalar>
Container container_of(Input const& input, std::string const& format) {
  using namespace araia::detail;
  Choice const choice = choice_of_format(format);
  HostDevice::execution_space const exec;
  auto const A = assembled<Scalar>(input);
  hold(A.bytes());
  auto const is = [&](char const* name) { return choice.format == name; };
  // Of these the bytes are known, and the conversions know no limit.
  using Entries = Coo<Scalar, std::int32_t, HostDevice>;
  RowStats const sizes{.rows = A.rows, .nnz = A.nnz};
  if (is("coo"))
    require_memory("the coordinates", estimate_bytes<Entries>(sizes, A.has_values()), default_host_memory_limit());
  if (is("csr") && choice.rows_by_length) require_memory("the ordered matrix", A.bytes(), default_host_memory_limit());
  if (is("csr")) return to_container(exec, choice.rows_by_length ? sort_rows_by_length(exec, A) : A);
  if (is("coo")) return to_container(exec, csr_to_coo(exec, A));
  if (is("csc")) return to_container(exec, csr_to_csc(exec, A, csc_options(choice, {})));
  if (is("ell")) return to_container(exec, csr_to_ell(exec, A, {.sort_rows = choice.rows_by_length}));
  if (is("hyb")) return to_container(exec, csr_to_hyb(exec, A, hyb_options(choice, {})));
  if (is("sell")) return to_container(exec, csr_to_sell(exec, A, sell_options(choice, {})));
  if (is("bcsc"))
    return choice.compact ? to_container(exec, csr_to_bcsc_compact(exec, A, bcsc_options(choice, {})))
                          : to_container(exec, csr_to_bcsc(exec, A, bcsc_options(choice, {})));
  if (!is("bsr")) throw Error(ErrorKind::unsupported, "no container for format '" + format + '\'');
  BlockSize const size = detect_block_size(exec, A);
  return to_container(
      exec,
      csr_to_bsr(exec, A, {.block_rows = size.block_rows, .block_cols = size.block_cols, .keep_stored_mask = true}));
}

}  // namespace araia::cli::detail
