// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A way to do the product, ours or a peer's: how it is named, when it applies, how it is set up.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::perf {

/// Bytes of one copy of what a contender makes of the matrix, counted before it is made.
struct Storage {
  double read = 0;  ///< that a product reads of the matrix: the copies of a cold run are counted by them
  double made = 0;  ///< that are allocated beside the problem's own Csr
};

/// A contender set up on the copies that a problem asks for. launch(copy) enqueues one product on the problem's queue.
struct Prepared {
  std::function<void(int copy)> launch;  ///< owns what it needs, but for:
  std::shared_ptr<void> keep;            ///< what descriptors inside launch point to
  double matrix_bytes = 0;               ///< of one copy: what a product must read of the matrix
  std::int64_t stored = 0;               ///< entries of one copy, padding included
  double setup_seconds = 0;              ///< conversion and analysis of one copy, from CSR
  bool column_major = false;             ///< which dense operands it uses; spmm only
  double roundoff = 0;                   ///< unit roundoff of the precision it promises; 0: its scalars' own
  std::string choice{};                  ///< what it chose, without blanks; empty: it chooses nothing
};

template <class Problem>
struct Contender {
  std::string owner;   ///< araia, kokkos_kernels, mkl, eigen, cusparse
  std::string format;  ///< csr, coo, ell, sell, ...; plan and one_call: the library's own choice
  std::string kernel;  ///< unique for one format; peers carry their owner's name in front
  std::function<Prepared(Problem&)> prepare;
  /// Entries this format would store; without it: nnz.
  std::function<std::int64_t(GeneratedMatrix const&)> stored{};
  /// Without it: the contender reads the problem's Csr and makes nothing. Throws LeftOut, or araia::Error
  /// (unsupported), where the matrix does not allow the format.
  std::function<Storage(Problem const&)> storage{};
};

}  // namespace araia::perf
