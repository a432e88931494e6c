// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first searches, a bit a source; kernel.hpp has the forms, search.cuh what threads do.
// Traffic  block_a_batch: an edge to a node next to an active one: 4 B, an atomic exchange at most, and a row of words;
//          a node that is reached: four rows, and an atomic addition for each sum. grid_a_batch: an edge to a node that
//          lacks a bit: 4 B, a bit, and a row where that is set; a level: 8 B and a bit of every node
// Hazards  rows, lists and counts are written between two barriers and read behind the second one; sums of nodes are
//          added to atomically where several batches run at a time.
#include "backends/cuda/bfs/csr_bit_packed/kernel.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <thread>

#include "backends/cuda/bfs/csr_bit_packed/search.cuh"
#include "backends/cuda/check.hpp"

namespace araia::cuda {

namespace {

using bfs::Word;

constexpr int most_threads = 1024;  // of a block
constexpr int grid_threads = 256;   // of a block of grid_a_batch

template <int WORDS>
__global__ void __launch_bounds__(most_threads, 1) block_a_batch(bfs::BlockSearch const search) {
  __shared__ bfs::BlockShared shared;
  bfs::search_by_block<WORDS>(search, shared);
}

template <int WORDS>
__global__ void __launch_bounds__(grid_threads, 3) grid_a_batch(bfs::GridSearch const search) {
  __shared__ bfs::GridShared<WORDS> shared;
  bfs::search_by_grid<WORDS>(search, shared, [] { cooperative_groups::this_grid().sync(); });
}

__global__ void list_nodes(detail::BfsGraph const graph, std::int32_t* listed, int* listed_count) {
  std::int64_t const node = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (node < graph.nodes) bfs::list_node(graph, static_cast<std::int32_t>(node), listed, listed_count);
}

/// What the blocks of a launch share; zeros at first.
struct Counts {
  unsigned long long next;
  unsigned long long done;
  unsigned long long levels;
  int stopped;
  int listed[2];
  int any[3];
};
constexpr std::uint64_t counts_bytes = 256;
static_assert(sizeof(Counts) <= counts_bytes);

using BlockKernel = void (*)(bfs::BlockSearch);
using GridKernel = void (*)(bfs::GridSearch);

BlockKernel block_kernel(int words) {
  switch (words) {
    case 1: return block_a_batch<1>;
    case 2: return block_a_batch<2>;
    case 4: return block_a_batch<4>;
    default: return block_a_batch<8>;
  }
}
GridKernel grid_kernel(int words) {
  switch (words) {
    case 1: return grid_a_batch<1>;
    case 2: return grid_a_batch<2>;
    case 4: return grid_a_batch<4>;
    default: return grid_a_batch<8>;
  }
}

int threads_of(BfsTuning const& tuning) {
  if (tuning.threads != 0) return tuning.threads;
  return tuning.form == BfsForm::block_a_batch ? most_threads : grid_threads;
}

void require_tuning(BfsTuning const& tuning) {
  auto const refuse = [](char const* field, int got, char const* expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia::cuda::bit_packed_bfs: ") + field + " is " +
                                                 std::to_string(got) + ", expected " + expected);
  };
  if (tuning.words != 1 && tuning.words != 2 && tuning.words != 4 && tuning.words != 8)
    refuse("words", tuning.words, "1, 2, 4 or 8");
  int const most = tuning.form == BfsForm::block_a_batch ? most_threads : grid_threads;
  if (tuning.threads % bfs::warp_lanes != 0 || tuning.threads < 0 || tuning.threads > most)
    refuse("threads", tuning.threads, "a multiple of 32 from 0 to 1024, or to 256 of grid_a_batch");
  if (tuning.blocks < 0) refuse("blocks", tuning.blocks, "0 or more");
}

std::int64_t batches_of(std::int64_t sources, int words) { return (sources + 64 * words - 1) / (64 * words); }

/// Blocks that the device holds at once.
std::int64_t resident_blocks(BfsTuning const& tuning) {
  int a_multiprocessor = 0;
  int const threads = threads_of(tuning);
  check(tuning.form == BfsForm::block_a_batch
            ? cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_multiprocessor, block_kernel(tuning.words), threads, 0)
            : cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_multiprocessor, grid_kernel(tuning.words), threads, 0),
        "occupancy of araia::bfs");
  std::int64_t const blocks = std::int64_t{a_multiprocessor} * multiprocessors_of_device("araia::bfs");
  return tuning.blocks != 0 ? std::min<std::int64_t>(blocks, tuning.blocks) : blocks;
}

constexpr std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

/// Arrays behind one another, each aligned to 256 B.
class Arrays {
 public:
  Arrays(void* memory, std::uint64_t bytes) : memory_(static_cast<unsigned char*>(memory)), bytes_(bytes) {}
  template <class T>
  T* take(std::uint64_t count) {
    auto* const array = reinterpret_cast<T*>(memory_ + used_);
    used_ += rounded(count * sizeof(T));
    if (used_ > bytes_)
      throw Error(ErrorKind::resource_limit, "araia::cuda::bit_packed_bfs: the workspace is " + std::to_string(bytes_) +
                                                 " bytes, expected at least " + std::to_string(used_));
    return array;
  }

 private:
  unsigned char* memory_;
  std::uint64_t bytes_;
  std::uint64_t used_ = 0;
};

std::uint64_t bytes_of_blocks(std::uint64_t nodes, int words, std::uint64_t blocks) {
  return rounded(blocks * nodes * 3 * static_cast<std::uint64_t>(words) * sizeof(Word)) +
         rounded(blocks * nodes * sizeof(std::int32_t)) + rounded(blocks * nodes * 4 * sizeof(std::int32_t));
}

std::uint64_t map_words_of(std::int64_t nodes) { return static_cast<std::uint64_t>(nodes) / 32 + 1; }

/// Two numbers in host memory that the device reads and writes.
class Mailbox {
 public:
  explicit Mailbox(bool wanted) {
    if (!wanted) return;
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, 2 * sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
    on_host_ = static_cast<int volatile*>(memory);
    on_host_[0] = 0;
    on_host_[1] = 0;
    void* there = nullptr;
    if (cudaHostGetDevicePointer(&there, memory, 0) != cudaSuccess) {
      cudaFreeHost(memory);
      on_host_ = nullptr;
      check(cudaErrorInvalidValue, "cudaHostGetDevicePointer");
    }
    on_device_ = static_cast<int volatile*>(there);
  }
  Mailbox(Mailbox const&) = delete;
  Mailbox& operator=(Mailbox const&) = delete;
  ~Mailbox() {
    if (on_host_ != nullptr) cudaFreeHost(const_cast<int*>(on_host_));
  }
  [[nodiscard]] int const volatile* cancel() const { return on_device_; }
  [[nodiscard]] int volatile* progress() const { return on_device_ != nullptr ? on_device_ + 1 : nullptr; }

  /// Until the stream's work is done: hands the caller's wish over, and what is done to the caller.
  void serve(cudaStream_t stream, std::int64_t batches, std::atomic<bool> const* cancel,
             std::function<void(double)> const& progress) const {
    if (on_host_ == nullptr) {
      check(cudaStreamSynchronize(stream), "araia::bfs");
      return;
    }
    constexpr auto pause = std::chrono::microseconds(200);
    std::exception_ptr failure;
    int told = 0;
    for (;;) {
      cudaError_t const state = cudaStreamQuery(stream);
      if (state != cudaErrorNotReady) {
        check(state, "araia::bfs");
        break;
      }
      if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) on_host_[0] = 1;
      int const done = on_host_[1];
      if (progress && !failure && done > told) {
        told = done;
        try {
          progress(static_cast<double>(done) / static_cast<double>(batches));
        } catch (...) {
          failure = std::current_exception();
          on_host_[0] = 1;
        }
      }
      std::this_thread::sleep_for(pause);
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  int volatile* on_host_ = nullptr;
  int volatile* on_device_ = nullptr;
};

void launch_blocks(cudaStream_t stream, bfs::BlockSearch search, BfsTuning const& tuning, Arrays& arrays,
                   std::uint64_t bytes) {
  auto const nodes = static_cast<std::uint64_t>(search.graph.nodes);
  auto blocks = static_cast<std::uint64_t>(std::min(resident_blocks(tuning), search.batches));
  while (blocks > 1 && counts_bytes + bytes_of_blocks(nodes, tuning.words, blocks) > bytes) --blocks;
  std::uint64_t const row_words = blocks * nodes * 3 * static_cast<std::uint64_t>(tuning.words);
  search.rows = arrays.take<Word>(row_words);
  search.stamps = arrays.take<std::int32_t>(blocks * nodes);
  search.lists = arrays.take<std::int32_t>(blocks * nodes * 4);
  check(cudaMemsetAsync(search.rows, 0, row_words * sizeof(Word), stream), "cudaMemsetAsync");
  check(cudaMemsetAsync(search.stamps, 0, blocks * nodes * sizeof(std::int32_t), stream), "cudaMemsetAsync");
  block_kernel(tuning.words)<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads_of(tuning)), 0, stream>>>(
      search);
  check_launch("araia::bfs::block_a_batch");
}

void launch_grid(cudaStream_t stream, bfs::GridSearch search, int* listed_count, BfsTuning const& tuning,
                 Arrays& arrays) {
  auto const nodes = static_cast<std::uint64_t>(search.graph.nodes);
  search.map_words = static_cast<std::int64_t>(map_words_of(search.graph.nodes));
  search.rows = arrays.take<Word>(nodes * 3 * static_cast<std::uint64_t>(tuning.words));
  search.maps = arrays.take<std::uint32_t>(4 * map_words_of(search.graph.nodes));
  auto* const listed = arrays.take<std::int32_t>(nodes);
  search.listed = listed;
  search.listed_count = listed_count;
  constexpr unsigned block = 256;
  list_nodes<<<grid_blocks(search.graph.nodes, block, "araia::bfs::list_nodes"), block, 0, stream>>>(
      search.graph, listed, listed_count);
  check_launch("araia::bfs::list_nodes");
  auto const blocks = static_cast<unsigned>(std::max<std::int64_t>(resident_blocks(tuning), 1));
  void* arguments[] = {&search};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(grid_kernel(tuning.words)), dim3(blocks),
                                    dim3(static_cast<unsigned>(threads_of(tuning))), arguments, 0, stream),
        "araia::bfs::grid_a_batch");
}

}  // namespace

BfsForm bfs_form(std::int64_t levels, std::int64_t batches) {
  constexpr std::int64_t many_levels = 48;
  constexpr std::int64_t many_batches = 24;  // from there on block_a_batch is the faster form
  return levels >= many_levels && batches >= many_batches ? BfsForm::block_a_batch : BfsForm::grid_a_batch;
}

BfsWorkspace bfs_workspace(std::int64_t nodes, std::int64_t sources, BfsTuning const& tuning) {
  require_tuning(tuning);
  auto const count = static_cast<std::uint64_t>(nodes);
  if (tuning.form == BfsForm::block_a_batch) {
    auto const blocks = std::max<std::int64_t>(1, std::min(resident_blocks(tuning), batches_of(sources, tuning.words)));
    return {.least = counts_bytes + bytes_of_blocks(count, tuning.words, 1),
            .best = counts_bytes + bytes_of_blocks(count, tuning.words, static_cast<std::uint64_t>(blocks))};
  }
  std::uint64_t const bytes =
      counts_bytes + rounded(count * 3 * static_cast<std::uint64_t>(tuning.words) * sizeof(Word)) +
      rounded(4 * map_words_of(nodes) * sizeof(std::uint32_t)) + rounded(count * sizeof(std::int32_t));
  return {.least = bytes, .best = bytes};
}

detail::BfsReport bit_packed_bfs(cudaStream_t stream, detail::BfsGraph const& graph, std::int32_t const* sources,
                                 std::int64_t count, detail::BfsSums const& sums, BfsTuning const& tuning,
                                 void* workspace, std::uint64_t bytes, std::atomic<bool> const* cancel,
                                 std::function<void(double)> const& progress) {
  require_tuning(tuning);
  detail::BfsReport report;
  std::int64_t const batches = batches_of(count, tuning.words);
  if (batches == 0) return report;
  Arrays arrays(workspace, bytes);
  auto* const counts = arrays.take<Counts>(1);
  check(cudaMemsetAsync(counts, 0, sizeof(Counts), stream), "cudaMemsetAsync");
  Mailbox const mailbox(cancel != nullptr || progress);
  if (tuning.form == BfsForm::block_a_batch)
    launch_blocks(stream,
                  {.graph = graph,
                   .sums = sums,
                   .sources = sources,
                   .count = count,
                   .batches = batches,
                   .rows = nullptr,
                   .stamps = nullptr,
                   .lists = nullptr,
                   .next = &counts->next,
                   .done = &counts->done,
                   .levels = &counts->levels,
                   .stopped = &counts->stopped,
                   .cancel = mailbox.cancel(),
                   .progress = mailbox.progress()},
                  tuning, arrays, bytes);
  else
    launch_grid(stream,
                {.graph = graph,
                 .sums = sums,
                 .sources = sources,
                 .count = count,
                 .batches = batches,
                 .rows = nullptr,
                 .maps = nullptr,
                 .map_words = 0,
                 .listed = nullptr,
                 .listed_count = nullptr,
                 .any = counts->any,
                 .done = &counts->done,
                 .levels = &counts->levels,
                 .stopped = &counts->stopped,
                 .cancel = mailbox.cancel(),
                 .progress = mailbox.progress()},
                counts->listed, tuning, arrays);
  mailbox.serve(stream, batches, cancel, progress);
  Counts all{};
  check(cudaMemcpyAsync(&all, counts, sizeof all, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream), "araia::bfs");
  report.cancelled = all.stopped != 0;
  report.batches = static_cast<std::int64_t>(all.done);
  report.levels = static_cast<std::int64_t>(all.levels);
  return report;
}

}  // namespace araia::cuda
