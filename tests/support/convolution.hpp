// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Convolutions by their definition in long double, for float and double. Independent of the library's own check.

#include <cstdint>
#include <vector>

#include <araia/detail/nn/conv_shape.hpp>
#include <araia/detail/nn/conv_weights.hpp>
#include <araia/nn/conv_options.hpp>
#include "src/kernel/shifted_columns.hpp"

namespace araia::test {

/// What every output is, and the sum of the magnitudes of its terms.
struct ExpectedOutputs {
  std::vector<long double> values;
  std::vector<long double> magnitudes;
};

/// A layer's outputs in the order of its layout, of operands rounded to T.
/// \param x         (batch, input_size())
/// \param residual  (batch, output_size()), or empty
template <class T>
ExpectedOutputs expected_convolution(ConvShape const& shape, std::int64_t batch, ConvWeights const& weights,
                                     std::vector<double> const& x, std::vector<double> const& residual, bool relu,
                                     TensorLayout layout);

/// y of a product by shifted columns, in the order image, row, line, element without what lies between.
template <class T>
ExpectedOutputs expected_shifted_columns(ShiftedWeights<T> const& a, ShiftedOperands<T> const& b);

}  // namespace araia::test
