// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Calls whose every allocation fails once: what leaves them, what they leave behind, and that they work afterwards.

#include <gtest/gtest.h>

#include <string>

#include "support/failing_new.hpp"

namespace araia::test {

/// Bytes from which allocations fail: labels are shorter. Kokkos copies an array's label in the destructor of what it
/// notes of it, where no exception may leave, and after it has taken the array's memory, which it then loses.
inline constexpr std::size_t beyond_labels = 128;

/// What leaves f is one of the two types, nothing stays behind, and the next call succeeds.
/// \return how many allocations failed
template <class F>
std::int64_t may_do_without_memory(F const& f) {
  f();  // what is made once in a program is made here
  std::int64_t live = live_allocations();
  std::int64_t failed = 0;
  auto const failures = fail_each_allocation(beyond_labels, f, [&] {
    EXPECT_EQ(live_allocations(), live) << "after allocation " << failed;
    live = live_allocations();
    ++failed;
  });
  EXPECT_EQ(live_allocations(), live) << "after the call that succeeded";
  return failures;
}

/// The same of what must allocate.
template <class F>
void expect_only_memory_errors(std::string const& what, F const& f) {
  SCOPED_TRACE(what);
  EXPECT_GT(may_do_without_memory(f), 0);
}

}  // namespace araia::test
