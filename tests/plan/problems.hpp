// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Problems and machines that tests of the model share.

#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/plan.hpp>

namespace araia::test {

inline Problem thousand_rows_of_ten() {
  Problem p;
  p.stats.rows = 1000;
  p.stats.cols = 500;
  p.stats.nnz = 10000;
  p.stats.min_length = 5;
  p.stats.max_length = 20;
  p.stats.mean_length = 10;
  p.host_simd = true;
  return p;
}

inline Machine machine(bool device, int concurrency = 4) {
  return {.space = "test",
          .device = device,
          .concurrency = concurrency,
          .read_bandwidth = 1e10,
          .copy_bandwidth = 1e10,
          .triad_bandwidth = 1e10,
          .cache_bandwidth = 1e11,
          .launch_seconds = 1e-6,
          .flops = 1e11,
          .cache_bytes = 1 << 20};
}

/// A pruned matrix of float on a device that packs it.
inline Problem pruned_problem() {
  Problem p;
  p.stats.rows = p.stats.cols = 1024;
  p.stats.nnz = 1024 * 410;
  p.stats.min_length = 380;
  p.stats.max_length = 440;
  p.stats.mean_length = 410;
  p.stats.length_histogram[9] = 1024;
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  p.operation = OpId::spmm;
  p.columns = 512;
  p.cuda_kernels = true;
  p.bound = {"csr/padded_rows", "csr/jammed", "csr/lockstep", "csr/tensor_tiles", "dense/cublas"};
  return p;
}

}  // namespace araia::test
