// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An instance of an execution space, and where memory lies, chosen at run time.

#include <Kokkos_Core.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <araia/detail/formats/written_out.hpp>
#include <araia/error.hpp>

namespace araia {

/// Where an array lies: the memory spaces of Kokkos. Those of CUDA can be named in every build.
enum class MemorySpace {
  host,
  cuda,
  cuda_managed,  ///< Kokkos::CudaUVMSpace, which hosts and devices reach
  cuda_pinned    ///< Kokkos::CudaHostPinnedSpace: the host's, which devices reach too
};
/// The enumerator's name: "host", "cuda", ...
[[nodiscard]] char const* to_string(MemorySpace memory) noexcept;

/// "serial", "openmp", "cuda": those that Kokkos was built with.
[[nodiscard]] std::vector<std::string> any_spaces();
/// The default execution space, by the same names.
[[nodiscard]] std::string default_space();

namespace detail {

template <class Memory>
constexpr MemorySpace memory_space_of() {
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same_v<Memory, Kokkos::CudaSpace>) return MemorySpace::cuda;
  if (std::is_same_v<Memory, Kokkos::CudaUVMSpace>) return MemorySpace::cuda_managed;
  if (std::is_same_v<Memory, Kokkos::CudaHostPinnedSpace>) return MemorySpace::cuda_pinned;
#else
  static_assert(std::is_same_v<Memory, Kokkos::HostSpace>, "araia: the memory space must be one of MemorySpace");
#endif
  return MemorySpace::host;
}

/// The name of an execution space.
template <class Exec>
inline constexpr char const* space_name = "serial";
#ifdef KOKKOS_ENABLE_OPENMP
template <>
inline constexpr char const* space_name<Kokkos::OpenMP> = "openmp";
#endif
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr char const* space_name<Kokkos::Cuda> = "cuda";
#endif

/// A variant of those of the spaces for which the library holds plans.
/// \tparam None  void: stands before the list, of which every entry, with the comma before it, may be left out
template <class None, class... Spaces>
struct AnyOf {
  template <class... Held>
  static std::variant<Held...> of(std::tuple<Held...> const&);
  using type = decltype(of(
      std::tuple_cat(std::conditional_t<is_written_out_space<Spaces>, std::tuple<Spaces>, std::tuple<>>()...)));
};

}  // namespace detail

/// An instance of an execution space whose type is known at run time: the queue of a product's work. Holds the instance
/// as Kokkos's own objects do: a copy is the same queue, costs a count and allocates nothing.
class AnySpace {
 public:
  /// The default instance of the default execution space.
  AnySpace() : AnySpace(default_space()) {}
  /// The default instance of a space by its name in any_spaces(); "serial" has one thread.
  /// \throws araia::Error device naming the spaces that there are
  explicit AnySpace(std::string_view name);
  /// An instance of the application's; not explicit, so that it can be given wherever an AnySpace is asked for.
  template <class Exec>
  requires Kokkos::is_execution_space_v<Exec> AnySpace(Exec const& exec)
      : name_(detail::space_name<Exec>), instance_(exec) {
    static_assert(detail::is_written_out_space<Exec>,
                  "araia::AnySpace: this build holds no plans for exec; Araia_SPACES=all adds Serial beside OpenMP");
  }

  /// "serial", "openmp" or "cuda".
  [[nodiscard]] char const* name() const noexcept { return name_; }
  /// Where what is allocated for the space lies.
  [[nodiscard]] MemorySpace memory() const noexcept;
  /// Does the space read and write memory there?
  [[nodiscard]] bool reaches(MemorySpace memory) const noexcept;
  /// Waits until all work of the instance is done.
  /// \param label  for Kokkos's tools
  void fence(std::string const& label = "araia::AnySpace::fence") const;

  /// The instance in its own type, or null where it is of another space.
  template <class Exec>
  [[nodiscard]] Exec const* get_if() const noexcept {
    return std::get_if<Exec>(&instance_);
  }
  /// work(exec) with the instance in its own type; work returns one type whatever the space.
  template <class Work>
  decltype(auto) visit(Work&& work) const {
    return std::visit(std::forward<Work>(work), instance_);
  }

 private:
  using Instance = detail::AnyOf<void
#ifdef KOKKOS_ENABLE_SERIAL
                                 ,
                                 Kokkos::Serial
#endif
#ifdef KOKKOS_ENABLE_OPENMP
                                 ,
                                 Kokkos::OpenMP
#endif
#ifdef KOKKOS_ENABLE_CUDA
                                 ,
                                 Kokkos::Cuda
#endif
                                 >::type;

  char const* name_;
  Instance instance_;
};

}  // namespace araia
