// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What threads of kernel.cu do. A node's bits are a row of WORDS words; two words, or one where there is but one, are a
// lane's, and a node is looked at by a group of lanes of one warp:
//
//   lane  0    1    2    3   | 4    5    6    7   | ...      WORDS = 8: 512 sources, 64 B a row, 8 nodes a warp
//   words 0 1  2 3  4 5  6 7 | 0 1  2 3  4 5  6 7 |
//         node v             | node w             |

#include <cstdint>

#include "src/kernel/bfs_operands.hpp"

namespace araia::cuda::bfs {

using Word = std::uint64_t;

inline constexpr int warp_lanes = 32;
inline constexpr int edges_at_once = 4;  // whose rows a lane has under way

template <int WORDS>
inline constexpr int lane_words = WORDS == 1 ? 1 : 2;
template <int WORDS>
inline constexpr int group_lanes = WORDS / lane_words<WORDS>;

/// A lane's words of a row.
template <int N>
struct Chunk {
  Word word[N];
};

template <int N>
__device__ inline Chunk<N> load(Word const* from) {
  Chunk<N> chunk;
  if constexpr (N == 2) {
    ulonglong2 const both = *reinterpret_cast<ulonglong2 const*>(from);
    chunk.word[0] = both.x;
    chunk.word[1] = both.y;
  } else {
    chunk.word[0] = *from;
  }
  return chunk;
}
template <int N>
__device__ inline void store(Word* to, Chunk<N> const& chunk) {
  if constexpr (N == 2) {
    ulonglong2 both;
    both.x = chunk.word[0];
    both.y = chunk.word[1];
    *reinterpret_cast<ulonglong2*>(to) = both;
  } else {
    *to = chunk.word[0];
  }
}

/// The lanes that look at one node.
template <int WORDS>
struct Group {
  static constexpr int lanes = group_lanes<WORDS>;
  static constexpr int words = lane_words<WORDS>;
  using Part = Chunk<words>;
  unsigned mask;  // of the warp's lanes
  int lane;       // in the group

  __device__ static Group of(int thread) {
    int const in_warp = thread % warp_lanes;
    int const first = in_warp / lanes * lanes;
    return {((1U << lanes) - 1) << first, in_warp - first};
  }
  [[nodiscard]] __device__ std::int64_t place(std::int32_t node) const {
    return static_cast<std::int64_t>(node) * WORDS + lane * words;
  }
  [[nodiscard]] __device__ bool any(bool mine) const {
    if constexpr (lanes == 1) return mine;
    return __any_sync(mask, mine) != 0;
  }
  [[nodiscard]] __device__ unsigned sum(unsigned mine) const {
    for (int step = lanes / 2; step > 0; step /= 2) mine += __shfl_xor_sync(mask, mine, step);
    return mine;
  }
  /// The bits of a batch of so many sources.
  [[nodiscard]] __device__ Part all(int sources) const {
    Part part;
    for (int w = 0; w < words; ++w) {
      int const bits = sources - 64 * (lane * words + w);
      part.word[w] = bits >= 64 ? ~Word{0} : bits <= 0 ? 0 : (Word{1} << bits) - 1;
    }
    return part;
  }
};

template <int N>
__device__ inline bool is_any(Chunk<N> const& chunk) {
  Word all = 0;
  for (int w = 0; w < N; ++w) all |= chunk.word[w];
  return all != 0;
}
template <int N>
__device__ inline unsigned bits_of(Chunk<N> const& chunk) {
  int count = 0;
  for (int w = 0; w < N; ++w) count += __popcll(chunk.word[w]);
  return static_cast<unsigned>(count);
}
/// a & b & ~c.
template <int N>
__device__ inline Chunk<N> both_without(Chunk<N> const& a, Chunk<N> const& b, Chunk<N> const& c) {
  Chunk<N> result;
  for (int w = 0; w < N; ++w) result.word[w] = a.word[w] & b.word[w] & ~c.word[w];
  return result;
}
template <int N>
__device__ inline void add_bits(Chunk<N>& to, Chunk<N> const& from) {
  for (int w = 0; w < N; ++w) to.word[w] |= from.word[w];
}

__device__ inline bool bit_of(std::uint32_t const* map, std::int32_t node) {
  return (map[node / 32] >> (node % 32) & 1U) != 0;
}
__device__ inline void set_bit(std::uint32_t* map, std::int32_t node) { atomicOr(map + node / 32, 1U << (node % 32)); }

/// The words of the frontier that come over the edges begin, begin + 1, begin + 2, begin + 3, begin + stride, ...
/// before end. \param active  nodes whose row counts; null: all of them
template <int WORDS>
__device__ inline void pull(Group<WORDS> const& group, detail::BfsGraph const& graph, Word const* frontier,
                            std::uint32_t const* active, std::int64_t begin, std::int64_t end, std::int64_t stride,
                            Chunk<lane_words<WORDS>>& bits) {
  for (std::int64_t e = begin; e < end; e += stride) {
    std::int32_t from[edges_at_once];
    for (int k = 0; k < edges_at_once; ++k) {
      from[k] = e + k < end ? __ldg(graph.in_nodes + e + k) : -1;
      if (active != nullptr && from[k] >= 0 && !bit_of(active, from[k])) from[k] = -1;
    }
    Chunk<lane_words<WORDS>> row[edges_at_once];
    for (int k = 0; k < edges_at_once; ++k)
      row[k] = from[k] >= 0 ? load<lane_words<WORDS>>(frontier + group.place(from[k])) : Chunk<lane_words<WORDS>>{};
    for (int k = 0; k < edges_at_once; ++k) add_bits(bits, row[k]);
  }
}

// ---- a block a batch ----

struct BlockSearch {
  detail::BfsGraph graph{};
  detail::BfsSums sums{};
  std::int32_t const* sources = nullptr;
  std::int64_t count = 0;
  std::int64_t batches = 0;
  Word* rows = nullptr;                  // (blocks, 3, nodes, words) zeros
  std::int32_t* stamps = nullptr;        // (blocks, nodes) zeros
  std::int32_t* lists = nullptr;         // (blocks, 4, nodes)
  unsigned long long* next = nullptr;    // the batch that nobody has begun, at first 0
  unsigned long long* done = nullptr;    // batches
  unsigned long long* levels = nullptr;  // of all batches
  int* stopped = nullptr;                // has somebody seen that it is cancelled
  int const volatile* cancel = nullptr;  // in the host's memory, or null
  int volatile* progress = nullptr;      // in the host's memory, or null: takes the batches that are done
};

struct BlockShared {
  unsigned long long batch;
  int candidates[2];  // of levels, in turn
  int reached[2];
  int stopped;
};

/// Where what each thread that calls this together adds to a list goes.
__device__ inline int appended(int* count) {
  unsigned const together = __activemask();
  int const lane = static_cast<int>(threadIdx.x) % warp_lanes;
  int const leader = __ffs(static_cast<int>(together)) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(count, __popc(together));
  first = __shfl_sync(together, first, leader);
  return first + __popc(together & ((1U << lane) - 1));
}

__device__ inline void add_atomically(Word* sum, Word value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}
/// To a number of 128 bits, exact whatever the order.
__device__ inline void add_atomically(Word* sum, detail::BfsWide const& value) {
  auto const before = static_cast<Word>(
      atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value.low)));
  add_atomically(sum + 1, value.high + (before + value.low < before ? 1 : 0));
}

template <int WORDS>
__device__ inline void search_by_block(BlockSearch const& search, BlockShared& shared) {
  constexpr int lanes = group_lanes<WORDS>;
  constexpr int words = lane_words<WORDS>;
  constexpr int own_edges = 32;  // nodes of more edges are looked at by a whole warp
  int const thread = static_cast<int>(threadIdx.x);
  int const threads = static_cast<int>(blockDim.x);
  int const in_warp = thread % warp_lanes;
  auto const group = Group<WORDS>::of(thread);
  std::int32_t const nodes = search.graph.nodes;
  std::int64_t const block = blockIdx.x;
  std::int64_t const elements = static_cast<std::int64_t>(nodes) * WORDS;
  Word* const seen = search.rows + block * 3 * elements;
  Word* frontier = seen + elements;
  Word* next = seen + 2 * elements;
  std::int32_t* const stamps = search.stamps + block * nodes;
  std::int32_t* before = search.lists + block * 4 * nodes;  // nodes of the level before this one
  std::int32_t* active = before + nodes;
  std::int32_t* reached = before + 2 * static_cast<std::int64_t>(nodes);
  std::int32_t* const candidates = before + 3 * static_cast<std::int64_t>(nodes);
  std::int32_t epoch = 0;  // of all levels of all batches of this block
  for (;;) {
    if (thread == 0) {
      shared.batch = atomicAdd(search.next, 1ULL);
      shared.candidates[0] = shared.candidates[1] = shared.reached[0] = shared.reached[1] = shared.stopped = 0;
    }
    __syncthreads();  // the batch is known, the counts are zero
    auto const batch = static_cast<std::int64_t>(shared.batch);
    if (batch >= search.batches) return;
    std::int64_t const first = batch * 64 * WORDS;
    auto const count = static_cast<int>(search.count - first < 64 * WORDS ? search.count - first : 64 * WORDS);
    for (int s = thread; s < count; s += threads) {
      std::int32_t const node = search.sources[first + s];
      std::int64_t const place = static_cast<std::int64_t>(node) * WORDS + s / 64;
      seen[place] = frontier[place] = Word{1} << (s % 64);
      active[s] = node;
    }
    __syncthreads();  // the first frontier is there
    auto const all = group.all(count);
    int active_count = count;
    int before_count = 0;
    unsigned level = 0;
    while (active_count > 0) {
      ++level;
      ++epoch;
      int const turn = static_cast<int>(level % 2);
      if (thread == 0) {
        constexpr unsigned looks = 32;  // levels from one look at the host's memory to the next
        if (search.cancel != nullptr && level % looks == 1 && *search.cancel != 0) atomicExch(search.stopped, 1);
        shared.stopped = __ldcg(search.stopped);
      }
      for (std::int64_t i = thread; i < static_cast<std::int64_t>(before_count) * WORDS; i += threads)
        next[static_cast<std::int64_t>(before[i / WORDS]) * WORDS + i % WORDS] = 0;
      // Where the edges of active nodes lead, each node once.
      auto const mark = [&](std::int32_t node) {
        if (__ldcg(stamps + node) != epoch && atomicExch(stamps + node, epoch) != epoch)
          candidates[appended(&shared.candidates[turn])] = node;
      };
      for (int from = thread - in_warp; from < active_count; from += threads) {
        int const i = from + in_warp;
        std::int64_t begin = 0;
        std::int64_t end = 0;
        if (i < active_count) {
          std::int32_t const node = active[i];
          begin = __ldg(search.graph.out_offsets + node);
          end = __ldg(search.graph.out_offsets + node + 1);
        }
        bool const many = end - begin > own_edges;
        if (!many)
          for (std::int64_t e = begin; e < end; ++e) mark(__ldg(search.graph.out_nodes + e));
        for (unsigned left = __ballot_sync(0xffffffffU, many); left != 0; left &= left - 1) {
          int const owner = __ffs(static_cast<int>(left)) - 1;
          std::int64_t const its_begin = __shfl_sync(0xffffffffU, begin, owner);
          std::int64_t const its_end = __shfl_sync(0xffffffffU, end, owner);
          for (std::int64_t e = its_begin + in_warp; e < its_end; e += warp_lanes)
            mark(__ldg(search.graph.out_nodes + e));
        }
      }
      __syncthreads();  // all candidates are listed, rows of `next` are zero
      if (shared.stopped != 0) return;
      int const candidate_count = shared.candidates[turn];
      if (thread == 0) shared.candidates[1 - turn] = shared.reached[1 - turn] = 0;
      detail::BfsWide const inverse = detail::bfs_inverse(level);
      for (int i = thread / lanes; i < candidate_count; i += threads / lanes) {
        std::int32_t const node = candidates[i];
        auto const old = load<words>(seen + group.place(node));
        Chunk<words> const lacking = both_without(all, all, old);
        if (!group.any(is_any(lacking))) continue;
        Chunk<words> bits{};
        pull(group, search.graph, frontier, nullptr, __ldg(search.graph.in_offsets + node),
             __ldg(search.graph.in_offsets + node + 1), edges_at_once, bits);
        Chunk<words> const fresh = both_without(bits, all, old);
        if (!group.any(is_any(fresh))) continue;
        store(next + group.place(node), fresh);
        Chunk<words> now = old;
        add_bits(now, fresh);
        store(seen + group.place(node), now);
        unsigned const newly = group.sum(bits_of(fresh));
        if (group.lane != 0) continue;
        add_atomically(search.sums.distance + node, static_cast<Word>(level) * newly);
        if (search.sums.inverse != nullptr)
          add_atomically(search.sums.inverse + 2 * static_cast<std::int64_t>(node), detail::bfs_times(inverse, newly));
        reached[appended(&shared.reached[turn])] = node;
      }
      __syncthreads();  // the next frontier is there
      std::int32_t* const oldest = before;
      before = active;
      before_count = active_count;
      active = reached;
      active_count = shared.reached[turn];
      reached = oldest;
      Word* const rows = frontier;
      frontier = next;
      next = rows;
    }
    for (std::int64_t i = thread; i < static_cast<std::int64_t>(before_count) * WORDS; i += threads)
      next[static_cast<std::int64_t>(before[i / WORDS]) * WORDS + i % WORDS] = 0;
    for (std::int32_t node = thread / lanes; node < nodes; node += threads / lanes) {
      auto const bits = load<words>(seen + group.place(node));
      if (is_any(bits)) store(seen + group.place(node), Chunk<words>{});
      unsigned const reached_by = group.sum(bits_of(bits));
      if (group.lane == 0 && reached_by != 0) add_atomically(search.sums.reached + node, Word{reached_by});
    }
    __syncthreads();  // rows are zero, and everybody has read the counts
    if (thread == 0) {
      atomicAdd(search.levels, static_cast<unsigned long long>(level > 0 ? level - 1 : 0));
      auto const done = atomicAdd(search.done, 1ULL) + 1;
      if (search.progress != nullptr) *search.progress = static_cast<int>(done);
    }
  }
}

// ---- the grid a batch ----

inline constexpr std::int64_t warp_degree = 32;     // nodes of more edges are a warp's
inline constexpr std::int64_t block_degree = 2048;  // and of more than this a block's

struct GridSearch {
  detail::BfsGraph graph{};
  detail::BfsSums sums{};
  std::int32_t const* sources = nullptr;
  std::int64_t count = 0;
  std::int64_t batches = 0;
  Word* rows = nullptr;           // (3, nodes, words)
  std::uint32_t* maps = nullptr;  // (4, map_words) nodes with a bit in the frontier, in turn; nodes that lack none
  std::int64_t map_words = 0;
  std::int32_t const* listed = nullptr;  // (nodes) those of a block from the front, those of a warp from the back
  int const* listed_count = nullptr;     // (2) how many of each
  int* any = nullptr;                    // (3) of levels, in turn: 1 where a bit is new, 2 where it is cancelled
  unsigned long long* done = nullptr;
  unsigned long long* levels = nullptr;
  int* stopped = nullptr;
  int const volatile* cancel = nullptr;
  int volatile* progress = nullptr;
};

template <int WORDS>
struct GridShared {
  Word row[WORDS];
};

/// What a level of the grid does with one node's bits.
template <int WORDS>
struct GridLevel {
  GridSearch const& search;
  Word* seen;
  Word const* frontier;
  Word* next;
  std::uint32_t const* active;
  std::uint32_t* next_active;
  std::uint32_t* full;
  unsigned level;
  detail::BfsWide inverse;
  Chunk<lane_words<WORDS>> all;

  /// By the lanes of one group. \return whether a bit is new
  __device__ bool settle(Group<WORDS> const& group, std::int32_t node, Chunk<lane_words<WORDS>> const& bits,
                         Chunk<lane_words<WORDS>> const& old) const {
    auto const fresh = both_without(bits, all, old);
    if (!group.any(is_any(fresh))) return false;
    store(next + group.place(node), fresh);
    Chunk<lane_words<WORDS>> now = old;
    add_bits(now, fresh);
    store(seen + group.place(node), now);
    bool const lacks = group.any(is_any(both_without(all, all, now)));
    unsigned const newly = group.sum(bits_of(fresh));
    if (group.lane == 0) {
      // A node is one group's a level, and a batch all blocks': nobody else changes its sums.
      search.sums.distance[node] += static_cast<Word>(level) * newly;
      if (search.sums.inverse != nullptr)
        detail::bfs_add(search.sums.inverse + 2 * static_cast<std::int64_t>(node), detail::bfs_times(inverse, newly));
      set_bit(next_active, node);
      if (!lacks) set_bit(full, node);
    }
    return true;
  }
};

/// The words of all groups of a warp together, in every group.
template <int WORDS>
__device__ inline void join_groups(Chunk<lane_words<WORDS>>& bits) {
  for (int step = group_lanes<WORDS>; step < warp_lanes; step *= 2)
    for (int w = 0; w < lane_words<WORDS>; ++w)
      bits.word[w] |= __shfl_xor_sync(0xffffffffU, static_cast<unsigned long long>(bits.word[w]), step);
}

template <int WORDS>
__device__ inline bool node_by_group(GridLevel<WORDS> const& level, Group<WORDS> const& group, std::int32_t node) {
  if (bit_of(level.full, node)) return false;
  std::int64_t const begin = __ldg(level.search.graph.in_offsets + node);
  std::int64_t const end = __ldg(level.search.graph.in_offsets + node + 1);
  if (begin == end || end - begin > warp_degree) return false;
  Chunk<lane_words<WORDS>> bits{};
  pull(group, level.search.graph, level.frontier, level.active, begin, end, edges_at_once, bits);
  if (!group.any(is_any(bits))) return false;
  return level.settle(group, node, bits, load<lane_words<WORDS>>(level.seen + group.place(node)));
}

template <int WORDS>
__device__ inline bool node_by_warp(GridLevel<WORDS> const& level, Group<WORDS> const& group, int in_warp,
                                    std::int32_t node) {
  if (bit_of(level.full, node)) return false;
  constexpr int groups = warp_lanes / group_lanes<WORDS>;
  constexpr std::int64_t stride = groups * edges_at_once;
  constexpr std::int64_t edges_a_look = 4 * stride;  // edges from one look whether the node lacks anything to the next
  std::int64_t const begin = __ldg(level.search.graph.in_offsets + node);
  std::int64_t const end = __ldg(level.search.graph.in_offsets + node + 1);
  auto const old = load<lane_words<WORDS>>(level.seen + group.place(node));
  Chunk<lane_words<WORDS>> bits{};
  for (std::int64_t from = begin; from < end; from += edges_a_look) {
    pull(group, level.search.graph, level.frontier, level.active, from + in_warp / group_lanes<WORDS> * edges_at_once,
         from + edges_a_look < end ? from + edges_a_look : end, stride, bits);
    join_groups<WORDS>(bits);
    if (!group.any(is_any(both_without(level.all, level.all, [&] {
          Chunk<lane_words<WORDS>> has = old;
          add_bits(has, bits);
          return has;
        }()))))
      break;
  }
  return in_warp < group_lanes<WORDS> && level.settle(group, node, bits, old);
}

template <int WORDS>
__device__ inline bool node_by_block(GridLevel<WORDS> const& level, Group<WORDS> const& group, int thread, int threads,
                                     GridShared<WORDS>& shared, std::int32_t node) {
  if (bit_of(level.full, node)) return false;
  std::int64_t const stride = static_cast<std::int64_t>(threads / group_lanes<WORDS>) * edges_at_once;
  std::int64_t const edges_a_look = 4 * stride;
  std::int64_t const begin = __ldg(level.search.graph.in_offsets + node);
  std::int64_t const end = __ldg(level.search.graph.in_offsets + node + 1);
  auto const old = load<lane_words<WORDS>>(level.seen + group.place(node));
  if (thread < WORDS) shared.row[thread] = 0;
  __syncthreads();  // the row is zero
  Chunk<lane_words<WORDS>> bits{};
  for (std::int64_t from = begin; from < end; from += edges_a_look) {
    pull(group, level.search.graph, level.frontier, level.active,
         from + static_cast<std::int64_t>(thread / group_lanes<WORDS>) * edges_at_once,
         from + edges_a_look < end ? from + edges_a_look : end, stride, bits);
    join_groups<WORDS>(bits);
    if (thread % warp_lanes < group_lanes<WORDS>)
      for (int w = 0; w < lane_words<WORDS>; ++w)
        if (bits.word[w] != 0)
          atomicOr(reinterpret_cast<unsigned long long*>(shared.row + group.lane * lane_words<WORDS> + w),
                   static_cast<unsigned long long>(bits.word[w]));
    __syncthreads();  // the row has all warps' bits
    for (int w = 0; w < lane_words<WORDS>; ++w) bits.word[w] = shared.row[group.lane * lane_words<WORDS> + w];
    Chunk<lane_words<WORDS>> has = old;
    add_bits(has, bits);
    bool const lacks = group.any(is_any(both_without(level.all, level.all, has)));
    __syncthreads();  // everybody has read the row
    if (!lacks) break;
  }
  return thread < group_lanes<WORDS> && level.settle(group, node, bits, old);
}

/// \param sync  a barrier of the grid
template <int WORDS, class Sync>
__device__ inline void search_by_grid(GridSearch const& search, GridShared<WORDS>& shared, Sync const& sync) {
  constexpr int lanes = group_lanes<WORDS>;
  constexpr int words = lane_words<WORDS>;
  int const thread = static_cast<int>(threadIdx.x);
  int const threads = static_cast<int>(blockDim.x);
  int const in_warp = thread % warp_lanes;
  auto const group = Group<WORDS>::of(thread);
  std::int32_t const nodes = search.graph.nodes;
  std::int64_t const in_grid = static_cast<std::int64_t>(blockIdx.x) * threads + thread;
  std::int64_t const of_grid = static_cast<std::int64_t>(gridDim.x) * threads;
  std::int64_t const elements = static_cast<std::int64_t>(nodes) * WORDS;
  Word* const seen = search.rows;
  std::uint32_t* const full = search.maps + 3 * search.map_words;
  auto const map = [&](unsigned turn) { return search.maps + turn % 3 * search.map_words; };
  auto const count_seen = [&] {
    for (std::int64_t v = in_grid / lanes; v < nodes; v += of_grid / lanes) {
      auto const node = static_cast<std::int32_t>(v);
      unsigned const count = group.sum(bits_of(load<words>(seen + group.place(node))));
      if (group.lane == 0) search.sums.reached[node] += count;
    }
  };
  for (std::int64_t batch = 0; batch < search.batches; ++batch) {
    if (batch > 0) count_seen();
    for (std::int64_t v = in_grid / lanes; v < nodes; v += of_grid / lanes)
      store(seen + group.place(static_cast<std::int32_t>(v)), Chunk<words>{});
    for (std::int64_t i = in_grid; i < 4 * search.map_words; i += of_grid) search.maps[i] = 0;
    sync();  // no row has a bit, and everybody has read `any`
    std::int64_t const first = batch * 64 * WORDS;
    auto const count = static_cast<int>(search.count - first < 64 * WORDS ? search.count - first : 64 * WORDS);
    Word* frontier = search.rows + elements;
    Word* next = search.rows + 2 * elements;
    for (std::int64_t s = in_grid; s < count; s += of_grid) {
      std::int32_t const node = search.sources[first + s];
      for (int w = 0; w < WORDS; ++w) {
        std::int64_t const place = static_cast<std::int64_t>(node) * WORDS + w;
        seen[place] = frontier[place] = s / 64 == w ? Word{1} << (s % 64) : 0;
      }
      set_bit(map(1), node);
    }
    if (in_grid < 3) search.any[in_grid] = 0;
    sync();  // the first frontier is there
    for (unsigned level = 1;; ++level) {
      std::uint32_t* const unused = map(level + 2);  // read in the level before this one, written in the next
      for (std::int64_t i = in_grid; i < search.map_words; i += of_grid) unused[i] = 0;
      if (in_grid == 0) {
        search.any[(level + 1) % 3] = 0;
        if (search.cancel != nullptr && *search.cancel != 0) atomicOr(search.any + level % 3, 2);
      }
      GridLevel<WORDS> const step{
          search,          seen, frontier, next, map(level), map(level + 1), full, level, detail::bfs_inverse(level),
          group.all(count)};
      bool reached = false;
      int const of_blocks = search.listed_count[0];
      for (int i = static_cast<int>(blockIdx.x); i < of_blocks; i += static_cast<int>(gridDim.x))
        if (node_by_block(step, group, thread, threads, shared, search.listed[i])) reached = true;
      int const of_warps = search.listed_count[1];
      for (std::int64_t i = in_grid / warp_lanes; i < of_warps; i += of_grid / warp_lanes)
        if (node_by_warp(step, group, in_warp, search.listed[nodes - 1 - i])) reached = true;
      for (std::int64_t v = in_grid / lanes; v < nodes; v += of_grid / lanes)
        if (node_by_group(step, group, static_cast<std::int32_t>(v))) reached = true;
      if (__syncthreads_or(reached ? 1 : 0) != 0 && thread == 0) atomicOr(search.any + level % 3, 1);
      sync();  // the next frontier is there
      int const found = __ldcg(search.any + level % 3);
      if ((found & 2) != 0) {
        if (in_grid == 0) *search.stopped = 1;
        return;
      }
      if (found == 0) {
        if (in_grid == 0) *search.levels += level - 1;
        break;
      }
      Word* const rows = frontier;
      frontier = next;
      next = rows;
    }
    if (in_grid == 0) {
      *search.done += 1;
      if (search.progress != nullptr) *search.progress = static_cast<int>(batch + 1);
    }
  }
  count_seen();
}

/// Lists nodes of many edges.
__device__ inline void list_node(detail::BfsGraph const& graph, std::int32_t node, std::int32_t* listed,
                                 int* listed_count) {
  std::int64_t const degree = graph.in_offsets[node + 1] - graph.in_offsets[node];
  if (degree > block_degree)
    listed[atomicAdd(listed_count, 1)] = node;
  else if (degree > warp_degree)
    listed[graph.nodes - 1 - atomicAdd(listed_count + 1, 1)] = node;
}

}  // namespace araia::cuda::bfs
