// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats to .araia files and back, whatever their types and memory.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/bcsc_validation.hpp>
#include <araia/detail/formats/container_arrays.hpp>
#include <araia/detail/formats/element_type.hpp>
#include <araia/detail/formats/sell_validate.hpp>
#include <araia/io/container.hpp>

namespace araia {

namespace detail {

/// describe() into a Container.
class ContainerWriter {
 public:
  explicit ContainerWriter(Container& container) : container_(container) {}

  template <class T>
  void parameter(T value) {
    container_.parameters[parameters_++] = static_cast<std::int64_t>(value);
  }
  template <class View, class... Extents>
  void indices(ArrayName name, View const& view, Extents...) {
    add(name, view);
  }
  template <class View>
  void offsets(ArrayName name, View const& view) {
    add(name, view);
  }
  template <class View, class... Extents>
  void values(ArrayName name, View const& view, Extents...) {
    add(name, view);
  }
  template <class View>
  void exactly(ArrayName name, View const& view) {
    add(name, view);
  }

 private:
  template <class View>
  void add(ArrayName name, View const& view) {
    using T = typename View::non_const_value_type;
    if (view.size() == 0) return;
    // The same View where the host reaches it: nothing is copied then.
    auto const host = host_copy_of(view);
    auto const owner = std::make_shared<std::remove_const_t<decltype(host)>>(host);
    // Offsets of size_t are read as signed ones.
    auto const type =
        std::is_same_v<T, std::uint64_t> && name != ArrayName::source ? ElementType::int64 : element_type<T>();
    container_.arrays.push_back({name, type, view.size(), {owner, owner->data()}});
  }

  Container& container_;
  std::size_t parameters_ = 0;
};

[[noreturn]] inline void throw_array(Container const& c, ArrayName name, std::string const& what) {
  throw_structure(std::string(to_string(c.format)) + ": " + to_string(name) + ' ' + what);
}

/// describe() out of a Container.
class ContainerReader {
 public:
  explicit ContainerReader(Container const& container) : container_(container) {}

  template <class T>
  void parameter(T& value) {
    std::int64_t const stored = container_.parameters[parameters_++];
    constexpr std::int64_t most =
        std::is_same_v<T, bool> ? 1 : static_cast<std::int64_t>(std::numeric_limits<T>::max());
    if (stored > most)
      throw_structure(std::string(to_string(container_.format)) + ": parameter " + std::to_string(parameters_) +
                      " is " + std::to_string(stored) + ", expected at most " + std::to_string(most));
    value = static_cast<T>(stored);
  }
  template <class View, class... Extents>
  void indices(ArrayName name, View& view, Extents... extents) {
    load(name, container_.ordinal, view, extents...);
  }
  template <class View>
  void offsets(ArrayName name, View& view) {
    load(name, container_.offset, view);
  }
  template <class View, class... Extents>
  void values(ArrayName name, View& view, Extents... extents) {
    load(name, container_.scalar, view, extents...);
  }
  /// An array whose elements have one type whatever those of the matrix; what has another is another View's.
  template <class View>
  void exactly(ArrayName name, View& view) {
    constexpr auto type = element_type<typename View::non_const_value_type>();
    auto const* const array = find(name);
    bool const narrow_rows = array && name == ArrayName::row_in_block && array->type == ElementType::uint8;
    if (array && (array->type == type || narrow_rows)) load(name, array->type, view);
  }

  /// Everything in the file belongs to the format.
  void finish() const {
    for (std::size_t i = parameters_; i < container_.parameters.size(); ++i)
      if (container_.parameters[i] != 0)
        throw_structure(std::string(to_string(container_.format)) + ": parameter " + std::to_string(i + 1) + " is " +
                        std::to_string(container_.parameters[i]) + ", but the format has none there");
    for (std::size_t i = 0; i < container_.arrays.size(); ++i)
      if (i >= 64 || (loaded_ >> i & 1u) == 0)
        throw_array(container_, container_.arrays[i].name,
                    std::string("of ") + to_string(container_.arrays[i].type) + " is no array of the format");
  }

 private:
  [[nodiscard]] ContainerArray const* find(ArrayName name) const {
    for (auto const& array : container_.arrays)
      if (array.name == name) return &array;
    return nullptr;
  }

  template <class View, class... Extents>
  void load(ArrayName name, ElementType stored, View& view, Extents... extents) {
    using T = typename View::non_const_value_type;
    using Target = Kokkos::View<std::conditional_t<sizeof...(Extents) == 2, T**, T*>, typename View::array_layout,
                                typename View::device_type>;
    constexpr bool shaped = sizeof...(Extents) == 2;
    auto const* const array = find(name);
    std::uint64_t elements = 1;
    ((elements = saturating_product(elements, static_cast<std::uint64_t>(extents))), ...);
    if (!array) {
      // Without elements, but with its shape.
      if constexpr (shaped)
        if (elements == 0) view = new_view<Target>(to_string(name), extents...);
      return;
    }
    loaded_ |= std::uint64_t{1} << (array - container_.arrays.data());
    if (array->type != stored)
      throw_array(container_, name,
                  std::string("is of ") + to_string(array->type) + ", the file's header says " + to_string(stored));
    if (shaped && elements != array->count)
      throw_array(container_, name,
                  "holds " + std::to_string(array->count) + " elements, expected " + std::to_string(elements));
    auto const label = std::string("araia::") + to_string(container_.format) + "::" + to_string(name);
    auto const target = [&] {
      if constexpr (shaped)
        return new_view<Target>(label, extents...);
      else
        return new_view<Target>(label, array->count);
    }();
    ask_for_huge_pages(target);
    Kokkos::View<T*, typename View::device_type, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const flat(target.data(),
                                                                                                     target.size());
    copy_elements<T>(*array, flat);
    view = target;
  }

  template <class T, class Flat>
  void copy_elements(ContainerArray const& array, Flat const& to) {
    using Host = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    bool const same =
        array.type == element_type<T>() || (std::is_same_v<T, std::uint64_t> && array.type == ElementType::int64);
    if (same) {
      copy_array(to, Host(static_cast<T const*>(array.data.get()), array.count));
      return;
    }
    using Wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::int64_t, T>;
    auto const wide = new_view<Kokkos::View<Wide*, Kokkos::HostSpace>>("araia::container::widened", array.count);
    if (!widen(array, wide.data()))
      throw Error(ErrorKind::unsupported, std::string("araia::from_container: ") + to_string(array.name) + " is of " +
                                              to_string(array.type) + ", the format asked for holds " +
                                              to_string(element_type<T>()));
    copy_array(to, Host(reinterpret_cast<T const*>(wide.data()), array.count));
  }

  Container const& container_;
  std::size_t parameters_ = 0;
  std::uint64_t loaded_ = 0;  // a bit an array
};

template <class Format>
inline constexpr bool is_sell = false;
template <class S, class O, class F, class D>
inline constexpr bool is_sell<Sell<S, O, F, D>> = true;

}  // namespace detail

/// A as a container. Its arrays are A's own where the host reaches them, and copies elsewhere; those of A must not
/// change while it lives.
/// Cost    nothing on hosts, a copy from devices; fences exec
template <class Exec, class Matrix>
Container to_container(Exec const& exec, Matrix const& A) {
  using Signed = std::conditional_t<std::is_same_v<typename Matrix::size_type, std::size_t>, std::int64_t,
                                    typename Matrix::size_type>;
  exec.fence("araia::to_container: the arrays are complete");
  Container c;
  c.format = detail::stored_format<Matrix>();
  c.scalar = detail::element_type<typename Matrix::value_type>();
  c.ordinal = detail::element_type<typename Matrix::ordinal_type>();
  c.offset = detail::element_type<Signed>();
  c.rows = A.rows;
  c.cols = A.cols;
  c.nnz = A.nnz;
  Matrix same = A;
  detail::ContainerWriter writer(c);
  detail::describe(writer, same);
  std::sort(c.arrays.begin(), c.arrays.end(),
            [](ContainerArray const& a, ContainerArray const& b) { return a.name < b.name; });
  return c;
}

/// The matrix that a container holds, in memory of its own, every invariant checked. Types of Format may be wider than
/// the stored ones where they hold each of their values.
/// \throws araia::Error unsupported where the container holds another format, or types that Format's do not hold;
///         invalid_structure naming what is missing, superfluous or broken
/// Cost    O(bytes), and that of validate; allocates the result; fences exec
template <class Format, class Exec>
Format from_container(Exec const& exec, Container const& c) {
  if (c.format != detail::stored_format<Format>())
    throw Error(ErrorKind::unsupported, std::string("araia::from_container: the format is ") + to_string(c.format) +
                                            ", expected " + Format::format_name);
  Format A{};
  A.rows = c.rows;
  A.cols = c.cols;
  A.nnz = c.nnz;
  detail::ContainerReader reader(c);
  detail::describe(reader, A);
  reader.finish();
  if constexpr (detail::is_sell<Format>) {
    // So many words make an index.
    if (A.column_words.extent(0) != 0 && c.ordinal != detail::element_type<typename Format::ordinal_type>())
      throw Error(ErrorKind::unsupported, std::string("araia::from_container: 16-bit columns of ") +
                                              to_string(c.ordinal) + " indices, the format asked for holds others");
  }
  validate(exec, A);
  return A;
}

/// Writes A as an .araia file, whole or not at all; compressed where `path` ends in .gz.
/// \throws araia::Error as write_container
template <class Exec, class Matrix>
void write_araia(Exec const& exec, std::filesystem::path const& path, Matrix const& A) {
  write_container(path, to_container(exec, A));
}

/// Reads an .araia file that holds this format.
/// \throws araia::Error as read_container and from_container, the latter's naming the file
template <class Format, class Exec>
Format read_araia(Exec const& exec, std::filesystem::path const& path, ReadOptions const& options = {}) {
  Container const c = read_container(path, options);
  try {
    return from_container<Format>(exec, c);
  } catch (Error const& error) {
    throw Error(error.kind(), {path.string()}, error.what());
  }
}

}  // namespace araia
