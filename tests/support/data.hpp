// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>

namespace araia::test {

/// Matrices of others: the environment's ARAIA_TEST_DATA, or the directory beside the sources. It may not exist.
std::filesystem::path data_directory();

}  // namespace araia::test
