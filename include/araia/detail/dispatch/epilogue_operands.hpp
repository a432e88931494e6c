// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Epilogues and batches as one-shot calls and plans take them: checked, and in kernels' form.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <araia/error.hpp>

namespace araia {

/// What is done to C = alpha op(A) B + beta C as it is stored: C = act(alpha op(A) B + beta C + bias + R). Views that
/// are not given are left out.
/// \tparam Scalar, Device  of C
/// \tparam rank  of C: 2, or 3 for a batch, whose items share the biases
template <class Scalar, class Device, int rank = 2>
struct Epilogue {
  static_assert(rank == 2 || rank == 3, "araia::Epilogue: C has rank 2, or 3 for a batch");
  using residual_type = std::conditional_t<rank == 2, Scalar const**, Scalar const***>;

  Kokkos::View<Scalar const*, Kokkos::LayoutStride, Device> row_bias{};     ///< (rows of C)
  Kokkos::View<Scalar const*, Kokkos::LayoutStride, Device> column_bias{};  ///< (columns of C)
  Kokkos::View<residual_type, Kokkos::LayoutStride, Device> residual{};     ///< R, of C's extents, apart from C
  bool relu = false;  ///< act(x) = x < 0 ? 0 : x, of real scalars alone; NaN stays NaN
};

/// The one for C of this View type.
template <class C>
using epilogue_t = Epilogue<typename C::non_const_value_type, typename C::device_type, static_cast<int>(C::rank())>;

/// A Kokkos View of rank three, (items, rows, columns), that the execution space reaches.
template <class V, class Exec>
concept BatchView = Kokkos::is_view_v<V> &&(V::rank() == 3) &&
                    static_cast<bool>(Kokkos::SpaceAccessibility<Exec, typename V::memory_space>::accessible);

namespace detail {

/// A View of rank 2 as a batch of one, or of rank 3.
template <class View>
auto dense_batch(View const& v) {
  using T = typename View::value_type;
  if constexpr (View::rank() == 2) {
    return DenseBatch<T>{dense_matrix(v)};
  } else {
    auto const stride = [&](std::size_t i) { return static_cast<std::int64_t>(v.stride(i)); };
    auto const extent = [&](std::size_t i) { return static_cast<std::int64_t>(v.extent(i)); };
    DenseBatch<T> batch{{v.data(), extent(1), extent(2), stride(1), stride(2)}, extent(0), stride(0)};
    if (extent(2) == 1) batch.first.column_stride = 1;  // as dense_matrix
    return batch;
  }
}

template <class T>
DenseBatch<T const> as_const(DenseBatch<T> const& b) {
  return {as_const(b.first), b.count, b.stride};
}

/// All items' elements as one interval of memory.
template <class T>
DenseMatrix<T> memory_of(DenseBatch<T> const& b) {
  if (b.count == 0 || b.first.rows == 0 || b.first.columns == 0) return {};
  std::int64_t const size = (b.count - 1) * b.stride + span(b.first);
  return {b.first.data, size, 1, 1, size};
}

/// Do an item of the one and an item of the other share an element? Where items are equally far apart in both, their
/// distance decides, in O(items); else those pairs are looked at whose intervals of memory meet.
template <class T, class U>
bool overlap(DenseBatch<T> a, DenseBatch<U> b) {
  if (!overlap(memory_of(a), memory_of(b))) return false;
  if (a.stride == 0) a.count = 1;
  if (b.stride == 0) b.count = 1;
  if (a.count == 1 || b.count == 1 || (sizeof(T) == sizeof(U) && a.stride == b.stride)) {
    for (std::int64_t i = 0; i < a.count; ++i)
      if (overlap(a.item(i), b.item(0))) return true;
    for (std::int64_t j = 1; j < b.count; ++j)
      if (overlap(a.item(0), b.item(j))) return true;
    return false;
  }
  auto const first = [](auto const& item) { return reinterpret_cast<std::intptr_t>(item.data); };
  auto const bytes = [](auto const& batch) {
    return span(batch.first) * static_cast<std::int64_t>(sizeof(*batch.first.data));
  };
  std::int64_t const step = b.stride * static_cast<std::int64_t>(sizeof(U));
  for (std::int64_t i = 0; i < a.count; ++i) {
    std::int64_t const from = first(a.item(i)) - first(b.first) - bytes(b);  // item j begins after this,
    std::int64_t const to = first(a.item(i)) - first(b.first) + bytes(a);    // and before that
    std::int64_t const last = std::min(to <= 0 ? 0 : (to - 1) / step + 1, b.count);
    for (std::int64_t j = from < 0 ? 0 : from / step + 1; j < last; ++j)
      if (overlap(a.item(i), b.item(j))) return true;
  }
  return false;
}

/// \throws araia::Error invalid_argument where an item of the one and an item of the other share an element
template <class T, class U>
void require_disjoint(char const* op, char const* in, DenseBatch<T> const& a, char const* out, DenseBatch<U> const& b) {
  if (overlap(a, b)) throw_overlap(op, in, out);
}

/// \throws araia::Error invalid_argument where items of C share an element
template <class T>
void require_items_apart(char const* op, DenseBatch<T> const& c) {
  if (c.first.rows == 0 || c.first.columns == 0) return;
  std::int64_t const size = span(c.first);
  for (std::int64_t k = 1; k < c.count && k * c.stride < size; ++k)
    if (overlap(c.first, c.item(k)))
      throw Error(ErrorKind::invalid_argument, std::string(op) + ": the stride between items of C is " +
                                                   std::to_string(c.stride) + ", expected items apart");
}

/// The operands of a product's batch against the shape of op(A).
/// \throws araia::Error dimension_mismatch, invalid_argument
template <class X, class Y>
void require_batch(char const* op, OpShape const& shape, DenseBatch<X> const& b, DenseBatch<Y> const& c) {
  require_extent_equal(op, "number of items of C", c.count, b.count);
  require_extent_equal(op, "number of rows of B", b.first.rows, shape.cols);
  require_extent_equal(op, "number of rows of C", c.first.rows, shape.rows);
  require_extent_equal(op, "number of columns of C", c.first.columns, b.first.columns);
  require_places(op, "C", c.first);
  require_items_apart(op, c);
  require_disjoint(op, "B", b, "C", c);
}

/// \throws araia::Error dimension_mismatch; invalid_argument where a part of it overlaps C; unsupported for the ReLU of
///         complex scalars
template <class Exec, class Scalar, class Device, int rank>
EpiloguePointers<Scalar> epilogue_operands(char const* op, Epilogue<Scalar, Device, rank> const& e,
                                           DenseBatch<Scalar> const& c) {
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Device::memory_space>::accessible,
                "araia: bias and residual must be in memory that exec reaches");
  if (is_complex_v<Scalar> && e.relu)
    throw Error(ErrorKind::unsupported, std::string(op) + ": relu is asked for, which complex scalars do not have");
  EpiloguePointers<Scalar> p;
  p.relu = e.relu;
  auto const bias = [&](auto const& view, char const* name, char const* length, std::int64_t expected,
                        Scalar const*& data, std::int64_t& stride) {
    if (!view.data()) return;
    auto const v = dense_vector(view);
    require_extent_equal(op, length, v.size, expected);
    require_disjoint(op, name, DenseBatch<Scalar const>{as_matrix(v)}, "C", c);
    data = v.data;
    stride = v.stride;
  };
  bias(e.row_bias, "row_bias", "length of row_bias", c.first.rows, p.row_bias, p.row_bias_stride);
  bias(e.column_bias, "column_bias", "length of column_bias", c.first.columns, p.column_bias, p.column_bias_stride);
  if (e.residual.data()) {
    auto const r = dense_batch(e.residual);
    require_extent_equal(op, "number of items of residual", r.count, c.count);
    require_extent_equal(op, "number of rows of residual", r.first.rows, c.first.rows);
    require_extent_equal(op, "number of columns of residual", r.first.columns, c.first.columns);
    require_disjoint(op, "residual", r, "C", c);
    p.residual = r.first.data;
    p.residual_row_stride = r.first.row_stride;
    p.residual_column_stride = r.first.column_stride;
    p.residual_batch_stride = r.stride;
  }
  return p;
}

}  // namespace detail
}  // namespace araia
