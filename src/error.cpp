// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>

#include <utility>

namespace araia {

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument: return "invalid_argument";
    case ErrorKind::dimension_mismatch: return "dimension_mismatch";
    case ErrorKind::invalid_structure: return "invalid_structure";
    case ErrorKind::parse: return "parse";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::resource_limit: return "resource_limit";
    case ErrorKind::device: return "device";
    case ErrorKind::internal: return "internal";
  }
  return "internal";
}

namespace {
std::string with_place(FilePlace const& place, std::string const& message) {
  std::string text = place.file;
  if (place.line != 0) text += ':' + std::to_string(place.line);
  if (place.line != 0 && place.column != 0) text += ':' + std::to_string(place.column);
  return text + ": " + message;
}
}  // namespace

Error::Error(ErrorKind kind, std::string const& message) : std::runtime_error(message), kind_(kind) {}

Error::Error(ErrorKind kind, FilePlace place, std::string const& message)
    : std::runtime_error(with_place(place, message)), kind_(kind), place_(std::move(place)) {}

}  // namespace araia
