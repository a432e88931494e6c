// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Weights of a convolution on the host: read, drawn, pruned, with batch normalisation folded in. No Kokkos.

#include <cstdint>
#include <span>
#include <vector>

#include <araia/detail/nn/conv_shape.hpp>
#include <araia/io/host_coo.hpp>

namespace araia {

/// A matrix (filters, columns()) in CSR, columns in the order channel, r, s of a filter's own group; zeros need not be
/// stored. Layers round the values to their own scalar.
struct ConvWeights {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int32_t> row_offsets;  ///< (rows + 1)
  std::vector<std::int32_t> col_indices;  ///< (nnz) ascending within a row
  std::vector<double> values;             ///< (nnz)
  std::vector<double> bias;               ///< (rows), or empty

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(values.size()); }
  /// Share of the places without an entry.
  [[nodiscard]] double sparsity() const;
};

/// What is not zero of dense weights. \param dense  (K, C / groups, R, S)
/// \throws araia::Error as require_valid; dimension_mismatch for another size
[[nodiscard]] ConvWeights weights_from_dense(ConvShape const& shape, std::span<double const> dense);

/// The matrix of a file; duplicates are summed. A pattern gets normal values by `seed`, of standard deviation
/// sqrt(2 / mean entries of a row).
/// \throws araia::Error dimension_mismatch where it is not (filters, columns()); unsupported for symmetry or complex
///         values
[[nodiscard]] ConvWeights weights_of(ConvShape const& shape, HostCoo const& matrix, std::uint64_t seed = 1);

/// Dense normal values of standard deviation sqrt(2 / columns()), as networks are initialised [He2015], pruned by
/// magnitude to `sparsity`.
/// \throws araia::Error as require_valid, prune_by_magnitude; resource_limit where all weights before pruning are
/// beyond
///         default_host_memory_limit()
[[nodiscard]] ConvWeights random_weights(ConvShape const& shape, double sparsity, std::uint64_t seed = 1);

/// Keeps the round((1 - sparsity) rows cols) entries of largest magnitude [Han2015]; of equal ones the first.
/// \throws araia::Error invalid_argument where sparsity is not in [0, 1], or is above 0 and a weight is NaN, naming its
///         layer (from 0), row and column; resource_limit where the magnitudes are beyond default_host_memory_limit()
void prune_by_magnitude(ConvWeights& weights, double sparsity);

/// The same over all of them with one threshold: layers of small weights lose more.
void prune_by_magnitude(std::span<ConvWeights* const> layers, double sparsity);

/// Batch normalisation of inference: y = gamma (x - mean) / sqrt(variance + epsilon) + beta, for each filter.
struct BatchNorm {
  std::vector<double> gamma;
  std::vector<double> beta;
  std::vector<double> mean;
  std::vector<double> variance;
  double epsilon = 1e-5;
};

/// Puts the normalisation that follows a layer into its weights [Jacob2018]:
///   f = gamma / sqrt(variance + epsilon),  w' = f w,  bias' = f (bias - mean) + beta
/// \throws araia::Error dimension_mismatch where an array has not `rows` elements; invalid_argument where
///         variance + epsilon is not positive
void fold_batch_norm(ConvWeights& weights, BatchNorm const& norm);

/// \throws araia::Error dimension_mismatch, invalid_structure where the arrays are no such matrix
void require_valid(ConvShape const& shape, ConvWeights const& weights);

}  // namespace araia
