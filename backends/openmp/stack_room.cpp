// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/stack_room.hpp"

#ifdef __linux__
#include <pthread.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace araia::host {

namespace {

/// Addresses of a thread's stack; no memory where they are not known.
struct Stack {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};

Stack stack_of_this_thread() {
  Stack stack;
#ifdef __linux__
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* low = nullptr;
  std::size_t size = 0;
  std::size_t guard = 0;  // part of the size in some versions of glibc
  if (pthread_attr_getstack(&attributes, &low, &size) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0 &&
      guard < size) {
    stack.low = reinterpret_cast<std::uintptr_t>(low) + guard;
    stack.high = reinterpret_cast<std::uintptr_t>(low) + size;
  }
  pthread_attr_destroy(&attributes);
#endif
  return stack;
}

}  // namespace

bool stack_holds(std::int64_t bytes) {
  constexpr std::uintptr_t of_kernels = std::uintptr_t{128} << 10;
  static thread_local Stack const stack = stack_of_this_thread();
  auto const at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));  // a local may lie elsewhere under ASan
  return at > stack.low && at < stack.high && at - stack.low >= static_cast<std::uintptr_t>(bytes) + of_kernels;
}

void* memory_of_this_thread(std::int64_t bytes) noexcept {
  constexpr std::size_t line = 64;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  static thread_local std::unique_ptr<void, Free> memory;
  static thread_local std::size_t size = 0;
  std::size_t const wanted = (static_cast<std::size_t>(bytes) + line - 1) / line * line;
  if (size < wanted) {
    memory.reset();
    size = 0;
    memory.reset(std::aligned_alloc(line, wanted));
    if (memory) size = wanted;
  }
  return memory.get();
}

}  // namespace araia::host
