// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_blocks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace araia::detail {
namespace {

// Length of the whole lines at the start of `text`, which goes on behind it; the first `searched` bytes hold no line
// end. A CR at the very end may be half of a CRLF and is left for later.
std::size_t whole_lines(std::string_view text, std::size_t searched) {
  std::string_view const fresh = text.substr(searched);
  if (std::size_t const at = fresh.rfind('\n'); at != std::string_view::npos) return searched + at + 1;
  if (fresh.size() < 2) return 0;
  std::size_t const at = fresh.rfind('\r', fresh.size() - 2);
  return at == std::string_view::npos ? 0 : searched + at + 1;
}

}  // namespace

char* LineBlock::space_for(std::size_t more) {
  if (size_ + more + 1 > capacity_) {
    // A sixteenth more, so that a somewhat longer carry does not ask for a new buffer: buffers that come and go teach
    // malloc to keep such sizes instead of giving them back.
    std::size_t const need = size_ + more + 1;
    std::size_t const capacity = std::max(need + need / 16, 2 * size_);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ != 0) std::memcpy(larger.get(), text_.get(), size_);
    text_ = std::move(larger);
    capacity_ = capacity;
  }
  return text_.get() + size_;
}

LongLine::LongLine(std::string const& file, std::uint64_t line)
    : Error(ErrorKind::resource_limit, {file, line},
            "the line is longer than the limit of " + std::to_string(LineBlocks::longest_line) + " bytes") {}

LineBlocks::LineBlocks(ByteSource& source, std::size_t block_bytes)
    : source_(source), block_bytes_(std::clamp<std::size_t>(block_bytes, 1, longest_line)) {}

bool LineBlocks::next(LineBlock& block) {
  if (kept_.bytes() != 0) {
    block = std::exchange(kept_, LineBlock{});
    return true;
  }
  block.size_ = block.first_ = 0;
  std::memcpy(block.space_for(carry_.size()), carry_.data(), carry_.size());
  block.size_ = carry_.size();
  // A CR that ended the last read is searched again, as what follows it is known only now.
  std::size_t searched = carry_.empty() || carry_.back() == '\r' ? 0 : carry_.size();
  carry_.clear();
  std::size_t lines = 0;
  while (!ended_ && lines == 0) {
    std::size_t const wanted = std::max(block_bytes_, block.size_);  // a long line at least doubles: linear time in all
    std::uint64_t const most = source_.remaining().exact ? source_.remaining().most + 1 : UINT64_MAX;
    auto const ask = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, most));
    std::size_t const got = source_.read(block.space_for(ask), ask);
    block.size_ += got;
    ended_ = got < ask;
    lines = whole_lines({block.text_.get(), block.size_}, searched);
    bool const open_cr = block.size_ != 0 && block.text_[block.size_ - 1] == '\r';
    searched = block.size_ - (open_cr ? 1 : 0);
    if (lines == 0 && block.size_ > longest_line) {
      throw LongLine(name(), 0);
    }
  }
  if (!ended_) {
    carry_.assign(block.text_.get() + lines, block.size_ - lines);
    block.size_ = lines;
  }
  *block.space_for(0) = '\n';
  return block.size_ != 0;
}

Remaining LineBlocks::remaining() const {
  Remaining left = source_.remaining();
  std::size_t const held = carry_.size() + kept_.bytes();
  if (left.most <= UINT64_MAX - held) left.most += held;
  return left;
}

namespace {

// Shared by the workers of one for_each_block.
class Turns {
 public:
  explicit Turns(LineBlocks& blocks) : blocks_(blocks) {}

  void run(BlockWorker const& worker) {
    LineBlock block;
    for (std::uint64_t mine = 0; take(block, mine);) {
      std::exception_ptr failure;
      try {
        worker.parse(block);
      } catch (...) {
        failure = std::current_exception();
      }
      if (!finish(worker, block, mine, failure)) return;
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool take(LineBlock& block, std::uint64_t& mine) {
    std::unique_lock lock(mutex_);
    if (ended_) return false;
    mine = taken_++;
    try {
      ended_ = !blocks_.next(block);
      if (ended_) --taken_;
      return !ended_;
    } catch (...) {
      // A source that fails does so behind all blocks taken: they come first, then this.
      ended_ = true;
      turn_.wait(lock, [&] { return committed_ == mine || failure_; });
      if (!failure_) failure_ = std::current_exception();
      turn_.notify_all();
      return false;
    }
  }

  bool finish(BlockWorker const& worker, LineBlock const& block, std::uint64_t mine, std::exception_ptr failure) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return committed_ == mine || failure_; });
    if (failure_) return false;
    try {
      if (failure) std::rethrow_exception(failure);
      worker.commit(block);
    } catch (...) {
      failure_ = std::current_exception();
      ended_ = true;
    }
    ++committed_;
    turn_.notify_all();
    return !failure_;
  }

  LineBlocks& blocks_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t taken_ = 0;
  std::uint64_t committed_ = 0;
  std::exception_ptr failure_;
  bool ended_ = false;
};

// No more threads than the text has blocks: a small file starts none.
std::size_t useful_threads(LineBlocks const& blocks, int threads) {
  std::size_t const most =
      threads > 0 ? static_cast<std::size_t>(threads) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  Remaining const left = blocks.remaining();
  std::uint64_t const text = left.exact ? left.most : left.most / 128;  // compressed text seldom shrinks to an eighth
  std::uint64_t const block_count = text / blocks.block_bytes();
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(block_count, 1, most));
}

}  // namespace

void for_each_block(LineBlocks& blocks, int threads, std::function<BlockWorker()> const& make_worker) {
  Turns turns(blocks);
  std::size_t const count = useful_threads(blocks, threads);
  std::vector<BlockWorker> workers;
  for (std::size_t i = 0; i < count; ++i) workers.push_back(make_worker());
  std::vector<std::thread> team;
  team.reserve(count);
  try {
    for (std::size_t i = 1; i < count; ++i) {
      BlockWorker const& worker = workers[i];
      team.emplace_back([&turns, &worker] { turns.run(worker); });
    }
  } catch (std::exception const&) {
    // No thread or no memory for one: fewer threads than wished do the same work.
  }
  turns.run(workers.front());
  for (std::thread& thread : team) thread.join();
  turns.rethrow();
}

}  // namespace araia::detail
