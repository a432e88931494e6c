// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/solvers/lobpcg_small_device.hpp"

#ifdef KOKKOS_ENABLE_CUDA

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/error.hpp>

#ifdef ARAIA_HAVE_CUSOLVER
#include <cusolverDn.h>
#endif

namespace araia::detail {

#ifdef ARAIA_HAVE_CUSOLVER

struct SmallEigensolver<Kokkos::Cuda>::Library {
  using Doubles = Kokkos::View<double*, Kokkos::Cuda::device_type>;

  static void check(cusolverStatus_t status, char const* what) {
    if (status != CUSOLVER_STATUS_SUCCESS)
      throw Error(
          status == CUSOLVER_STATUS_ALLOC_FAILED ? ErrorKind::resource_limit : ErrorKind::device,
          std::string("araia::make_lobpcg: ") + what + ": cuSOLVER status " + std::to_string(static_cast<int>(status)));
  }

  Library(Kokkos::Cuda const& exec, int most_rows) : most(most_rows) {
    check(cusolverDnCreate(&handle), "cusolverDnCreate");
    try {
      check(cusolverDnSetStream(handle, exec.cuda_stream()), "cusolverDnSetStream");
      auto const rows = static_cast<std::size_t>(most);
      matrix = new_view<Doubles>(exec, "araia::lobpcg::small_matrix", rows * rows);
      values = new_view<Doubles>(exec, "araia::lobpcg::small_values", rows);
      info = new_view<decltype(info)>(exec, "araia::lobpcg::small_info", 1);
      check(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, most, matrix.data(),
                                        most, values.data(), &work_size),
            "cusolverDnDsyevd_bufferSize");
      work = new_view<Doubles>(exec, "araia::lobpcg::small_work", static_cast<std::size_t>(work_size));
    } catch (...) {
      cusolverDnDestroy(handle);
      throw;
    }
  }
  Library(Library const&) = delete;
  Library& operator=(Library const&) = delete;
  ~Library() { cusolverDnDestroy(handle); }

  /// \return whether cuSOLVER found the pairs
  bool solve(Kokkos::Cuda const& exec, SmallMatrix const& a, std::vector<double>& found, SmallMatrix& vectors) const {
    int const n = a.rows;
    int size = 0;
    if (cusolverDnSetStream(handle, exec.cuda_stream()) != CUSOLVER_STATUS_SUCCESS ||
        cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, matrix.data(), n,
                                    values.data(), &size) != CUSOLVER_STATUS_SUCCESS ||
        size > work_size)
      return false;
    copy(exec, matrix.data(), a.at.data(), a.at.size(), cudaMemcpyHostToDevice);
    if (cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, matrix.data(), n, values.data(),
                         work.data(), work_size, info.data()) != CUSOLVER_STATUS_SUCCESS)
      return false;
    int failed = 1;
    vectors = SmallMatrix(n, n);
    found.assign(static_cast<std::size_t>(n), 0.0);
    copy(exec, vectors.at.data(), matrix.data(), vectors.at.size(), cudaMemcpyDeviceToHost);
    copy(exec, found.data(), values.data(), found.size(), cudaMemcpyDeviceToHost);
    copy(exec, &failed, info.data(), 1, cudaMemcpyDeviceToHost);
    exec.fence("araia::Lobpcg: the small problem is solved");
    if (failed != 0 || !all_finite(vectors)) return false;
    sort_ascending(found, vectors);
    return true;
  }

  /// cuSOLVER's values ascend as far as their rounding goes: copies of a multiple one are in any order.
  static void sort_ascending(std::vector<double>& values, SmallMatrix& vectors) {
    if (std::is_sorted(values.begin(), values.end())) return;
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    auto const value_of = [&](int j) { return values[static_cast<std::size_t>(j)]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return value_of(a) < value_of(b); });
    std::vector<double> sorted;
    SmallMatrix columns(vectors.rows, vectors.cols);
    for (int j = 0; j < vectors.cols; ++j) {
      int const from = order[static_cast<std::size_t>(j)];
      sorted.push_back(value_of(from));
      for (int i = 0; i < vectors.rows; ++i) columns(i, j) = vectors(i, from);
    }
    values = std::move(sorted);
    vectors = std::move(columns);
  }

  template <class T>
  static void copy(Kokkos::Cuda const& exec, T* to, T const* from, std::size_t count, cudaMemcpyKind kind) {
    if (auto const status = cudaMemcpyAsync(to, from, count * sizeof(T), kind, exec.cuda_stream());
        status != cudaSuccess)
      throw Error(ErrorKind::device, std::string("araia::Lobpcg: the small problem: ") + cudaGetErrorString(status));
  }

  int most;
  int work_size = 0;
  cusolverDnHandle_t handle = nullptr;
  Doubles matrix{};
  Doubles values{};
  Doubles work{};
  Kokkos::View<int*, Kokkos::Cuda::device_type> info{};
};

SmallEigensolver<Kokkos::Cuda>::SmallEigensolver(Kokkos::Cuda const& exec, int most)
    : library_(most < least_rows ? nullptr : std::make_shared<Library>(exec, most)) {}

bool SmallEigensolver<Kokkos::Cuda>::operator()(Kokkos::Cuda const& exec, SmallMatrix const& a,
                                                std::vector<double>& values, SmallMatrix& vectors) const {
  bool const on_device = library_ && a.rows >= least_rows && a.rows <= library_->most && all_finite(a);
  return (on_device && library_->solve(exec, a, values, vectors)) || symmetric_eigenpairs(a, values, vectors);
}

std::uint64_t SmallEigensolver<Kokkos::Cuda>::bytes() const {
  if (!library_) return 0;
  return (library_->matrix.size() + library_->values.size() + library_->work.size()) * sizeof(double) + sizeof(int);
}

#else

struct SmallEigensolver<Kokkos::Cuda>::Library {};

SmallEigensolver<Kokkos::Cuda>::SmallEigensolver(Kokkos::Cuda const&, int) {}

bool SmallEigensolver<Kokkos::Cuda>::operator()(Kokkos::Cuda const&, SmallMatrix const& a, std::vector<double>& values,
                                                SmallMatrix& vectors) const {
  return symmetric_eigenpairs(a, values, vectors);
}

std::uint64_t SmallEigensolver<Kokkos::Cuda>::bytes() const { return 0; }

#endif

}  // namespace araia::detail

#endif
