// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What bounds a reader, how it shares the work, and what it does with files that break their standard.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace araia {

/// What a file is.
enum class FileKind { matrix_market, smtx, rutherford_boeing, native };

/// No option changes what a file means: `strict` refuses what is read with a warning otherwise.
struct ReadOptions {
  int threads = 0;                     ///< threads that parse; 0: all that the process may use
  std::uint64_t max_memory_bytes = 0;  ///< of the result and one operand: more is a resource_limit; 0:
                                       ///< default_host_memory_limit()
  std::uint64_t max_bytes = 0;         ///< of decompressed text: more is a resource_limit; 0: 4 max_memory_bytes
  std::size_t block_bytes = 1 << 18;   ///< text that a thread takes at a time, stretched to whole lines
  bool strict = false;                 ///< a file that departs from its standard is a parse error
  std::optional<FileKind> kind{};      ///< of read_matrix and read_entries; empty: by content and name
  /// Told of each kind of departure once, in words that begin with file, line and column as errors do, after the whole
  /// file has been read, by the thread that called the reader. A file that is refused has no warnings.
  std::function<void(std::string_view)> warn{};
};

}  // namespace araia
