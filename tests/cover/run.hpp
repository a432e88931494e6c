// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A case, multiplied by the library and held to the reference.

#include <cstdint>
#include <memory>
#include <string>

#include "cover/cases.hpp"

namespace araia::test::cover {

struct Outcome {
  bool refused = false;  ///< by an error of kind unsupported
  std::string wrong{};   ///< empty where all is well
};

/// Runs cases of one execution space and one set of types. Keeps the last matrix, so cases of one matrix and product
/// should follow each other.
class Runner {
 public:
  virtual ~Runner() = default;
  /// One product; its operands are random by `seed` and the row. Says what is wrong with the result.
  virtual Outcome run(Levels const& row, std::uint64_t seed) = 0;
  /// A hash of the bits that a deterministic plan for the case gives, the same in all `times` runs; "" where the plan
  /// is refused, "differs" where the bits are not the same.
  virtual std::string repeated_bits(Levels const& row, std::uint64_t seed, int times) = 0;
};

[[nodiscard]] std::vector<Scalars> written_out_scalars();
[[nodiscard]] std::vector<Space> spaces_of_this_build();

/// Of space and types of the row.
[[nodiscard]] std::unique_ptr<Runner> make_runner(Cases const& cases, Levels const& row);

[[nodiscard]] std::unique_ptr<Runner> make_runner_f64(Cases const& cases, Levels const& row);
[[nodiscard]] std::unique_ptr<Runner> make_runner_f32(Cases const& cases, Levels const& row);
[[nodiscard]] std::unique_ptr<Runner> make_runner_f32_f64(Cases const& cases, Levels const& row);
[[nodiscard]] std::unique_ptr<Runner> make_runner_c64(Cases const& cases, Levels const& row);

}  // namespace araia::test::cover
