// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What bounds a reader and how it shares the work. No option changes what a file means.

#include <cstddef>
#include <cstdint>

namespace araia {

struct ReadOptions {
  int threads = 0;                     ///< threads that parse; 0: all that the process may use
  std::uint64_t max_memory_bytes = 0;  ///< of the result and one operand: more is a resource_limit; 0: half of RAM
  std::uint64_t max_bytes = 0;         ///< of decompressed text: more is a resource_limit; 0: 4 max_memory_bytes
  std::size_t block_bytes = 1 << 18;   ///< text that a thread takes at a time, stretched to whole lines
};

}  // namespace araia
