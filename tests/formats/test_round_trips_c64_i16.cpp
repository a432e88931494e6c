// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/stored.hpp"

namespace araia::test {
namespace {

using RoundTripsComplexShort = StoragePart;
INSTANTIATE_TEST_SUITE_P(Part, RoundTripsComplexShort, every_storage_part());

TEST_P(RoundTripsComplexShort, EveryStorageGivesBackEveryBit) {
  check_every_storage<Complex, std::int16_t, std::int16_t, Device>();
}

}  // namespace
}  // namespace araia::test
