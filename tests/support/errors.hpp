// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <string>

namespace araia::test {

/// The kind of what `call` throws, and its text; a failure where it throws nothing.
ErrorKind kind_of(auto const& call, std::string* message = nullptr) {
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
