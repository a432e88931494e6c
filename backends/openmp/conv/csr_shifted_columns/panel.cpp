// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = act(A B + bias + residual) for a panel of columns of an image, B by shifted columns. A row's sums over the panel
// stay in registers while its entries go by:
//
//   planes + first_column + col_offsets[j]   | v0 | v1 | ... | v7 |       unaligned loads of neighbouring columns
//   sums of the row                          | s0 | s1 | ... | s7 |       s += values[j] * v
//
// The last register ends where the panel does and may repeat columns of the one before it, so that nothing is read
// behind the panel; a panel of less than a register is masked. Few registers would wait for their own sums: two halves
// of a row's entries then go side by side. The planes of a panel stay in the caches while all rows go over them.
// Where the plane has surplus columns, sums leave by a buffer of a panel, line by line.
//
// Traffic  an entry: 4 B of offset, a value, and a panel's width of a plane out of cache; an element of y once, and
//          those of the residual.

#include "backends/openmp/conv/csr_shifted_columns/panel.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_spmm_vectors.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

constexpr int few_registers = 4;  // up to which a row's entries go in two halves

template <class T>
struct Panel {
  using Vec = Vectors<T>;
  using V = typename Vec::V;
  static constexpr std::int64_t width = Vec::width;

  ShiftedPanel<T> const& s;
  T const* planes;       // at the panel's first column
  std::int64_t columns;  // of the panel
  bool surplus;          // are there columns that are not stored?
  bool in_registers;     // is the epilogue whole before the residual?

  explicit Panel(ShiftedPanel<T> const& panel)
      : s(panel),
        planes(panel.b.planes + panel.image * panel.b.image_stride + panel.first_column),
        columns(panel.last_column - panel.first_column),
        surplus(panel.b.plane_width != panel.b.out_width || panel.b.y_strides.line != panel.b.out_width ||
                (panel.b.residual && panel.b.residual_strides.line != panel.b.out_width)),
        in_registers(!panel.b.residual) {}

  /// Where register r begins: the last one ends with the panel.
  template <int Registers>
  [[gnu::always_inline]] std::int64_t begin_of(int r) const {
    return r + 1 < Registers ? r * width : columns - width;
  }

  template <int Registers, bool masked>
  [[gnu::always_inline]] void add(V (&sums)[Registers], std::int64_t j) const {
    auto const value = Vec::all(s.a.values[j]);
    T const* const at = planes + s.a.col_offsets[j];
    if constexpr (masked) {
      sums[0] = Vec::mul_add(value, Vec::load(at, columns), sums[0]);
    } else {
#pragma GCC unroll 16
      for (int r = 0; r + 1 < Registers; ++r) sums[r] = Vec::mul_add(value, Vec::load(at + r * width), sums[r]);
      sums[Registers - 1] = Vec::mul_add(value, Vec::load(at + columns - width), sums[Registers - 1]);
    }
  }

  template <int Registers, bool masked>
  [[gnu::always_inline]] void rows() const {
    alignas(64) T buffer[shifted_panel_registers * width];
    T* const y_image = s.b.y + s.image * s.b.y_strides.image;
    T const* const residual_image = s.b.residual ? s.b.residual + s.image * s.b.residual_strides.image : nullptr;
    for (std::int64_t row = s.first_row; row < s.last_row; ++row) {
      V sums[Registers];
#pragma GCC unroll 16
      for (int r = 0; r < Registers; ++r) sums[r] = Vec::zero();
      std::int64_t j = s.a.row_offsets[row];
      std::int64_t const end = s.a.row_offsets[row + 1];
      if constexpr (Registers <= few_registers) {
        V others[Registers];
#pragma GCC unroll 16
        for (int r = 0; r < Registers; ++r) others[r] = Vec::zero();
        for (; j + 2 <= end; j += 2) {
          add<Registers, masked>(sums, j);
          add<Registers, masked>(others, j + 1);
        }
        if (j < end) add<Registers, masked>(sums, j);
#pragma GCC unroll 16
        for (int r = 0; r < Registers; ++r) sums[r] = Vec::add(sums[r], others[r]);
      } else {
        for (; j < end; ++j) add<Registers, masked>(sums, j);
      }
      if (s.b.bias) {
        auto const bias = Vec::all(s.b.bias[row]);
#pragma GCC unroll 16
        for (int r = 0; r < Registers; ++r) sums[r] = Vec::add(sums[r], bias);
      }
      T* const y = y_image + row * s.b.y_strides.row;
      T const* const residual = residual_image ? residual_image + row * s.b.residual_strides.row : nullptr;
      if (!surplus) {
        if constexpr (masked) {
          finish(sums[0], residual ? residual + s.first_column : nullptr, y + s.first_column, columns);
        } else {
#pragma GCC unroll 16
          for (int r = 0; r < Registers; ++r) {
            std::int64_t const at = s.first_column + begin_of<Registers>(r);
            V v = sums[r];
            if (residual) v = Vec::add(v, Vec::load(residual + at));
            if (s.b.relu) v = Vec::rectified(v);
            Vec::store(y + at, v);
          }
        }
      } else {
        if constexpr (masked) {
          Vec::store(buffer, sums[0]);
        } else {
#pragma GCC unroll 16
          for (int r = 0; r < Registers; ++r) Vec::store(buffer + begin_of<Registers>(r), sums[r]);
        }
        lines(buffer, residual, y);
      }
    }
  }

  [[gnu::always_inline]] void finish(V v, T const* residual, T* y, std::int64_t n) const {
    if (residual) v = Vec::add(v, Vec::load(residual, n));
    if (s.b.relu) v = Vec::rectified(v);
    Vec::store(y, v, n);
  }

  /// The panel's columns but the surplus, from the buffer to their lines.
  [[gnu::always_inline]] void lines(T const* buffer, T const* residual, T* y) const {
    std::int64_t line = s.first_column / s.b.plane_width;
    std::int64_t element = s.first_column - line * s.b.plane_width;
    for (std::int64_t at = 0; at < columns; ++line) {
      std::int64_t const n = std::min<std::int64_t>(s.b.out_width - element, columns - at);
      T* const to = y + line * s.b.y_strides.line + element;
      T const* const add = residual ? residual + line * s.b.residual_strides.line + element : nullptr;
      std::int64_t i = 0;
      for (; i + width <= n; i += width) {
        V v = Vec::load(buffer + at + i);
        if (add) v = Vec::add(v, Vec::load(add + i));
        if (s.b.relu) v = Vec::rectified(v);
        Vec::store(to + i, v);
      }
      if (i < n) finish(Vec::load(buffer + at + i, n - i), add ? add + i : nullptr, to + i, n - i);
      at += s.b.plane_width - element;
      element = 0;
    }
  }
};

template <class T>
void any_panel(ShiftedPanel<T> const& panel) {
  constexpr std::int64_t width = Vectors<T>::width;
  Panel<T> const s(panel);
  if (s.columns <= 0) return;
  if (s.columns < width) return s.template rows<1, true>();
  switch ((s.columns + width - 1) / width) {
    case 1: return s.template rows<1, false>();
    case 2: return s.template rows<2, false>();
    case 3: return s.template rows<3, false>();
    case 4: return s.template rows<4, false>();
    case 5: return s.template rows<5, false>();
    case 6: return s.template rows<6, false>();
    case 7: return s.template rows<7, false>();
    default: return s.template rows<8, false>();
  }
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class T>
void shifted_panel(ShiftedPanel<T> const& panel) {
  ARAIA_ISA::any_panel(panel);
}
template <Isa level, class T>
std::int64_t shifted_panel_columns() {
  return shifted_panel_registers * ARAIA_ISA::Vectors<T>::width;
}

[[gnu::used]] static void write_out_shifted_panel() {
  using namespace detail;
  for_types<Reals>([]<class T>() {
    write_out(shifted_panel<Isa::ARAIA_ISA, T>);
    write_out(shifted_panel_columns<Isa::ARAIA_ISA, T>);
  });
}

}  // namespace araia::host
