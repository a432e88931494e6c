// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/nn/conv_weights.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/error.hpp>

namespace araia {
namespace {

/// Normal numbers of mean 0 that are the same with every standard library.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : engine_(seed) {}
  double operator()() {
    if (has_next_) {
      has_next_ = false;
      return next_;
    }
    double const radius = std::sqrt(-2 * std::log(1 - uniform()));  // Box and Muller
    double const angle = 2 * pi * uniform();
    next_ = radius * std::sin(angle);
    has_next_ = true;
    return radius * std::cos(angle);
  }

 private:
  static constexpr double pi = 3.14159265358979323846;
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::mt19937_64 engine_;
  double next_ = 0;
  bool has_next_ = false;
};

void require_size(char const* name, std::size_t size, std::int64_t expected) {
  if (static_cast<std::int64_t>(size) != expected)
    throw Error(ErrorKind::dimension_mismatch, "araia::ConvWeights: " + std::string(name) + " has " +
                                                   std::to_string(size) + " elements, expected " +
                                                   std::to_string(expected));
}

ConvWeights empty_weights(ConvShape const& shape) {
  ConvWeights w;
  w.rows = shape.filters;
  w.cols = shape.columns();
  w.row_offsets.assign(static_cast<std::size_t>(shape.filters) + 1, 0);
  return w;
}

/// Leaves out what `keeps` does not hold of, entry by entry in order.
template <class Keeps>
void keep(ConvWeights& w, Keeps const& keeps) {
  std::size_t to = 0;
  std::size_t from = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(w.rows); ++row) {
    auto const end = static_cast<std::size_t>(w.row_offsets[row + 1]);
    for (; from < end; ++from)
      if (keeps(w.values[from])) {
        w.col_indices[to] = w.col_indices[from];
        w.values[to++] = w.values[from];
      }
    w.row_offsets[row + 1] = static_cast<std::int32_t>(to);
  }
  w.col_indices.resize(to);
  w.values.resize(to);
}

/// What is no number has no magnitude to prune by.
void require_numbers(ConvWeights const& w, std::size_t layer) {
  auto const at = std::find_if(w.values.begin(), w.values.end(), [](double value) { return std::isnan(value); });
  if (at == w.values.end()) return;
  auto const entry = at - w.values.begin();
  auto const row = std::upper_bound(w.row_offsets.begin(), w.row_offsets.end(), entry) - w.row_offsets.begin() - 1;
  throw Error(ErrorKind::invalid_argument, "araia::prune_by_magnitude: the weight of row " + std::to_string(row) +
                                               ", column " +
                                               std::to_string(w.col_indices[static_cast<std::size_t>(entry)]) +
                                               " of layer " + std::to_string(layer) + " is NaN, expected a number");
}

}  // namespace

double ConvWeights::sparsity() const {
  double const places = static_cast<double>(rows) * static_cast<double>(cols);
  return places == 0 ? 0 : 1 - static_cast<double>(nnz()) / places;
}

ConvWeights weights_from_dense(ConvShape const& shape, std::span<double const> dense) {
  require_valid(shape);
  require_size("dense", dense.size(), shape.weights());
  ConvWeights w = empty_weights(shape);
  auto const cols = static_cast<std::size_t>(w.cols);
  for (std::size_t row = 0; row < static_cast<std::size_t>(w.rows); ++row) {
    for (std::size_t col = 0; col < cols; ++col) {
      double const value = dense[row * cols + col];
      if (value == 0) continue;
      w.col_indices.push_back(static_cast<std::int32_t>(col));
      w.values.push_back(value);
    }
    w.row_offsets[row + 1] = static_cast<std::int32_t>(w.values.size());
  }
  return w;
}

ConvWeights weights_of(ConvShape const& shape, HostCoo const& matrix, std::uint64_t seed) {
  require_valid(shape);
  if (matrix.rows != shape.filters || matrix.cols != shape.columns())
    throw Error(ErrorKind::dimension_mismatch, "araia::weights_of: the matrix is " + std::to_string(matrix.rows) +
                                                   " x " + std::to_string(matrix.cols) + ", expected filters by " +
                                                   "channels / groups * kernel, " + std::to_string(shape.filters) +
                                                   " x " + std::to_string(shape.columns()));
  if (matrix.symmetry != Symmetry::general)
    throw Error(ErrorKind::unsupported, "araia::weights_of: the matrix has symmetry, expected a general one");
  auto const stored = static_cast<std::size_t>(matrix.stored());
  std::vector<double> values(stored);
  std::visit(
      [&](auto const& of) {
        using Values = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Values, std::monostate>) {
          Normal normal(seed);
          double const mean = static_cast<double>(stored) / static_cast<double>(shape.filters);
          double const deviation = std::sqrt(2 / std::max(mean, 1.0));
          for (auto& value : values) value = deviation * normal();
        } else if constexpr (std::is_same_v<Values, std::vector<std::complex<double>>>) {
          throw Error(ErrorKind::unsupported, "araia::weights_of: the matrix is complex, expected a real one");
        } else {
          require_size("values", of.size(), matrix.stored());
          std::transform(of.begin(), of.end(), values.begin(), [](auto v) { return static_cast<double>(v); });
        }
      },
      matrix.values);
  ConvWeights w = empty_weights(shape);
  std::visit(
      [&](auto const& rows) {
        auto const& cols = std::get<std::decay_t<decltype(rows)>>(matrix.col_indices);
        require_size("column indices", cols.size(), matrix.stored());
        for (std::size_t k = 0; k < stored; ++k)
          if (rows[k] < 0 || rows[k] >= shape.filters || cols[k] < 0 || cols[k] >= shape.columns())
            throw Error(ErrorKind::invalid_structure, "araia::weights_of: entry " + std::to_string(k) + " is at (" +
                                                          std::to_string(rows[k]) + ", " + std::to_string(cols[k]) +
                                                          "), outside of the matrix");
        std::vector<std::size_t> order(stored);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
          return rows[a] != rows[b] ? rows[a] < rows[b] : cols[a] < cols[b];
        });
        for (std::size_t i = 0; i < stored; ++i) {
          std::size_t const k = order[i];
          if (i > 0 && rows[order[i - 1]] == rows[k] && cols[order[i - 1]] == cols[k]) {
            w.values.back() += values[k];
            continue;
          }
          w.col_indices.push_back(static_cast<std::int32_t>(cols[k]));
          w.values.push_back(values[k]);
          ++w.row_offsets[static_cast<std::size_t>(rows[k]) + 1];
        }
      },
      matrix.row_indices);
  std::partial_sum(w.row_offsets.begin(), w.row_offsets.end(), w.row_offsets.begin());
  return w;
}

ConvWeights random_weights(ConvShape const& shape, double sparsity, std::uint64_t seed) {
  require_valid(shape);
  auto const needed = static_cast<std::uint64_t>(shape.weights());
  // Values and columns, and for pruning magnitudes.
  detail::require_memory("araia::random_weights: the weights before pruning",
                         needed * (sizeof(double) + sizeof(std::int32_t) + (sparsity == 0 ? 0 : sizeof(double))),
                         default_host_memory_limit());
  Normal normal(seed);
  double const deviation = std::sqrt(2.0 / static_cast<double>(shape.columns()));
  ConvWeights w = empty_weights(shape);
  auto const cols = static_cast<std::size_t>(w.cols);
  auto const places = static_cast<std::size_t>(shape.weights());
  w.values.resize(places);
  w.col_indices.resize(places);
  for (std::size_t i = 0; i < places; ++i) {
    w.values[i] = deviation * normal();
    w.col_indices[i] = static_cast<std::int32_t>(i % cols);
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(w.rows); ++row)
    w.row_offsets[row + 1] = static_cast<std::int32_t>((row + 1) * cols);
  prune_by_magnitude(w, sparsity);
  w.values.shrink_to_fit();
  w.col_indices.shrink_to_fit();
  return w;
}

void prune_by_magnitude(std::span<ConvWeights* const> layers, double sparsity) {
  if (!(sparsity >= 0 && sparsity <= 1))
    throw Error(ErrorKind::invalid_argument, "araia::prune_by_magnitude: sparsity is " + std::to_string(sparsity) +
                                                 ", expected a number from 0 to 1");
  if (sparsity == 0) return;
  double places = 0;
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    require_numbers(*layers[i], i);
    entries += static_cast<std::uint64_t>(layers[i]->nnz());
  }
  detail::require_memory("araia::prune_by_magnitude: the magnitudes",
                         detail::saturating_product(entries, sizeof(double)), default_host_memory_limit());
  std::vector<double> magnitudes;
  magnitudes.reserve(static_cast<std::size_t>(entries));
  for (auto const* layer : layers) {
    places += static_cast<double>(layer->rows) * static_cast<double>(layer->cols);
    for (double const value : layer->values) magnitudes.push_back(std::abs(value));
  }
  auto const kept = static_cast<std::size_t>(std::llround((1 - sparsity) * places));
  if (kept >= magnitudes.size()) return;
  double threshold = std::numeric_limits<double>::infinity();
  std::size_t of_threshold = 0;  // entries of that magnitude to keep
  if (kept > 0) {
    auto const last = magnitudes.begin() + static_cast<std::ptrdiff_t>(kept) - 1;
    std::nth_element(magnitudes.begin(), last, magnitudes.end(), std::greater<>());
    threshold = *last;
    of_threshold = static_cast<std::size_t>(std::count(magnitudes.begin(), last + 1, threshold));
  }
  for (auto* const layer : layers)
    keep(*layer, [&](double value) {
      double const magnitude = std::abs(value);
      if (magnitude == threshold && of_threshold > 0) {
        --of_threshold;
        return true;
      }
      return magnitude > threshold;
    });
}

void prune_by_magnitude(ConvWeights& weights, double sparsity) {
  ConvWeights* const one = &weights;
  prune_by_magnitude(std::span<ConvWeights* const>(&one, 1), sparsity);
}

void fold_batch_norm(ConvWeights& w, BatchNorm const& norm) {
  require_size("gamma", norm.gamma.size(), w.rows);
  require_size("beta", norm.beta.size(), w.rows);
  require_size("mean", norm.mean.size(), w.rows);
  require_size("variance", norm.variance.size(), w.rows);
  auto const rows = static_cast<std::size_t>(w.rows);
  for (std::size_t k = 0; k < rows; ++k)
    if (!(norm.variance[k] + norm.epsilon > 0))
      throw Error(ErrorKind::invalid_argument,
                  "araia::fold_batch_norm: variance + epsilon of filter " + std::to_string(k) + " is " +
                      std::to_string(norm.variance[k] + norm.epsilon) + ", expected a positive number");
  if (w.bias.empty()) w.bias.assign(rows, 0.0);
  for (std::size_t k = 0; k < rows; ++k) {
    double const factor = norm.gamma[k] / std::sqrt(norm.variance[k] + norm.epsilon);
    for (auto j = static_cast<std::size_t>(w.row_offsets[k]); j < static_cast<std::size_t>(w.row_offsets[k + 1]); ++j)
      w.values[j] *= factor;
    w.bias[k] = factor * (w.bias[k] - norm.mean[k]) + norm.beta[k];
  }
}

void require_valid(ConvShape const& shape, ConvWeights const& w) {
  if (w.rows != shape.filters || w.cols != shape.columns())
    throw Error(ErrorKind::dimension_mismatch,
                "araia::ConvWeights: the matrix is " + std::to_string(w.rows) + " x " + std::to_string(w.cols) +
                    ", expected " + std::to_string(shape.filters) + " x " + std::to_string(shape.columns()));
  require_size("row_offsets", w.row_offsets.size(), w.rows + 1);
  require_size("col_indices", w.col_indices.size(), w.nnz());
  if (!w.bias.empty()) require_size("bias", w.bias.size(), w.rows);
  bool valid = w.row_offsets.front() == 0 && w.row_offsets.back() == w.nnz();
  for (std::size_t row = 0; valid && row < static_cast<std::size_t>(w.rows); ++row)
    valid = w.row_offsets[row] <= w.row_offsets[row + 1];
  if (!valid)
    throw Error(ErrorKind::invalid_structure,
                "araia::ConvWeights: row_offsets do not rise from 0 to the number of entries");
  for (std::size_t row = 0; row < static_cast<std::size_t>(w.rows); ++row)
    for (auto j = w.row_offsets[row]; j < w.row_offsets[row + 1]; ++j) {
      auto const col = w.col_indices[static_cast<std::size_t>(j)];
      bool const ascends = j == w.row_offsets[row] || w.col_indices[static_cast<std::size_t>(j) - 1] < col;
      if (col < 0 || col >= w.cols || !ascends)
        throw Error(ErrorKind::invalid_structure, "araia::ConvWeights: column " + std::to_string(col) + " of row " +
                                                      std::to_string(row) + " is out of range or order");
    }
}

}  // namespace araia
