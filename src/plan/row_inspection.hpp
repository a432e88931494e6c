// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What some kernels of csr must know of its rows beside the matrix: found once a plan, kept where the winner needs it.

#include <Kokkos_Core.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <araia/ops/spmv.hpp>
#include "backends/openmp/csr_row_runs.hpp"

namespace araia::detail {

template <class Exec, class A, class X, class Y, class Ordinal, class Offset, class Memory>
class RowInspection {
 public:
  using Source = Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>>;
  using Partition = CsrPartition<Kokkos::Device<Exec, Memory>>;

  /// Fences exec the first time. \param for_spmm  the same each time
  host::CsrRowRuns const* runs(Exec const& exec, Source const& source, bool for_spmm) {
    runs_taken_ = true;
    if (!runs_) {
      Clock::time_point const start = Clock::now();
      runs_ = inspect_rows<Exec, A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>, X, Y>(exec, source, for_spmm);
      runs_seconds_ = since(start);
    }
    return runs_.get();
  }

  /// Where the kernel cuts the rows. Fences exec the first time.
  Partition const& partition(Exec const& exec, Source const& source, CsrSpmvKernel kernel) {
    for (auto& known : partitions_)
      if (known.partition.cut == cut_of(kernel)) return take(known);
    return hold(exec, [&] { return partition_rows(exec, source, kernel); });
  }
  /// The same of SpMM, which has one such kernel.
  Partition const& partition(Exec const& exec, Source const& source, CsrSpmmKernel kernel, std::int64_t columns) {
    if (!partitions_.empty()) return take(partitions_.front());
    return hold(exec, [&] { return partition_rows(exec, source, kernel, columns); });
  }

  /// Most rows that begin in one chunk of equally many entries. Fences exec.
  std::int64_t most_chunk_rows(Exec const& exec, Source const& source) {
    return largest_chunk(exec, partition(exec, source, CsrSpmvKernel::equal_chunks).first_rows);
  }

  /// What kernels ask when they prepare.
  struct Rows {
    RowInspection& all;
    Exec const& exec;
    Source const& source;
    std::int64_t columns;  // of C; 0: for SpMV
    host::CsrRowRuns const* runs() const { return all.runs(exec, source, columns > 0); }
    CsrPartitionPointers partition(CsrSpmvKernel kernel) const {
      return all.partition(exec, source, kernel).pointers();
    }
    CsrPartitionPointers partition(CsrSpmmKernel kernel) const {
      return all.partition(exec, source, kernel, columns).pointers();
    }
  };

  /// Nothing is taken: what is asked for from now on is.
  void begin() {
    runs_taken_ = false;
    for (auto& known : partitions_) known.taken = false;
  }

  /// Seconds that it took to find what is taken.
  [[nodiscard]] double seconds_of_taken() const {
    double total = runs_taken_ ? runs_seconds_ : 0;
    for (auto const& known : partitions_)
      if (known.taken) total += known.seconds;
    return total;
  }

  /// Drops all else.
  void keep_taken() {
    if (!runs_taken_) runs_.reset();
    std::erase_if(partitions_, [](auto const& known) { return !known.taken; });
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t total = runs_ ? static_cast<std::uint64_t>(runs_->bytes()) : 0;
    for (auto const& known : partitions_) total += known.partition.bytes();
    return total;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

  struct Timed {
    Partition partition;
    double seconds = 0;
    bool taken = true;
  };
  static Partition const& take(Timed& known) {
    known.taken = true;
    return known.partition;
  }
  template <class Find>
  Partition const& hold(Exec const& exec, Find const& find) {
    Clock::time_point const start = Clock::now();
    auto const found = find();
    exec.fence("araia::make_plan: the partition is complete");
    return partitions_.emplace_back(Timed{found, since(start)}).partition;
  }

  std::shared_ptr<host::CsrRowRuns const> runs_{};
  double runs_seconds_ = 0;
  bool runs_taken_ = false;
  std::vector<Timed> partitions_{};  // one a cut
};

}  // namespace araia::detail
