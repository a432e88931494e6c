// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsF64 = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsF64, every_storage_part());

TEST_P(RoundTripsF64, EveryStorageGivesBackEveryBit) {
  check_every_storage<double, std::int32_t, std::int32_t, Device>();
}

TEST_P(RoundTripsF64, EveryOrderedPairOfStorages) {
  check_every_pair<double, std::int32_t, std::int32_t, Device>(
      {with_stored_zeros(stencil(7, 5)), with_stored_zeros(node_blocks(8, 3)), random_matrix("33 rows", 33, 97, 6)});
}

}  // namespace
}  // namespace araia::test
