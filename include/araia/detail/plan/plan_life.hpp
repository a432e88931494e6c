// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a plan and its copies share, and how long it lives: until the last of them is gone, and never beyond Kokkos.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <araia/error.hpp>

namespace araia::detail {

/// Something that holds Views and must not outlive Kokkos. What is still there at Kokkos::finalize is told to let go of
/// them, by a hook that the first of these sets, and a line on stderr says so.
class EndsWithKokkos {
 public:
  EndsWithKokkos();
  EndsWithKokkos(EndsWithKokkos const&) = delete;
  EndsWithKokkos& operator=(EndsWithKokkos const&) = delete;
  virtual ~EndsWithKokkos();

  /// Lets go of everything.
  /// \return a name for the message
  virtual std::string end() = 0;
};

[[noreturn]] void throw_ended();
[[noreturn]] void throw_values_changed(char const* what);

/// Values in exec's memory.
struct WatchedArray {
  void const* data = nullptr;
  std::uint64_t bytes = 0;
};

/// A number that changes with any bit of the array. Fences exec.
template <class Exec>
std::uint64_t checksum(Exec const& exec, WatchedArray const& array);

/// Arrays of values that must stay as they are between products, where PlanOptions::check_values asks for it.
template <class Exec>
class ValueWatch {
 public:
  /// \param owner  keeps the arrays alive
  void start(Exec const& exec, std::vector<WatchedArray> arrays, std::shared_ptr<void const> owner) {
    std::vector<std::uint64_t> sums;  // may throw: what was watched before still is then
    for (auto const& array : arrays) sums.push_back(checksum(exec, array));
    arrays_ = std::move(arrays);
    owner_ = std::move(owner);
    sums_ = std::move(sums);
    on_ = true;
  }
  void stop() { *this = {}; }
  [[nodiscard]] bool on() const { return on_; }

  /// \throws araia::Error invalid_argument where they changed
  void require_unchanged(Exec const& exec, char const* what) const {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (checksum(exec, arrays_[i]) != sums_[i]) throw_values_changed(what);
  }

 private:
  std::vector<WatchedArray> arrays_{};
  std::shared_ptr<void const> owner_{};
  std::vector<std::uint64_t> sums_{};
  bool on_ = false;
};

/// The arrays of values of a matrix in any format, without what Views have room for beyond it.
template <class Matrix>
std::vector<WatchedArray> values_of(Matrix const& A) {
  auto const of = [](auto const& view, std::size_t stored) {
    using T = typename std::decay_t<decltype(view)>::value_type;
    return WatchedArray{view.data(), std::min(view.span(), stored) * sizeof(T)};
  };
  auto const stored = static_cast<std::size_t>(A.stored());
  if constexpr (requires { A.tail; })
    return {of(A.ell.values, A.ell.values.span()), of(A.tail.values, A.tail.values.span())};
  else if constexpr (requires { A.width; })
    return {of(A.values, A.values.span())};
  else
    return {of(A.values, stored)};
}

/// A plan's body with what belongs to it.
template <class Exec, class Body, class Order>
class PlanState final : public EndsWithKokkos {
 public:
  std::string end() override {
    if (!body) return {};
    std::string const name = label_of(*body);
    watch.stop();
    order.reset();
    body.reset();
    source.reset();
    return name;
  }

  std::unique_ptr<Body> body;
  std::unique_ptr<Order> order;        // of the source's entries; null where it is that of the Csr
  std::shared_ptr<void const> source;  // memory that the body reads without a share in it; or null
  void const* values = nullptr;        // of the caller's matrix, as given last
  ValueWatch<Exec> watch;
};

}  // namespace araia::detail
