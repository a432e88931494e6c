// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of one operation: y = A x with the application's own Views. conversion.cpp beside it has what the library
// brings compiled.

#include <Kokkos_Core.hpp>
#include <cstdio>

#include <araia/ops/spmv.hpp>

bool converts(araia::Csr<double> const& A);
#ifdef CONSUMER_HAS_KOKKOS_KERNELS
bool exchanges();
#endif

namespace {

template <class T>
Kokkos::View<T*> on_device(char const* label, std::initializer_list<T> list) {
  Kokkos::View<T*> view(label, list.size());
  auto const host = Kokkos::create_mirror_view(view);
  std::size_t i = 0;
  for (T const& value : list) host(i++) = value;
  Kokkos::deep_copy(view, host);
  return view;
}

// [1 0 2; 0 3 0]
araia::Csr<double> two_by_three() {
  araia::Csr<double> A;
  A.rows = 2;
  A.cols = 3;
  A.nnz = 3;
  A.row_offsets = on_device<int>("row_offsets", {0, 2, 3});
  A.col_indices = on_device<int>("col_indices", {0, 2, 1});
  A.values = on_device<double>("values", {1, 2, 3});
  return A;
}

// [1 0 2; 0 3 0] (1, 10, 100)' == (201, 30)'
bool multiplies(araia::Csr<double> const& A) {
  auto const x = on_device<double>("x", {1, 10, 100});
  auto const y = on_device<double>("y", {-1, -1});
  Kokkos::DefaultExecutionSpace const exec;
  araia::spmv(exec, araia::Op::none, 1.0, A, x, 0.0, y);
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return result(0) == 201.0 && result(1) == 30.0;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  auto const A = two_by_three();
  if (!multiplies(A)) {
    std::fputs("wrong product\n", stderr);
    return 1;
  }
  if (!converts(A)) {
    std::fputs("wrong conversion\n", stderr);
    return 1;
  }
#ifdef CONSUMER_HAS_KOKKOS_KERNELS
  if (!exchanges()) {
    std::fputs("wrong product with a matrix of Kokkos Kernels\n", stderr);
    return 1;
  }
#endif
}
