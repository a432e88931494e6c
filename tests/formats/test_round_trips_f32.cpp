// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsF32 = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsF32, every_storage_part());

TEST_P(RoundTripsF32, EveryStorageGivesBackEveryBit) {
  check_every_storage<float, std::int32_t, std::int32_t, Device>();
}

}  // namespace
}  // namespace araia::test
