// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>

#include <cstdint>

#include "fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  araia::fuzz::check_reader(
      text, [](auto bytes, auto const& options) { return araia::parse_matrix_market(bytes, "file", options); },
      [](std::ostream& out, araia::HostCoo const& A) { araia::write_matrix_market(out, A); });
  araia::fuzz::check_reader(
      text, [](auto bytes, auto const& options) { return araia::parse_matrix_market_dense(bytes, "file", options); },
      [](std::ostream& out, araia::HostDense const& B) { araia::write_matrix_market_dense(out, B); });
  return 0;
}
