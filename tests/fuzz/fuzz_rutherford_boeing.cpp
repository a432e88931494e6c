// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>
#include <araia/io/rutherford_boeing.hpp>

#include <cstdint>

#include "fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // There is no writer: what is read goes out, and is read back, as Matrix Market.
  araia::fuzz::check_reader(
      {reinterpret_cast<char const*>(data), size},
      [](std::string_view bytes, auto const& options) {
        return bytes.starts_with("%%MatrixMarket") ? araia::parse_matrix_market(bytes, "file", options)
                                                   : araia::parse_rutherford_boeing(bytes, "file", options);
      },
      [](std::ostream& out, araia::HostCoo const& A) { araia::write_matrix_market(out, A); });
  return 0;
}
