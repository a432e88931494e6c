// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG's block kernels of the CUDA backend.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backends/cuda/lobpcg/blocks_gram/kernel.hpp"
#include "backends/cuda/lobpcg/blocks_update/kernel.hpp"
#include "src/solvers/lobpcg_blocks.hpp"

namespace araia::detail {

template <class T>
struct LobpcgBlocksOf<Kokkos::Cuda, T> {
  /// For a basis of blocks of at most so many columns, and for blocks of any width beside one of those. What the
  /// kernels need grows with the columns of X and R, but not with those of P: products of fewer columns share a launch.
  static std::int64_t workspace_bytes(Kokkos::Cuda const&, std::int64_t rows, int columns, bool with_b) {
    alignas(16) static double dummy[2];
    auto* const there = reinterpret_cast<T*>(dummy);
    auto const block = [&](int cols) { return Block<T>{there, lobpcg_most_columns, cols}; };
    auto const read = [&](int cols) { return Block<T const>{there, lobpcg_most_columns, cols}; };
    std::size_t most = 0;
    auto const take = [&](auto const& of) { most = std::max(most, cuda::lobpcg::workspace_bytes(of)); };
    constexpr int granule = 16 / static_cast<int>(sizeof(T));  // widths between its multiples need what the next does
    for (int p = 0; p < columns + granule; p += granule) {
      LobpcgBasis<T> basis;
      basis.rows = rows;
      int const cols[3] = {columns, columns, std::min(p, columns)};
      basis.blocks = p > 0 ? 3 : 2;
      for (int b = 0; b < basis.blocks; ++b) {
        basis.s[b] = basis.as[b] = read(cols[b]);
        if (with_b) basis.bs[b] = read(cols[b]);
      }
      LobpcgGram<T> gram;
      gram.basis = basis;
      gram.g = gram.h = dummy;
      take(gram);
      gram.only_r = true;
      take(gram);
      LobpcgUpdate<T> update;
      update.basis = basis;
      update.c = update.d = update.theta = dummy;
      update.kx = update.kp = update.active_count = columns;
      update.x = update.p = update.ax = update.ap = update.r = block(columns);
      if (with_b) update.bx = update.bp = block(columns);
      update.active = reinterpret_cast<int const*>(dummy);
      update.r_squares = dummy;
      if (with_b) update.x_squares = dummy;
      take(update);
    }
    // Constraints: of the widest columns, turned by themselves.
    constexpr int widest = lobpcg_most_columns;
    LobpcgUpdate<T> turn;
    turn.basis.rows = rows;
    turn.basis.blocks = 1;
    turn.basis.s[0] = read(widest);
    turn.c = dummy;
    turn.kx = widest;
    turn.x = block(widest);
    if (with_b) turn.basis.bs[0] = read(widest);
    if (with_b) turn.bx = block(widest);
    take(turn);
    take(LobpcgCross<T>{.rows = rows, .x = read(widest), .w = read(widest), .c = dummy, .ww = nullptr});
    take(LobpcgSubtract<T>{.rows = rows, .x = read(widest), .c = dummy, .w = block(widest), .ww = nullptr});
    return static_cast<std::int64_t>(most);
  }
  static void gram(Kokkos::Cuda const& exec, LobpcgGram<T> const& of, double* workspace) {
    cuda::lobpcg::gram(of, workspace, exec.cuda_stream());
  }
  static void update(Kokkos::Cuda const& exec, LobpcgUpdate<T> const& of, double* workspace) {
    cuda::lobpcg::update(of, workspace, exec.cuda_stream());
  }
  static void cross(Kokkos::Cuda const& exec, LobpcgCross<T> const& of, double* workspace) {
    cuda::lobpcg::cross(of, workspace, exec.cuda_stream());
  }
  static void subtract(Kokkos::Cuda const& exec, LobpcgSubtract<T> const& of, double* workspace) {
    cuda::lobpcg::subtract(of, workspace, exec.cuda_stream());
  }
};

}  // namespace araia::detail
