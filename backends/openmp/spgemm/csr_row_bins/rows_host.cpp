// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/spgemm/csr_row_bins/rows_host.hpp"

#include <algorithm>
#include <bit>

#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

/// Arrays in a thread's memory, one behind the other, each padded to lines of cache.
struct Arrays {
  std::size_t bytes = 0;
  std::size_t take(std::size_t count, std::size_t size) {
    std::size_t const at = bytes;
    bytes += (count * size + 63) / 64 * 64;
    return at;
  }
};

/// Where the arrays begin.
struct Places {
  std::size_t window, mask, summary, marks, keys, sums, cleared, starts, order, lanes, map, bytes;

  Places(SpgemmRowTuning const& t, bool values, std::size_t scalar) {
    auto const of = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    Arrays arrays;
    window = arrays.take(values ? of(t.window_columns) : 0, scalar);
    mask = arrays.take(of(t.mask_columns / 64), 8);
    summary = arrays.take(of(t.mask_columns / 4096 + 1), 8);
    sums = arrays.take(values ? of(t.hash_slots) : 0, scalar);
    marks = arrays.take(of(t.byte_columns), 1);
    cleared = arrays.bytes;
    keys = arrays.take(of(t.hash_slots), 4);
    starts = arrays.take(of(t.mask_columns / 64), 4);
    order = arrays.take(of(t.hash_slots), 8);
    lanes = arrays.take(values ? of(t.lane_entries * spgemm_lanes) : 0, scalar);
    map = arrays.take(values ? of(t.mapped_products) : 0, 2);
    bytes = arrays.bytes;
  }
};

}  // namespace

std::int64_t spgemm_b_link_bytes(std::int64_t rows) { return (rows + 3) / 4; }
std::int64_t spgemm_c_link_bytes(std::int64_t rows) { return (rows + 1) / 2; }

std::int64_t spgemm_hash_slots(std::int64_t columns) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * std::max<std::int64_t>(columns, 8))));
}

template <class Scalar>
std::size_t spgemm_row_bytes(SpgemmRowTuning const& tuning, bool values) {
  return Places(tuning, values, sizeof(Scalar)).bytes;
}

template <class Scalar>
SpgemmRowMemory<Scalar> spgemm_row_memory(SpgemmRowTuning const& tuning, bool values, unsigned char* memory,
                                          bool clear) {
  Places const places(tuning, values, sizeof(Scalar));
  SpgemmRowMemory<Scalar> m;
  m.mask = reinterpret_cast<std::uint64_t*>(memory + places.mask);
  m.summary = reinterpret_cast<std::uint64_t*>(memory + places.summary);
  m.bytes = memory + places.marks;
  m.keys = reinterpret_cast<std::int32_t*>(memory + places.keys);
  m.starts = reinterpret_cast<std::uint32_t*>(memory + places.starts);
  m.order = reinterpret_cast<std::uint64_t*>(memory + places.order);
  if (values) {
    m.window = reinterpret_cast<Scalar*>(memory + places.window);
    m.sums = reinterpret_cast<Scalar*>(memory + places.sums);
    m.lanes = reinterpret_cast<Scalar*>(memory + places.lanes);
    m.map = reinterpret_cast<std::uint16_t*>(memory + places.map);
  }
  if (clear) {
    std::fill(memory, memory + places.cleared, static_cast<unsigned char>(0));
    std::fill(m.keys, m.keys + tuning.hash_slots, -1);
  }
  return m;
}

template <class Offset>
void spgemm_links(SpgemmLinksArgs<Offset> const& args, Isa isa) {
  with_isa(isa, [&]<Isa level>() { spgemm_rows_links<level>(args); });
}
template <class Scalar, class Offset>
void spgemm_shapes(SpgemmRowsArgs<Scalar, Offset> const& args, bool a_is_b, SpgemmRowExtent& extent, Isa isa) {
  with_isa(isa, [&]<Isa level>() { spgemm_rows_shapes<level>(args, a_is_b, extent); });
}
template <class Scalar, class Offset>
void spgemm_count(SpgemmRowsArgs<Scalar, Offset> const& args, SpgemmRowOffsets const& counts, SpgemmRowCounts& kinds,
                  Isa isa) {
  with_isa(isa, [&]<Isa level>() { spgemm_rows_count<level>(args, counts, kinds); });
}
template <class Scalar, class Offset>
void spgemm_fill(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool sorted, SpgemmRowOffsets const& offsets,
                 std::int32_t* cols, Scalar* values, Isa isa) {
  with_isa(isa, [&]<Isa level>() { spgemm_rows_fill<level>(args, alpha, sorted, offsets, cols, values); });
}
template <class Scalar, class Offset>
void spgemm_refresh(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool add, SpgemmRowOffsets const& offsets,
                    std::int32_t const* cols, Scalar* values, Isa isa) {
  with_isa(isa, [&]<Isa level>() { spgemm_rows_refresh<level>(args, alpha, add, offsets, cols, values); });
}

[[gnu::used]] static void write_out_spgemm() {
  using namespace detail;
  for_types<AllOffsets>([]<class Offset>() { write_out(spgemm_links<Offset>); });
  for_types<SpgemmScalars>([]<class Scalar>() {
    write_out(spgemm_row_bytes<Scalar>);
    write_out(spgemm_row_memory<Scalar>);
  });
  for_types<SpgemmScalars, AllOffsets>([]<class Scalar, class Offset>() {
    write_out(spgemm_shapes<Scalar, Offset>);
    write_out(spgemm_count<Scalar, Offset>);
    write_out(spgemm_fill<Scalar, Offset>);
    write_out(spgemm_refresh<Scalar, Offset>);
  });
}

}  // namespace araia::host
