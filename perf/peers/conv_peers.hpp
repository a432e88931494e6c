// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What users would take in place of a pruned convolution: the same layer with dense weights.

#include <functional>
#include <string>
#include <vector>

#include <araia/detail/nn/conv_shape.hpp>

namespace araia::perf {

/// y = max(w * x + bias, 0) in float and NCHW, of a shape of one group.
struct ConvProblem {
  ConvShape shape;
  std::int64_t batch = 1;
  std::vector<float> weights;  ///< (K, C R S), zeros included, on the host
  std::vector<float> bias;     ///< (K)
  float const* x = nullptr;    ///< in the default space's memory, as y
  float* y = nullptr;
};

struct ConvContender {
  std::string name;
  std::function<void()> run;  ///< complete when it returns
};

#ifdef ARAIA_PERF_MKL
ConvContender conv_of_mkl(ConvProblem const& problem);
#endif
#ifdef ARAIA_PERF_CUBLAS
ConvContender conv_of_cublas(ConvProblem const& problem);
#endif

}  // namespace araia::perf
