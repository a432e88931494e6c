// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsShortIndices = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsShortIndices, every_storage_part());

TEST_P(RoundTripsShortIndices, EveryStorageGivesBackEveryBit) {
  check_every_storage<double, std::int16_t, std::int16_t, Device>(round_trip_zoo<std::int16_t, std::int16_t>());
}

}  // namespace
}  // namespace araia::test
