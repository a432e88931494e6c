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
  explicit LeftOut(std::string const& why) : std::runtime_error(begun(why)) {}
  [[nodiscard]] static bool is(std::string_view message) { return message.starts_with(beginning); }

 private:
  static constexpr std::string_view beginning = "left out: ";
  /// By appending: of a sum of strings g++ 12 warns, wrongly, that it writes beyond a short one.
  static std::string begun(std::string const& why) {
    std::string text(beginning);
    text.append(why);
    return text;
  }
};

}  // namespace araia::perf
