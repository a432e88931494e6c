// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a caller asks of a convolution layer, and what the layer tells of its choice. No Kokkos.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <araia/detail/nn/conv_shape.hpp>
#include <araia/precision.hpp>

namespace araia {

/// Order of a tensor's elements: (image, channel, line, element) or (image, line, element, channel).
enum class TensorLayout { nchw, nhwc };

/// How a layer is computed.
enum class ConvMethod {
  automatic,        ///< the fastest of those that are permitted
  shifted_columns,  ///< sparse weights by the input in padded planes, or as it lies; no unrolled matrix
  im2col,           ///< sparse weights by the unrolled input, by a plan
  in_place,         ///< sparse weights by the input as it lies, by a plan: 1 x 1, stride 1, no border
  dense,            ///< dense weights by the unrolled input or the input as it lies, by a BLAS
  depthwise         ///< groups of one channel, by direct loops over all weights
};

[[nodiscard]] char const* to_string(TensorLayout layout);
[[nodiscard]] char const* to_string(ConvMethod method);
/// Does it multiply zeros too?
[[nodiscard]] constexpr bool multiplies_zeros(ConvMethod method) {
  return method == ConvMethod::dense || method == ConvMethod::depthwise;
}

struct ConvOptions {
  TensorLayout layout = TensorLayout::nchw;  ///< of input, output and residual
  bool relu = false;
  /// What plans may round, of float alone. Other methods are native.
  Precision precision = Precision::native;
  ConvMethod method = ConvMethod::automatic;
  /// Dense weights may win. They multiply zeros: an infinity or NaN then reaches every channel of its place.
  bool allow_dense = true;
  bool measure = true;  ///< time the methods that are permitted; else a rule chooses
  double budget = 0.5;  ///< seconds of measuring
  /// Bytes of unrolled input at a time: a batch is unrolled in so many images as fit, one at least.
  std::uint64_t unrolled_bytes = std::uint64_t{256} << 20;
};

/// A method that was considered.
struct ConvCandidate {
  ConvMethod method = ConvMethod::automatic;
  std::string kernel;  ///< what multiplies: "csr/host_simd", "cublas", ...
  Precision precision = Precision::native;
  double seconds = 0;                 ///< a whole layer, layout to layout; 0 where not timed
  std::uint64_t weight_bytes = 0;     ///< of weights as the method holds them
  std::uint64_t workspace_bytes = 0;  ///< unrolled input, planes, what is transposed
  std::string reason;                 ///< why it is out; else empty
};

struct ConvReport {
  ConvShape shape{};
  std::int64_t batch = 1;
  std::int64_t nnz = 0;
  double sparsity = 0;
  ConvOptions options{};
  bool measured = false;
  std::vector<ConvCandidate> candidates{};  ///< the one taken first, then by time; those that are out last

  [[nodiscard]] ConvCandidate const& winner() const { return candidates.front(); }
  /// The fastest that multiplies zeros, or does not; null where none was timed.
  [[nodiscard]] ConvCandidate const* fastest(bool dense) const;
};

/// The sparsity from which on sparse weights win.
struct ConvFlip {
  bool known = false;
  double sparsity = std::numeric_limits<double>::quiet_NaN();  ///< 0: they always do, 1: they never do
  std::vector<double> at{};                                    ///< sparsities of random weights that were timed
  std::vector<double> seconds{};                               ///< of the fastest sparse method at each
  std::string reason{};                                        ///< why it is not known; else empty
};

}  // namespace araia
