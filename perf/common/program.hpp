// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What benchmark programs with flags of their own share: values of flags, seconds, arrays for the default space.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <araia/detail/formats/arrays.hpp>

namespace araia::perf {

/// \throws std::invalid_argument naming the flag, unless the text is a number above zero
template <class Number>
Number positive_number(std::string_view name, std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0))
    throw std::invalid_argument(std::string(name) + " is '" + std::string(text) + "', expected a positive number");
  return value;
}

/// What stands between commas.
inline std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    auto const end = std::min(text.find(','), text.size());
    list.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

inline double seconds_of(std::function<void()> const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A copy in the memory of the default space.
template <class T>
Kokkos::View<T*> upload(std::vector<T> const& from) {
  Kokkos::View<T*> const to("araia::perf::upload", from.size());
  araia::detail::copy_bytes<typename Kokkos::View<T*>::device_type, Kokkos::HostSpace>(to.data(), from.data(),
                                                                                       from.size() * sizeof(T));
  return to;
}

}  // namespace araia::perf
