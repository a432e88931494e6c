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
  /// \param between        enqueued after every product where it is not empty
  Batch(Exec const& exec, std::function<void(int)> launch, int launches, int copies,
        std::function<void()> const& between = {});

  /// Seconds of one product, with what is between. On a host the copies go on from `turn`, which moves on; a graph's
  /// are fixed.
  double sample(std::int64_t& turn) const;

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

/// A product to time, and the copies that it rotates through: beyond the cache (cold), or 1 (warm: a product before
/// each sample refills the cache).
struct Timed {
  std::function<void(int)> launch;
  int copies = 1;
};

/// Samples of each contender, seconds a product, taken in rounds; the order turns by one each round.
/// \param batch_seconds  least time of a sample
/// \param between        an ordinary kernel that follows every product; each round times it by itself too, and the
///                       fastest of these is taken off all samples, which may leave nothing of those of products that
///                       overlap it. Empty: nothing follows
std::vector<std::vector<double>> measure_interleaved(Exec const& exec, std::vector<Timed> const& contenders, int rounds,
                                                     double batch_seconds, std::function<void()> const& between = {});

/// The same with one number of copies for all and nothing between.
std::vector<std::vector<double>> measure_interleaved(Exec const& exec,
                                                     std::vector<std::function<void(int)>> const& contenders,
                                                     int rounds, double batch_seconds, int copies);

/// One pass over an array of half a megabyte, for between products. A kernel that may start while the one before it
/// ends meets its own like otherwise, which programs rarely launch.
std::function<void()> ordinary_kernel(Exec const& exec);

double median(std::vector<double> values);

}  // namespace araia::perf
