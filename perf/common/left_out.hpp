// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a run passes over, which is no failure.

#include <stdexcept>
#include <string>
#include <string_view>

namespace araia::perf {

/// A contender or a matrix that a run passes over, and why. Results keep its message, by whose beginning they and the
/// scripts that read them tell it from a failure.
class LeftOut : public std::runtime_error {
 public:
  explicit LeftOut(std::string const& why) : std::runtime_error(std::string(beginning) + why) {}
  [[nodiscard]] static bool is(std::string_view message) { return message.starts_with(beginning); }

 private:
  static constexpr std::string_view beginning = "left out: ";
};

}  // namespace araia::perf
