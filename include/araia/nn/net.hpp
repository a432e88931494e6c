// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A network's convolutions in order, as a file describes them (docs/pruned_convolution.md). No Kokkos.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/nn/conv_shape.hpp>
#include <araia/detail/nn/conv_weights.hpp>

namespace araia {

enum class NetOp {
  convolution,
  max_pool,     ///< of what is inside the input
  average_pool  ///< likewise
};

struct NetLayer {
  std::string name;  ///< errors begin with it; empty of a layer that stands alone
  NetOp op = NetOp::convolution;
  std::optional<std::size_t> from{};  ///< the layer whose output it reads; empty: the net's input
  std::optional<std::size_t> add{};   ///< a layer whose output is added before the activation
  ConvShape shape{};                  ///< of pools too: filters are the channels
  bool relu = false;
  double sparsity = 0;                    ///< of random weights, and of those of a file that are pruned further
  std::filesystem::path weights{};        ///< empty: random
  bool random_bias = false;               ///< normal numbers of deviation 0.1
  std::vector<double> bias{};             ///< or these
  std::optional<BatchNorm> batch_norm{};  ///< folded in after pruning
};

struct Net {
  std::string name;
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  bool prunes_globally = false;  ///< one threshold over all layers that `sparsity` is for
  double sparsity = 0;           ///< of the net where it prunes globally
  std::uint64_t seed = 1;
  std::vector<NetLayer> layers;  ///< in an order in which each reads what is before it; the last one's is the output
};

/// \throws araia::Error parse naming file and layer: JSON that is broken, a key that is unknown, missing or of another
///         type, a layer that reads what is not before it, a shape that cannot be, shapes that do not fit for an
///         addition, a key twice in one object, arrays and objects more than 16 deep, weights in what is no regular
///         file below the directory; invalid_argument where there is no such file; resource_limit beyond 1 MiB;
///         device
/// A file may be gzip.
/// Cost  n log n in the bytes
[[nodiscard]] Net read_net(std::filesystem::path const& path);
/// \param directory  where files of weights are looked for
[[nodiscard]] Net parse_net(std::string_view text, std::string const& name,
                            std::filesystem::path const& directory = {});

/// That the layers can run in order: each reads what is before it, in the shape that it has there; windows of pools
/// hold a part of the input. \throws araia::Error naming the layer: as require_valid of shapes; invalid_argument where
/// a layer reads what is not
///         before it, a pool adds or is no pool of its channels, or has a border of more than half of its window;
///         dimension_mismatch where shapes do not chain
void require_valid(Net const& net);

namespace detail {
/// The same of a layer that is to be number net.layers.size() or is number `place`, of which those before it are valid.
void require_fits(Net const& net, std::size_t place, NetLayer const& layer);
}  // namespace detail

/// Weights of all layers, pruned, with biases and folded batch normalisation; of pools without rows. Weights from files
/// are pruned where they are denser than the layer's sparsity.
/// \throws araia::Error as require_valid, read_matrix, weights_of, prune_by_magnitude and fold_batch_norm, naming the
///         layer; resource_limit where together they are beyond default_host_memory_limit()
[[nodiscard]] std::vector<ConvWeights> net_weights(Net const& net);

}  // namespace araia
