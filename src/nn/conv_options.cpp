// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/conv_options.hpp>

namespace araia {

char const* to_string(TensorLayout layout) { return layout == TensorLayout::nchw ? "nchw" : "nhwc"; }

char const* to_string(ConvMethod method) {
  switch (method) {
    case ConvMethod::automatic: return "automatic";
    case ConvMethod::shifted_columns: return "shifted_columns";
    case ConvMethod::im2col: return "im2col";
    case ConvMethod::in_place: return "in_place";
    case ConvMethod::dense: return "dense";
    case ConvMethod::depthwise: return "depthwise";
  }
  return "unknown";
}

ConvCandidate const* ConvReport::fastest(bool dense) const {
  ConvCandidate const* best = nullptr;
  for (auto const& candidate : candidates)
    if (candidate.seconds > 0 && multiplies_zeros(candidate.method) == dense &&
        (!best || candidate.seconds < best->seconds))
      best = &candidate;
  return best;
}

}  // namespace araia
