// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An operator new that fails where a test wants it to: tests whose binary compiles failing_new.cpp. Sanitizers keep
// their own.

#include <cstddef>
#include <cstdint>
#include <new>

namespace araia::test {

[[nodiscard]] bool may_fail_allocations() noexcept;

/// Lets `count` allocations of at least `bytes` pass on all threads, then one fail.
void fail_allocation(std::int64_t count, std::size_t bytes) noexcept;

/// Lets all pass again.
void allow_allocations() noexcept;

/// f() with its first allocation of so many bytes failing, then with its second, ... until none does.
/// \param after_failure  called after each std::bad_alloc
/// \return how many failed
template <class F, class After>
std::int64_t fail_each_allocation(std::size_t bytes, F const& f, After const& after_failure) {
  for (std::int64_t failures = 0;; ++failures) {
    fail_allocation(failures, bytes);
    try {
      f();
      allow_allocations();
      return failures;
    } catch (std::bad_alloc const&) {
      allow_allocations();
      after_failure();
    } catch (...) {
      allow_allocations();
      throw;
    }
  }
}

}  // namespace araia::test
