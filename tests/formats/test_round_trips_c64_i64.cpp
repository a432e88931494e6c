// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsComplexWide = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsComplexWide, every_storage_part());

TEST_P(RoundTripsComplexWide, EveryStorageGivesBackEveryBit) {
  check_every_storage<Complex, std::int64_t, std::int64_t, Device>(round_trip_zoo<std::int64_t, std::int64_t>());
}

}  // namespace
}  // namespace araia::test
