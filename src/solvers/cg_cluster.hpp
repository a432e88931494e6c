// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whole solves in one launch of thread-block clusters, for matrices that fit their shared memory.

#include <Kokkos_Core.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/solvers/cg.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "src/solvers/cg_steps.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/cg/csr_one_cluster/kernel.hpp"
#endif

namespace araia::detail {

/// How a system of a launch ended, by the recurrence's own residual.
struct CgClusterEnd {
  CgPhase phase;
  std::int64_t iterations;
};

/// Systems of one pattern on clusters. make() gives null where there is no such kernel for the space, the scalar, the
/// matrix or the device; refusal() then says why.
template <class Exec, class T>
class CgClusters {
 public:
  static std::unique_ptr<CgClusters> make(Exec const&, CgSource<Exec, T> const&, std::int64_t, std::string& refusal) {
    refusal = "expected a Csr of double on CUDA";
    return nullptr;
  }
  [[nodiscard]] std::string name() const { return {}; }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
  std::vector<CgClusterEnd> solve(Exec const&, T const*, bool, T const*, bool, T*, std::int64_t, bool, double,
                                  std::int64_t, double*) {
    return {};
  }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
class CgClusters<Kokkos::Cuda, double> {
 public:
  using Exec = Kokkos::Cuda;

  /// \param systems  of a launch, at most
  static std::unique_ptr<CgClusters> make(Exec const& exec, CgSource<Exec, double> const& source, std::int64_t systems,
                                          std::string& refusal) {
    auto const& A = source.matrix;
    if (!source.known || A.rows == 0 || A.values.extent(0) == 0 || A.row_permutation.extent(0) != 0) {
      refusal = "expected a Csr that is not empty, with values and rows in their own order";
      return nullptr;
    }
    // Beyond that no form has room, and a copy to the host would be in vain.
    if (A.rows > cuda::one_cluster::most_rows(cuda::one_cluster::most_blocks)) {
      refusal = "expected at most " + std::to_string(cuda::one_cluster::most_rows(cuda::one_cluster::most_blocks)) +
                " rows, not " + std::to_string(A.rows);
      return nullptr;
    }
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(A.rows) + 1);
    std::vector<std::int32_t> columns(static_cast<std::size_t>(A.nnz));
    exec.fence("araia::make_cg: the pattern is there");
    copy_bytes<Kokkos::HostSpace, Exec>(offsets.data(), A.row_offsets.data(), offsets.size() * sizeof(std::int32_t));
    copy_bytes<Kokkos::HostSpace, Exec>(columns.data(), A.col_indices.data(), columns.size() * sizeof(std::int32_t));
    cuda::one_cluster::Plan plan;
    try {
      plan = cuda::one_cluster::make_plan(A.rows, offsets.data(), columns.data(), systems);
    } catch (Error const& e) {
      if (e.kind() != ErrorKind::invalid_structure) throw;
      refusal = e.what();  // a diagonal entry that is stored twice, say
      return nullptr;
    }
    if (!plan.refusal.empty()) {
      refusal = plan.refusal;
      return nullptr;
    }
    return std::unique_ptr<CgClusters>(new CgClusters(exec, A.rows, A.nnz, systems, std::move(plan)));
  }

  [[nodiscard]] std::string name() const { return plan_.packing.layout.shape.name(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return words_.size() * sizeof(std::uint32_t) + results_.size() * sizeof(Result);
  }

  /// Iterates each of so many systems from its x, until its residual is small enough or `iterations` are done. Waits.
  /// \param own_values, own_b  has each system its own, one behind the other?
  /// \param history  (iterations + 1) squares of the residual's norm, of one system alone; or null
  std::vector<CgClusterEnd> solve(Exec const& exec, double const* values, bool own_values, double const* b, bool own_b,
                                  double* x, std::int64_t systems, bool jacobi, double tolerance,
                                  std::int64_t iterations, double* history) {
    cuda::one_cluster::Systems const at{.count = static_cast<int>(systems),
                                        .values = values,
                                        .values_stride = own_values ? nnz_ : 0,
                                        .rhs = b,
                                        .rhs_stride = own_b ? rows_ : 0,
                                        .solution = x,
                                        .solution_stride = rows_};
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    cuda::one_cluster::solve(
        plan_, words_.data(), at,
        {.tolerance = tolerance, .max_iterations = static_cast<int>(std::min(iterations, most)), .jacobi = jacobi},
        results_.data(), history, exec.cuda_stream());
    std::vector<Result> results(static_cast<std::size_t>(systems));
    exec.fence("araia::cg: clusters are done");
    copy_bytes<Kokkos::HostSpace, Exec>(results.data(), results_.data(), results.size() * sizeof(Result));
    std::vector<CgClusterEnd> ends;
    for (auto const& result : results) ends.push_back({phase_of(result.status), result.iterations});
    return ends;
  }

 private:
  using Result = cuda::one_cluster::Result;

  CgClusters(Exec const& exec, std::int64_t rows, std::int64_t nnz, std::int64_t systems,
             cuda::one_cluster::Plan&& plan)
      : plan_(std::move(plan)),
        rows_(rows),
        nnz_(nnz),
        words_(new_array<std::uint32_t, Exec::device_type>(exec, "araia::cg::packing",
                                                           static_cast<std::int64_t>(plan_.packing.words.size()))),
        results_(new_array<Result, Exec::device_type>(exec, "araia::cg::results", systems)) {
    exec.fence("araia::make_cg: memory of the packing is there");
    copy_bytes<Exec, Kokkos::HostSpace>(words_.data(), plan_.packing.words.data(), plan_.packing.bytes());
    plan_.packing.words = {};
  }

  static CgPhase phase_of(cuda::one_cluster::Status status) {
    using Status = cuda::one_cluster::Status;
    switch (status) {
      case Status::converged: return CgPhase::done;
      case Status::max_iterations: return CgPhase::limit;
      case Status::indefinite: return CgPhase::indefinite;
      case Status::breakdown: return CgPhase::breakdown;
    }
    return CgPhase::breakdown;
  }

  cuda::one_cluster::Plan plan_;
  std::int64_t rows_;
  std::int64_t nnz_;
  Kokkos::View<std::uint32_t*, Exec::device_type> words_;
  Kokkos::View<Result*, Exec::device_type> results_;
};
#endif

}  // namespace araia::detail
