// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Huge pages for large host arrays: a product reads each page once, so page walks cost as much as the data.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <type_traits>

namespace araia {

/// Asks the system to back an array with huge pages where it is 4 MiB or more; to be called before the array is first
/// written. Changes nothing but time. Does nothing where the system has no such advice or its administrator has
/// switched it off.
void ask_for_huge_pages(void* data, std::size_t bytes) noexcept;

/// The same for the memory of a View; nothing for memory that is not the host's.
template <class View>
requires Kokkos::is_view_v<View>
void ask_for_huge_pages(View const& view) {
  if constexpr (std::is_same_v<typename View::memory_space, Kokkos::HostSpace>)
    ask_for_huge_pages(const_cast<typename View::non_const_value_type*>(view.data()),
                       view.span() * sizeof(typename View::value_type));
}

}  // namespace araia
