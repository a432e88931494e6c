// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <string>

namespace araia::test {

/// What is called: any function object that lives as long as this. What checks it is then compiled once.
class Call {
 public:
  template <class Function>
  Call(Function const& function)  // not explicit: lambdas are arguments
      : function_(&function), run_([](void const* f) { (*static_cast<Function const*>(f))(); }) {}
  void operator()() const { run_(function_); }

 private:
  void const* function_;
  void (*run_)(void const*);
};

/// The kind of what `call` throws, and its text; a failure where it throws nothing.
inline ErrorKind kind_of(Call const& call, std::string* message = nullptr) {
  try {
    call();
  } catch (Error const& error) {
    if (message) *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::internal;
}

}  // namespace araia::test
