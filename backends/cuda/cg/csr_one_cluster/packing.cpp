// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cg/csr_one_cluster/packing.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace araia::cuda::one_cluster {
namespace {

using Index = std::int32_t;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

constexpr std::uint32_t round_up(std::uint32_t n, std::uint32_t unit) { return (n + unit - 1) / unit * unit; }

/// Offsets and columns, checked.
template <class Offset>
struct Pattern {
  std::int64_t rows;
  Offset const* row_offsets;
  Index const* col_indices;

  [[nodiscard]] std::span<Index const> columns(std::int64_t row) const {
    return {col_indices + row_offsets[row], at(static_cast<std::int64_t>(row_offsets[row + 1] - row_offsets[row]))};
  }
  /// Entries of a row, the diagonal apart.
  [[nodiscard]] std::int64_t off_diagonal(Index row) const {
    return std::ranges::count_if(columns(row), [&](Index c) { return c != row; });
  }
};

template <class Offset>
void check(Pattern<Offset> const& a) {
  if (a.row_offsets[0] != 0)
    throw Error(ErrorKind::invalid_structure,
                "araia: one_cluster::pack: row_offsets[0] is " + std::to_string(a.row_offsets[0]) + ", expected 0");
  for (Index i = 0; i < a.rows; ++i) {
    if (a.row_offsets[i + 1] < a.row_offsets[i])
      throw Error(ErrorKind::invalid_structure,
                  "araia: one_cluster::pack: row_offsets descends at row " + std::to_string(i));
    if (std::ranges::count(a.columns(i), i) > 1)
      throw Error(ErrorKind::invalid_structure,
                  "araia: one_cluster::pack: row " + std::to_string(i) + " has more than one diagonal entry");
    for (Index const c : a.columns(i))
      if (c < 0 || c >= a.rows)
        throw Error(ErrorKind::invalid_structure, "araia: one_cluster::pack: col_indices has " + std::to_string(c) +
                                                      " in row " + std::to_string(i) + ", expected 0 to " +
                                                      std::to_string(a.rows - 1));
  }
  if (static_cast<std::int64_t>(a.row_offsets[a.rows]) > std::numeric_limits<Index>::max())
    throw Error(ErrorKind::resource_limit, "araia: one_cluster::pack: " + std::to_string(a.row_offsets[a.rows]) +
                                               " entries, expected at most 2147483647");
}

/// Neighbours in either direction, by entries that a block gathers itself.
struct Graph {
  std::vector<std::int64_t> begins;
  std::vector<Index> neighbours;

  template <class Offset>
  Graph(Pattern<Offset> const& a, std::vector<bool> const& is_long) : begins(at(a.rows) + 1, 0) {
    auto const each_edge = [&](auto const& edge) {
      for (Index i = 0; i < a.rows; ++i)
        if (!is_long[at(i)])
          for (Index const c : a.columns(i))
            if (c != i && !is_long[at(c)]) edge(i, c);
    };
    each_edge([&](Index i, Index c) { ++begins[at(i) + 1], ++begins[at(c) + 1]; });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    neighbours.resize(at(begins.back()));
    auto next = begins;
    each_edge([&](Index i, Index c) {
      neighbours[at(next[at(i)]++)] = c;
      neighbours[at(next[at(c)]++)] = i;
    });
  }
};

/// Recursive bisection: `order` is cut into parts, each in breadth-first order.
class Bisection {
 public:
  Bisection(Graph const& graph, std::span<Index> order) : graph_(graph), set_(order.size(), 0), seen_(order.size(), 0) {
    queue_.reserve(order.size());
  }
  /// \param parts  a power of two
  void cut(std::span<Index> vertices, int parts) {
    sort_breadth_first(vertices);
    if (parts == 1) return;
    std::size_t const left = (vertices.size() + 1) / 2;
    cut(vertices.first(left), parts / 2);
    cut(vertices.subspan(left), parts / 2);
  }

 private:
  void sort_breadth_first(std::span<Index> vertices) {
    ++set_number_;
    for (Index const v : vertices) set_[at(v)] = set_number_;
    search(vertices);  // its last vertex is far from the first one
    std::ranges::reverse(queue_);
    std::ranges::copy(queue_, vertices.begin());
    search(vertices);
    std::ranges::copy(queue_, vertices.begin());
  }
  void search(std::span<Index const> vertices) {
    ++seen_number_;
    queue_.clear();
    std::size_t next = 0;
    for (Index const start : vertices) {
      visit(start);
      for (; next < queue_.size(); ++next)
        for (std::int64_t k = graph_.begins[at(queue_[next])]; k < graph_.begins[at(queue_[next]) + 1]; ++k)
          visit(graph_.neighbours[at(k)]);
    }
  }
  void visit(Index v) {
    if (set_[at(v)] != set_number_ || seen_[at(v)] == seen_number_) return;
    seen_[at(v)] = seen_number_;
    queue_.push_back(v);
  }

  Graph const& graph_;
  std::vector<Index> set_;   // the last set that a vertex was in
  std::vector<Index> seen_;  // the last search that saw it
  std::vector<Index> queue_;
  Index set_number_ = 0;
  Index seen_number_ = 0;
};

/// What one block holds while it is put together.
struct Block {
  std::vector<Index> places;                          // (block_rows) row of the matrix, or -1
  std::vector<Index> halo;                            // columns of other blocks, by owner and place there
  std::vector<std::pair<Index, int>> inbox;           // sums of a long row of its own that a block sends
  std::vector<std::pair<Index, std::uint32_t>> sent;  // a row of its own, and where it goes
  std::vector<std::uint32_t> entry_sources, entry_columns, targets;
  std::vector<LongWords> longs;
};

template <class Offset>
class Packer {
 public:
  Packer(Pattern<Offset> const& a, Shape const& shape)
      : a_(a), shape_(shape), owner_(at(a.rows)), place_(at(a.rows)), is_long_(at(a.rows)), blocks_(at(shape.cluster)) {
    for (Index i = 0; i < a.rows; ++i) is_long_[at(i)] = a.off_diagonal(i) > long_row;
  }

  Packing run(std::string& refusal) {
    deal_rows();
    place_rows();
    find_halos();
    if (!(refusal = vectors_too_long()).empty()) return {};
    Packing out;
    out.layout.shape = shape_;
    out.layout.rows = static_cast<Index>(a_.rows);
    out.layout.nnz = static_cast<std::int64_t>(a_.row_offsets[a_.rows]);
    out.long_rows = std::ranges::count(is_long_, true);
    for (Block const& b : blocks_) out.halo_values += static_cast<std::int64_t>(b.halo.size());
    write_fixed(out);
    write_variable(out, refusal);
    if (!refusal.empty()) return {};
    return out;
  }

 private:
  [[nodiscard]] std::uint32_t target(int block, std::size_t place) const {
    return static_cast<std::uint32_t>(block) << 16 | static_cast<std::uint32_t>(place * sizeof(double));
  }

  void deal_rows() {
    std::vector<Index> order(at(a_.rows));
    std::iota(order.begin(), order.end(), 0);
    Graph const graph(a_, is_long_);
    Bisection(graph, order).cut(order, shape_.cluster);
    std::span<Index const> rest = order;
    deal(rest, 0, shape_.cluster);
  }
  /// The parts that Bisection::cut has left, one after the other.
  void deal(std::span<Index const> vertices, int first, int parts) {
    if (parts > 1) {
      std::size_t const left = (vertices.size() + 1) / 2;
      deal(vertices.first(left), first, parts / 2);
      deal(vertices.subspan(left), first + parts / 2, parts / 2);
      return;
    }
    for (Index const v : vertices) owner_[at(v)] = first;
    blocks_[at(first)].places.assign(vertices.begin(), vertices.end());
  }

  /// Of a row: entries of its own block's columns and of others'.
  [[nodiscard]] std::pair<int, int> own_and_halo(Index row) const {
    int own = 0;
    int halo = 0;
    if (!is_long_[at(row)])
      for (Index const c : a_.columns(row)) {
        if (owner_[at(c)] != owner_[at(row)])
          ++halo;
        else if (c != row)
          ++own;
      }
    return {own, halo};
  }

  /// Empty places first, then rows without neighbours elsewhere, last those that are waited for longest.
  void place_rows() {
    std::vector<bool> is_wanted(at(a_.rows));  // by another block
    for (Index i = 0; i < a_.rows; ++i)
      if (!is_long_[at(i)])
        for (Index const c : a_.columns(i))
          if (owner_[at(c)] != owner_[at(i)]) is_wanted[at(c)] = true;
    for (Block& b : blocks_) {
      std::vector<std::pair<std::int64_t, Index>> keyed;
      for (Index const row : b.places) {
        auto const [own, halo] = own_and_halo(row);
        // Long rows last, as sums for them come like halos.
        std::int64_t const last = is_long_[at(row)] ? long_row + 1 : halo;
        std::int64_t const beyond = std::max(0, own - register_entries);
        std::int64_t const pairs = (std::min(own, register_entries) + 1) / 2;
        bool const is_rim = is_wanted[at(row)] || last > 0;
        keyed.emplace_back((((is_rim ? 1 + last : 0) * 128) + beyond) * 4 + pairs, row);
      }
      std::ranges::stable_sort(keyed, {}, [](auto const& k) { return k.first; });
      std::size_t const empty = at(shape_.block_rows()) - keyed.size();
      b.places.assign(empty, -1);
      for (auto const& [key, row] : keyed) {
        place_[at(row)] = static_cast<Index>(b.places.size());
        b.places.push_back(row);
      }
    }
  }

  void find_halos() {
    for (int block = 0; block < shape_.cluster; ++block) {
      Block& b = blocks_[at(block)];
      for (Index const row : b.places)
        if (row >= 0 && !is_long_[at(row)])
          for (Index const c : a_.columns(row))
            if (owner_[at(c)] != block) b.halo.push_back(c);
      std::ranges::sort(b.halo, {}, [&](Index c) { return std::pair(owner_[at(c)], place_[at(c)]); });
      b.halo.erase(std::ranges::unique(b.halo).begin(), b.halo.end());
      for (std::size_t k = 0; k < b.halo.size(); ++k)
        blocks_[at(owner_[at(b.halo[k])])].sent.emplace_back(b.halo[k], target(block, at(shape_.block_rows()) + k));
      for (Index const row : b.places)
        if (row >= 0 && is_long_[at(row)])
          for (int sender = 0; sender < shape_.cluster; ++sender)
            if (std::ranges::any_of(a_.columns(row), [&](Index c) { return c != row && owner_[at(c)] == sender; }))
              b.inbox.emplace_back(row, sender);
    }
  }

  [[nodiscard]] std::string vectors_too_long() const {
    for (Block const& b : blocks_) {
      std::size_t const length = at(shape_.block_rows()) + b.halo.size() + b.inbox.size();
      if (length > at(vector_limit))
        return "a block's rows and the values that it needs of other blocks are " + std::to_string(length) +
               ", more than " + std::to_string(vector_limit);
    }
    return {};
  }

  [[nodiscard]] std::size_t halo_place(Block const& b, Index column) const {
    auto const key = [&](Index c) { return std::pair(owner_[at(c)], place_[at(c)]); };
    auto const found = std::ranges::lower_bound(b.halo, key(column), {}, key);
    return at(shape_.block_rows()) + at(found - b.halo.begin());
  }

  /// Rows, diagonals and what lies in registers.
  void write_fixed(Packing& out) {
    auto const block_rows = static_cast<std::uint32_t>(shape_.block_rows());
    std::uint32_t const all = block_rows * static_cast<std::uint32_t>(shape_.cluster);
    Layout& l = out.layout;
    l.rows_at = 0;
    l.diagonals_at = l.rows_at + all;
    l.sources_at = l.diagonals_at + all;
    l.columns_at = l.sources_at + register_entries * all;
    l.slices_at = l.columns_at + register_entries / 2 * all;
    l.blocks_at = l.slices_at + 2 * all / 32;
    l.blocks_at = round_up(l.blocks_at, 4);
    out.words.assign(l.blocks_at + at(shape_.cluster) * sizeof(BlockWords) / 4, 0);
    for (int block = 0; block < shape_.cluster; ++block) {
      Block& b = blocks_[at(block)];
      for (std::uint32_t p = 0; p < block_rows; ++p) write_row(out, block, b, p);
    }
  }
  void write_row(Packing& out, int block, Block const& b, std::uint32_t p) {
    Layout const& l = out.layout;
    auto const block_rows = static_cast<std::uint32_t>(shape_.block_rows());
    auto const first = static_cast<std::uint32_t>(block);
    Index const row = b.places[p];
    Index diagonal = source_zero;
    Index sources[register_entries];
    std::uint32_t columns[register_entries];
    std::ranges::fill(sources, source_zero);
    std::ranges::fill(columns, p * 8);
    int count = 0;
    if (row >= 0) {
      auto const all = a_.columns(row);
      for (std::size_t k = 0; k < all.size(); ++k) {
        auto const source = static_cast<Index>(static_cast<std::size_t>(a_.row_offsets[row]) + k);
        if (all[k] == row)
          diagonal = source;
        else if (is_own(row, all[k]) && count < register_entries) {
          sources[count] = source;
          columns[count++] = static_cast<std::uint32_t>(place_[at(all[k])]) * 8;
        }
      }
    }
    out.words[l.rows_at + first * block_rows + p] = static_cast<std::uint32_t>(row);
    out.words[l.diagonals_at + first * block_rows + p] = static_cast<std::uint32_t>(diagonal);
    for (std::uint32_t e = 0; e < register_entries; ++e) {
      out.words[l.sources_at + (first * register_entries + e) * block_rows + p] =
          static_cast<std::uint32_t>(sources[e]);
      out.words[l.columns_at + (first * register_entries / 2 + e / 2) * block_rows + p] |= columns[e] << (e % 2 * 16);
    }
  }
  /// Does the row's thread gather that column from its own block?
  [[nodiscard]] bool is_own(Index row, Index column) const {
    return !is_long_[at(row)] && owner_[at(column)] == owner_[at(row)];
  }

  /// Entries and targets of slices, chunks of long rows.
  void write_variable(Packing& out, std::string& refusal) {
    for (int block = 0; block < shape_.cluster; ++block) {
      Block& b = blocks_[at(block)];
      std::ranges::stable_sort(b.sent, {}, [&](auto const& s) { return place_[at(s.first)]; });
      for (int slice = 0; slice < shape_.slices(); ++slice) write_slice(out, block, b, slice);
    }
    for (Index row = 0; row < a_.rows; ++row)
      if (is_long_[at(row)]) write_long(row);
    Layout& l = out.layout;
    std::uint32_t entries = 0, targets = 0, longs = 0;
    std::uint32_t vector = 0, most_entries = 0, most_targets = 0, most_longs = 0;
    auto const count = [](auto const& v) { return static_cast<std::uint32_t>(v.size()); };
    for (int block = 0; block < shape_.cluster; ++block) {
      Block const& b = blocks_[at(block)];
      std::size_t const inbound = shape_.cluster == 1 ? 0 : 8 * (b.halo.size() + b.inbox.size());
      BlockWords const words{static_cast<Index>(entries), static_cast<Index>(b.entry_sources.size()),
                             static_cast<Index>(targets), static_cast<Index>(b.targets.size()),
                             static_cast<Index>(longs),   static_cast<Index>(b.longs.size()),
                             static_cast<Index>(inbound), 0};
      std::memcpy(out.words.data() + l.blocks_at + at(block) * sizeof words / 4, &words, sizeof words);
      entries += count(b.entry_sources);
      targets += count(b.targets);
      longs += count(b.longs);
      vector = std::max(vector, static_cast<std::uint32_t>(b.places.size() + b.halo.size() + b.inbox.size()));
      most_entries = std::max(most_entries, count(b.entry_sources));
      most_targets = std::max(most_targets, count(b.targets));
      most_longs = std::max(most_longs, count(b.longs));
    }
    std::uint32_t const most_units = (1u << SliceWords::begin_bits) - 1;
    if (most_entries / 32 > most_units || most_targets / 32 > most_units) {
      refusal = "a block has " + std::to_string(std::max(most_entries, most_targets)) +
                " entries or values to send, more than " + std::to_string(most_units * 32);
      return;
    }
    l.longs_at = count(out.words);
    for (Block const& b : blocks_) {
      auto const* const from = reinterpret_cast<std::uint32_t const*>(b.longs.data());
      out.words.insert(out.words.end(), from, from + b.longs.size() * sizeof(LongWords) / 4);
    }
    auto const append = [&](std::vector<std::uint32_t> Block::*part) {
      std::uint32_t const begin = count(out.words);
      for (Block const& b : blocks_) out.words.insert(out.words.end(), (b.*part).begin(), (b.*part).end());
      return begin;
    };
    l.entry_sources_at = append(&Block::entry_sources);
    l.entry_columns_at = append(&Block::entry_columns);
    l.targets_at = append(&Block::targets);
    l.vector_bytes = round_up(vector * 8, 16);
    l.values_bytes = round_up(most_entries * 8, 16);
    l.columns_bytes = round_up(most_entries * 2, 16);
    l.targets_bytes = round_up(most_targets * 8, 16);
    l.longs_bytes = most_longs * static_cast<std::uint32_t>(sizeof(LongWords));
  }

  struct Entry {
    Index source;
    std::uint32_t column;
  };
  void write_slice(Packing& out, int block, Block& b, int slice) {
    std::vector<Entry> own[32], halo[32];
    std::vector<std::uint32_t> sent[32];
    std::size_t most_own = 0, most_halo = 0, most_sent = 0;
    int most_pairs = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      std::size_t const p = at(slice) * 32 + lane;
      Index const row = b.places[p];
      if (row < 0) continue;
      int in_registers = 0;
      auto const all = a_.columns(row);
      for (std::size_t k = 0; k < all.size(); ++k) {
        Entry const e{static_cast<Index>(static_cast<std::size_t>(a_.row_offsets[row]) + k),
                      static_cast<std::uint32_t>(place_[at(all[k])]) * 8};
        if (all[k] == row) continue;
        if (is_own(row, all[k])) {
          if (in_registers < register_entries)
            ++in_registers;
          else
            own[lane].push_back(e);
        } else if (!is_long_[at(row)]) {
          halo[lane].push_back({e.source, static_cast<std::uint32_t>(halo_place(b, all[k])) * 8});
          ++out.halo_entries;
        }
      }
      for (std::size_t k = 0; is_long_[at(row)] && k < b.inbox.size(); ++k)
        if (b.inbox[k].first == row)
          halo[lane].push_back(
              {source_one, static_cast<std::uint32_t>((at(shape_.block_rows()) + b.halo.size() + k) * 8)});
      auto const [first, last] = std::ranges::equal_range(b.sent, static_cast<Index>(p), {},
                                                          [&](auto const& s) { return place_[at(s.first)]; });
      for (auto s = first; s != last; ++s) sent[lane].push_back(s->second);
      most_own = std::max(most_own, own[lane].size());
      most_halo = std::max(most_halo, halo[lane].size());
      most_sent = std::max(most_sent, sent[lane].size());
      most_pairs = std::max(most_pairs, (in_registers + 1) / 2);
    }
    std::size_t const word =
        out.layout.slices_at + 2 * at(block) * at(shape_.slices()) + static_cast<std::size_t>(slice);
    out.words[word] = SliceWords::entries(static_cast<int>(b.entry_sources.size() / 32), static_cast<int>(most_own),
                                          static_cast<int>(most_halo), most_pairs);
    out.words[word + at(shape_.slices())] =
        SliceWords::targets(static_cast<int>(b.targets.size() / 32), static_cast<int>(most_sent));
    auto const write = [&](std::vector<Entry> const(&of)[32], std::size_t most) {
      for (std::size_t j = 0; j < most; ++j)
        for (std::size_t lane = 0; lane < 32; ++lane) {
          Entry const e = j < of[lane].size()
                              ? of[lane][j]
                              : Entry{source_zero, static_cast<std::uint32_t>(at(slice) * 32 + lane) * 8};
          b.entry_sources.push_back(static_cast<std::uint32_t>(e.source));
          b.entry_columns.push_back(e.column);
        }
    };
    write(own, most_own);
    write(halo, most_halo);
    for (std::size_t j = 0; j < most_sent; ++j)
      for (std::size_t lane = 0; lane < 32; ++lane)
        b.targets.push_back(j < sent[lane].size() ? sent[lane][j] : no_target);
  }

  void write_long(Index row) {
    Block const& receiver = blocks_[at(owner_[at(row)])];
    auto const all = a_.columns(row);
    for (std::size_t k = 0; k < receiver.inbox.size(); ++k) {
      if (receiver.inbox[k].first != row) continue;
      int const sender = receiver.inbox[k].second;
      Block& b = blocks_[at(sender)];
      auto const begin = b.entry_sources.size();
      for (std::size_t e = 0; e < all.size(); ++e)
        if (all[e] != row && owner_[at(all[e])] == sender) {
          b.entry_sources.push_back(static_cast<std::uint32_t>(a_.row_offsets[row]) + static_cast<std::uint32_t>(e));
          b.entry_columns.push_back(static_cast<std::uint32_t>(place_[at(all[e])]) * 8);
        }
      b.longs.push_back({static_cast<Index>(begin), static_cast<Index>(b.entry_sources.size() - begin),
                         target(owner_[at(row)], at(shape_.block_rows()) + receiver.halo.size() + k), 0});
    }
  }

  Pattern<Offset> a_;
  Shape shape_;
  std::vector<int> owner_;    // of a row: its block
  std::vector<Index> place_;  // and its place there
  std::vector<bool> is_long_;
  std::vector<Block> blocks_;
};

}  // namespace

std::string Shape::name() const { return cluster == 1 ? "one_block" : "cluster_" + std::to_string(cluster); }

std::size_t Layout::shared_bytes() const {
  return std::size_t{shared_head} + vector_bytes + values_bytes + columns_bytes + targets_bytes + longs_bytes;
}

Shape shape_of(std::int64_t rows, int cluster) {
  if (cluster != 1 && cluster != 2 && cluster != 4 && cluster != 8 && cluster != 16)
    throw Error(ErrorKind::invalid_argument,
                "araia: one_cluster::shape_of: cluster is " + std::to_string(cluster) + ", expected 1, 2, 4, 8 or 16");
  if (rows < 1 || rows > most_rows(cluster))
    throw Error(ErrorKind::invalid_argument, "araia: one_cluster::shape_of: rows is " + std::to_string(rows) +
                                                 ", expected 1 to " + std::to_string(most_rows(cluster)));
  auto const block_rows = static_cast<int>((rows + cluster - 1) / cluster);
  Shape shape{cluster, 1, 32};
  while (shape.rows_of_thread * most_threads < block_rows) shape.rows_of_thread *= 2;
  int const of_warp = 32 * shape.rows_of_thread;
  shape.threads = (block_rows + of_warp - 1) / of_warp * 32;
  return shape;
}

template <class Offset>
Packing pack(std::int64_t rows, Offset const* row_offsets, std::int32_t const* col_indices, Shape const& shape,
             std::string& refusal) {
  refusal.clear();
  std::int64_t const block_rows = (rows + shape.cluster - 1) / std::max(1, shape.cluster);
  if (rows < 1 || shape.cluster < 1 || shape.cluster > most_blocks || (shape.cluster & (shape.cluster - 1)) != 0 ||
      shape.rows_of_thread < 1 || shape.rows_of_thread > most_rows_of_thread ||
      (shape.rows_of_thread & (shape.rows_of_thread - 1)) != 0 || shape.threads < 32 || shape.threads > most_threads ||
      shape.threads % 32 != 0 || shape.block_rows() < block_rows)
    throw Error(ErrorKind::invalid_argument,
                "araia: one_cluster::pack: shape is " + std::to_string(shape.cluster) + " blocks of " +
                    std::to_string(shape.threads) + " threads of " + std::to_string(shape.rows_of_thread) +
                    " rows, expected one like shape_of's that holds " + std::to_string(rows) + " rows");
  Pattern<Offset> const a{rows, row_offsets, col_indices};
  check(a);
  return Packer<Offset>(a, shape).run(refusal);
}

template Packing pack(std::int64_t, std::int32_t const*, std::int32_t const*, Shape const&, std::string&);
template Packing pack(std::int64_t, std::int64_t const*, std::int32_t const*, Shape const&, std::string&);

}  // namespace araia::cuda::one_cluster
