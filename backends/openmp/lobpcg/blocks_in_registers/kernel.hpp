// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG's block kernels on the host, with SIMD chosen at run time.
// Mapping  chunks of rows, which depend on rows and columns alone, are dealt to the threads; their sums are added in
// the
//          order of the chunks, so that the bits do not depend on the number of threads
// Traffic  what LobpcgGram and its kin in lobpcg_blocks.hpp say, each block once

#include <cstdint>
#include "src/kernel/lobpcg_blocks.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Bytes of workspace for blocks of `rows` rows, and for any of the four kernels with blocks of at most so many
/// columns. Aligned to 64 bytes.
std::int64_t lobpcg_workspace_bytes(std::int64_t rows, int columns);

/// As the structs say; T is double or float. Workspace: of lobpcg_workspace_bytes, one call at a time.
/// \param threads  OpenMP threads, at least 1
/// \param isa      one of supported_isas(): for tests and comparisons
/// Cost  2 rows m^2 flop of gram where both matrices are wanted, 4 rows m (kx + kp) of update; no allocation
template <class T>
void lobpcg_gram(detail::LobpcgGram<T> const& of, double* workspace, int threads, Isa isa = host::isa());
template <class T>
void lobpcg_update(detail::LobpcgUpdate<T> const& of, double* workspace, int threads, Isa isa = host::isa());
template <class T>
void lobpcg_cross(detail::LobpcgCross<T> const& of, double* workspace, int threads, Isa isa = host::isa());
template <class T>
void lobpcg_subtract(detail::LobpcgSubtract<T> const& of, double* workspace, int threads, Isa isa = host::isa());

}  // namespace araia::host
