// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which block kernels LOBPCG runs on a space: the portable ones, or a backend's where it has better.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "backends/openmp/lobpcg/blocks_in_registers/kernel.hpp"
#include "backends/portable/lobpcg/blocks_in_scratch/kernel_impl.hpp"

namespace araia::detail {

/// Block kernels of a space: asynchronous on exec, one call at a time with a workspace.
template <class Exec, class T>
struct LobpcgBlocksOf {
  static std::int64_t workspace_bytes(Exec const&, std::int64_t rows, int columns, bool /*with_b*/) {
    return lobpcg_portable_workspace_bytes(rows, columns);
  }
  static void gram(Exec const& exec, LobpcgGram<T> const& of, double* workspace) {
    lobpcg_gram_portable(exec, of, workspace);
  }
  static void update(Exec const& exec, LobpcgUpdate<T> const& of, double* workspace) {
    lobpcg_update_portable(exec, of, workspace);
  }
  static void cross(Exec const& exec, LobpcgCross<T> const& of, double* workspace) {
    lobpcg_cross_portable(exec, of, workspace);
  }
  static void subtract(Exec const& exec, LobpcgSubtract<T> const& of, double* workspace) {
    lobpcg_subtract_portable(exec, of, workspace);
  }
};

/// Hosts.
template <class Exec, class T>
requires(!is_device_space<Exec>) struct LobpcgBlocksOf<Exec, T> {
  static std::int64_t workspace_bytes(Exec const&, std::int64_t rows, int columns, bool /*with_b*/) {
    return host::lobpcg_workspace_bytes(rows, columns);
  }
  static void gram(Exec const& exec, LobpcgGram<T> const& of, double* workspace) {
    host::lobpcg_gram(of, workspace, exec.concurrency());
  }
  static void update(Exec const& exec, LobpcgUpdate<T> const& of, double* workspace) {
    host::lobpcg_update(of, workspace, exec.concurrency());
  }
  static void cross(Exec const& exec, LobpcgCross<T> const& of, double* workspace) {
    host::lobpcg_cross(of, workspace, exec.concurrency());
  }
  static void subtract(Exec const& exec, LobpcgSubtract<T> const& of, double* workspace) {
    host::lobpcg_subtract(of, workspace, exec.concurrency());
  }
};

}  // namespace araia::detail
