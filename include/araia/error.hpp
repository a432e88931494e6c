// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one exception class of the library. Host code throws it; kernels trust checked input.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace araia {

/// What went wrong; the command maps each kind to an exit code.
enum class ErrorKind {
  invalid_argument,    ///< a value outside its documented range
  dimension_mismatch,  ///< shapes that do not fit each other
  invalid_structure,   ///< a matrix that breaks an invariant of its format
  parse,               ///< text that is not of the file format: file, line and column are set
  unsupported,         ///< a combination for which no kernel or reader exists
  resource_limit,      ///< more memory, rows or entries than allowed: the message names need and limit
  device,              ///< the device or the operating system refused
  internal             ///< a defect of the library
};

/// The kind's own name, as in the enumeration: "invalid_argument", ...
[[nodiscard]] std::string_view to_string(ErrorKind kind) noexcept;

/// Place in an input file; line and column count from 1, in bytes; 0 means unknown.
struct FilePlace {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

/// Every failure of the library. what() names the argument, what was got and what was expected;
/// with a place it starts with "file:line:column: ".
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string const& message);
  Error(ErrorKind kind, FilePlace place, std::string const& message);

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] FilePlace const& place() const noexcept { return place_; }

 private:
  ErrorKind kind_;
  FilePlace place_;
};

}  // namespace araia
