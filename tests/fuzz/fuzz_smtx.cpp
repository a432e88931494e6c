// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/smtx.hpp>

#include <cstdint>

#include "fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  araia::fuzz::check_reader(
      {reinterpret_cast<char const*>(data), size},
      [](auto bytes, auto const& options) { return araia::parse_smtx(bytes, "file", options); },
      [](std::ostream& out, araia::HostCoo const& A) { araia::write_smtx(out, A); });
  return 0;
}
