// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dense operands whose scalar, shape and place are known at run time: described where they lie, or owned.

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <araia/detail/formats/element_type.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/io/host_dense.hpp>
#include <araia/plan/any_space.hpp>

namespace araia {

/// A dense array where it lies: element (i, j) of item k is element i row_stride + j column_stride + k item_stride of
/// `data`. A vector has one column, and what is no batch has one item. A stride along one element says nothing. Owns
/// nothing: the memory must stay until the work that reads or writes it is done.
/// \tparam Data  void, or void const where elements are only read
template <class Data>
struct AnyArray {
  Data* data = nullptr;  ///< aligned as its scalar asks
  ElementType scalar = ElementType::float64;
  MemorySpace memory = MemorySpace::host;
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::int64_t row_stride = 1;      ///< elements, not bytes; at least 0, as the others
  std::int64_t column_stride = -1;  ///< elements; has no default where there are more columns than one
  std::int64_t items = 1;
  std::int64_t item_stride = 0;  ///< elements; 0: all items are the same elements, which none may be that is written
  std::int64_t size = -1;        ///< elements that there are from `data` on; negative: not known, and not checked

  /// A template, as nvcc warns of a conversion to the class itself.
  template <std::same_as<Data const> Read>
  requires(!std::is_const_v<Data>) operator AnyArray<Read>() const {
    return {data, scalar, memory, rows, columns, row_stride, column_stride, items, item_stride, size};
  }
};
/// What is written.
using AnyView = AnyArray<void>;
/// What is read.
using AnyConstView = AnyArray<void const>;

/// The description of a Kokkos View: of rank 1 as a vector, of rank 2 as a matrix (rows, columns), of rank 3 as a batch
/// (items, rows, columns); of rank 0 as one element, where sums go.
/// \return an AnyView, or an AnyConstView where the View's elements are const
template <class View>
requires Kokkos::is_view_v<View>
auto any_view(View const& v) {
  static_assert(View::rank() <= 3, "araia::any_view: the View must have rank 0 to 3");
  using T = typename View::value_type;
  auto const extent = [&](std::size_t r) { return static_cast<std::int64_t>(v.extent(r)); };
  auto const stride = [&](std::size_t r) { return static_cast<std::int64_t>(v.stride(r)); };
  AnyArray<std::conditional_t<std::is_const_v<T>, void const, void>> any{
      .data = v.data(),
      .scalar = detail::element_type<std::remove_const_t<T>>(),
      .memory = detail::memory_space_of<typename View::memory_space>(),
      .rows = 1,
      .size = static_cast<std::int64_t>(v.span())};
  constexpr std::size_t first = View::rank() == 3 ? 1 : 0;
  if constexpr (View::rank() >= 1) {
    any.rows = extent(first);
    any.row_stride = stride(first);
  }
  if constexpr (View::rank() >= 2) {
    any.columns = extent(first + 1);
    any.column_stride = stride(first + 1);
  }
  if constexpr (View::rank() == 3) {
    any.items = extent(0);
    any.item_stride = stride(0);
  }
  return any;
}

/// A dense matrix, or a vector as one column, in memory of an execution space. Copies share the elements, as those of a
/// Kokkos View do; the last one frees them, and must be gone before Kokkos::finalize.
class AnyDense {
 public:
  AnyDense() = default;
  /// Zeros, written in the order of exec's work.
  /// \param scalar  float32, float64 or complex_float64
  /// \param layout  left or right, without gaps between columns or rows
  /// \throws araia::Error invalid_argument for negative extents, another scalar or layout; resource_limit for more than
  ///         default_host_memory_limit() on the host, or where there is no memory
  AnyDense(AnySpace const& exec, ElementType scalar, std::int64_t rows, std::int64_t columns = 1,
           DenseLayout layout = DenseLayout::right);
  /// The elements of a file's matrix, each rounded to the scalar; complete when this returns.
  /// \throws araia::Error as above, and before anything is allocated: dimension_mismatch where the values are not
  ///         rows * columns, unsupported for complex values in a real scalar
  AnyDense(AnySpace const& exec, ElementType scalar, HostDense const& from, DenseLayout layout = DenseLayout::right);

  [[nodiscard]] AnyView view() const { return view_; }
  [[nodiscard]] ElementType scalar() const { return view_.scalar; }
  [[nodiscard]] std::int64_t rows() const { return view_.rows; }
  [[nodiscard]] std::int64_t columns() const { return view_.columns; }
  /// Of the elements.
  [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(view_.size) * bytes_of(view_.scalar); }

  /// The elements on the host, as files have them. Waits for exec's work.
  /// \param to  whose memory is used again where its values are of such a size and type; a call that throws leaves it
  ///            as it was
  /// \throws araia::Error invalid_argument where the elements lie on a device and exec is a host's; resource_limit for
  ///         new memory on the host beyond default_host_memory_limit(), or where there is none
  void to_host(AnySpace const& exec, HostDense& to) const;
  [[nodiscard]] HostDense to_host(AnySpace const& exec) const;

 private:
  AnyView view_{.size = 0};
  std::shared_ptr<void const> owner_{};
};

/// to = from, element by element as they lie, in the order of exec's work, which may return before completion: both
/// must stay until then. Brings operands from the host to a device and back.
/// \param from, to  of one scalar and shape, and of the same strides, without gaps, apart from each other; exec reaches
///                  one of them, and the other one lies on the host or is reached too
/// \throws araia::Error invalid_argument where scalars, places or strides are not such; dimension_mismatch for other
///         shapes
/// Cost     2 bytes of traffic a byte copied, no allocation
void copy_operand(AnySpace const& exec, AnyConstView const& from, AnyView const& to);

}  // namespace araia
