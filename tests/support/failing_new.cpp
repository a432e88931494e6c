// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ARAIA_TEST_OWN_NEW 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ARAIA_TEST_OWN_NEW 0
#endif
#endif
#ifndef ARAIA_TEST_OWN_NEW
#define ARAIA_TEST_OWN_NEW 1
#endif

namespace {
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t> until_failure = never;
std::atomic<std::size_t> least_counted = 0;  // bytes
}  // namespace

#if ARAIA_TEST_OWN_NEW
void* operator new(std::size_t size) {
  if (until_failure.load() != never && size >= least_counted.load() && until_failure.fetch_sub(1) == 0)
    throw std::bad_alloc();
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace araia::test {

bool may_fail_allocations() noexcept { return ARAIA_TEST_OWN_NEW != 0; }

void fail_allocation(std::int64_t count, std::size_t bytes) noexcept {
  least_counted = bytes;
  until_failure = count;
}

void allow_allocations() noexcept { until_failure = never; }

}  // namespace araia::test
