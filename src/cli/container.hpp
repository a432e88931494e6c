// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Entries of a file to a container in a format that is named at run time.

#include <string>

#include <araia/assembly/assemble.hpp>
#include <araia/formats/container.hpp>
#include <araia/formats/csr_to_bcsc.hpp>
#include <araia/formats/csr_to_bsr.hpp>
#include <araia/formats/csr_to_csc.hpp>
#include <araia/formats/csr_to_hyb.hpp>
#include <araia/formats/csr_to_sell.hpp>
#include <araia/plan/choice.hpp>
#include "src/plan/format_options.hpp"

namespace araia::cli::detail {

/// The assembled matrix in a format of format_labels(), with the options that the conversion has by default; blocks are
/// of the size that takes the fewest bytes. Fill is told from stored zeros by a mask. Offsets have 64 bits.
/// \throws araia::Error as choice_of_format, assemble and the conversion
template <class Scalar>
Container container_of(HostCoo const& coo, std::string const& format) {
  using namespace araia::detail;
  Choice const choice = choice_of_format(format);
  HostDevice::execution_space const exec;
  auto const A = assemble<Scalar, std::int32_t, std::int64_t>(coo);
  auto const is = [&](char const* name) { return choice.format == name; };
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
