// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a product of two sparse matrices may be told, and what it reports. No Kokkos here.

#include <cstdint>
#include <string>
#include <vector>

#include <araia/detail/formats/pointers.hpp>

namespace araia {

struct SpgemmOptions {
  /// One of kernel_names("csr", OpId::spgemm, Op::none), which docs/kernels/spgemm.md draws; "automatic": the first of
  /// them that runs the product.
  std::string kernel = "automatic";
  Op op_a = Op::none;          ///< of A; a transpose is made and kept, and so are conjugates
  Op op_b = Op::none;          ///< of B; likewise
  bool sorted = true;          ///< columns of every row of C ascend; else they may come in any order, each once
  bool pattern_only = false;   ///< C has no values
  bool add = false;            ///< execute() adds to the values that C holds, which begin as zeros
  bool deterministic = false;  ///< the same bits in every run; without `sorted`, the same order of columns too
  /// Bytes that the kernel's workspace may take, 0: no limit of its own. Kept by fewer and smaller accumulators, or by
  /// fewer rows at a time. Transposes, which the report counts too, come beside it.
  std::uint64_t workspace_limit = 0;
  /// Bytes that C and the workspace may take together, 0: half of the free memory of the space. Checked before C is
  /// allocated.
  std::uint64_t memory_limit = 0;
  int offset_bits = 0;   ///< of C's row offsets: 32 or 64; 0: 32 where its entries fit
  bool validate = true;  ///< check A and B first; else they are trusted, and a broken one ends in anything
};

/// Rows that were summed in one way.
struct SpgemmBin {
  std::string name;
  std::int64_t rows = 0;
  std::uint64_t products = 0;  ///< 0 where nobody counted them
};

/// Workspace that another kernel would take.
struct SpgemmAlternative {
  std::string kernel{};
  std::uint64_t workspace_bytes = 0;
};

/// What the symbolic step knows.
struct SpgemmReport {
  std::string kernel{};   ///< that runs
  std::int64_t rows = 0;  ///< of C
  std::int64_t cols = 0;
  std::int64_t nnz = 0;               ///< of C, exact, sums that cancel to zero included
  std::uint64_t products = 0;         ///< products of an entry of A and one of B
  int offset_bits = 32;               ///< of C's row offsets
  std::uint64_t bytes = 0;            ///< of C, exact
  std::uint64_t workspace_bytes = 0;  ///< the most that is allocated beside A, B and C at any time
  std::uint64_t peak_bytes = 0;       ///< C and workspace: what the whole product adds to A and B at most
  std::vector<SpgemmBin> bins{};
  std::vector<SpgemmAlternative> alternatives{};

  /// Products for an entry of C; 0 where C is empty.
  [[nodiscard]] double compression() const {
    return nnz > 0 ? static_cast<double>(products) / static_cast<double>(nnz) : 0;
  }
};

/// A few lines of text: what runs, which rows were summed how, what C and the workspace take, and what other kernels
/// would have taken.
[[nodiscard]] std::string explain(SpgemmReport const& report);

namespace detail {
/// No kernel of these types is called so: says which ones there are.
[[noreturn]] void refuse_spgemm_kernel(std::string const& kernel, std::vector<std::string> const& of_types);
}  // namespace detail

}  // namespace araia
