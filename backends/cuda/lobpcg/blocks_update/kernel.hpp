// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Blocks of vectors times small matrices, as LOBPCG needs them, each in one pass over the blocks.
// Compute capability 8.0 and above.

#include <cuda_runtime_api.h>

#include <cstddef>
#include "src/kernel/lobpcg_blocks.hpp"

namespace araia::cuda::lobpcg {

/// Bytes of workspace that the call of the same arguments takes on the current device. Addresses of blocks do not
/// matter, apart from which of them are null. \throws araia::Error (invalid_argument, device)
template <class T>
std::size_t workspace_bytes(araia::detail::LobpcgUpdate<T> const& update);
template <class T>
std::size_t workspace_bytes(araia::detail::LobpcgSubtract<T> const& subtract);

/// X = S C, P = S D, the same of A S and B S, residuals and sums of squares; T = float or double.
/// \param update     LobpcgUpdate's contract. An output that is null is not written, and A S or B S not read where
///                   nothing wants it
/// \param workspace  workspace_bytes(update) bytes of the device at an address of 16 bytes' alignment, free again when
///                   the work is done
/// \param stream     of the work; nothing is allocated and nothing waited for, may be captured
/// Cost      every block once: rows (6 + 5 blocks; 9 + 7 with B) elements read and written; 4 rows m (kx + kp) flop of
///           double precision, 6 with B
/// Rounding  |error of x_ij| <= gamma(m) (|S| |C|)_ij with double's unit, then one of T; residuals and squares are of
///           values before they are rounded to T: |error of r| <= gamma(m + 2) (|A S| |C| + |B S| |C| |theta|).
///           Squares are sums in an order that depends on rows, widths and the device's number of multiprocessors.
/// \throws araia::Error (invalid_argument, dimension_mismatch, device)
template <class T>
void update(araia::detail::LobpcgUpdate<T> const& update, void* workspace, cudaStream_t stream);

/// W -= X C in place, and W'W of the new W, as it is rounded to T, where it is wanted; everything else as above.
/// Cost: X and W read once, W written once.
template <class T>
void subtract(araia::detail::LobpcgSubtract<T> const& subtract, void* workspace, cudaStream_t stream);

}  // namespace araia::cuda::lobpcg
