// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <utility>

#include "matrix_market_body.hpp"

namespace araia::detail {
namespace {

template <class Entry>
struct BlockValues {
  using Value = typename Entry::value_type;

  std::unique_ptr<Value[]> values;
  std::size_t capacity = 0;
  std::size_t count = 0;
  std::uint64_t lines = 0;
  Unusual unusual;
  Fault fault;

  void parse(LineBlock const& block, bool allow_unusual) {
    std::size_t const most = (block.bytes() + 1) / (2 * Entry::numbers) + 1;
    if (most > capacity) {
      values = std::make_unique_for_overwrite<Value[]>(most);
      capacity = most;
    }
    count = 0;
    lines = 0;
    unusual = {};
    fault = {};
    char const* const end = block.end();
    for (char const* p = block.begin(); p != end; ++lines) {
      char const* const line = p;
      p = skip_blanks(p);
      if (*p == '%' || is_line_end(*p)) {
        p = next_line(line_end(p), end);
        continue;
      }
      Scanned const found = Entry::scan(p, end, values[count]);
      bool const as_decimal = found.result == Scan::as_decimal;
      if (found.result != Scan::good && !(as_decimal && allow_unusual)) {
        fault = {found.result == Scan::too_large ? Fault::Part::large_value : Fault::Part::value, lines, line,
                 as_decimal ? p : found.p};
        return;
      }
      if (as_decimal) unusual.note(lines, line, p);
      p = skip_blanks(found.p);
      if (!is_line_end(*p)) {
        fault = {Fault::Part::rest, lines, line, p};
        return;
      }
      p = next_line(p, end);
      ++count;
    }
  }
};

template <class Entry>
HostCoo::Values read_values(MatrixMarketHeader const& header, LineBlocks& blocks, int threads, Departures& departures) {
  using Value = typename Entry::value_type;
  BodyProgress progress(header);
  std::vector<Value> values;
  values.reserve(first_room(header, blocks));
  progress.walk(blocks, threads, [&] {
    auto part = std::make_shared<BlockValues<Entry>>();
    return BlockWorker{[part, allow = departures.allowed()](LineBlock const& block) { part->parse(block, allow); },
                       [part, &progress, &values, &header](LineBlock const& block) {
                         progress.take(block, static_cast<std::int64_t>(part->count), part->lines, part->unusual,
                                       part->fault);
                         make_room(values, part->count, static_cast<std::size_t>(header.entries));
                         values.insert(values.end(), part->values.get(), part->values.get() + part->count);
                       }};
  });
  progress.finish(departures);
  return values;
}

}  // namespace

HostCoo::Values read_array_body(MatrixMarketHeader const& header, LineBlocks& blocks, int threads,
                                Departures& departures) {
  return with_field(header.field, [&]<class Entry>(Entry) -> HostCoo::Values {
    if constexpr (Entry::numbers == 0)
      return {};  // read_header lets no array be a pattern
    else
      return read_values<Entry>(header, blocks, threads, departures);
  });
}

}  // namespace araia::detail
