// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R) with A packed by panels of columns (packing.hpp). For some columns of C and
// some blocks of rows: a panel's rows of B are copied side by side, 32 KiB that stay in L1, and every group of 4 rows
// adds its entries to its sums, which wait in a thread's own memory and go to C after the last panel.
// Traffic  f32: 6 B per entry and `lines` lines of B (L1), 2 x `lines` lines of sums per row and panel (L2), and B from
//          where it lies once for some hundred rows.
// Bound    loads: an entry takes `lines` loads of B, one of its value and a quarter of one of its place, for `lines`
//          multiply-adds.
// Measured docs/kernels/csr_cache_panels.md.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/spmm/csr_cache_panels/panels.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

constexpr int group = cache_panel_group;

// Entries are prefetched this many bytes of values ahead: a panel reads chunks of the arrays, and hardware does not
// foresee where the next one begins.
constexpr std::int64_t values_ahead = 4096;
constexpr std::int64_t steps_of_prefetch = 4;  // a line or two of values, half a line of places

// Registers of columns that a row is summed in at once, and rows of a group beside each other, as far as registers hold
// their sums. With 16 registers one row by many registers pays most: an entry's place and value are read once for 8
// multiply-adds, in place of once for 2 of each of four rows.
template <class X>
constexpr bool has_32 = Vectors<X>::registers == 32;
template <class X>
constexpr int most_registers = has_32<X>         ? 6
                               : Vectors<X>::few ? 2
                                                 : 8;
template <class X, int Registers>
constexpr int rows_at_once = has_32<X> || Registers <= 3 ? group
                             : Registers <= 6            ? 2
                                                         : 1;

/// So many rows of a group, their entries group apart. \param prefetches  later ones: once for a group
template <int Registers, int Beside, class X>
[[gnu::always_inline]] inline void add_rows(X const* values, std::uint16_t const* places, std::uint16_t const* rows,
                                            std::int64_t length, char const* panel, X* tile, std::int64_t tile_stride,
                                            bool clear, bool prefetches) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  V sum[Beside][Registers];
  each<Beside>([&](auto g) __attribute__((always_inline)) {
    X const* const from = tile + rows[decltype(g)::value] * tile_stride;
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      sum[decltype(g)::value][decltype(r)::value] =
          clear ? Vec::zero() : Vec::load(from + decltype(r)::value * Vec::width);
    });
  });
  for (std::int64_t k = 0; k < length; ++k) {
    if (prefetches && k % steps_of_prefetch == 0) {
      each<sizeof(X) * group * steps_of_prefetch / 64>([&](auto line) __attribute__((always_inline)) {
        prefetch<Into::l2>(values, values_ahead + 64 * decltype(line)::value);
      });
      prefetch<Into::l2>(places, values_ahead / static_cast<std::int64_t>(sizeof(X) / sizeof *places));
    }
    [[maybe_unused]] std::uint64_t four;
    static_assert(sizeof four == group * sizeof *places);
    if constexpr (Beside == group) __builtin_memcpy(&four, places, sizeof four);
    each<Beside>([&](auto index) __attribute__((always_inline)) {
      constexpr int g = decltype(index)::value;
      char const* from = panel;
      if constexpr (Beside != group)
        from += places[g];
      else
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        from += static_cast<std::uint16_t>(four >> (16 * g));
#else
        from += static_cast<std::uint16_t>(four >> (16 * (group - 1 - g)));
#endif
      asm("" : "+r"(from));  // one register, so that a load goes with its multiply-add
      auto const* const b = reinterpret_cast<X const*>(from);
      V const value = Vec::all(values[g]);
      each<Registers>([&](auto r) __attribute__((always_inline)) {
        sum[g][decltype(r)::value] =
            Vec::mul_add(value, Vec::load(b + decltype(r)::value * Vec::width), sum[g][decltype(r)::value]);
      });
    });
    values += group;
    places += group;
  }
  each<Beside>([&](auto g) __attribute__((always_inline)) {
    X* const to = tile + rows[decltype(g)::value] * tile_stride;
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      Vec::store(to + decltype(r)::value * Vec::width, sum[decltype(g)::value][decltype(r)::value]);
    });
  });
}

/// Groups [first, last) of a panel of a block, by so many registers of columns from the panel's and the tile's first.
template <int Registers, class X>
void add_groups(CachePanelsPointers<X> const& a, std::int64_t first, std::int64_t last, std::int64_t slot,
                X const* panel, X* tile, std::int64_t tile_stride, bool clear) {
  X const* values = a.values + slot;
  std::uint16_t const* places = a.places + slot;
  auto const* const bytes = reinterpret_cast<char const*>(panel);
  constexpr int beside = rows_at_once<X, Registers>;
  for (std::int64_t at = first; at < last; ++at) {
    std::int64_t const length = a.lengths[at];
    for (int g = 0; g < group; g += beside)
      add_rows<Registers, beside>(values + g, places + g, a.group_rows + at * group + g, length, bytes, tile,
                                  tile_stride, clear, g == 0);
    values += length * group;
    places += length * group;
  }
}

/// Rows [first, last) of sums to C.
template <int Registers, int Part, class X>
void store_rows(CachePanelsPointers<X> const& a, Panel<X> const& p, X const* tile, std::int64_t tile_stride,
                std::int64_t first, std::int64_t last) {
  using Vec = Vectors<X>;
  for (std::int64_t row = first; row < last; ++row, tile += tile_stride) {
    typename Vec::V sum[Registers];
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      sum[decltype(r)::value] = load_register<Registers, Part, decltype(r)::value>(tile, p.columns);
    });
    store_row<Registers, Part>(sum, p, a.permutation ? std::int64_t{a.permutation[row]} : row);
  }
}

/// f(Index<registers>) for 1 to most_registers.
template <class X, class F>
void with_registers(std::int64_t registers, F const& f) {
  each<most_registers<X>>([&](auto index) __attribute__((always_inline)) {
    constexpr int count = decltype(index)::value + 1;
    if (registers == count) f(Index<count>{});
  });
}

/// Rows of B [first, last) and so many of its columns, side by side; zeros up to a whole line.
template <class X>
void copy_panel(DenseMatrix<X const> const& b, std::int64_t first, std::int64_t last, std::int64_t column,
                std::int64_t columns, X* to, std::int64_t stride) {
  using Vec = Vectors<X>;
  constexpr auto in_line = cache_line / static_cast<std::int64_t>(sizeof(X));
  X const* const from = b.data + column * b.column_stride;
  std::int64_t const whole = columns / Vec::width * Vec::width;
  std::int64_t const filled = (columns + in_line - 1) / in_line * in_line;
  if (b.column_stride == 1) {
    for (std::int64_t i = first; i < last; ++i, to += stride) {
      X const* const row = from + i * b.row_stride;
      for (std::int64_t j = 0; j < whole; j += Vec::width) Vec::store(to + j, Vec::load(row + j));
      if (whole == filled) continue;
      std::int64_t at = whole;
      if (whole < columns) {
        Vec::store(to + at, Vec::load(row + at, columns - whole));
        at += Vec::width;
      }
      for (; at < filled; at += Vec::width) Vec::store(to + at, Vec::zero());
    }
    return;
  }
  for (std::int64_t j = 0; j < filled; ++j) {
    X const* const column_of_b = from + j * b.column_stride;
    for (std::int64_t i = first; i < last; ++i)
      to[(i - first) * stride + j] = j < columns ? column_of_b[i * b.row_stride] : X(0);
  }
}

template <class X>
[[gnu::noinline]] void run(CachePanelsPart<X> const& in, X* const workspace) {
  using Vec = Vectors<X>;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(X));
  constexpr std::int64_t in_line = cache_line / bytes;
  constexpr std::int64_t of_sums = cache_panel_sum_bytes / bytes;
  X* const tile = workspace;
  X* const panel = workspace + of_sums;
  auto const& a = in.a;
  std::int64_t const stride = a.lines * in_line;     // of a row of B in the panel, and of sums in the tile
  std::int64_t const block_sums = a.block_rows + 1;  // rows; the last takes what groups have too many
  std::int64_t const room = of_sums / (block_sums * stride);
  bool const contiguous_epilogue = contiguous(in.c, in.epilogue);
  for (std::int64_t k = 0; k < stride; ++k) panel[a.panel_cols * stride + k] = X(0);
  if (a.panels == 0)  // no columns: the first panel sets sums
    for (std::int64_t k = 0; k < of_sums; ++k) tile[k] = X(0);
  for (std::int64_t item = in.first_item; item < in.last_item;) {
    std::int64_t const column = item / a.blocks * stride;
    std::int64_t const first_block = item % a.blocks;
    std::int64_t last_block = first_block + room < a.blocks ? first_block + room : a.blocks;
    if (last_block - first_block > in.last_item - item) last_block = first_block + in.last_item - item;
    std::int64_t const columns = in.c.columns - column < stride ? in.c.columns - column : stride;
    std::int64_t const registers = (columns + Vec::width - 1) / Vec::width;
    for (std::int64_t part = 0; part < a.panels; ++part) {
      std::int64_t const first_row = part * a.panel_cols;
      std::int64_t const end = first_row + a.panel_cols < a.cols ? first_row + a.panel_cols : a.cols;
      copy_panel(in.b, first_row, end, column, columns, panel, stride);
      for (std::int64_t block = first_block; block < last_block; ++block) {
        std::int64_t const cell = block * a.panels + part;
        for (std::int64_t r = 0; r < registers; r += most_registers<X>)
          with_registers<X>(registers - r < most_registers<X> ? registers - r : most_registers<X>, [&](auto count) {
            add_groups<decltype(count)::value>(
                a, a.first_group[cell], a.first_group[cell + 1], a.first_slot[cell], panel + r * Vec::width,
                tile + (block - first_block) * block_sums * stride + r * Vec::width, stride, part == 0);
          });
      }
    }
    for (std::int64_t r = 0; r < registers; r += most_registers<X>) {
      std::int64_t const count = registers - r < most_registers<X> ? registers - r : most_registers<X>;
      std::int64_t const left = columns - r * Vec::width;
      Panel<X> const p{.b = nullptr,
                       .b_row_stride = 0,
                       .c = in.c.data + (column + r * Vec::width) * in.c.column_stride,
                       .c_row_stride = in.c.row_stride,
                       .c_column_stride = in.c.column_stride,
                       .columns = left < count * Vec::width ? left : count * Vec::width,
                       .alpha = in.alpha,
                       .beta = in.beta,
                       .streams = false,
                       .past_cache = in.past_cache,
                       .first_column = column + r * Vec::width,
                       .epilogue = in.epilogue,
                       .contiguous_epilogue = contiguous_epilogue};
      for (std::int64_t block = first_block; block < last_block; ++block) {
        std::int64_t const first = block * a.block_rows;
        std::int64_t const last = first + a.block_rows < a.rows ? first + a.block_rows : a.rows;
        X const* const sums = tile + (block - first_block) * block_sums * stride + r * Vec::width;
        with_registers<X>(count, [&](auto of) {
          if (p.columns % Vec::width != 0) {
            store_rows<decltype(of)::value, 1>(a, p, sums, stride, first, last);
          } else {
            store_rows<decltype(of)::value, 0>(a, p, sums, stride, first, last);
          }
        });
      }
    }
    item += last_block - first_block;
  }
  if (in.past_cache) Vec::finish_past_cache();
}

/// Apart, so that no other frame has the array.
template <class X>
[[gnu::noinline]] void run_on_stack(CachePanelsPart<X> const& in) {
  alignas(cache_line) X workspace[cache_panel_workspace_bytes / static_cast<std::int64_t>(sizeof(X))];
  run(in, workspace);
}

template <class X>
void run(CachePanelsPart<X> const& in) {
  if (in.workspace)
    run(in, in.workspace);
  else
    run_on_stack(in);
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class X>
void cache_panels_part(CachePanelsPart<X> const& args) {
  ARAIA_ISA::run(args);
}

[[gnu::used]] static void write_out_cache_panels_part() {
  using namespace detail;
  for_types<Reals>([]<class X>() { write_out(cache_panels_part<Isa::ARAIA_ISA, X>); });
}

}  // namespace araia::host
