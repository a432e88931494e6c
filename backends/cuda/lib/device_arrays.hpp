// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The arrays on the device that a packing points into.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>

namespace araia::cuda {

/// Owns them. What it makes is asynchronous on exec.
class DeviceArrays {
 public:
  /// \param prefix  of their labels, such as "araia::csr_steps::"; outlives this
  explicit DeviceArrays(char const* prefix) : prefix_(prefix) {}

  template <class T>
  T* make(Kokkos::Cuda const& exec, std::string const& name, std::int64_t count) {
    using Bytes = Kokkos::View<char*, Kokkos::CudaSpace>;
    std::uint64_t const size = detail::saturating_product(static_cast<std::uint64_t>(count), sizeof(T));
    arrays_.push_back(detail::new_view<Bytes>(exec, prefix_ + name, size));
    bytes_ += size;
    return reinterpret_cast<T*>(arrays_.back().data());
  }
  template <class T>
  T* zeros(Kokkos::Cuda const& exec, std::string const& name, std::int64_t count) {
    T* const made = make<T>(exec, name, count);
    detail::fill_array(exec, made, count, T{});
    return made;
  }
  /// A copy of an array on the device; null where there is none.
  template <class T>
  T* copy(Kokkos::Cuda const& exec, std::string const& name, T const* from, std::int64_t count) {
    return from ? copy_from<Kokkos::CudaSpace>(exec, name, from, count) : nullptr;
  }
  /// A copy of `host`, which outlives the work of exec.
  template <class T>
  T* put(Kokkos::Cuda const& exec, std::string const& name, std::vector<T> const& host) {
    return copy_from<Kokkos::HostSpace>(exec, name, host.data(), static_cast<std::int64_t>(host.size()));
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  template <class Space, class T>
  T* copy_from(Kokkos::Cuda const& exec, std::string const& name, T const* from, std::int64_t count) {
    auto const size = static_cast<std::size_t>(count);
    T* const made = make<T>(exec, name, count);
    detail::copy_array(exec, Kokkos::View<T*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>(made, size),
                       Kokkos::View<T const*, Space, Kokkos::MemoryUnmanaged>(from, size));
    return made;
  }

  char const* prefix_;
  std::vector<Kokkos::View<char*, Kokkos::CudaSpace>> arrays_;
  std::uint64_t bytes_ = 0;
};

}  // namespace araia::cuda
