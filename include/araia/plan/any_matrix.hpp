// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix and its plans with types and execution space chosen at run time: for bindings and programs whose types a
// file or a user decides. Plans of plan.hpp behind one interface; what a product costs beside theirs is one indirect
// call.

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/plan/any_dense.hpp>
#include <araia/plan/any_space.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>

namespace araia {

/// Scalars of A and of its operands.
enum class ScalarTypes {
  f64,
  f32,
  f32_f64,  ///< A in float, operands in double
  c64       ///< Kokkos::complex<double>
};
[[nodiscard]] char const* to_string(ScalarTypes types);
/// Of A's values.
[[nodiscard]] ElementType matrix_scalar(ScalarTypes types);
/// Of x and y, or B and C.
[[nodiscard]] ElementType operand_scalar(ScalarTypes types);
/// Those of this build: f64 alone where Araia_TYPES is minimal.
[[nodiscard]] std::vector<ScalarTypes> any_types();

/// default_machine or measure_machine of a space, on the instance.
[[nodiscard]] Machine any_machine(AnySpace const& exec, bool measure);

/// A plan behind its types: what plans of all operations have in common. Each product is asynchronous on exec as that
/// of Plan, allocates nothing and has no fence beyond it. Operands are checked before any work, in O(1), batches in
/// O(items): a refused call changes nothing. Thread safety, life and values of a plan are those of Plan; it must be
/// gone before Kokkos::finalize.
///
/// Arguments exec are instances of the plan's execution space; calls without one are on the instance that the plan was
/// made on. Errors that every call has, beside its own: invalid_argument for an instance of another space, for an
/// operand of another scalar, in memory that exec does not reach, at no address or a misaligned one, with negative
/// strides, or that is written and whose elements share places; dimension_mismatch for one that is shorter than its
/// shape and strides say.
class AnyTunedPlan {
 public:
  AnyTunedPlan() = default;
  AnyTunedPlan(AnyTunedPlan const&) = delete;
  AnyTunedPlan& operator=(AnyTunedPlan const&) = delete;
  virtual ~AnyTunedPlan() = default;

  /// Takes the values of a matrix of the same structure, as Plan::update_values.
  /// \param values  (nnz) of the matrix's scalar, one after another, in the order of the entries of the AnyMatrix;
  ///                shared by the plan, and so to stay as they are until the next call
  /// \throws araia::Error as Plan::update_values; invalid_argument for another stride than 1
  virtual void update_values(AnySpace const& exec, AnyConstView const& values) = 0;
  void update_values(AnyConstView const& values) { update_values(space(), values); }

  /// As Plan::verify: allocates operands, fences.
  [[nodiscard]] virtual VerifyReport verify(AnySpace const& exec) const = 0;
  [[nodiscard]] VerifyReport verify() const { return verify(space()); }

  /// As Plan::release_source; the AnyMatrix keeps its arrays while it lives.
  virtual void release_source() = 0;
  /// As Plan::shares_values.
  [[nodiscard]] virtual bool shares_values() const = 0;
  [[nodiscard]] virtual TuneReport const& report() const = 0;
  /// As Plan::bytes and Plan::workspace_bytes.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t workspace_bytes() const = 0;
  /// May products be captured into a CUDA graph?
  [[nodiscard]] virtual bool capturable() const = 0;

  /// What it was made on.
  [[nodiscard]] virtual AnySpace const& space() const = 0;
  [[nodiscard]] virtual ScalarTypes types() const = 0;
  /// Of op(A).
  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] std::int64_t cols() const;
  [[nodiscard]] Choice const& choice() const { return report().winner().choice; }
  [[nodiscard]] std::string explain() const { return araia::explain(report()); }
};

/// A plan of SpmvDesc or SpmmDesc: products with one operand.
class AnyPlan : public AnyTunedPlan {
 public:
  /// C = alpha op(A) B + beta C, or with vectors as matrices of one column y = alpha op(A) x + beta y.
  /// \param alpha, beta  rounded to the operands' scalar; of real plans with no imaginary part
  /// \param b  (columns of op(A), columns), as described when the plan was made; of SpMM also a batch
  /// \param c  (rows of op(A), columns), likewise, apart from b; beta == 0 overwrites it, NaN included
  /// \throws araia::Error as Plan::execute; invalid_argument where alpha or beta is complex and the plan real, or
  ///         beyond the range of its scalar
  virtual void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& b,
                       std::complex<double> beta, AnyView const& c) const = 0;
  void execute(std::complex<double> alpha, AnyConstView const& b, std::complex<double> beta, AnyView const& c) const {
    execute(space(), alpha, b, beta, c);
  }
};

/// A plan of SpmvDesc: execute refuses other columns than one.
class AnySpmvPlan : public AnyPlan {
 public:
  [[nodiscard]] virtual SpmvDesc const& description() const = 0;

  /// r = b - op(A) x, as Plan::residual.
  /// \param b, x, r       vectors of the operands' scalar
  /// \param norm_squared  one element of the real type of that scalar, in memory that exec reaches, which gets the sum
  ///                      of |r_i|^2; the default, of no elements, leaves it out
  virtual void residual(AnySpace const& exec, AnyConstView const& b, AnyConstView const& x, AnyView const& r,
                        AnyView const& norm_squared) const = 0;
  void residual(AnySpace const& exec, AnyConstView const& b, AnyConstView const& x, AnyView const& r) const {
    residual(exec, b, x, r, {});
  }

  /// y = op(A) x and dot = x'y, as Plan::multiply_dot.
  /// \param dot  one element of the operands' scalar, in memory that exec reaches
  virtual void multiply_dot(AnySpace const& exec, AnyConstView const& x, AnyView const& y,
                            AnyView const& dot) const = 0;
};

/// What is done to C as it is stored, as Epilogue has it: C = act(alpha op(A) B + beta C + bias + R). Parts of
/// no elements, as the defaults are, are left out; all are of the operands' scalar.
struct AnyEpilogue {
  AnyConstView row_bias{};     ///< (rows of C)
  AnyConstView column_bias{};  ///< (columns of C)
  AnyConstView residual{};     ///< R, of C's shape and items, apart from C
  bool relu = false;           ///< act(x) = x < 0 ? 0 : x, of real scalars alone
};

/// A plan of SpmmDesc. Operands may be batches: C_i = alpha op(A) B_i + beta C_i for each item.
class AnySpmmPlan : public AnyPlan {
 public:
  using AnyPlan::execute;

  [[nodiscard]] virtual SpmmDesc const& description() const = 0;
  /// C = act(alpha op(A) B + beta C + bias + R), as Plan::execute with an epilogue.
  virtual void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& b,
                       std::complex<double> beta, AnyView const& c, AnyEpilogue const& epilogue) const = 0;
  /// As Plan::fuses_epilogue.
  [[nodiscard]] virtual bool fuses_epilogue() const = 0;
};

/// A plan of SddmmDesc.
class AnySddmmPlan : public AnyTunedPlan {
 public:
  [[nodiscard]] virtual SddmmDesc const& description() const = 0;
  /// D = alpha A .* (X op(Y)) + beta D at the entries of A, as Plan::execute of SddmmDesc.
  /// \param alpha, beta  rounded to the operands' scalar; of real plans with no imaginary part
  /// \param x, y         matrices as described
  /// \param d            (nnz) vector, a value an entry in the order of the AnyMatrix's entries; beta == 0 overwrites
  /// it \throws araia::Error as Plan::execute; invalid_argument where alpha or beta is complex and the plan real, or
  ///         beyond the range of its scalar
  virtual void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& x, AnyConstView const& y,
                       std::complex<double> beta, AnyView const& d) const = 0;
  void execute(std::complex<double> alpha, AnyConstView const& x, AnyConstView const& y, std::complex<double> beta,
               AnyView const& d) const {
    execute(space(), alpha, x, y, beta, d);
  }
};

/// A Csr in the memory of an execution space; it and its plans must be gone before Kokkos::finalize.
class AnyMatrix {
 public:
  AnyMatrix() = default;
  AnyMatrix(AnyMatrix const&) = delete;
  AnyMatrix& operator=(AnyMatrix const&) = delete;
  virtual ~AnyMatrix() = default;

  /// What it was made on.
  [[nodiscard]] virtual AnySpace const& space() const = 0;
  [[nodiscard]] virtual ScalarTypes types() const = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::int64_t cols() const = 0;
  [[nodiscard]] virtual std::int64_t nnz() const = 0;
  /// Of the arrays.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual int offset_bits() const = 0;
  [[nodiscard]] virtual bool has_values() const = 0;
  /// A copy on the host of the entries, by rows, in the order that AnyPlan::update_values takes values in. Waits for
  /// the space's work.
  /// \throws araia::Error resource_limit; std::bad_alloc
  [[nodiscard]] virtual HostCoo entries() const = 0;

  [[nodiscard]] virtual RowStats stats(RowStatsOptions const& options) const = 0;
  /// What the matrix takes in the format of the choice, exactly: the symbolic half of the conversion.
  /// \throws araia::Error unsupported where the library has no such format for these scalars; resource_limit
  [[nodiscard]] virtual Footprint footprint(Choice const& choice) const = 0;
  /// Fill of blocks of some shapes, over all rows.
  [[nodiscard]] virtual std::vector<BlockFill> block_fill() const = 0;
  /// As Problem has it, of all rows; negative where plans do not look.
  [[nodiscard]] virtual std::int64_t shared_entries() const = 0;

  /// As make_plan, on the instance that the matrix was made on. The plan shares the matrix's arrays, which stay while
  /// it lives.
  /// \throws araia::Error as make_plan
  [[nodiscard]] virtual std::unique_ptr<AnySpmvPlan> plan(SpmvDesc const& desc, PlanOptions const& options) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnySpmmPlan> plan(SpmmDesc const& desc, PlanOptions const& options) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnySddmmPlan> plan(SddmmDesc const& desc, PlanOptions const& options) const = 0;
};

/// Assembles a file's entries and brings them to exec's memory: rows in order, columns ascending in each, duplicates
/// summed. Offsets are as wide as the number of entries needs.
/// \throws araia::Error resource_limit; invalid_argument for complex values in a real type; unsupported where
///         Araia_TYPES=minimal left the types out
[[nodiscard]] std::unique_ptr<AnyMatrix> make_any_matrix(AnySpace const& exec, HostCoo const& coo, ScalarTypes types);

/// Arrays of a Csr of the application, each a vector of stride 1.
struct AnyCsr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  AnyConstView row_offsets{};  ///< (rows + 1) int32, or int64 in builds of all types
  AnyConstView col_indices{};  ///< (nnz) int32
  AnyConstView values{};       ///< (nnz) of matrix_scalar(types); the default, of no elements: a pattern, all ones
};

/// A matrix over the application's arrays, where they lie: nothing is copied, and they must stay while the matrix or a
/// plan of it lives. Entries keep their order.
/// \throws araia::Error invalid_structure naming the broken rule and its first place, also where row_offsets are not
///         rows + 1; invalid_argument for arrays of other types, strides, at no address, or in memory that exec does
///         not reach; dimension_mismatch for values of another length than col_indices, and for an array that is no
///         vector or is shorter than it says; unsupported as above
/// Cost    O(rows + nnz) of checking; fences exec
[[nodiscard]] std::unique_ptr<AnyMatrix> make_any_matrix(AnySpace const& exec, AnyCsr const& csr, ScalarTypes types);

}  // namespace araia
