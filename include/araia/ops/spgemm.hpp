// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The product of two sparse matrices, C = alpha A B, in two steps: a symbolic one that knows the entries and the bytes
// of C before it is allocated, and a numeric one that runs again whenever values change. Of types that the library does
// not bring (see written_out.hpp) include <araia/ops/spgemm_impl.hpp> in its place.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/gather_map.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>
#include <araia/detail/ops/spgemm_options.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

namespace detail {
/// What op(A) has that A has not: rows of its own and values in their order, or conjugates alone.
template <class Exec, class Scalar, class Ordinal, class Offset>
struct SpgemmOwn {
  using Device = typename Exec::device_type;
  Kokkos::View<Scalar const*, Device> given{};  // A's values, which execute() reads; empty where op(A) is A
  Kokkos::View<Offset*, Device> row_offsets{};
  Kokkos::View<Ordinal*, Device> col_indices{};
  Kokkos::View<Scalar*, Device> values{};
  GatherMap<Device> source{};  // empty where the order is A's
};

/// op(A) and op(B) as they are multiplied, shared by the products of a plan, which differ in their kernel.
template <class Exec, class Scalar, class Ordinal, class Offset>
class SpgemmInputs {
 public:
  using Device = typename Exec::device_type;
  using Operand = Csr<Scalar const, Ordinal, Offset, Device>;

  /// Checks A and B and makes what op(A) and op(B) have of their own; throws as make_spgemm.
  SpgemmInputs(Exec const& exec, Operand const& A, Operand const& B, SpgemmOptions const& options);

  [[nodiscard]] Operand const& a() const { return a_; }
  [[nodiscard]] Operand const& b() const { return b_; }
  [[nodiscard]] SpgemmOperands<Scalar, Ordinal, Offset> const& pointers() const { return operands_; }
  /// Found the first time, which fences exec.
  [[nodiscard]] SpgemmFacts const& facts() const;
  /// Of the arrays that are op(A)'s and op(B)'s alone.
  [[nodiscard]] std::uint64_t bytes() const;
  /// The values that op(A) and op(B) have of their own, of those that A and B have now.
  void gather() const;
  void take_values(Operand const& A, Operand const& B);

 private:
  using Own = SpgemmOwn<Exec, Scalar, Ordinal, Offset>;

  void apply(Operand& of, Op op, Own& own);
  void require_same(Operand const& mine, Operand const& from, Op op, char const* name) const;

  Exec exec_;
  Op op_a_;
  Op op_b_;
  bool pattern_only_;
  std::uint64_t memory_limit_;
  Operand a_;
  Operand b_;
  Own a_own_{};
  Own b_own_{};
  SpgemmOperands<Scalar, Ordinal, Offset> operands_{};
  mutable std::optional<SpgemmFacts> facts_{};
};

/// The same arrays, as the library takes them.
template <class Operand, class Matrix>
Operand spgemm_operand(Matrix const& A) {
  return {.rows = A.rows,
          .cols = A.cols,
          .nnz = A.nnz,
          .row_offsets = A.row_offsets,
          .col_indices = A.col_indices,
          .values = A.values,
          .row_permutation = A.row_permutation};
}

/// Offsets of another type.
template <class To, class Exec, class From>
static Kokkos::View<To*, typename Exec::device_type> spgemm_converted(Exec const& exec, From const& from) {
  auto const count = static_cast<std::int64_t>(from.size());
  auto const to = new_array<To, typename Exec::device_type>(exec, "araia::csr::row_offsets", count);
  for_each_index(
      "araia::spgemm::offsets", IndexRange<Exec>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t i) { to(i) = static_cast<To>(from(i)); });
  return to;
}
}  // namespace detail

/// The product of two matrices, made by make_spgemm. A and B are shared, not copied, and so is C: execute() reads the
/// values that they have then. Their structure must stay as make_spgemm saw it.
template <class Exec, class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t>
class Spgemm {
 public:
  using Device = typename Exec::device_type;
  using Operand = Csr<Scalar const, Ordinal, Offset, Device>;
  using Narrow = Csr<Scalar, Ordinal, detail::spgemm_narrow_t<Offset>, Device>;  ///< C where its entries fit
  using Wide = Csr<Scalar, Ordinal, std::int64_t, Device>;                       ///< C where they do not

  using Inputs = detail::SpgemmInputs<Exec, Scalar, Ordinal, Offset>;

  /// The symbolic step; see make_spgemm.
  Spgemm(Exec const& exec, Operand const& A, Operand const& B, SpgemmOptions const& options)
      : Spgemm(exec, Inputs(exec, A, B, options), options) {}
  /// The same of operands that other products have too. \param options  those of the inputs, but for the kernel
  Spgemm(Exec const& exec, Inputs inputs, SpgemmOptions const& options);
  Spgemm(Spgemm&&) noexcept;
  Spgemm& operator=(Spgemm&&) noexcept;
  ~Spgemm();

  /// What the symbolic step found: exact entries and bytes of C, the workspace, which rows are summed how.
  [[nodiscard]] SpgemmReport const& report() const { return report_; }

  /// op(A) and op(B) as they are multiplied.
  [[nodiscard]] Inputs const& inputs() const { return inputs_; }

  /// C = alpha op(A) op(B), or C += that where options.add is set. The first call allocates C and fills its columns,
  /// later ones write values alone. With alpha = 0 no value of A and B counts, infinite or not a number.
  /// \throws araia::Error device, or std::runtime_error of Kokkos, where C cannot be allocated
  /// Cost      2 products flop; allocates C the first time, on some kernels workspace within what was announced; fences
  ///           exec
  /// Rounding  |error_ij| <= gamma(n_ij + 2) (|alpha| |A| |B|)_ij with n_ij products for the entry, in the accumulator
  ///           of Scalar, added in the order of A's entries: the same bits at any number of threads; on CUDA row_bins
  ///           adds in any order unless options.deterministic
  void execute(Scalar const& alpha = Scalar(1));

  /// Other arrays of values of A and B for the next execute(). Of both the values alone are taken, in the structure
  /// that make_spgemm saw. Where this throws nothing has changed.
  /// \throws araia::Error dimension_mismatch where rows, cols or nnz are others; invalid_argument where one has values
  ///         and had none, or the other way
  template <class MatrixA, class MatrixB>
  void update_values(MatrixA const& A, MatrixB const& B) {
    inputs_.take_values(detail::spgemm_operand<Operand>(A), detail::spgemm_operand<Operand>(B));
  }

  /// C, which shares its arrays with this: the next execute() writes them. Without values with options.pattern_only.
  /// \throws araia::Error invalid_argument before the first execute(); report() has C's entries and bytes then
  [[nodiscard]] std::variant<Narrow, Wide> c() const;

  /// C with offsets of a type of one's own, copied where they are others; then fences exec.
  /// \throws araia::Error resource_limit where its entries do not fit; as c()
  template <class To>
  [[nodiscard]] Csr<Scalar, Ordinal, To, Device> csr() const {
    return std::visit(
        [&](auto const& C) {
          Csr<Scalar, Ordinal, To, Device> result{.rows = C.rows, .cols = C.cols, .nnz = C.nnz};
          result.row_offsets = offsets_of<To>(C.row_offsets);
          result.col_indices = C.col_indices;
          result.values = C.values;
          return result;
        },
        c());
  }

 private:
  using Way = detail::SpgemmWay<Exec, Scalar, Ordinal, Offset>;

  template <class To, class From>
  [[nodiscard]] Kokkos::View<To const*, Device> offsets_of(From const& from) const {
    if constexpr (std::is_same_v<typename From::non_const_value_type, To>) {
      return from;
    } else {
      detail::require_fits<To>("araia::spgemm: entries of C", report_.nnz);
      auto const to = detail::spgemm_converted<To>(exec_, from);
      exec_.fence("araia::spgemm: offsets are converted");
      return to;
    }
  }

  void count();
  void report_bytes();

  Exec exec_;
  SpgemmOptions options_;
  SpgemmReport report_{};
  Inputs inputs_;
  std::unique_ptr<Way> way_;
  Kokkos::View<detail::spgemm_narrow_t<Offset>*, Device> narrow_{};  // (rows + 1) C's offsets, or:
  Kokkos::View<std::int64_t*, Device> wide_{};
  Kokkos::View<Ordinal*, Device> cols_{};
  Kokkos::View<Scalar*, Device> values_{};
  bool filled_ = false;
};

// A class is written out by name, on every space: src/spgemm has the definitions.
#define ARAIA_SPGEMM_OF(SPACE, LINKAGE, SCALAR)                                           \
  LINKAGE template class detail::SpgemmInputs<SPACE, SCALAR, std::int32_t, std::int32_t>; \
  LINKAGE template class detail::SpgemmInputs<SPACE, SCALAR, std::int32_t, std::int64_t>; \
  LINKAGE template class Spgemm<SPACE, SCALAR, std::int32_t, std::int32_t>;               \
  LINKAGE template class Spgemm<SPACE, SCALAR, std::int32_t, std::int64_t>;
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_OF, extern, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_OF, extern, float)
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_OF, extern, Kokkos::complex<double>)
#endif

/// The symbolic step of C = op(A) op(B).
/// \param exec     queue of the work
/// \param A, B     Csr that exec reaches, of one scalar, rows in matrix order, columns in any order, duplicates are
///                 added; absent values are ones
/// \param options  kernel, transposes, order of C's columns, caps of memory
/// \throws araia::Error dimension_mismatch naming both shapes; invalid_structure where A or B breaks a rule, unless
///         options.validate is false; invalid_argument naming the kernels where there is none of that name; unsupported
///         where rows are permuted, or for a kernel that does not run the types or the product;
///         resource_limit naming need and limit, before C is allocated
/// Cost      O(products) and O(rows + nnz); allocates the workspace and C's row offsets; fences exec
/// Source    [Gustavson1978]; docs/kernels/spgemm.md
template <class Exec, class ScalarA, class ScalarB, class Ordinal, class Offset, class DeviceA, class DeviceB>
[[nodiscard]] Spgemm<Exec, std::remove_const_t<ScalarA>, Ordinal, Offset> make_spgemm(
    Exec const& exec, Csr<ScalarA, Ordinal, Offset, DeviceA> const& A, Csr<ScalarB, Ordinal, Offset, DeviceB> const& B,
    SpgemmOptions const& options = {}) {
  using Scalar = std::remove_const_t<ScalarA>;
  static_assert(std::is_same_v<Scalar, std::remove_const_t<ScalarB>>,
                "araia::make_spgemm: A and B must have one scalar type");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename DeviceA::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<Exec, typename DeviceB::memory_space>::accessible,
                "araia::make_spgemm: A and B must be in memory that exec reaches");
  using Product = Spgemm<Exec, Scalar, Ordinal, Offset>;
  return Product(exec, detail::spgemm_operand<typename Product::Operand>(A),
                 detail::spgemm_operand<typename Product::Operand>(B), options);
}

/// C = op(A) op(B) in one call: make_spgemm and execute. C has offsets of A's type.
/// \throws araia::Error as make_spgemm; resource_limit where the entries of C do not fit Offset
template <class Exec, class ScalarA, class ScalarB, class Ordinal, class Offset, class DeviceA, class DeviceB>
[[nodiscard]] Csr<std::remove_const_t<ScalarA>, Ordinal, Offset, typename Exec::device_type> spgemm(
    Exec const& exec, Csr<ScalarA, Ordinal, Offset, DeviceA> const& A, Csr<ScalarB, Ordinal, Offset, DeviceB> const& B,
    SpgemmOptions options = {}) {
  options.offset_bits = sizeof(Offset) == 8 ? 64 : 32;
  auto product = make_spgemm(exec, A, B, options);
  product.execute();
  return product.template csr<Offset>();
}

}  // namespace araia
