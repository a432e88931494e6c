// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// gzip streams in-process, by zlib: both ways in blocks, so that neither text nor compressed data is held whole.

#include <functional>
#include <memory>
#include <string_view>

#include "byte_source.hpp"

namespace araia::detail {

/// The decompressed bytes of `compressed`, all members of it; after `cap` bytes of output a resource_limit.
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, std::uint64_t cap);

using Sink = std::function<void(std::string_view)>;

/// Compresses what is written to it into `out`.
class GzipWriter {
 public:
  explicit GzipWriter(Sink out);
  ~GzipWriter();
  GzipWriter(GzipWriter const&) = delete;
  GzipWriter& operator=(GzipWriter const&) = delete;
  void write(std::string_view bytes);
  void finish();

 private:
  struct Stream;
  void deflate(std::string_view bytes, int flush);
  Sink out_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace araia::detail
