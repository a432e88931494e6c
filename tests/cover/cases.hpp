// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is multiplied with what: the factors of a case, their levels, and which of them the library must run or refuse.

#include <araia/detail/plan/description.hpp>
#include <araia/plan/choice.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cover/covering_array.hpp"
#include "support/zoo.hpp"

namespace araia::test::cover {

enum Factor {
  product,    ///< operation, format with its options, kernel
  route,      ///< the dispatch below the one-call functions, or a plan
  types,      ///< scalars of A, x and y; offsets
  operation,  ///< N, T, H, C
  space,      ///< execution space and threads
  matrix,
  values,   ///< stored, pattern, brought by update_values
  numbers,  ///< of A and B: random, small integers, of all sizes, a NaN or an infinity in B
  alpha,
  beta,
  layout_b,  ///< SpMV: stride of x
  layout_c,  ///< SpMV: stride of y
  offset_a,  ///< elements before the first of every array: bytes of misalignment
  offset_b,
  offset_c,
  columns,
  tuning,
  factor_count
};

/// One product of the library: "spmm csr/host_simd".
struct Product {
  OpId operation = OpId::spmv;
  Choice choice{};            ///< kernel "automatic": the dispatch's or the plan's own choice
  bool any_format = false;    ///< the plan chooses the format too
  bool unsorted_coo = false;  ///< entries in random order, which no plan holds
  [[nodiscard]] std::string name() const;
};

enum class Route { dispatch, plan };
enum class Values { stored, pattern, updated };
enum class Numbers { random, integers, spread, nan, infinity };
/// The cases of one kind share a matrix.
[[nodiscard]] constexpr int kind_of_values(Numbers n) {
  return n == Numbers::integers ? 1 : n == Numbers::spread ? 2 : 0;
}
enum class Factors { zero, one, minus_one, general, tiny, huge, nan };
enum class Layout { right, right_odd, left, left_odd, strided };

struct Scalars {
  char const* name;  ///< of A, or of A and the vectors
  bool complex = false;
  bool wide_offsets = false;
};

struct Space {
  std::string name;
  bool device = false;
  int threads = 1;          ///< of a host space
  bool own_stream = false;  ///< of a device
};

enum class Verdict {
  runs,     ///< within the bound
  refused,  ///< by an error of kind unsupported
  either,   ///< as supports() says, or as the structure of the matrix allows
  no_case   ///< means nothing, or is more work than a case should be
};

/// The levels of every factor. Indices stay the same as long as the library is the same.
class Cases {
 public:
  Cases(std::vector<Scalars> scalars, std::vector<Space> spaces, std::vector<TestMatrix> matrices);

  [[nodiscard]] std::vector<int> level_counts() const;
  /// Of a row, or of one in the making: then no_case only if no choice of the rest makes it one.
  [[nodiscard]] Verdict verdict(Levels const& row) const;
  [[nodiscard]] std::string describe(Levels const& row) const;

  std::vector<Product> products;
  std::vector<Scalars> scalars;
  std::vector<Space> spaces;
  std::vector<TestMatrix> matrices;
  std::vector<std::int64_t> column_counts;
  std::vector<Choice> tunings;  ///< of which rows_per_team and its like are taken

  static constexpr Op ops[] = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

 private:
  [[nodiscard]] bool is_case(Levels const& row, Product const& p) const;
  [[nodiscard]] bool simd_refuses(Levels const& row, Product const& p) const;
  [[nodiscard]] Verdict verdict_of_blocks(Levels const& row, bool reads_patterns) const;
  [[nodiscard]] Verdict verdict_of_kernel(Levels const& row, Product const& p) const;
  [[nodiscard]] Verdict verdict_of_route(Levels const& row) const;
  std::vector<bool> strict_;  // columns of every row ascend, none twice
};

/// The zoo's matrices that are small enough, with more of what formats find hard, then those of the data folder.
[[nodiscard]] std::vector<TestMatrix> matrices_of_cases();

}  // namespace araia::test::cover
