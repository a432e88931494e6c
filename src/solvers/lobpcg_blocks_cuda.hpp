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
  /// For a basis of blocks of at most so many columns, and for blocks of any width beside one of those. The kernels'
  /// need depends on all widths, and on what is null: the most of all that can come.
  static std::int64_t workspace_bytes(Kokkos::Cuda const&, std::int64_t rows, int columns) {
    alignas(16) static double dummy[2];
    auto* const there = reinterpret_cast<T*>(dummy);
    auto const block = [&](int cols) { return Block<T>{there, lobpcg_most_columns, cols}; };
    auto const read = [&](int cols) { return Block<T const>{there, lobpcg_most_columns, cols}; };
    std::size_t most = 0;
    auto const take = [&](auto const& of) { most = std::max(most, cuda::lobpcg::workspace_bytes(of)); };
    for (bool const with_b : {false, true}) {
      auto const of_basis = [&](int x, int r, int p, bool with_a) {
        LobpcgBasis<T> basis;
        basis.rows = rows;
        int const cols[3] = {x, r, p};
        for (int b = 0; b < 3 && cols[b] > 0; ++b) {
          basis.blocks = b + 1;
          basis.s[b] = read(cols[b]);
          if (with_a) basis.as[b] = read(cols[b]);
          if (with_b) basis.bs[b] = read(cols[b]);
        }
        LobpcgGram<T> gram;
        gram.basis = basis;
        gram.h = dummy;
        take(gram);
        if (with_a) gram.g = dummy;
        take(gram);
        gram.only_r = basis.blocks > 1;
        take(gram);
        LobpcgUpdate<T> update;
        update.basis = basis;
        update.c = update.d = update.theta = dummy;
        update.kx = x;
        update.kp = r;
        update.x = block(x);
        update.p = block(r);
        if (with_b) update.bx = block(x);
        if (with_b) update.bp = block(r);
        if (with_a) {
          update.ax = block(x);
          update.ap = block(r);
          update.r = block(x);
          update.active = reinterpret_cast<int const*>(dummy);
          update.active_count = x;
          update.r_squares = dummy;
          if (with_b) update.x_squares = dummy;
        }
        take(update);
      };
      for (int r = 0; r <= columns; ++r)
        for (int p = 0; p <= (r > 0 ? columns : 0); ++p) of_basis(columns, r, p, true);
      for (int x = 1; x <= lobpcg_most_columns; ++x) of_basis(x, 0, 0, false);
    }
    for (int x = 1; x <= lobpcg_most_columns; ++x)
      for (int w = 1; w <= lobpcg_most_columns; ++w) {
        LobpcgCross<T> cross{.rows = rows, .x = read(x), .w = read(w), .c = dummy, .ww = nullptr};
        take(cross);
        LobpcgSubtract<T> subtract{.rows = rows, .x = read(x), .c = dummy, .w = block(w), .ww = nullptr};
        take(subtract);
      }
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
