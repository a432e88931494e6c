// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where a reader's bytes come from: a file, plain or gzip, or memory. Sequential; not safe for threads.

#include <araia/detail/io/read_options.hpp>
#include <araia/error.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace araia::detail {

/// Bytes that may still come.
struct Remaining {
  std::uint64_t most = UINT64_MAX;  // no more than these
  bool exact = false;               // `most` are on the disk or in memory as they are
};

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(ByteSource const&) = delete;
  ByteSource& operator=(ByteSource const&) = delete;

  /// Fills `size` bytes unless the end comes first; returns the number filled.
  std::size_t read(char* to, std::size_t size);
  /// The next bytes, up to `size`, which a later read still returns. At most 64 bytes.
  std::string_view peek(std::size_t size);
  [[nodiscard]] Remaining remaining() const;
  [[nodiscard]] std::string const& name() const noexcept { return name_; }

 private:
  virtual std::size_t read_some(char* to, std::size_t size) = 0;  // 0: the end
  [[nodiscard]] virtual Remaining remaining_behind() const = 0;

  std::string name_;
  std::string peeked_;
};

/// A file, decompressed().
/// \throws araia::Error: invalid_argument (no such file, a directory), device
std::unique_ptr<ByteSource> open_source(std::filesystem::path const& path, ReadOptions const& options);

/// Bytes that the caller keeps alive, taken as they are.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::string name);

/// `source` itself, or what its bytes decompress to where they are gzip.
/// \throws araia::Error: unsupported (bzip2, xz, zstd)
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, ReadOptions const& options);

/// options.max_memory_bytes, or default_host_memory_limit().
std::uint64_t memory_limit(ReadOptions const& options);

}  // namespace araia::detail
