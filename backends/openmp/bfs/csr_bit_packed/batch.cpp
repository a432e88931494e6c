// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A batch of breadth-first searches on one thread, a bit a source.
//
//   push  the nodes of a level are in a list: each hands its bits to the heads of its edges
//           fresh = frontier[u] & ~seen[v]; seen[v] |= fresh; next[v] |= fresh
//   pull  each node that lacks a bit collects those of the tails of its edges, and stops once it lacks none
//
// A level takes what moves fewer lines of cache: push changes two an edge of the list, pull reads one an edge of a node
// that lacks bits, and one a node.
#include "backends/openmp/bfs/csr_bit_packed/batch.hpp"

#include "backends/openmp/intrinsics.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

using Word = std::uint64_t;

/// Words that one register holds.
template <int WORDS>
struct Bits;

template <>
struct Bits<1> {
  Word bits;
  static Bits load(Word const* from) { return {*from}; }
  void store(Word* to) const { *to = bits; }
  [[nodiscard]] Bits with(Bits other) const { return {bits | other.bits}; }
  [[nodiscard]] Bits without(Bits other) const { return {bits & ~other.bits}; }
  [[nodiscard]] bool any() const { return bits != 0; }
};

#if defined(__AVX2__)
template <>
struct Bits<4> {
  __m256i bits;
  static Bits load(Word const* from) { return {_mm256_load_si256(reinterpret_cast<__m256i const*>(from))}; }
  void store(Word* to) const { _mm256_store_si256(reinterpret_cast<__m256i*>(to), bits); }
  [[nodiscard]] Bits with(Bits other) const { return {_mm256_or_si256(bits, other.bits)}; }
  [[nodiscard]] Bits without(Bits other) const { return {_mm256_andnot_si256(other.bits, bits)}; }
  [[nodiscard]] bool any() const { return _mm256_testz_si256(bits, bits) == 0; }
};
#endif
#if defined(__AVX512F__)
template <>
struct Bits<8> {
  __m512i bits;
  static Bits load(Word const* from) { return {_mm512_load_si512(from)}; }
  void store(Word* to) const { _mm512_store_si512(to, bits); }
  [[nodiscard]] Bits with(Bits other) const { return {_mm512_or_si512(bits, other.bits)}; }
  [[nodiscard]] Bits without(Bits other) const { return {_mm512_andnot_si512(other.bits, bits)}; }
  [[nodiscard]] bool any() const { return _mm512_test_epi64_mask(bits, bits) != 0; }
};
#endif

constexpr int register_words(int words) {
#if defined(__AVX512F__)
  if (words % 8 == 0) return 8;
#endif
#if defined(__AVX2__)
  if (words % 4 == 0) return 4;
#endif
  return words > 0 ? 1 : 0;
}

/// A node's bits, in as many registers as they take.
template <int WORDS>
struct Row {
  static constexpr int step = register_words(WORDS);
  static constexpr int parts = WORDS / step;
  using Part = Bits<step>;
  Part part[parts];

  static Row load(Word const* from) {
    Row row;
    for (int p = 0; p < parts; ++p) row.part[p] = Part::load(from + p * step);
    return row;
  }
  void store(Word* to) const {
    for (int p = 0; p < parts; ++p) part[p].store(to + p * step);
  }
  [[nodiscard]] Row with(Row const& other) const {
    Row row;
    for (int p = 0; p < parts; ++p) row.part[p] = part[p].with(other.part[p]);
    return row;
  }
  [[nodiscard]] Row without(Row const& other) const {
    Row row;
    for (int p = 0; p < parts; ++p) row.part[p] = part[p].without(other.part[p]);
    return row;
  }
  [[nodiscard]] bool any() const {
    Part all = part[0];
    for (int p = 1; p < parts; ++p) all = all.with(part[p]);
    return all.any();
  }
};

template <int WORDS>
std::uint32_t count_bits(Word const* row) {
  int count = 0;
  for (int w = 0; w < WORDS; ++w) count += __builtin_popcountll(row[w]);
  return static_cast<std::uint32_t>(count);
}

template <int WORDS>
void clear(Word* row) {
  for (int w = 0; w < WORDS; ++w) row[w] = 0;
}

// Edges and nodes whose lines of cache are prefetched, so many ahead.
constexpr std::int64_t edges_ahead = 12;
constexpr std::int32_t nodes_ahead = 4;

template <int WORDS>
class Search {
 public:
  using Bitmap = Row<WORDS>;

  Search(BfsBatch const& batch, BfsState const& state) : graph_(batch.graph), sums_(batch.sums), state_(state) {
    for (int w = 0; w < WORDS; ++w) {
      int const bits = batch.count - 64 * w;
      all_[w] = bits >= 64 ? ~Word{0} : bits <= 0 ? 0 : (Word{1} << bits) - 1;
    }
    for (int s = 0; s < batch.count; ++s) {
      std::int32_t const node = batch.sources[s];
      Word const bit = Word{1} << (s % 64);
      row(state_.seen, node)[s / 64] |= bit;
      row(state_.frontier, node)[s / 64] |= bit;
      state_.active[count_++] = node;
      edges_ += out_degree(node);
    }
    unfinished_ = graph_.edges;
  }

  std::int32_t run(std::atomic<bool> const* cancel) {
    std::int32_t level = 0;
    while (count_ > 0) {
      if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return -1;
      ++level;
      std::int32_t const reached = 2 * edges_ > unfinished_ + graph_.nodes ? pull() : push();
      for (std::int32_t i = 0; i < count_; ++i) clear<WORDS>(row(state_.frontier, state_.active[i]));
      count_ = reached;
      add(static_cast<std::uint32_t>(level));
      Word* const frontier = state_.frontier;
      state_.frontier = state_.next;
      state_.next = frontier;
      std::int32_t* const active = state_.active;
      state_.active = state_.reached;
      state_.reached = active;
    }
    for (std::int32_t v = 0; v < graph_.nodes; ++v) {
      Word* const seen = row(state_.seen, v);
      sums_.reached[v] += count_bits<WORDS>(seen);
      clear<WORDS>(seen);
    }
    return level - (level > 0 ? 1 : 0);  // the last one reached nobody
  }

 private:
  static Word* row(Word* rows, std::int32_t node) { return rows + static_cast<std::int64_t>(node) * WORDS; }
  [[nodiscard]] std::int64_t out_degree(std::int32_t v) const {
    return graph_.out_offsets[v + 1] - graph_.out_offsets[v];
  }
  [[nodiscard]] std::int64_t in_degree(std::int32_t v) const { return graph_.in_offsets[v + 1] - graph_.in_offsets[v]; }

  std::int32_t push() {
    std::int32_t reached = 0;
    for (std::int32_t i = 0; i < count_; ++i) {
      std::int32_t const u = state_.active[i];
      if (i + nodes_ahead < count_) {
        std::int32_t const later = state_.active[i + nodes_ahead];
        __builtin_prefetch(row(state_.frontier, later));
        __builtin_prefetch(graph_.out_nodes + graph_.out_offsets[later]);
      }
      Bitmap const bits = Bitmap::load(row(state_.frontier, u));
      std::int64_t const end = graph_.out_offsets[u + 1];
      for (std::int64_t e = graph_.out_offsets[u]; e < end; ++e) {
        if (e + edges_ahead < end) {
          __builtin_prefetch(row(state_.seen, graph_.out_nodes[e + edges_ahead]), 1);
          __builtin_prefetch(row(state_.next, graph_.out_nodes[e + edges_ahead]), 1);
        }
        std::int32_t const v = graph_.out_nodes[e];
        Word* const seen = row(state_.seen, v);
        Bitmap const before = Bitmap::load(seen);
        Bitmap const fresh = bits.without(before);
        if (!fresh.any()) continue;
        Word* const next = row(state_.next, v);
        Bitmap const others = Bitmap::load(next);
        if (!others.any()) state_.reached[reached++] = v;
        before.with(fresh).store(seen);
        others.with(fresh).store(next);
      }
    }
    return reached;
  }

  std::int32_t pull() {
    std::int32_t reached = 0;
    Bitmap const all = Bitmap::load(all_);
    for (std::int32_t v = 0; v < graph_.nodes; ++v) {
      Word* const seen = row(state_.seen, v);
      Bitmap const before = Bitmap::load(seen);
      Bitmap const lacking = all.without(before);
      if (!lacking.any()) continue;
      std::int64_t e = graph_.in_offsets[v];
      std::int64_t const end = graph_.in_offsets[v + 1];
      if (e == end) continue;
      Bitmap bits = Bitmap::load(row(state_.frontier, graph_.in_nodes[e]));
      for (++e; e < end; ++e) {
        if (e + edges_ahead < graph_.edges) __builtin_prefetch(row(state_.frontier, graph_.in_nodes[e + edges_ahead]));
        bits = bits.with(Bitmap::load(row(state_.frontier, graph_.in_nodes[e])));
        if (e % 8 == 0 && !lacking.without(bits).any()) break;
      }
      Bitmap const fresh = bits.without(before);
      if (!fresh.any()) continue;
      before.with(fresh).store(seen);
      fresh.store(row(state_.next, v));
      state_.reached[reached++] = v;
    }
    return reached;
  }

  /// What the level's nodes add to the sums, and how much work the next level would be.
  void add(std::uint32_t level) {
    edges_ = 0;
    Bitmap const all = Bitmap::load(all_);
    detail::BfsWide const inverse = detail::bfs_inverse(level);
    for (std::int32_t i = 0; i < count_; ++i) {
      std::int32_t const v = state_.reached[i];
      std::uint32_t const count = count_bits<WORDS>(row(state_.next, v));
      sums_.distance[v] += static_cast<std::uint64_t>(level) * count;
      if (sums_.inverse != nullptr)
        detail::bfs_add(sums_.inverse + 2 * std::int64_t{v}, detail::bfs_times(inverse, count));
      edges_ += out_degree(v);
      if (!all.without(Bitmap::load(row(state_.seen, v))).any()) unfinished_ -= in_degree(v);
    }
  }

  detail::BfsGraph graph_;
  detail::BfsSums sums_;
  BfsState state_;
  std::int32_t count_ = 0;         // active nodes
  std::int64_t edges_ = 0;         // that leave them
  std::int64_t unfinished_ = 0;    // edges to nodes that lack a bit
  alignas(64) Word all_[WORDS]{};  // a bit a source of the batch
};

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <>
std::int32_t bfs_batch<Isa::ARAIA_ISA>(BfsBatch const& batch, BfsState state) {
  switch (batch.words) {
    case 1: return ARAIA_ISA::Search<1>(batch, state).run(batch.cancel);
    case 2: return ARAIA_ISA::Search<2>(batch, state).run(batch.cancel);
    case 4: return ARAIA_ISA::Search<4>(batch, state).run(batch.cancel);
    default: return ARAIA_ISA::Search<8>(batch, state).run(batch.cancel);
  }
}

}  // namespace araia::host
