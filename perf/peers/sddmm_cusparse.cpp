// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <peers/sddmm_peers.hpp>

namespace araia::perf {
namespace {

void check(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSPARSE: ") + what + ": " + cusparseGetErrorString(status));
}

/// Descriptors and workspace of one product.
template <class Scalar>
class Call {
 public:
  Call(SddmmProblem<Scalar> const& p, cudaStream_t stream) {
    check(cusparseCreate(&handle_), "create");
    check(cusparseSetStream(handle_, stream), "set stream");
    check(cusparseCreateDnMat(&x_, p.rows, p.columns, p.columns, const_cast<Scalar*>(p.x), type, CUSPARSE_ORDER_ROW),
          "X");
    check(cusparseCreateDnMat(&y_, p.columns, p.cols, p.columns, const_cast<Scalar*>(p.y), type, CUSPARSE_ORDER_COL),
          "Y'");
    check(cusparseCreateCsr(&d_, p.rows, p.cols, p.nnz, const_cast<std::int32_t*>(p.row_offsets),
                            const_cast<std::int32_t*>(p.col_indices), p.d, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, type),
          "D");
    std::size_t bytes = 0;
    check(cusparseSDDMM_bufferSize(handle_, none, none, &one, x_, y_, &zero, d_, type, CUSPARSE_SDDMM_ALG_DEFAULT,
                                   &bytes),
          "SDDMM buffer");
    if (bytes > 0 && cudaMalloc(&buffer_, bytes) != cudaSuccess) throw std::runtime_error("cuSPARSE: no workspace");
    check(cusparseSDDMM_preprocess(handle_, none, none, &one, x_, y_, &zero, d_, type, CUSPARSE_SDDMM_ALG_DEFAULT,
                                   buffer_),
          "SDDMM preprocess");
  }
  Call(Call const&) = delete;
  Call& operator=(Call const&) = delete;
  ~Call() {
    cusparseDestroySpMat(d_);
    cusparseDestroyDnMat(y_);
    cusparseDestroyDnMat(x_);
    cusparseDestroy(handle_);
    cudaFree(buffer_);
  }

  void run() const {
    check(cusparseSDDMM(handle_, none, none, &one, x_, y_, &zero, d_, type, CUSPARSE_SDDMM_ALG_DEFAULT, buffer_),
          "SDDMM");
  }

 private:
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr cudaDataType type = std::is_same_v<Scalar, double> ? CUDA_R_64F : CUDA_R_32F;
  static constexpr Scalar one{1};
  static constexpr Scalar zero{};
  cusparseHandle_t handle_ = nullptr;
  cusparseDnMatDescr_t x_ = nullptr;
  cusparseDnMatDescr_t y_ = nullptr;
  cusparseSpMatDescr_t d_ = nullptr;
  void* buffer_ = nullptr;
};

}  // namespace

template <class Scalar>
SddmmContender sddmm_of_cusparse(SddmmProblem<Scalar> const& problem, void* stream) {
  auto const call = std::make_shared<Call<Scalar>>(problem, static_cast<cudaStream_t>(stream));
  return {"cusparse", [call] { call->run(); }};
}
template SddmmContender sddmm_of_cusparse(SddmmProblem<double> const&, void*);
template SddmmContender sddmm_of_cusparse(SddmmProblem<float> const&, void*);

}  // namespace araia::perf
