// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// make_plan from any format: through Csr. The conversion of a format needs its header, formats/csr_to_<format>.hpp;
// that of Coo and Ell is here.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csc_pointers.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/plan.hpp>

namespace araia {

template <class Scalar, class Ordinal, class Offset, class Device>
struct Csc;

namespace detail {

template <class Matrix>
inline constexpr bool is_csr_v = false;
template <class S, class O, class F, class D>
inline constexpr bool is_csr_v<Csr<S, O, F, D>> = true;

/// A matrix of A's structure whose values are the places of its entries: to_csr of it tells where each entry of the Csr
/// comes from. For formats whose entries have an order of their own.
template <class S, class O, class D, class Places>
static auto with_places(Coo<S, O, D> const& A, Places const& places) {
  Coo<std::uint32_t, O, typename Places::device_type> twin{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  twin.row_indices = A.row_indices;
  twin.col_indices = A.col_indices;
  twin.values = places;
  twin.sorted = A.sorted;
  return twin;
}
template <class S, class O, class F, class D, class Places>
static auto with_places(Csc<S, O, F, D> const& A, Places const& places) {
  Csc<std::uint32_t, O, F, typename Places::device_type> twin{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  twin.col_offsets = A.col_offsets;
  twin.row_indices = A.row_indices;
  twin.values = places;
  return twin;
}

/// Entry k of the Csr made from A is entry places(k) of A.
template <class Exec, class Matrix>
static Kokkos::View<std::uint32_t*, typename Matrix::device_type> source_places(Exec const& exec, Matrix const& A) {
  using Device = typename Matrix::device_type;
  require_fits<std::uint32_t>("araia::Plan::update_values: entries of a source in another order", A.nnz);
  auto const places = new_array<std::uint32_t, Device>(exec, "araia::plan::places", A.nnz);
  for_each_index(
      "araia::plan::places", IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k) { places(k) = static_cast<std::uint32_t>(k); });
  auto const values = to_csr<std::int64_t>(exec, with_places(A, places)).values;
  exec.fence("araia::plan::places: workspace is released");
  return values;
}

/// ordered(k) = values(places(k)).
template <class Exec, class Ordered, class Values, class Places>
static void gather_values(Exec const& exec, Ordered const& ordered, Values const& values, Places const& places) {
  for_each_index(
      "araia::plan::gather_values", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(places.extent(0))),
      KOKKOS_LAMBDA(std::int64_t k) { ordered(k) = values(places(k)); });
}

/// The order of a Coo's or Csc's entries: found at the first use, then kept, as are the two arrays that
/// values are ordered in by turns: a later use allocates nothing.
template <class Exec, class Values, class Matrix>
class PlacesInSource final : public ValueOrder<Exec, Values> {
 public:
  explicit PlacesInSource(Matrix const& A) : matrix_(A), nnz_(A.nnz) {}

  Values ordered(Exec const& exec, Values const& values) override {
    require_extent_equal("araia::Plan::update_values", "number of values", static_cast<std::int64_t>(values.extent(0)),
                         nnz_);
    if (places_.extent(0) == 0 && nnz_ > 0) find_places(exec);
    gather_values(exec, next_, values, places_);
    return next_;
  }
  void accept() noexcept override { std::swap(next_, accepted_); }
  [[nodiscard]] std::uint64_t bytes() const override {
    return places_.span() * sizeof(std::uint32_t) +
           (next_.span() + accepted_.span()) * sizeof(typename Values::value_type);
  }

 private:
  using Array = typename Values::non_const_type;

  void find_places(Exec const& exec) {
    auto const array = [&] {
      return new_array<typename Values::non_const_value_type, typename Values::device_type>(exec, "araia::plan::values",
                                                                                            nnz_);
    };
    Array const next = array();
    Array const accepted = array();
    places_ = source_places(exec, matrix_);
    next_ = next;
    accepted_ = accepted;
    matrix_ = {};
  }

  Matrix matrix_;  // until its places are known
  std::int64_t nnz_;
  Kokkos::View<std::uint32_t*, typename Matrix::device_type> places_{};
  Array next_{};
  Array accepted_{};
};

/// The order of A's entries, or null where it is that of its Csr.
template <class Exec, class Values, class Matrix>
std::unique_ptr<ValueOrder<Exec, Values>> order_of_values(Matrix const& A) {
  using Places = Kokkos::View<std::uint32_t*, typename Matrix::device_type>;
  if constexpr (requires { with_places(A, Places()); }) {
    if constexpr (requires { A.sorted; })
      if (A.sorted) return {};
    return std::make_unique<PlacesInSource<Exec, Values, Matrix>>(A);
  }
  return {};
}

}  // namespace detail

/// A plan for products with A, in any format but Csr. A is brought to Csr, which the plan owns: release_source() lets
/// go of both where the plan runs another format. update_values takes values in A's order of entries for Coo, sorted or
/// not, and for Csc (4 bytes and two values an entry from the first call on, and then A is no longer held); for formats
/// with padding or fill, in the order of to_csr(exec, A): row by row.
/// \throws araia::Error as make_plan from Csr, and as to_csr
/// Cost     that of validate(A) unless options.validate is false, of make_plan from Csr, of to_csr, and the Csr's bytes
/// while the plan keeps it
template <class XScalar = void, class YScalar = void, class Exec, class Desc, class Matrix>
requires(!detail::is_csr_v<Matrix> && requires(Exec const& exec, Matrix const& A) {
  to_csr<std::int32_t>(exec, A);
}) auto make_plan(Exec const& exec, Desc const& desc, Matrix const& A, PlanOptions const& options = {}) {
  using AScalar = typename Matrix::value_type;
  using X = std::conditional_t<std::is_void_v<XScalar>, AScalar, XScalar>;
  using Y = std::conditional_t<std::is_void_v<YScalar>, X, YScalar>;
  using Result = Plan<Exec, Desc, AScalar, X, Y>;
  if (options.validate) validate(exec, A);
  PlanOptions of_csr = options;
  of_csr.validate = false;
  auto const of = [&]<class Offset>() {
    auto const csr = to_csr<Offset>(exec, A);
    using Source = Csr<AScalar const, typename Matrix::ordinal_type, Offset, typename Exec::device_type>;
    Source source{.rows = csr.rows, .cols = csr.cols, .nnz = csr.nnz};
    source.row_offsets = csr.row_offsets;
    source.col_indices = csr.col_indices;
    source.values = csr.values;
    return detail::plan_of<Result, Desc, X, Y>(
        exec, desc, source, A, detail::order_of_values<Exec, typename Result::values_type>(A), {}, of_csr);
  };
  static_assert(detail::has_plans<AScalar, X, Y, typename Matrix::ordinal_type, std::int32_t>,
                "araia::make_plan: plans exist for the scalars and ordinals that make_plan from Csr names");
  static_assert(detail::is_written_out_space<Exec>,
                "araia::make_plan: this build holds no plans for exec; Araia_SPACES=all adds Serial beside OpenMP");
  static_assert(std::is_same_v<typename Matrix::memory_space, typename Exec::memory_space>,
                "araia::make_plan: A must be in exec's own memory space; copy_to brings it there");
  if constexpr (detail::has_all_types)
    if (A.nnz > std::numeric_limits<std::int32_t>::max()) return of.template operator()<std::int64_t>();
  return of.template operator()<std::int32_t>();
}

}  // namespace araia
