// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha op(A) x + beta y on plain pointers: which kernel runs for these operands on this space.
// The only switches over SpMV kernels; the kernels' templates are written out in src/dispatch for the usual types.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <araia/detail/dispatch/cuda_kernels.hpp>
#include <araia/detail/dispatch/host_simd.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/kernels/coo_spmv_atomic.hpp>
#include <araia/detail/kernels/coo_spmv_segmented.hpp>
#include <araia/detail/kernels/csr_spmv_balanced.hpp>
#include <araia/detail/kernels/csr_spmv_vector_per_row.hpp>
#include <araia/detail/kernels/ell_spmv_rows_together.hpp>
#include <araia/detail/kernels/row_spmv_thread_per_row.hpp>
#include <araia/detail/kernels/row_spmv_transposed.hpp>
#include <araia/detail/kernels/scale_dense.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// Calls run(x, y) with both vectors contiguous, or both strided.
template <class X, class Y, class Run>
void with_vectors(DenseVector<X const> const& x, DenseVector<Y> const& y, Run const& run) {
  if (x.stride == 1 && y.stride == 1)
    run(ContiguousVector<X const>(x), ContiguousVector<Y>(y));
  else
    run(StridedVector<X const>(x), StridedVector<Y>(y));
}

[[noreturn]] inline void throw_unsupported(std::string const& what) { throw Error(ErrorKind::unsupported, what); }

template <class Pointers, class X, class Y>
struct HostSimdOf {
  static constexpr bool exists = false;
};
template <class S, class O, class F, class X, class Y>
struct HostSimdOf<CsrPointers<S, O, F>, X, Y> : HostSimd<S, O, F, X, Y> {};

/// Can `kernel` (automatic: some kernel) run this product?
template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const&, CsrSpmvKernel kernel, Op op, CsrPointers<S, O, F> const& a, DenseVector<X const> const& x,
              DenseVector<Y> const& y) {
  switch (kernel) {
    case CsrSpmvKernel::automatic: return true;
    case CsrSpmvKernel::thread_per_row:
    case CsrSpmvKernel::vector_per_row:
    case CsrSpmvKernel::balanced: return op == Op::none;
    case CsrSpmvKernel::transposed: return op != Op::none;
    case CsrSpmvKernel::host_simd:
    case CsrSpmvKernel::host_simd_runs:
      if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists)
        return op == Op::none && x.stride == 1 && y.stride == 1;
      return false;
    case CsrSpmvKernel::sub_warp:
    case CsrSpmvKernel::equal_chunks: return cuda_supports<Exec>(op, a, x, y);
  }
  return false;
}

template <class Exec, class S, class O, class X, class Y>
bool supports(Exec const&, CooSpmvKernel kernel, Op op, CooPointers<S, O> const& a, DenseVector<X const> const&,
              DenseVector<Y> const&) {
  return kernel != CooSpmvKernel::segmented || (op == Op::none && a.sorted);
}

/// The kernel that `automatic` stands for.
template <class Exec, class S, class O, class F, class X, class Y>
CsrSpmvKernel automatic_kernel(Exec const& exec, Op op, CsrPointers<S, O, F> const& a, DenseVector<X const> const& x,
                               DenseVector<Y> const& y) {
  if (op != Op::none) return CsrSpmvKernel::transposed;
  if (supports(exec, CsrSpmvKernel::host_simd, op, a, x, y)) return CsrSpmvKernel::host_simd;
  if (supports(exec, CsrSpmvKernel::sub_warp, op, a, x, y)) return CsrSpmvKernel::sub_warp;
  return is_device_space<Exec> ? CsrSpmvKernel::vector_per_row : CsrSpmvKernel::thread_per_row;
}

template <class Exec, class S, class O, class X, class Y>
CooSpmvKernel automatic_kernel(Exec const&, Op op, CooPointers<S, O> const& a, DenseVector<X const> const&,
                               DenseVector<Y> const&) {
  return op == Op::none && a.sorted ? CooSpmvKernel::segmented : CooSpmvKernel::atomic;
}

/// The asked kernel, or what `automatic` stands for; throws unsupported rather than fall back.
template <class Kernel>
Kernel chosen_kernel(Kernel asked, bool supported, Kernel automatic, char const* what) {
  if (asked == Kernel::automatic) return automatic;
  if (!supported)
    throw_unsupported(std::string(what) + '/' + kernel_name(asked) +
                      " does not run this product on this execution space (operation, types or strides)");
  return asked;
}

constexpr int balanced_team = 128;  // threads of a device's team: 8 items each

/// Throws invalid_argument unless the partition is of a matrix of these sizes, for this operation, by this cut and for
/// sums of so many bytes. No text is made unless it throws, as products allocate nothing.
inline void require_partition(char const* operation, char const* kernel, CsrPartitionPointers const& p, CsrCut cut,
                              std::int64_t rows, std::int64_t nnz, std::size_t sum_bytes) {
  auto const refuse = [&](std::string const& got, std::string const& expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia::") + operation + ": csr/" + kernel + ": partition " +
                                                 got + ", expected " + expected);
  };
  bool const of_spmm = std::string_view(operation) == "spmm";
  if (!p.first_rows || !p.carries) refuse("is null", "that of partition_rows");
  if (p.rows != rows || p.nnz != nnz)
    refuse("is of " + std::to_string(p.rows) + " rows and " + std::to_string(p.nnz) + " entries",
           std::to_string(rows) + " and " + std::to_string(nnz));
  if (p.cut != cut || (p.items == CsrPartitionPointers::chunk_items) == of_spmm)
    refuse("is of another kernel, its chunks have " + std::to_string(p.items) + " items",
           std::string("partition_rows for ") + kernel);
  if (p.carry_bytes < static_cast<std::int64_t>(sum_bytes))
    refuse("has carries of " + std::to_string(p.carry_bytes) + " bytes", std::to_string(sum_bytes) + " at least");
}
inline void require_partition(CsrSpmvTuning const& tuning, std::int64_t rows, std::int64_t nnz, std::size_t sum_bytes) {
  require_partition("spmv", kernel_name(tuning.kernel), tuning.partition, cut_of(tuning.kernel), rows, nnz, sum_bytes);
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_here(Here, Exec const& exec, CsrSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               CsrPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0) return scale_dense(exec, beta, y);
  bool const conjugate = op == Op::conjugate_transpose;
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, x, y),
                                    automatic_kernel(exec, op, a, x, y), "araia::spmv: csr");
  switch (kernel) {
    case CsrSpmvKernel::host_simd_runs:
      if (!tuning.row_runs)
        throw Error(ErrorKind::invalid_argument,
                    "araia::spmv: csr/host_simd_runs: row_runs is null, expected inspect_rows(exec, A)");
      [[fallthrough]];
    case CsrSpmvKernel::host_simd:
      if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists) {
        exec.fence("araia::spmv::csr::host_simd: host kernels run in the caller's thread");
        HostSimd<S, O, F, X, Y>::spmv(a, alpha, x, beta, y, exec.concurrency(),
                                      kernel == CsrSpmvKernel::host_simd_runs ? tuning.row_runs : nullptr);
      }
      return;
    case CsrSpmvKernel::transposed: {
      scale_dense(exec, beta, y);
      auto const shape = row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size,
                                        tuning.vector_length ? tuning.vector_length : vector_length_for(a.nnz, a.rows));
      return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
        row_spmv_transposed(exec, shape, conjugate, alpha, a, xv, yv, "araia::spmv::csr::transposed");
      });
    }
    case CsrSpmvKernel::thread_per_row: {
      auto const shape = row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size, 1);
      return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
        row_spmv_thread_per_row(exec, shape, alpha, a, xv, beta, yv, "araia::spmv::csr::thread_per_row");
      });
    }
    case CsrSpmvKernel::sub_warp: {
      bool const atomics = tuning.kernel == CsrSpmvKernel::automatic && !tuning.deterministic;
      if constexpr (has_cuda_spmv<Exec, CsrPointers<S, O, F>, X, Y>)
        CudaSpmv<CsrPointers<S, O, F>, X, Y>::sub_warp(a, atomics, alpha, x.data, beta, y.data, exec.cuda_stream());
      return;
    }
    case CsrSpmvKernel::equal_chunks:
      require_partition(tuning, a.rows, a.nnz, sizeof(Sum));
      if constexpr (has_cuda_spmv<Exec, CsrPointers<S, O, F>, X, Y>)
        CudaSpmv<CsrPointers<S, O, F>, X, Y>::equal_chunks(a, tuning.partition, alpha, x.data, beta, y.data,
                                                           exec.cuda_stream());
      return;
    case CsrSpmvKernel::balanced: {
      require_partition(tuning, a.rows, a.nnz, sizeof(Sum));
      int const team_size = tuning.team_size ? tuning.team_size : balanced_team;
      require_tuning(team_size >= 0 && team_size <= 1024, "team_size", team_size, "0 to 1024");
      return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
        csr_spmv_balanced(exec, team_size, tuning.partition, alpha, a, xv, beta, yv);
      });
    }
    case CsrSpmvKernel::automatic:  // chosen_kernel does not return it
    case CsrSpmvKernel::vector_per_row: {
      auto const shape = row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size,
                                        tuning.vector_length ? tuning.vector_length : vector_length_for(a.nnz, a.rows));
      return with_vectors(
          x, y, [&](auto const& xv, auto const& yv) { csr_spmv_vector_per_row(exec, shape, alpha, a, xv, beta, yv); });
    }
  }
}

/// The transpose of a COO matrix as it lies in memory.
template <class S, class O>
CooPointers<S, O> swapped(CooPointers<S, O> a) {
  std::swap(a.rows, a.cols);
  std::swap(a.row_indices, a.col_indices);
  a.sorted = false;
  return a;
}

template <class Exec, class S, class O, class X, class Y>
void spmv_here(Here, Exec const& exec, CooSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               CooPointers<S, O> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  require_tuning(tuning.entries_per_thread >= 0 && tuning.entries_per_thread <= 1 << 20, "entries_per_thread",
                 tuning.entries_per_thread, "0 to 1048576");
  require_tuning(tuning.team_size >= 0 && tuning.team_size <= 1024, "team_size", tuning.team_size, "0 to 1024");
  if (alpha == Sum{} || a.nnz == 0) return scale_dense(exec, beta, y);
  int const team_size = !is_device_space<Exec> ? 1 : tuning.team_size ? tuning.team_size : device_block;
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, x, y),
                                    automatic_kernel(exec, op, a, x, y), "araia::spmv: coo");
  scale_dense(exec, beta, y);
  if (kernel == CooSpmvKernel::segmented) {
    constexpr std::int64_t device_run = 8;  // entries: long enough to save atomics, short enough to fill the device
    std::int64_t const host_run = a.nnz / (std::int64_t{exec.concurrency()} * host_chunks_per_thread) + 1;
    std::int64_t const automatic = is_device_space<Exec> ? device_run : host_run;
    std::int64_t const run =
        at_least_per_team(a.nnz, tuning.entries_per_thread ? tuning.entries_per_thread : automatic);
    return with_vectors(
        x, y, [&](auto const& xv, auto const& yv) { coo_spmv_segmented(exec, run, team_size, alpha, a, xv, yv); });
  }
  auto const shape = row_team_shape(exec, a.nnz, tuning.entries_per_thread * team_size, team_size, 1);
  auto const oriented = op == Op::none ? a : swapped(a);
  with_vectors(x, y, [&](auto const& xv, auto const& yv) {
    coo_spmv_atomic(exec, shape.rows_per_team, shape.team_size, op == Op::conjugate_transpose, alpha, oriented, xv, yv);
  });
}

template <class Exec, class S, class O, class X, class Y>
void spmv_here(Here, Exec const& exec, EllSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               EllPointers<S, O> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0) return scale_dense(exec, beta, y);
  auto const shape = row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size, 1);
  if (op == Op::none)
    return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
      if constexpr (is_device_space<Exec>)
        row_spmv_thread_per_row(exec, shape, alpha, a, xv, beta, yv, "araia::spmv::ell::thread_per_row");
      else
        ell_spmv_rows_together(exec, shape, alpha, a, xv, beta, yv);
    });
  scale_dense(exec, beta, y);
  with_vectors(x, y, [&](auto const& xv, auto const& yv) {
    row_spmv_transposed(exec, shape, op == Op::conjugate_transpose, alpha, a, xv, yv, "araia::spmv::ell::transposed");
  });
}

}  // namespace araia::detail
