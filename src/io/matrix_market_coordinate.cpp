// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <memory>
#include <utility>

#include "matrix_market_body.hpp"

namespace araia::detail {
namespace {

// The entries of one block, in arrays that hold as many as its bytes can spell.
template <class Entry, class Index>
struct BlockEntries {
  using Value = typename Entry::value_type;
  static constexpr bool has_values = Entry::numbers != 0;

  std::unique_ptr<Index[]> rows;
  std::unique_ptr<Index[]> cols;
  std::unique_ptr<Value[]> values;
  std::size_t capacity = 0;
  std::size_t count = 0;
  std::uint64_t lines = 0;
  Unusual unusual;
  Fault fault;
  bool lower = false;  // holds entries below the diagonal
  bool upper = false;

  void parse(LineBlock const& block, std::int64_t row_count, std::int64_t col_count, bool allow_unusual);
  void note_triangles();

 private:
  void reserve(std::size_t bytes) {
    std::size_t const most = (bytes + 1) / (2 * (2 + Entry::numbers)) + 1;
    if (most <= capacity) return;
    rows = std::make_unique_for_overwrite<Index[]>(most);
    cols = std::make_unique_for_overwrite<Index[]>(most);
    if constexpr (has_values) values = std::make_unique_for_overwrite<Value[]>(most);
    capacity = most;
  }
};

template <class Entry, class Index>
void BlockEntries<Entry, Index>::parse(LineBlock const& block, std::int64_t row_count, std::int64_t col_count,
                                       bool allow_unusual) {
  reserve(block.bytes());
  count = 0;
  lines = 0;
  unusual = {};
  fault = {};
  char const* p = block.begin();
  char const* const end = block.end();
  auto const stop = [&](Fault::Part part, char const* line, char const* at) { fault = {part, lines, line, at}; };
  for (; p != end; ++lines) {
    char const* const line = p;
    char const* token = p = skip_blanks(p);
    std::int64_t row = 0;
    p = scan_natural(p, row);
    if (p == token) {
      if (*p != '%' && !is_line_end(*p)) return stop(Fault::Part::row, line, token);
      p = next_line(line_end(p), end);
      continue;
    }
    if (row < 1 || row > row_count || !ends_token(*p)) return stop(Fault::Part::row, line, token);
    token = p = skip_blanks(p);
    std::int64_t col = 0;
    p = scan_natural(p, col);
    if (p == token || col < 1 || col > col_count || !ends_token(*p)) return stop(Fault::Part::column, line, token);
    if constexpr (has_values) {
      char const* const value = skip_blanks(p);
      Scanned const found = Entry::scan(value, end, values[count]);
      if (found.result != Scan::good) [[unlikely]] {
        if (found.result == Scan::as_decimal && !allow_unusual) return stop(Fault::Part::value, line, value);
        if (found.result != Scan::as_decimal)
          return stop(found.result == Scan::bad ? Fault::Part::value : Fault::Part::large_value, line, found.p);
        unusual.note(lines, line, value);
      }
      p = found.p;
    }
    p = skip_blanks(p);
    if (!is_line_end(*p)) [[unlikely]] {
      char const* const behind = has_values || !allow_unusual ? p : skip_last_number(p, end);
      if (behind == p) return stop(Fault::Part::rest, line, p);
      unusual.note(lines, line, p);
      p = behind;
    }
    p = next_line(p, end);
    rows[count] = static_cast<Index>(row - 1);
    cols[count] = static_cast<Index>(col - 1);
    ++count;
  }
}

template <class Entry, class Index>
void BlockEntries<Entry, Index>::note_triangles() {
  lower = upper = false;
  for (std::size_t k = 0; k < count; ++k) {
    lower |= rows[k] > cols[k];
    upper |= rows[k] < cols[k];
  }
}

// Takes the blocks' entries in order.
template <class Entry, class Index>
class Collector {
 public:
  using Value = typename Entry::value_type;

  Collector(MatrixMarketHeader const& header, std::size_t room) : header_(header), progress_(header) {
    rows_.reserve(room);
    cols_.reserve(room);
    if constexpr (Entry::numbers != 0) values_.reserve(room);
  }

  [[nodiscard]] BodyProgress const& progress() const { return progress_; }

  void commit(LineBlock const& block, BlockEntries<Entry, Index> const& part) {
    if (header_.symmetry != Symmetry::general) require_one_triangle(block, part);
    progress_.take(block, static_cast<std::int64_t>(part.count), part.lines, part.unusual, part.fault);
    append(rows_, part.rows.get(), part.count);
    append(cols_, part.cols.get(), part.count);
    if constexpr (Entry::numbers != 0) append(values_, part.values.get(), part.count);
  }

  HostCoo finish(Departures& departures) {
    progress_.finish(departures);
    HostCoo A;
    A.rows = header_.rows;
    A.cols = header_.cols;
    A.row_indices = std::move(rows_);
    A.col_indices = std::move(cols_);
    if constexpr (Entry::numbers != 0) A.values = std::move(values_);
    A.symmetry = header_.symmetry;
    return A;
  }

 private:
  template <class T>
  void append(std::vector<T>& to, T const* from, std::size_t count) {
    make_room(to, count, static_cast<std::size_t>(header_.entries));
    to.insert(to.end(), from, from + count);
  }

  void require_one_triangle(LineBlock const& block, BlockEntries<Entry, Index> const& part) {
    bool const conflict = (part.lower && (part.upper || upper_)) || (part.upper && lower_);
    if (conflict) {
      // Entries beyond the promised ones are take's to refuse, and they come later in the file.
      auto const missing = static_cast<std::size_t>(header_.entries) - rows_.size();
      for (std::size_t k = 0; k < std::min(part.count, missing); ++k) {
        bool const below = part.rows[k] > part.cols[k];
        bool const above = part.rows[k] < part.cols[k];
        if ((below && upper_) || (above && lower_)) {
          progress_.refuse_entry(block, static_cast<std::int64_t>(k),
                                 std::string("an entry ") + (below ? "below" : "above") +
                                     " the diagonal after one on the other side: a file with symmetry stores one "
                                     "triangle");
        }
        lower_ |= below;
        upper_ |= above;
      }
    }
    lower_ |= part.lower;
    upper_ |= part.upper;
  }

  MatrixMarketHeader const& header_;
  BodyProgress progress_;
  std::vector<Index> rows_;
  std::vector<Index> cols_;
  std::vector<Value> values_;
  bool lower_ = false;
  bool upper_ = false;
};

template <class Entry, class Index>
HostCoo read_entries(MatrixMarketHeader const& header, LineBlocks& blocks, int threads, Departures& departures) {
  bool const allow_unusual = departures.allowed();
  Collector<Entry, Index> collector(header, first_room(header, blocks));
  collector.progress().walk(blocks, threads, [&] {
    auto part = std::make_shared<BlockEntries<Entry, Index>>();
    return BlockWorker{[part, &header, allow_unusual](LineBlock const& block) {
                         part->parse(block, header.rows, header.cols, allow_unusual);
                         if (header.symmetry != Symmetry::general) part->note_triangles();
                       },
                       [part, &collector](LineBlock const& block) { collector.commit(block, *part); }};
  });
  return collector.finish(departures);
}

}  // namespace

HostCoo read_coordinate_body(MatrixMarketHeader const& header, LineBlocks& blocks, int threads,
                             Departures& departures) {
  bool const narrow = std::max(header.rows, header.cols) <= std::numeric_limits<std::int32_t>::max();
  return with_field(header.field, [&]<class Entry>(Entry) {
    return narrow ? read_entries<Entry, std::int32_t>(header, blocks, threads, departures)
                  : read_entries<Entry, std::int64_t>(header, blocks, threads, departures);
  });
}

}  // namespace araia::detail
