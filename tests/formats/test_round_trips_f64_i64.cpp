// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsF64Wide = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsF64Wide, every_storage_part());

TEST_P(RoundTripsF64Wide, EveryStorageGivesBackEveryBit) {
  check_every_storage<double, std::int32_t, std::int64_t, Device>();
}

}  // namespace
}  // namespace araia::test
