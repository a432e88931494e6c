// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Small matrices of inner products of blocks of vectors, as LOBPCG needs them, each in one pass over the blocks.
// Compute capability 8.0 and above.

#include <cuda_runtime_api.h>

#include <cstddef>
#include "src/kernel/lobpcg_blocks.hpp"

namespace araia::cuda::lobpcg {

/// Bytes of workspace that the call of the same arguments takes on the current device. Addresses of blocks do not
/// matter, apart from which of them are null. \throws araia::Error (invalid_argument, device)
template <class T>
std::size_t workspace_bytes(araia::detail::LobpcgGram<T> const& gram);
template <class T>
std::size_t workspace_bytes(araia::detail::LobpcgCross<T> const& cross);

/// G = S'(A S) and H = S'(B S), those of them that are wanted; T = float or double.
/// \param gram       LobpcgGram's contract; with only_r other entries are not written
/// \param workspace  workspace_bytes(gram) bytes of the device at an address of 16 bytes' alignment, free again when
///                   the work is done
/// \param stream     of the work; nothing is allocated and nothing waited for, may be captured
/// Cost      every block once: rows (6 blocks; 9 with B; with only_r 4 or 5) elements read, and beyond 128 columns S
///           once more; 2 rows m^2 flop of double precision for both
/// Rounding  |error of g_ij| <= gamma(rows) (|S|'|A S|)_ij with double's unit, products of floats are exact. Sums in an
///           order that depends on the number of rows, on the widths of blocks, on what is wanted and on the device's
///           number of multiprocessors: the same bits each time. Both triangles have the same bits.
/// \throws araia::Error (invalid_argument, device)
template <class T>
void gram(araia::detail::LobpcgGram<T> const& gram, void* workspace, cudaStream_t stream);

/// C = X'W, and W'W where it is wanted; everything else as above. Cost: both blocks once.
template <class T>
void cross(araia::detail::LobpcgCross<T> const& cross, void* workspace, cudaStream_t stream);

}  // namespace araia::cuda::lobpcg
