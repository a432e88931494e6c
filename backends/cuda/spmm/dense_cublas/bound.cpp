// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dense/cublas as plans bind it.
#include "backends/cuda/spmm/dense_cublas/descriptor.hpp"

#include <Kokkos_Core.hpp>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>
#ifdef ARAIA_HAVE_CUBLAS
#include <cublas_v2.h>
#endif

namespace araia::cuda {

#ifdef ARAIA_HAVE_CUBLAS
bool has_cublas() { return true; }

/// One thread a row, so that duplicates are summed in their order.
template <class Scalar, class Offset>
void scatter_rows(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                  Kokkos::View<Scalar*, Kokkos::CudaSpace> const& matrix) {
  detail::fill_array(exec, matrix, Scalar{});
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

namespace {

void check_cublas(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorKind::resource_limit : ErrorKind::device,
                std::string("araia::spmm::dense: ") + what + ": " + cublasGetStatusString(status));
}

/// A handle, which is one thread's at a time, with its workspace.
struct CublasHandle {
  explicit CublasHandle(Kokkos::Cuda const& exec)
      : workspace(detail::new_view<decltype(workspace)>(exec, "araia::spmm::dense::workspace", cublas_room)) {
    check_cublas(cublasCreate(&handle), "cublasCreate");
  }
  ~CublasHandle() { cublasDestroy(handle); }
  CublasHandle(CublasHandle const&) = delete;
  CublasHandle& operator=(CublasHandle const&) = delete;

  [[nodiscard]] char* aligned_workspace() const {
    auto const at = reinterpret_cast<std::uintptr_t>(workspace.data());
    return workspace.data() + (cublas_alignment - at % cublas_alignment) % cublas_alignment;
  }

  cublasHandle_t handle = nullptr;
  std::mutex in_use;
  Kokkos::View<char*, Kokkos::CudaSpace> workspace;
};

template <class Own, class Source>
class BoundDense final : public Own {
 public:
  using Scalar = typename Source::value_type;

  /// exec reads the source, perhaps after the return, and no product does.
  BoundDense(Kokkos::Cuda const& exec, Source const& source, BindOptions const& options)
      : rows_(source.rows),
        cols_(source.cols),
        columns_(options.columns),
        precision_(options.precision),
        library_(exec),
        matrix_(detail::new_view<decltype(matrix_)>(exec, "araia::spmm::dense::matrix",
                                                    static_cast<std::size_t>(rows_ * cols_))) {
    scatter_rows(exec, source.pointers(), matrix_);
  }

  void run(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
           DenseMatrix<Scalar> const& c) const override {
    if (!supports(b, c))
      detail::throw_unsupported("araia::spmm: the dense matrix does not run this product (columns or strides)");
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
    std::lock_guard const lock(library_.in_use);
    check_cublas(cublasSetStream(library_.handle, exec.cuda_stream()), "cublasSetStream");
    check_cublas(cublasSetWorkspace(library_.handle, library_.aligned_workspace(), cublas_workspace),
                 "cublasSetWorkspace");
    check_cublas(cublasGemmEx(library_.handle, CUBLAS_OP_N, CUBLAS_OP_N, n, static_cast<int>(rows_),
                              static_cast<int>(cols_), &alpha, b.data, type, leading(b.rows <= 1 ? 0 : b.row_stride, n),
                              matrix_.data(), type, static_cast<int>(cols_), &beta, c.data, type,
                              leading(c.rows <= 1 ? 0 : c.row_stride, n), compute, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx");
  }
  /// Two kernels, as long as the longest row takes.
  void update_values(Kokkos::Cuda const& exec, Source const& source) override {
    scatter_rows(exec, source.pointers(), matrix_);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return matrix_.size() * sizeof(Scalar) + cublas_room; }
  [[nodiscard]] BoundValues values() const override {
    return {matrix_.data(), matrix_.size() * sizeof(Scalar), static_cast<std::int64_t>(matrix_.size())};
  }

 private:
  [[nodiscard]] bool supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    auto const contiguous = [](auto const& m) {
      return (m.column_stride == 1 || m.columns <= 1) && (m.rows <= 1 || m.row_stride >= m.columns) &&
             m.row_stride <= most;
    };
    return c.columns == columns_ && contiguous(b) && contiguous(c) && std::max({rows_, cols_, columns_}) <= most;
  }

  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t columns_;  // of B and C
  Precision precision_;
  mutable CublasHandle library_;
  Kokkos::View<Scalar*, Kokkos::CudaSpace> matrix_;  // (rows, cols)
};

}  // namespace
#else
bool has_cublas() { return false; }
#endif

template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_dense([[maybe_unused]] Exec const& exec, [[maybe_unused]] Source const& source,
                                [[maybe_unused]] Options const& options) {
#ifdef ARAIA_HAVE_CUBLAS
  auto const elements =
      detail::saturating_product(static_cast<std::uint64_t>(source.rows), static_cast<std::uint64_t>(source.cols));
  auto const size = detail::saturating_product(elements, sizeof(typename Source::value_type));
  detail::require_memory("araia::spmm::dense", detail::saturating_sum(size, cublas_room),
                         detail::memory_limit_or_default<Kokkos::CudaSpace>(options.memory_limit));
  auto dense = std::make_shared<BoundDense<Own, Source>>(exec, source, options);
  exec.fence("araia::make_plan: the dense matrix is filled");  // the source may be released
  return dense;
#else
  throw Error(ErrorKind::unsupported, "araia::spmm::dense: this build is without cuBLAS (Araia_ENABLE_CUBLAS)");
#endif
}

[[gnu::used]] static void write_out_bind_dense() {
  using namespace detail;
  for_types<Reals, Offsets>([&]<class S, class Offset>() {
    write_out(bind_dense<Bound<Kokkos::Cuda, SpmmDesc, S, S, S, Offset>, Kokkos::Cuda,
                         BoundSource<Kokkos::Cuda, S, Offset>, BindOptions>);
  });
}

}  // namespace araia::cuda
