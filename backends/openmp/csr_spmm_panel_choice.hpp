// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which kernel of the host SpMM in CSR order takes a panel of so many columns. For csr_spmm_rows.cpp alone, in the
// instruction set's namespace.

#include <cstdint>

#include "backends/openmp/csr_spmm_panel.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

// Registers of a panel: every number up to this has kernels, as fewer would make one column more expensive. On
// x86-64-v2 panels are a line of cache wide, and rows of runs read their own columns.
template <class X>
constexpr int widest_panel = Vectors<X>::few ? 4 : 8;

/// f(Index<registers>) for a panel of so many columns.
template <class X, class F>
void with_registers(std::int64_t columns, F const& f) {
  std::int64_t const registers = (columns + Vectors<X>::width - 1) / Vectors<X>::width;
  each<widest_panel<X>>([&](auto index) __attribute__((always_inline)) {
    if (registers == decltype(index)::value + 1) f(Index<decltype(index)::value + 1>{});
  });
}

constexpr int most_of_quarters = 3;

/// f(Index<registers>, Index<Part of load_register>) for a panel of so many columns. Panels of more than
/// most_of_quarters move half a register in place of a quarter, which spares a sixth of the kernels; a whole register
/// in place of a half would cost more. A register alone is never half empty on AVX-512: AVX2 takes such rows.
/// \tparam Whole  Part of panels of whole registers where their number is not a power of two, which has its own kernels
template <class X, int Whole, class F>
void with_panel(std::int64_t columns, F const& f) {
  using Vec = Vectors<X>;
  with_registers<X>(columns, [&](auto registers) {
    constexpr int count = decltype(registers)::value;
    constexpr int whole = (count & (count - 1)) == 0 ? 0 : Whole;
    std::int64_t const rest = columns % Vec::width;
    if (rest == 0) return f(registers, Index<whole>{});
    if constexpr (Vec::parts >= 4 && count > 1 && count <= most_of_quarters)
      if (rest <= Vec::width / 4) return f(registers, Index<4>{});
    if constexpr (Vec::parts >= 2 && (count > 1 || Vec::parts < 4))
      if (rest <= Vec::width / 2) return f(registers, Index<2>{});
    f(registers, Index<1>{});
  });
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
