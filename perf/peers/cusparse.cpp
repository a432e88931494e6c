// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE: SpMV from CSR, COO and SELL-32, SpMM from CSR in both layouts; every algorithm, preprocessed.
#include <araia/detail/formats/conversions.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <common/araia_contenders.hpp>
#include <common/suite.hpp>

#include "cusparse_descriptors.hpp"

namespace araia::perf {
namespace {

constexpr std::int64_t slice_height = 32;

using VectorPointer = std::shared_ptr<std::remove_pointer_t<cusparseDnVecDescr_t>>;

template <class Scalar>
VectorPointer make_vector(Vector<Scalar> const& view) {
  cusparseDnVecDescr_t descriptor = nullptr;
  check(cusparseCreateDnVec(&descriptor, static_cast<std::int64_t>(view.extent(0)), view.data(), value_type<Scalar>),
        "create vector");
  return VectorPointer(descriptor, [](cusparseDnVecDescr_t d) { cusparseDestroyDnVec(d); });
}

template <class Scalar>
SparsePointer make_csr(Csr<Scalar, std::int32_t, std::int32_t, Device> const& A) {
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateCsr(&descriptor, A.rows, A.cols, A.nnz, mutable_data(A.row_offsets.data()),
                          mutable_data(A.col_indices.data()), A.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, value_type<Scalar>),
        "create csr");
  return own(descriptor);
}

template <class Scalar>
SparsePointer make_coo(Coo<Scalar, std::int32_t, Device> const& A) {
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateCoo(&descriptor, A.rows, A.cols, A.nnz, mutable_data(A.row_indices.data()),
                          mutable_data(A.col_indices.data()), A.values.data(), CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, value_type<Scalar>),
        "create coo");
  return own(descriptor);
}

/// Sliced ELL: slices of 32 rows, each padded to its longest, column-major inside, padding marked by column -1.
template <class Scalar>
struct Sell {
  std::int64_t stored = 0;
  Vector<std::int32_t> slice_offsets, col_indices;
  Vector<Scalar> values;
};

std::int64_t sell_stored(GeneratedMatrix const& host) {
  std::int64_t stored = 0;
  for (std::int64_t first = 0; first < host.rows; first += slice_height) {
    std::int64_t width = 0;
    for (std::int64_t i = first; i < std::min(first + slice_height, host.rows); ++i)
      width = std::max(
          width, host.row_offsets[static_cast<std::size_t>(i) + 1] - host.row_offsets[static_cast<std::size_t>(i)]);
    stored += width * slice_height;
  }
  return stored;
}

template <class Scalar>
Sell<Scalar> make_sell(GeneratedMatrix const& host) {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<Scalar> values;
  for (std::int64_t first = 0; first < host.rows; first += slice_height) {
    auto const start = columns.size();
    for (std::int64_t lane = 0; lane < std::min(slice_height, host.rows - first); ++lane) {
      auto const row = static_cast<std::size_t>(first + lane);
      for (std::int64_t k = host.row_offsets[row]; k < host.row_offsets[row + 1]; ++k) {
        auto const slot = start + static_cast<std::size_t>((k - host.row_offsets[row]) * slice_height + lane);
        if (slot >= columns.size()) {
          auto const size = (slot / slice_height + 1) * slice_height;
          columns.resize(size, -1);
          values.resize(size, Scalar{});
        }
        columns[slot] = host.col_indices[static_cast<std::size_t>(k)];
        values[slot] = static_cast<Scalar>(host.values[static_cast<std::size_t>(k)]);
      }
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return {static_cast<std::int64_t>(columns.size()), to_device<Vector<std::int32_t>>("slice_offsets", offsets),
          to_device<Vector<std::int32_t>>("col_indices", columns), to_device<Vector<Scalar>>("values", values)};
}

template <class Scalar>
SparsePointer make_sell_descriptor(GeneratedMatrix const& host, Sell<Scalar> const& sell) {
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateSlicedEll(&descriptor, host.rows, host.cols, host.nnz(), sell.stored, slice_height,
                                sell.slice_offsets.data(), sell.col_indices.data(), sell.values.data(),
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, value_type<Scalar>),
        "create sliced ell");
  return own(descriptor);
}

/// One product a copy. The caller keeps alive what the descriptors point to.
template <class Scalar>
Prepared spmv(SpmvProblem<Scalar>& problem, std::vector<SparsePointer> const& A, cusparseSpMVAlg_t algorithm) {
  auto const handle = make_handle(problem.exec);
  std::vector<VectorPointer> xs, ys;
  std::vector<Buffer> buffers;
  Prepared prepared;
  Scalar const one{1}, zero{};
  for (std::size_t c = 0; c < A.size(); ++c) {
    auto const start = std::chrono::steady_clock::now();
    xs.push_back(make_vector(problem.x[c]));
    ys.push_back(make_vector(problem.y[c]));
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A[c].get(), xs[c].get(), &zero,
                                  ys[c].get(), value_type<Scalar>, algorithm, &bytes),
          "SpMV buffer");
    buffers.emplace_back("cusparse buffer", bytes + 1);
    check(cusparseSpMV_preprocess(handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A[c].get(), xs[c].get(), &zero,
                                  ys[c].get(), value_type<Scalar>, algorithm, buffers[c].data()),
          "SpMV preprocess");
    problem.exec.fence("araia::perf: end of cuSPARSE's set-up");
    prepared.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  prepared.launch = [=](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    Scalar const alpha{1}, beta{};
    check(cusparseSpMV(handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, A[c].get(), xs[c].get(), &beta,
                       ys[c].get(), value_type<Scalar>, algorithm, buffers[c].data()),
          "SpMV");
  };
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  return prepared;
}

template <class Scalar>
void add_spmv(Suite& suite) {
  auto& contenders = suite.spmv<Scalar>();
  using Problem = SpmvProblem<Scalar>;
  for (auto const& [name, algorithm] :
       {std::pair("cusparse_alg1", CUSPARSE_SPMV_CSR_ALG1), std::pair("cusparse_alg2", CUSPARSE_SPMV_CSR_ALG2)})
    contenders.push_back({"cusparse", "csr", name, [algorithm = algorithm](Problem& problem) {
                            std::vector<SparsePointer> A;
                            for (int copy = 0; copy < problem.copies(); ++copy)
                              A.push_back(make_csr(problem.source(copy)));
                            return spmv(problem, A, algorithm);
                          }});
  for (auto const& [name, algorithm] :
       {std::pair("cusparse_alg1", CUSPARSE_SPMV_COO_ALG1), std::pair("cusparse_alg2", CUSPARSE_SPMV_COO_ALG2)})
    contenders.push_back({"cusparse",
                          "coo",
                          name,
                          [algorithm = algorithm](Problem& problem) {
                            auto const [coo, seconds] = detail::convert_copies(
                                problem, [&](auto const& A) { return csr_to_coo(problem.exec, A); });
                            std::vector<SparsePointer> A;
                            for (auto const& a : *coo) A.push_back(make_coo(a));
                            Prepared prepared = spmv(problem, A, algorithm);
                            prepared.keep = coo;
                            prepared.setup_seconds += seconds;
                            prepared.matrix_bytes = static_cast<double>(coo->front().bytes());
                            return prepared;
                          },
                          {},
                          detail::storage_of<Problem>(detail::count_coo)});
  contenders.push_back(
      {"cusparse", "sell", "cusparse_alg1",
       [](Problem& problem) {
         auto const sell = std::make_shared<std::vector<Sell<Scalar>>>();
         std::vector<SparsePointer> A;
         for (int copy = 0; copy < problem.copies(); ++copy) {
           if (copy == 0)
             sell->push_back(make_sell<Scalar>(problem.host));
           else
             sell->push_back({sell->front().stored, Problem::duplicate(sell->front().slice_offsets),
                              Problem::duplicate(sell->front().col_indices), Problem::duplicate(sell->front().values)});
           A.push_back(make_sell_descriptor(problem.host, sell->back()));
         }
         Prepared prepared = spmv(problem, A, CUSPARSE_SPMV_SELL_ALG1);
         prepared.keep = sell;
         prepared.stored = sell->front().stored;
         prepared.matrix_bytes = static_cast<double>(prepared.stored) * (sizeof(Scalar) + sizeof(std::int32_t)) +
                                 static_cast<double>(sell->front().slice_offsets.extent(0)) * sizeof(std::int32_t);
         return prepared;
       },
       sell_stored,
       [](Problem const& problem) {
         double const slices = static_cast<double>(problem.host.rows / slice_height + 2);
         double const bytes = static_cast<double>(sell_stored(problem.host)) * (sizeof(Scalar) + sizeof(std::int32_t)) +
                              slices * sizeof(std::int32_t);
         return Storage{.read = bytes, .made = bytes};
       }});
}

template <class Scalar, class Views>
Prepared spmm(SpmmProblem<Scalar>& problem, Views const& B, Views const& C, bool column_major,
              cusparseSpMMAlg_t algorithm) {
  auto const handle = make_handle(problem.exec);
  std::vector<SpmmCall<Scalar>> calls;
  Prepared prepared;
  for (std::size_t c = 0; c < static_cast<std::size_t>(problem.copies()); ++c) {
    auto const start = std::chrono::steady_clock::now();
    calls.emplace_back(handle, make_csr(problem.source(static_cast<int>(c))), make_dense(B[c], column_major),
                       make_dense(C[c], column_major), algorithm);
    problem.exec.fence("araia::perf: end of cuSPARSE's set-up");
    prepared.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  prepared.launch = [calls](int copy) { calls[static_cast<std::size_t>(copy)](); };
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  prepared.column_major = column_major;
  return prepared;
}

template <class Scalar>
void add_spmm(Suite& suite) {
  using Problem = SpmmProblem<Scalar>;
  for (auto const& [name, algorithm] :
       {std::pair("cusparse_alg1", CUSPARSE_SPMM_CSR_ALG1), std::pair("cusparse_alg2", CUSPARSE_SPMM_CSR_ALG2),
        std::pair("cusparse_alg3", CUSPARSE_SPMM_CSR_ALG3)}) {
    suite.spmm<Scalar>().push_back(
        {"cusparse", "csr", std::string(name) + "_row_major", [algorithm = algorithm](Problem& problem) {
           return spmm(problem, problem.B_row, problem.C_row, false, algorithm);
         }});
    suite.spmm<Scalar>().push_back(
        {"cusparse", "csr", std::string(name) + "_column_major", [algorithm = algorithm](Problem& problem) {
           return spmm(problem, problem.B_column, problem.C_column, true, algorithm);
         }});
  }
}

}  // namespace

void add_cusparse(Suite& suite) {
  for_each_scalar([&](auto scalar) {
    add_spmv<decltype(scalar)>(suite);
    add_spmm<decltype(scalar)>(suite);
  });
}

}  // namespace araia::perf
