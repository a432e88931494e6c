// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a fuzz target asks of a reader: an outcome for any bytes, the same for every size of blocks, and a matrix that
// keeps its rules and survives being written.

#include <araia/detail/io/read_options.hpp>
#include <araia/error.hpp>
#include <araia/io/host_coo.hpp>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace araia::fuzz {

inline void require(bool truth, char const* what) {
  if (truth) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// The text of the matrix that is read, or the error's. Other exceptions end the target. Errors in text have lines.
template <class Read, class Write>
std::string outcome(Read const& read, Write const& write, bool& good, bool lines = true) {
  good = false;
  try {
    auto const A = read();
    good = true;
    std::ostringstream out;
    write(out, A);  // checks the rules of A
    return out.str();
  } catch (Error const& error) {
    require(!good || error.kind() != ErrorKind::invalid_structure, "what a reader returns keeps the rules");
    require(!good || error.kind() != ErrorKind::invalid_argument, "what a reader returns can be written");
    require(error.kind() != ErrorKind::internal && error.kind() != ErrorKind::device, "the kind fits bad input");
    require(!lines || error.kind() != ErrorKind::parse || error.place().line != 0, "a parse error has its line");
    return error.what();
  }
}

/// parse(text, options) returns a matrix, write(out, matrix) its text.
template <class Parse, class Write>
void check_reader(std::string_view text, Parse const& parse, Write const& write) {
  ReadOptions options;
  options.threads = 1;
  options.max_memory_bytes = 1 << 14;  // small, so that a dense matrix out of three numbers is soon written
  bool good = false;
  std::string const whole = outcome([&] { return parse(text, options); }, write, good);
  options.block_bytes = 1 + text.size() % 31;
  bool also_good = false;
  require(outcome([&] { return parse(text, options); }, write, also_good) == whole && also_good == good,
          "the size of blocks changes nothing");
  if (!good) return;
  // Zeros written out one by one take more to read than those that a header names.
  options.max_memory_bytes *= 64;
  bool still_good = false;
  require(outcome([&] { return parse(whole, options); }, write, still_good) == whole && still_good,
          "what is written reads back");
}

}  // namespace araia::fuzz
