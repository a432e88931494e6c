// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>

#include <malloc.h>

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
std::atomic<std::int64_t> live = 0;
std::atomic<std::int64_t> live_bytes = 0;
std::atomic<std::int64_t> most_bytes = 0;

#if ARAIA_TEST_OWN_NEW
/// Null where the allocation fails.
void* allocated(std::size_t size, std::size_t alignment) noexcept {
  if (until_failure.load() != never && size >= least_counted.load() && until_failure.fetch_sub(1) == 0) return nullptr;
  // aligned_alloc takes multiples of the alignment.
  std::size_t const whole = (size > 0 ? size : 1) + alignment - 1;
  void* const memory = std::aligned_alloc(alignment, whole / alignment * alignment);
  if (!memory) return nullptr;
  live.fetch_add(1);
  auto const bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  std::int64_t const now = live_bytes.fetch_add(bytes) + bytes;
  for (std::int64_t most = most_bytes.load(); most < now && !most_bytes.compare_exchange_weak(most, now);) {
  }
  return memory;
}

void* required(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (!memory) return;
  live.fetch_sub(1);
  live_bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
std::size_t bytes_of(std::align_val_t alignment) noexcept { return static_cast<std::size_t>(alignment); }
#endif

}  // namespace

#if ARAIA_TEST_OWN_NEW
void* operator new(std::size_t size) { return required(allocated(size, usual)); }
void* operator new[](std::size_t size) { return required(allocated(size, usual)); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return allocated(size, usual); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return allocated(size, usual); }
void* operator new(std::size_t size, std::align_val_t to) { return required(allocated(size, bytes_of(to))); }
void* operator new[](std::size_t size, std::align_val_t to) { return required(allocated(size, bytes_of(to))); }
void* operator new(std::size_t size, std::align_val_t to, std::nothrow_t const&) noexcept {
  return allocated(size, bytes_of(to));
}
void* operator new[](std::size_t size, std::align_val_t to, std::nothrow_t const&) noexcept {
  return allocated(size, bytes_of(to));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { release(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t, std::nothrow_t const&) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t, std::nothrow_t const&) noexcept { release(memory); }
#endif

namespace araia::test {

bool may_fail_allocations() noexcept { return ARAIA_TEST_OWN_NEW != 0; }

void fail_allocation(std::int64_t count, std::size_t bytes) noexcept {
  least_counted = bytes;
  until_failure = count;
}

bool allow_allocations() noexcept { return until_failure.exchange(never) < 0; }

std::int64_t live_allocations() noexcept { return live; }

std::int64_t detail_of_new::begin_peak() noexcept {
  most_bytes = live_bytes.load();
  return most_bytes;
}
std::int64_t detail_of_new::peak() noexcept { return most_bytes; }

}  // namespace araia::test
