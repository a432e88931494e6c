// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of levels in which every allowed pair of levels of two factors comes together: a pairwise covering array, made
// greedily, one row at a time [Cohen1997].

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace araia::test::cover {

/// A level of every factor; -1: not chosen yet.
using Levels = std::vector<int>;

class CoveringArray {
 public:
  /// May this row be? Asked of rows in the making too, where it says no only if no choice of the rest would do.
  using Allowed = std::function<bool(Levels const&)>;

  CoveringArray(std::vector<int> levels, Allowed allowed, std::uint64_t seed)
      : levels_(std::move(levels)), allowed_(std::move(allowed)), random_(seed) {
    Levels row(levels_.size(), -1);
    for (std::size_t f = 0; f < levels_.size(); ++f)
      for (std::size_t g = f + 1; g < levels_.size(); ++g) {
        state_.emplace_back(static_cast<std::size_t>(levels_[f] * levels_[g]), State::impossible);
        for (row[f] = 0; row[f] < levels_[f]; ++row[f])
          for (row[g] = 0; row[g] < levels_[g]; ++row[g])
            if (allowed_(row)) {
              state(f, row[f], g, row[g]) = State::open;
              pairs_.push_back({f, row[f], g, row[g]});
            }
        row[f] = row[g] = -1;
      }
    start_round();
  }

  /// The next row. When all pairs have come, they come again in other company.
  Levels next() {
    for (;;) {
      Pair const& pair = first_open();
      constexpr int attempts = 50;  // of completing a row; where none works, three levels or more exclude each other
      for (int i = 0; i < attempts; ++i) {
        Levels row(levels_.size(), -1);
        row[pair.f] = pair.level_f;
        row[pair.g] = pair.level_g;
        if (!complete(row)) continue;
        mark(row);
        return row;
      }
      state(pair.f, pair.level_f, pair.g, pair.level_g) = State::impossible;
      ++given_up_;
    }
  }

  /// Pairs that must come together.
  [[nodiscard]] std::size_t pairs() const { return pairs_.size() - given_up_; }
  /// Pairs that no row could be completed from.
  [[nodiscard]] std::size_t given_up() const { return given_up_; }
  /// Times that all pairs have come.
  [[nodiscard]] int rounds() {
    first_open();
    return rounds_;
  }

 private:
  enum class State : unsigned char { open, covered, impossible };
  struct Pair {
    std::size_t f;
    int level_f;
    std::size_t g;
    int level_g;
  };

  State& state(std::size_t f, int level_f, std::size_t g, int level_g) {
    if (f > g) {
      std::swap(f, g);
      std::swap(level_f, level_g);
    }
    std::size_t const n = levels_.size();
    std::size_t const table = f * n - f * (f + 1) / 2 + (g - f - 1);
    return state_[table][static_cast<std::size_t>(level_f * levels_[g] + level_g)];
  }

  void start_round() {
    shuffle(pairs_);
    for (auto const& p : pairs_)
      if (auto& s = state(p.f, p.level_f, p.g, p.level_g); s == State::covered) s = State::open;
    at_ = 0;
  }

  Pair const& first_open() {
    for (;;) {
      for (; at_ < pairs_.size(); ++at_)
        if (auto const& p = pairs_[at_]; state(p.f, p.level_f, p.g, p.level_g) == State::open) return p;
      ++rounds_;
      start_round();
    }
  }

  /// Chooses for each factor, in random order, the allowed level that covers most. False where none is allowed.
  bool complete(Levels& row) {
    std::vector<std::size_t> order;
    for (std::size_t f = 0; f < row.size(); ++f)
      if (row[f] < 0) order.push_back(f);
    shuffle(order);
    for (std::size_t const f : order) {
      int best = -1;
      int most = -1;
      auto const first = static_cast<int>(random_() % static_cast<std::uint64_t>(levels_[f]));
      for (int i = 0; i < levels_[f]; ++i) {
        int const level = (first + i) % levels_[f];
        int const gain = opened(row, f, level);
        if (gain <= most) continue;
        row[f] = level;
        if (allowed_(row)) {
          best = level;
          most = gain;
        }
      }
      row[f] = best;
      if (best < 0) return false;
    }
    return true;
  }

  /// Open pairs that a level would cover.
  int opened(Levels const& row, std::size_t f, int level) {
    int count = 0;
    for (std::size_t g = 0; g < row.size(); ++g)
      if (g != f && row[g] >= 0 && state(f, level, g, row[g]) == State::open) ++count;
    return count;
  }

  void mark(Levels const& row) {
    for (std::size_t f = 0; f < row.size(); ++f)
      for (std::size_t g = f + 1; g < row.size(); ++g) state(f, row[f], g, row[g]) = State::covered;
  }

  /// std::shuffle differs between standard libraries.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random_() % i]);
  }

  std::vector<int> levels_;
  Allowed allowed_;
  std::mt19937_64 random_;
  std::vector<std::vector<State>> state_;  // a table for each two factors
  std::vector<Pair> pairs_;                // possible ones
  std::size_t at_ = 0;
  std::size_t given_up_ = 0;
  int rounds_ = 0;
};

}  // namespace araia::test::cover
