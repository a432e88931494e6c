// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/cuda_dense.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>

#include <araia/assembly/checked.hpp>
#include <araia/assembly/new_view.hpp>
#include <araia/error.hpp>
#include <araia/formats/arrays.hpp>
#include <araia/formats/memory_limit.hpp>
#include <araia/kernels/scale_dense.hpp>
#ifdef ARAIA_HAVE_CUBLAS
#include <cublas_v2.h>
#endif

namespace araia::detail {

bool has_cublas() {
#ifdef ARAIA_HAVE_CUBLAS
  return true;
#else
  return false;
#endif
}

namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what cuBLAS asks for on compute capability 9.0
// cuBLAS takes what follows the next multiple of this, and with less than it asks for chooses kernels of up to twice
// the time, without a word.
constexpr std::size_t workspace_alignment = 256;
constexpr std::size_t workspace_room = workspace_bytes + workspace_alignment;

// cuBLAS on an H200: fits to matrices of 512, 1024 and 2048 rows with 32 to 2048 columns, most within 15%.
constexpr double multiprocessors = 132;

/// Tiles of 128 x 128 in waves, or smaller ones that share the inner dimension where they would leave the device idle.
double tf32_seconds(double rows, double cols, double columns) {
  auto const tiles = [&](double side) { return std::ceil(rows / side) * std::ceil(columns / side); };
  double const large = std::ceil(tiles(128) / multiprocessors) * cols * 9.5e-9;
  double const small_tiles = tiles(64);
  double small = std::ceil(small_tiles / multiprocessors) * cols * 5.9e-9;
  for (int split = 2; split <= 8 && small_tiles * split <= multiprocessors; split *= 2) small /= 1.4;
  return 4.3e-6 + std::min(large, small);
}

double float_seconds(double rows, double cols, double columns) {
  return 6e-6 + 2 * rows * cols * columns / 50.7e12 + std::min(6e-6, cols * 3e-9);
}

double double_seconds(double rows, double cols, double columns) {
  return 4e-6 + 2 * rows * cols * columns / 61.5e12 + std::min(8e-6, cols * 3e-9);
}

}  // namespace

DenseEstimate estimate_dense(std::int64_t rows, std::int64_t cols, std::int64_t columns, int scalar_bytes,
                             Precision precision) {
  constexpr double pass = 1e12;  // B/s at which the matrix is set to zero and filled
  auto const m = static_cast<double>(rows);
  auto const k = static_cast<double>(cols);
  auto const n = static_cast<double>(columns);
  bool const is_float = scalar_bytes == 4;
  bool const tf32 = is_float && allows_tf32(precision);
  double const filled = m * k * scalar_bytes;
  std::uint64_t const elements = saturating_product(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols));
  std::uint64_t const bytes = saturating_product(elements, static_cast<std::uint64_t>(scalar_bytes));
  return {.seconds = tf32       ? tf32_seconds(m, k, n)
                     : is_float ? float_seconds(m, k, n)
                                : double_seconds(m, k, n),
          .conversion_seconds = 1e-3 + filled / pass,  // a handle of cuBLAS
          .bytes = saturating_sum(bytes, workspace_room)};
}

#ifdef ARAIA_HAVE_CUBLAS
namespace {
void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorKind::resource_limit : ErrorKind::device,
                std::string("araia::spmm::dense: ") + what + ": " + cublasGetStatusString(status));
}
}  // namespace

template <class Scalar>
struct CudaDense<Scalar>::Library {
  explicit Library(Kokkos::Cuda const& exec)
      : workspace(new_view<decltype(workspace)>(exec, "araia::spmm::dense::workspace", workspace_room)) {
    check(cublasCreate(&handle), "cublasCreate");
  }
  ~Library() { cublasDestroy(handle); }
  Library(Library const&) = delete;
  Library& operator=(Library const&) = delete;

  [[nodiscard]] char* aligned_workspace() const {
    auto const at = reinterpret_cast<std::uintptr_t>(workspace.data());
    return workspace.data() + (workspace_alignment - at % workspace_alignment) % workspace_alignment;
  }

  cublasHandle_t handle = nullptr;
  std::mutex in_use;  // a handle is one thread's at a time
  Kokkos::View<char*, Kokkos::CudaSpace> workspace;
};
#else
template <class Scalar>
struct CudaDense<Scalar>::Library {
  explicit Library(Kokkos::Cuda const&) {
    throw Error(ErrorKind::unsupported, "araia::spmm::dense: this build is without cuBLAS (Araia_ENABLE_CUBLAS)");
  }
};
#endif

/// One thread a row, so that duplicates are summed in their order.
template <class Scalar>
static void scatter_rows(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, std::int32_t> const& a,
                         Kokkos::View<Scalar*, Kokkos::CudaSpace> const& matrix) {
  fill_array(exec, matrix, Scalar{});
  if (a.nnz == 0) return;
  Kokkos::parallel_for(
      "araia::spmm::dense::scatter",
      Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t i) {
        Scalar* const row = matrix.data() + (a.row_permutation ? a.row_permutation[i] : i) * a.cols;
        for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
          row[a.col_indices[k]] += a.values ? a.values[k] : Scalar{1};
      });
}

template <class Scalar>
CudaDense<Scalar>::CudaDense(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns, Precision precision,
                             std::uint64_t memory_limit)
    : a_(a), columns_(columns), precision_(precision) {
  std::uint64_t const elements =
      saturating_product(static_cast<std::uint64_t>(a.rows), static_cast<std::uint64_t>(a.cols));
  std::uint64_t const size = saturating_product(elements, sizeof(Scalar));
  require_memory("araia::spmm::dense", saturating_sum(size, workspace_room),
                 memory_limit_or_default<Kokkos::CudaSpace>(memory_limit));
  library_ = std::make_unique<Library>(exec);
  matrix_ = new_view<decltype(matrix_)>(exec, "araia::spmm::dense::matrix", elements);
  scatter_rows(exec, a, matrix_);
  a_.row_offsets = nullptr;
  a_.col_indices = nullptr;
  a_.values = nullptr;
}

template <class Scalar>
CudaDense<Scalar>::~CudaDense() = default;

template <class Scalar>
void CudaDense<Scalar>::update_values(Kokkos::Cuda const& exec, Matrix const& a) {
  scatter_rows(exec, a, matrix_);
}

template <class Scalar>
bool CudaDense<Scalar>::supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  auto const contiguous = [](auto const& m) {
    return (m.column_stride == 1 || m.columns <= 1) && (m.rows <= 1 || m.row_stride >= m.columns) &&
           m.row_stride <= most;
  };
  return c.columns == columns_ && contiguous(b) && contiguous(c) && std::max({a_.rows, a_.cols, columns_}) <= most;
}

template <class Scalar>
void CudaDense<Scalar>::spmm(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
                             DenseMatrix<Scalar> const& c) const {
  if (alpha == Scalar{} || a_.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
#ifdef ARAIA_HAVE_CUBLAS
  constexpr bool is_float = std::is_same_v<Scalar, float>;
  constexpr auto type = is_float ? CUDA_R_32F : CUDA_R_64F;
  auto const compute = !is_float                 ? CUBLAS_COMPUTE_64F
                       : allows_tf32(precision_) ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                 : CUBLAS_COMPUTE_32F_PEDANTIC;
  // Row-major is the transpose of column-major: C^T = B^T A^T.
  auto const leading = [](std::int64_t stride, std::int64_t least) {
    return static_cast<int>(std::max<std::int64_t>(std::max(stride, least), 1));
  };
  auto const n = static_cast<int>(c.columns);
  std::lock_guard const lock(library_->in_use);
  check(cublasSetStream(library_->handle, exec.cuda_stream()), "cublasSetStream");
  check(cublasSetWorkspace(library_->handle, library_->aligned_workspace(), workspace_bytes), "cublasSetWorkspace");
  check(cublasGemmEx(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, static_cast<int>(a_.rows),
                     static_cast<int>(a_.cols), &alpha, b.data, type, leading(b.rows <= 1 ? 0 : b.row_stride, n),
                     matrix_.data(), type, static_cast<int>(a_.cols), &beta, c.data, type,
                     leading(c.rows <= 1 ? 0 : c.row_stride, n), compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
#else
  (void)b;
#endif
}

template <class Scalar>
std::uint64_t CudaDense<Scalar>::bytes() const {
  return static_cast<std::uint64_t>(matrix_.size()) * sizeof(Scalar) + workspace_room;
}

template <class Scalar>
std::int64_t CudaDense<Scalar>::stored() const {
  return static_cast<std::int64_t>(matrix_.size());
}

template <class Scalar>
Scalar* CudaDense<Scalar>::values() const {
  return matrix_.data();
}

template class CudaDense<double>;
#ifndef ARAIA_TYPES_MINIMAL
template class CudaDense<float>;
#endif

}  // namespace araia::detail
