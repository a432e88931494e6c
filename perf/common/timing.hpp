// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Interleaved timing: every round takes one sample of every contender, so that a slow moment of the machine hits all.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "problem.hpp"

namespace araia::perf {

/// Launches of one contender that are timed together. On CUDA one captured graph, so that launch cost stays out.
class Batch {
 public:
  /// \param launches       products of one sample
  /// \param copies         launch k uses copy (start + k) % copies; 1: always the first (warm)
  Batch(Exec const& exec, std::function<void(int)> launch, int launches, int copies);

  /// Seconds of one product. On a host the copies go on from `next_copy`, which moves on; a graph's are fixed.
  double sample(int& next_copy) const;

  /// Whether the samples are free of launch cost: a graph could be captured.
  [[nodiscard]] bool captured() const { return graph_ != nullptr; }

 private:
  struct Graph;
  Exec exec_;
  std::function<void(int)> launch_;
  int launches_;
  int copies_;
  std::shared_ptr<Graph const> graph_;
};

/// Samples of each contender, seconds a product, taken in rounds; the order turns by one each round.
/// \param batch_seconds  least time of a sample
/// \param copies         beyond the cache (cold), or 1 (warm: a product before each sample refills the cache)
std::vector<std::vector<double>> measure_interleaved(Exec const& exec,
                                                     std::vector<std::function<void(int)>> const& contenders,
                                                     int rounds, double batch_seconds, int copies);

double median(std::vector<double> values);

}  // namespace araia::perf
