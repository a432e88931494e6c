// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where a file breaks its standard and is read all the same.

#include <araia/detail/io/read_options.hpp>
#include <araia/error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace araia::detail {

class Departures {
 public:
  explicit Departures(ReadOptions const& options) : strict_(options.strict), warn_(options.warn) {}

  [[nodiscard]] bool allowed() const noexcept { return !strict_; }
  /// `what` says what is wrong, `read_as` what is made of it.
  /// \throws araia::Error (parse) with `what` where the options are strict
  void note(FilePlace place, std::string const& what, std::string const& read_as) {
    if (strict_) throw Error(ErrorKind::parse, std::move(place), what);
    if (warn_) said_.emplace_back(Error(ErrorKind::parse, std::move(place), what + "; " + read_as).what());
  }
  /// Once the file is read: hands the warnings out.
  void tell() const {
    for (std::string const& text : said_) warn_(text);
  }

 private:
  bool strict_;
  std::function<void(std::string_view)> const& warn_;
  std::vector<std::string> said_;
};

}  // namespace araia::detail
