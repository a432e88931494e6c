// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How descriptors of kernels of SpMV that pack a matrix of their own are written out.

#include <Kokkos_Core.hpp>

#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>

namespace araia::cuda {

/// bind and count of a descriptor, for all plans on Kokkos::Cuda whose numbers are real.
template <class Descriptor>
void write_out_spmv_bindings() {
  using namespace detail;
  for_types<RealProducts, Offsets>([&]<class A, class X, class Y, class Offset>() {
    using Own = Bound<Kokkos::Cuda, SpmvDesc, A, X, Y, Offset>;
    write_out(Descriptor::template bind<Own, Kokkos::Cuda, typename Own::Source, BindOptions>);
    write_out(Descriptor::template count<Own, Kokkos::Cuda, typename Own::Source, BindOptions>);
  });
}

}  // namespace araia::cuda
