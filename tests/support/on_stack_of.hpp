// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Threads whose stacks have little room, as OMP_STACKSIZE makes them.

#ifdef __linux__
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>

namespace araia::test {

/// f on a thread whose stack has so many bytes.
template <class F>
void on_stack_of(std::size_t bytes, F const& f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread{};
  auto const run = [](void* of) -> void* {
    (*static_cast<F const*>(of))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<F*>(&f)), 0);
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
}

}  // namespace araia::test
#endif
