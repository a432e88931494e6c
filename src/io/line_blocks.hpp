// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text in blocks of whole lines, handed out in order, and the loop that lets threads share them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "byte_source.hpp"

namespace araia::detail {

/// Whole lines, the last one of a file perhaps without its end. A line end stands behind the last byte, so that a scan
/// needs no other bound.
class LineBlock {
 public:
  [[nodiscard]] char const* begin() const noexcept { return text_.get() + first_; }
  [[nodiscard]] char const* end() const noexcept { return text_.get() + size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return size_ - first_; }
  void drop_until(char const* p) noexcept { first_ = static_cast<std::size_t>(p - text_.get()); }

 private:
  friend class LineBlocks;
  char* space_for(std::size_t more);

  std::unique_ptr<char[]> text_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t first_ = 0;
};

/// Of a line that LineBlocks does not take: whoever counts lines says which.
class LongLine : public Error {
 public:
  LongLine(std::string const& file, std::uint64_t line);
};

class LineBlocks {
 public:
  LineBlocks(ByteSource& source, std::size_t block_bytes);

  /// Fills `block` with the next lines; false at the end. Lines end in LF, CRLF or CR.
  /// \throws LongLine, without its number, at a line longer than longest_line: no line of `block` is whole then
  bool next(LineBlock& block);

  /// Gives what is left of a block back, to be the next one.
  void put_back(LineBlock&& block) { kept_ = std::exchange(block, LineBlock{}); }

  /// Bound of the bytes not yet handed out.
  [[nodiscard]] Remaining remaining() const;
  [[nodiscard]] std::size_t block_bytes() const noexcept { return block_bytes_; }
  [[nodiscard]] std::string const& name() const noexcept { return source_.name(); }

  static constexpr std::size_t longest_line = 1 << 24;  // bytes

 private:
  ByteSource& source_;
  std::size_t block_bytes_;
  std::string carry_;  // the start of a line whose end has not been read
  LineBlock kept_;
  bool ended_ = false;
};

/// A worker of for_each_block: parse runs beside other workers' parse, commit alone and in the order of the blocks.
struct BlockWorker {
  std::function<void(LineBlock const&)> parse;
  std::function<void(LineBlock const&)> commit;
};

/// Hands every block to one of up to `threads` workers. What parse or commit throws first in the order of the file is
/// thrown here, whatever the threads do.
void for_each_block(LineBlocks& blocks, int threads, std::function<BlockWorker()> const& make_worker);

}  // namespace araia::detail
