// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix and its plans with types and execution space chosen at run time: what the command stands on.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <araia/assembly/row_stats.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/host_dense.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/description.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>
#include <araia/plan/traffic.hpp>

namespace araia {

/// Scalars of A and of its operands.
enum class ScalarTypes {
  f64,
  f32,
  f32_f64,  ///< A in float, operands in double
  c64       ///< Kokkos::complex<double>
};
[[nodiscard]] char const* to_string(ScalarTypes types);

/// "serial", "openmp", "cuda": those that Kokkos was built with.
[[nodiscard]] std::vector<std::string> any_spaces();
/// The default execution space, by the same names.
[[nodiscard]] std::string default_space();

/// default_machine or measure_machine of a space, on its default instance.
/// \throws araia::Error device naming the spaces that there are
[[nodiscard]] Machine any_machine(std::string const& space, bool measure);

/// A plan whose operands are matrices in host memory; SpMV is the case of one column.
class AnyPlan {
 public:
  virtual ~AnyPlan() = default;
  /// C = alpha op(A) B + beta C, copied to the execution space and back; fences.
  /// \throws araia::Error as Plan::execute; dimension_mismatch for values that do not fill B or C, and for several
  ///         columns of an SpMV; unsupported for complex operands of a real plan
  virtual void execute(double alpha, HostDense const& b, double beta, HostDense& c) const = 0;
  [[nodiscard]] virtual VerifyReport verify() const = 0;
  [[nodiscard]] virtual TuneReport const& report() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// A Csr in the memory of an execution space; offsets are as wide as the number of entries needs.
class AnyMatrix {
 public:
  virtual ~AnyMatrix() = default;
  [[nodiscard]] virtual RowStats stats(RowStatsOptions const& options) const = 0;
  /// What the matrix takes in the format of the choice, exactly: the symbolic half of the conversion.
  /// \throws araia::Error unsupported where the library has no such format for these scalars; resource_limit
  [[nodiscard]] virtual Footprint footprint(Choice const& choice) const = 0;
  /// Fill of blocks of some shapes, over all rows.
  [[nodiscard]] virtual std::vector<BlockFill> block_fill() const = 0;
  /// As Problem has it, of all rows; negative where plans do not look.
  [[nodiscard]] virtual std::int64_t shared_entries() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual int offset_bits() const = 0;
  [[nodiscard]] virtual bool has_values() const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyPlan> plan(SpmvDesc const& desc, PlanOptions const& options) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyPlan> plan(SpmmDesc const& desc, PlanOptions const& options) const = 0;
};

/// Assembles a file's entries and brings them to the space.
/// \throws araia::Error resource_limit; invalid_argument for complex values in a real type; unsupported where
///         Araia_TYPES=minimal left the types out; device for a space that Kokkos was built without
[[nodiscard]] std::unique_ptr<AnyMatrix> make_any_matrix(HostCoo const& coo, ScalarTypes types,
                                                         std::string const& space);

}  // namespace araia
