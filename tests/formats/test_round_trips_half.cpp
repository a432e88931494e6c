// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsHalf = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsHalf, every_storage_part());

TEST_P(RoundTripsHalf, EveryStorageGivesBackEveryBit) {
  check_every_storage<Kokkos::Experimental::half_t, std::int32_t, std::int32_t, Device>(
      round_trip_zoo<std::int32_t, std::int32_t>());
}

}  // namespace
}  // namespace araia::test
