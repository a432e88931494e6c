// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over cuSPARSE and cuBLAS, their scalars on the device: as calls on a stream, and with ten iterations captured
// into a graph. Neither looks at the residual, which is computed as a convergence test needs it.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "cg_peers.hpp"

namespace araia::perf {
namespace {

void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
void check(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(std::string("cuSPARSE: ") + what);
}
void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string("cuBLAS: ") + what);
}

struct Scalars {
  double one = 1;
  double zero = 0;
  double rz = 0;
  double next = 0;
  double pq = 0;
  double alpha = 0;
  double minus_alpha = 0;
  double beta = 0;
  double norm = 0;
};

__global__ void set_alpha(Scalars* s) {
  s->alpha = s->rz / s->pq;
  s->minus_alpha = -s->alpha;
}
__global__ void set_beta(Scalars* s) {
  s->beta = s->next / s->rz;
  s->rz = s->next;
}

template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), (count + 1) * sizeof(T)), "cudaMalloc");
    check(cudaMemset(data_, 0, (count + 1) * sizeof(T)), "cudaMemset");
  }
  explicit Array(std::vector<T> const& from) : Array(from.size()) {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(Array const&) = delete;
  Array& operator=(Array const&) = delete;
  ~Array() { (void)cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> host() const {
    std::vector<T> to(count_);
    check(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

std::vector<double> inverse_diagonal(CgSystem const& system) {
  std::vector<double> inverse(static_cast<std::size_t>(system.rows));
  for (std::size_t i = 0; i < inverse.size(); ++i)
    for (std::int32_t k = system.row_offsets[i]; k < system.row_offsets[i + 1]; ++k)
      if (system.col_indices[static_cast<std::size_t>(k)] == static_cast<std::int32_t>(i))
        inverse[i] = 1 / system.values[static_cast<std::size_t>(k)];
  return inverse;
}

class Loop {
 public:
  explicit Loop(CgSystem const& system)
      : n_(static_cast<int>(system.rows)),
        offsets_(system.row_offsets),
        columns_(system.col_indices),
        values_(system.values),
        b_(system.b),
        inverse_(inverse_diagonal(system)),
        x_(system.b.size()),
        r_(system.b.size()),
        z_(system.b.size()),
        p_(system.b.size()),
        q_(system.b.size()),
        scalars_(1) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(cusparseCreate(&sparse_), "create");
    check(cusparseSetStream(sparse_, stream_), "stream");
    check(cusparseSetPointerMode(sparse_, CUSPARSE_POINTER_MODE_DEVICE), "pointer mode");
    check(cublasCreate(&blas_), "create");
    check(cublasSetStream(blas_, stream_), "stream");
    check(cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_DEVICE), "pointer mode");
    Scalars const start;
    check(cudaMemcpy(scalars_.get(), &start, sizeof start, cudaMemcpyHostToDevice), "scalars");
    check(cusparseCreateCsr(&a_, n_, n_, system.nnz(), offsets_.get(), columns_.get(), values_.get(),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "csr");
    check(cusparseCreateDnVec(&p_vector_, n_, p_.get(), CUDA_R_64F), "vector");
    check(cusparseCreateDnVec(&q_vector_, n_, q_.get(), CUDA_R_64F), "vector");
    auto* const s = scalars_.get();
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &s->one, a_, p_vector_, &s->zero,
                                  q_vector_, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, &bytes),
          "buffer");
    buffer_ = std::make_unique<Array<char>>(bytes);
    check(cusparseSpMV_preprocess(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &s->one, a_, p_vector_, &s->zero,
                                  q_vector_, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, buffer_->get()),
          "preprocess");
    begin();
    iterate();
    check(cudaStreamSynchronize(stream_), "first iteration");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < of_graph; ++i) iterate();
    cudaGraph_t graph{};
    check(cudaStreamEndCapture(stream_, &graph), "capture");
    check(cudaGraphInstantiate(&graph_, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "graph");
  }
  Loop(Loop const&) = delete;
  Loop& operator=(Loop const&) = delete;
  ~Loop() {
    (void)cudaGraphExecDestroy(graph_);
    (void)cusparseDestroyDnVec(p_vector_);
    (void)cusparseDestroyDnVec(q_vector_);
    (void)cusparseDestroySpMat(a_);
    (void)cusparseDestroy(sparse_);
    (void)cublasDestroy(blas_);
    (void)cudaStreamDestroy(stream_);
  }

  void solve(std::int64_t iterations, bool by_graph) {
    begin();
    if (by_graph) {
      for (std::int64_t i = 0; i < iterations; i += of_graph) check(cudaGraphLaunch(graph_, stream_), "graph");
    } else {
      for (std::int64_t i = 0; i < iterations; ++i) iterate();
    }
    check(cudaStreamSynchronize(stream_), "solve");
  }
  std::vector<double> solution() const { return x_.host(); }

 private:
  static constexpr int of_graph = 10;

  void begin() {
    auto* const s = scalars_.get();
    auto const bytes = static_cast<std::size_t>(n_) * sizeof(double);
    check(cudaMemsetAsync(x_.get(), 0, bytes, stream_), "x");
    check(cudaMemcpyAsync(r_.get(), b_.get(), bytes, cudaMemcpyDeviceToDevice, stream_), "r");
    check(cublasDdgmm(blas_, CUBLAS_SIDE_LEFT, n_, 1, r_.get(), n_, inverse_.get(), 1, z_.get(), n_), "dgmm");
    check(cudaMemcpyAsync(p_.get(), z_.get(), bytes, cudaMemcpyDeviceToDevice, stream_), "p");
    check(cublasDdot(blas_, n_, r_.get(), 1, z_.get(), 1, &s->rz), "dot");
  }

  void iterate() {
    auto* const s = scalars_.get();
    check(cusparseSpMV(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &s->one, a_, p_vector_, &s->zero, q_vector_,
                       CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, buffer_->get()),
          "SpMV");
    check(cublasDdot(blas_, n_, p_.get(), 1, q_.get(), 1, &s->pq), "dot");
    set_alpha<<<1, 1, 0, stream_>>>(s);
    check(cublasDaxpy(blas_, n_, &s->alpha, p_.get(), 1, x_.get(), 1), "axpy");
    check(cublasDaxpy(blas_, n_, &s->minus_alpha, q_.get(), 1, r_.get(), 1), "axpy");
    check(cublasDdgmm(blas_, CUBLAS_SIDE_LEFT, n_, 1, r_.get(), n_, inverse_.get(), 1, z_.get(), n_), "dgmm");
    check(cublasDnrm2(blas_, n_, r_.get(), 1, &s->norm), "nrm2");
    check(cublasDdot(blas_, n_, r_.get(), 1, z_.get(), 1, &s->next), "dot");
    set_beta<<<1, 1, 0, stream_>>>(s);
    check(cublasDscal(blas_, n_, &s->beta, p_.get(), 1), "scal");
    check(cublasDaxpy(blas_, n_, &s->one, z_.get(), 1, p_.get(), 1), "axpy");
  }

  int n_;
  Array<std::int32_t> offsets_, columns_;
  Array<double> values_, b_, inverse_, x_, r_, z_, p_, q_;
  Array<Scalars> scalars_;
  std::unique_ptr<Array<char>> buffer_;
  cudaStream_t stream_{};
  cusparseHandle_t sparse_{};
  cublasHandle_t blas_{};
  cusparseSpMatDescr_t a_{};
  cusparseDnVecDescr_t p_vector_{};
  cusparseDnVecDescr_t q_vector_{};
  cudaGraphExec_t graph_{};
};

}  // namespace

std::vector<CgContender> cg_of_cusparse(CgSystem const& system) {
  auto const loop = std::make_shared<Loop>(system);
  return {{"cusparse_graph", [loop](std::int64_t iterations) { loop->solve(iterations, true); },
           [loop] { return loop->solution(); }},
          {"cusparse_stream", [loop](std::int64_t iterations) { loop->solve(iterations, false); },
           [loop] { return loop->solution(); }}};
}

}  // namespace araia::perf
