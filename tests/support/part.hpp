// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parts of a test, for tools under which a whole one takes hours: scripts/compute_sanitizer.py --parts.

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace araia::test {

/// Called once a check: whether it is one of those that ARAIA_TEST_PART=k/n asks for, one of each n in a row, counted
/// from 0 over the process, and at all places among them in turn where n is a power of two: loops within loops have
/// periods, and every n-th check may be the same precision's. All of them where the variable is not set.
inline bool in_this_part() {
  struct Part {
    long mine = 0, of = 1, count = 0;
    Part() {
      char const* const text = std::getenv("ARAIA_TEST_PART");
      if (text == nullptr) return;
      char* end = nullptr;
      mine = std::strtol(text, &end, 10);
      if (*end == '/') of = std::strtol(end + 1, &end, 10);
      if (*end != '\0' || mine < 0 || mine >= of)
        throw std::runtime_error("ARAIA_TEST_PART is k/n with 0 <= k < n, got " + std::string(text));
    }
  };
  static Part part;
  long const round = part.count / part.of;
  return (part.count++ + round * (round + 1) / 2) % part.of == part.mine;
}

}  // namespace araia::test
