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

namespace araia::cli::detail {

/// The assembled matrix in the format by that name, with the options that the conversion has by default; blocks are of
/// the size that takes the fewest bytes. Fill is told from stored zeros by a mask. Offsets have 64 bits.
/// \throws araia::Error as assemble and the conversion; unsupported for another name
template <class Scalar>
Container container_of(HostCoo const& coo, std::string const& format) {
  HostDevice::execution_space const exec;
  auto const A = assemble<Scalar, std::int32_t, std::int64_t>(coo);
  if (format == "csr") return to_container(exec, A);
  if (format == "coo") return to_container(exec, csr_to_coo(exec, A));
  if (format == "csc") return to_container(exec, csr_to_csc(exec, A));
  if (format == "ell") return to_container(exec, csr_to_ell(exec, A));
  if (format == "hyb") return to_container(exec, csr_to_hyb(exec, A));
  if (format == "sell") return to_container(exec, csr_to_sell(exec, A));
  if (format == "bcsc") return to_container(exec, csr_to_bcsc(exec, A));
  if (format == "bcsc_compact") return to_container(exec, csr_to_bcsc_compact(exec, A));
  if (format != "bsr")
    throw Error(ErrorKind::unsupported,
                "format '" + format + "', expected coo, csr, csc, ell, hyb, sell, bsr, bcsc or bcsc_compact");
  BlockSize const size = detect_block_size(exec, A);
  return to_container(
      exec,
      csr_to_bsr(exec, A, {.block_rows = size.block_rows, .block_cols = size.block_cols, .keep_stored_mask = true}));
}

}  // namespace araia::cli::detail
