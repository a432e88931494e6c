// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// cuSPARSE's handles and descriptors, owned.

#include <cusparse.h>

#include <Kokkos_Core.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <common/left_out.hpp>
#include <common/problem.hpp>

namespace araia::perf {

inline void check(cusparseStatus_t status, char const* what) {
  if (status == CUSPARSE_STATUS_NOT_SUPPORTED) throw LeftOut(std::string("cuSPARSE does not support this: ") + what);
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSPARSE: ") + what + ": " + cusparseGetErrorString(status));
}

template <class Scalar>
constexpr cudaDataType value_type = std::is_same_v<Scalar, double> ? CUDA_R_64F : CUDA_R_32F;

using HandlePointer = std::shared_ptr<std::remove_pointer_t<cusparseHandle_t>>;
using SparsePointer = std::shared_ptr<std::remove_pointer_t<cusparseSpMatDescr_t>>;
using DensePointer = std::shared_ptr<std::remove_pointer_t<cusparseDnMatDescr_t>>;
using Buffer = Kokkos::View<char*, Device>;

inline HandlePointer make_handle(Exec const& exec) {
  cusparseHandle_t handle = nullptr;
  check(cusparseCreate(&handle), "create");
  HandlePointer owned(handle, [](cusparseHandle_t h) { cusparseDestroy(h); });
  check(cusparseSetStream(handle, exec.cuda_stream()), "set stream");
  return owned;
}

inline SparsePointer own(cusparseSpMatDescr_t descriptor) {
  return SparsePointer(descriptor, [](cusparseSpMatDescr_t d) { cusparseDestroySpMat(d); });
}

template <class View>
DensePointer make_dense(View const& view, bool column_major) {
  cusparseDnMatDescr_t descriptor = nullptr;
  auto const rows = static_cast<std::int64_t>(view.extent(0));
  auto const columns = static_cast<std::int64_t>(view.extent(1));
  check(cusparseCreateDnMat(&descriptor, rows, columns, column_major ? rows : columns, view.data(),
                            value_type<typename View::non_const_value_type>,
                            column_major ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW),
        "create dense matrix");
  return DensePointer(descriptor, [](cusparseDnMatDescr_t d) { cusparseDestroyDnMat(d); });
}

// cuSPARSE takes mutable arrays and does not write them.
template <class T>
void* mutable_data(T const* data) {
  return const_cast<T*>(data);
}

/// C = A op(B) with its descriptors and workspace, preprocessed when it is made.
template <class Scalar>
class SpmmCall {
 public:
  SpmmCall(HandlePointer handle, SparsePointer A, DensePointer B, DensePointer C, cusparseSpMMAlg_t algorithm,
           cusparseOperation_t op_b = none)
      : handle_(std::move(handle)),
        A_(std::move(A)),
        B_(std::move(B)),
        C_(std::move(C)),
        algorithm_(algorithm),
        op_b_(op_b) {
    std::size_t bytes = 0;
    check(cusparseSpMM_bufferSize(handle_.get(), none, op_b_, &one, A_.get(), B_.get(), &zero, C_.get(),
                                  value_type<Scalar>, algorithm_, &bytes),
          "SpMM buffer");
    buffer_ = Buffer("cusparse buffer", bytes + 1);
    check(cusparseSpMM_preprocess(handle_.get(), none, op_b_, &one, A_.get(), B_.get(), &zero, C_.get(),
                                  value_type<Scalar>, algorithm_, buffer_.data()),
          "SpMM preprocess");
  }

  void operator()() const {
    check(cusparseSpMM(handle_.get(), none, op_b_, &one, A_.get(), B_.get(), &zero, C_.get(), value_type<Scalar>,
                       algorithm_, buffer_.data()),
          "SpMM");
  }

 private:
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr Scalar one{1};
  static constexpr Scalar zero{};
  HandlePointer handle_;
  SparsePointer A_;
  DensePointer B_;
  DensePointer C_;
  cusparseSpMMAlg_t algorithm_;
  cusparseOperation_t op_b_;
  Buffer buffer_;
};

}  // namespace araia::perf
