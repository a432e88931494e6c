// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every form of operator new, failing where a test wants it to: tests whose binary compiles failing_new.cpp. Kokkos's
// host space takes its memory by the aligned form that throws nothing. Sanitizers keep their own.

#include <cstddef>
#include <cstdint>
#include <new>

#include <araia/error.hpp>

namespace araia::test {

[[nodiscard]] bool may_fail_allocations() noexcept;

/// Lets `count` allocations of at least `bytes` pass on all threads, then one fail.
void fail_allocation(std::int64_t count, std::size_t bytes) noexcept;

/// Lets all pass again.
/// \return did one fail?
bool allow_allocations() noexcept;

/// Allocations that were not freed.
[[nodiscard]] std::int64_t live_allocations() noexcept;

/// The most bytes that were allocated at one time while f ran, beyond what was before.
template <class F>
std::int64_t peak_bytes(F const& f);

/// f() with its first allocation of so many bytes failing, then with its second, ... until none does. What leaves f is
/// std::bad_alloc or an Error (resource_limit); all else leaves here. It may do without what it did not get.
/// \param after_failure  called after each that failed
/// \return how many failed
template <class F, class After>
std::int64_t fail_each_allocation(std::size_t bytes, F const& f, After const& after_failure) {
  for (std::int64_t failures = 0;; ++failures) {
    fail_allocation(failures, bytes);
    try {
      f();
      if (!allow_allocations()) return failures;
    } catch (std::bad_alloc const&) {
      allow_allocations();
    } catch (Error const& error) {
      allow_allocations();
      if (error.kind() != ErrorKind::resource_limit) throw;
    } catch (...) {
      allow_allocations();
      throw;
    }
    after_failure();
  }
}

namespace detail_of_new {
/// Bytes that are allocated now; the peak begins again.
std::int64_t begin_peak() noexcept;
std::int64_t peak() noexcept;
}  // namespace detail_of_new

template <class F>
std::int64_t peak_bytes(F const& f) {
  std::int64_t const before = detail_of_new::begin_peak();
  f();
  return detail_of_new::peak() - before;
}

}  // namespace araia::test
