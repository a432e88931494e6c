// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The caches of this machine, which host kernels block for.

#include <cstdint>

namespace araia::host {

struct Caches {
  std::int64_t l1;     ///< bytes for data, of one core
  std::int64_t l2;     ///< likewise
  std::int64_t last;   ///< bytes of the largest that one core reaches
  int sharers = 1;     ///< processors that share the last one
  bool whole = false;  ///< those are all of the machine
};

/// Of the first processor, as the system tells; usual sizes where it does not. Found once.
Caches const& caches();

}  // namespace araia::host
