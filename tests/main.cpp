// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main of the tests that use Kokkos: every View of a test dies before finalize.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // a list needs no device
  Kokkos::ScopeGuard const guard(argc, argv);
  return RUN_ALL_TESTS();
}
