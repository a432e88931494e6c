// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsHalfWide = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsHalfWide, every_storage_part());

TEST_P(RoundTripsHalfWide, EveryStorageGivesBackEveryBit) {
  check_every_storage<Kokkos::Experimental::half_t, std::int64_t, std::int64_t, Device>();
}

}  // namespace
}  // namespace araia::test
