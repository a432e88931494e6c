// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The eigenproblem inside LOBPCG's small problem on the space of a solver: by LAPACK on the host, and by cuSOLVER on
// CUDA from a size on at which it is faster than LAPACK, copies included.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/solvers/lobpcg_small.hpp"

namespace araia::detail {

/// symmetric_eigenpairs for solvers on Exec; one call at a time.
template <class Exec>
class SmallEigensolver {
 public:
  /// \param most  rows of the largest matrix
  SmallEigensolver(Exec const&, int /*most*/) {}
  bool operator()(Exec const&, SmallMatrix const& a, std::vector<double>& values, SmallMatrix& vectors) const {
    return symmetric_eigenpairs(a, values, vectors);
  }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
};

#ifdef KOKKOS_ENABLE_CUDA
/// Matrices that are smaller, or larger than `most`, and those that cuSOLVER gives up are LAPACK's; all of them where
/// the build is without cuSOLVER (Araia_ENABLE_CUSOLVER). Waits for exec.
template <>
class SmallEigensolver<Kokkos::Cuda> {
 public:
  static constexpr int least_rows = 96;  // docs/eigenpairs.md has the times

  /// \throws araia::Error device: cuSOLVER does not start; resource_limit: no memory
  SmallEigensolver(Kokkos::Cuda const& exec, int most);
  bool operator()(Kokkos::Cuda const& exec, SmallMatrix const& a, std::vector<double>& values,
                  SmallMatrix& vectors) const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Library;
  std::shared_ptr<Library> library_;  // null: LAPACK alone
};
#endif

}  // namespace araia::detail
