// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Csr that a kernel of CUDA has packed for products of one column.

#include "src/plan/store.hpp"

namespace araia::detail {

/// Candidates of such kernels are listed on CUDA alone, for their types.
/// \tparam Packing  where CUDA is: exists<Scalar>, pack(exec, A, options) and count(exec, A, options), which has bytes
///                  and stored slots
template <class Packing>
struct CsrPackedStore {
  template <class Exec, class Source, class Hold>
  static StoredPtr<Exec, typename Source::value_type, std::int32_t> convert(
      [[maybe_unused]] Exec const& exec, [[maybe_unused]] Source const& source, Choice const& choice,
      [[maybe_unused]] StoreOptions const& options, [[maybe_unused]] Hold const& hold) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (packs<Exec, typename Source::value_type>) return hold(Packing::pack(exec, source, options));
#endif
    refuse(choice);
  }

  template <class Exec, class Source>
  static Footprint count([[maybe_unused]] Exec const& exec, [[maybe_unused]] Source const& source, Choice const& choice,
                         [[maybe_unused]] StoreOptions const& options) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (packs<Exec, typename Source::value_type>) {
      auto const size = Packing::count(exec, source, options);
      return {.bytes = size.bytes, .slots = size.stored, .exact = true};
    }
#endif
    refuse(choice);
  }

 private:
#ifdef KOKKOS_ENABLE_CUDA
  template <class Exec, class Scalar>
  static constexpr bool packs = is_cuda_space<Exec>&& Packing::template exists<Scalar>;
#endif

  [[noreturn]] static void refuse(Choice const& choice) {
    throw Error(ErrorKind::unsupported, "araia::make_plan: no conversion to " + storage_label(choice));
  }
};

}  // namespace araia::detail
