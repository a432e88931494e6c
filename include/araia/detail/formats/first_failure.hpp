// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Exceptions of a host's parallel loop, as where memory ends: one that left a thread of it would end the program.

#include <atomic>
#include <exception>

namespace araia::detail {

/// The first exception of all threads.
class FirstFailure {
 public:
  /// f(), whose exception is kept.
  template <class F>
  void guard(F const& f) noexcept {
    try {
      f();
    } catch (...) {
      if (!taken_.test_and_set()) first_ = std::current_exception();
    }
  }
  /// After the loop.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
  std::exception_ptr first_;
};

}  // namespace araia::detail
