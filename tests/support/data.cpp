// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/data.hpp"

#include <cstdlib>

namespace araia::test {

std::filesystem::path data_directory() {
  char const* const named = std::getenv("ARAIA_TEST_DATA");
  return named != nullptr ? named : ARAIA_TEST_DATA_DIR;
}

}  // namespace araia::test
