// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where descriptors put the choices that are worth trying: each costs a conversion or a race where a plan measures.

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>

namespace araia {

class Proposals {
 public:
  using Legal = std::function<bool(Choice const&)>;
  Proposals(Problem const& problem, Legal legal) : problem_(problem), legal_(std::move(legal)) {}

  /// Unless it is there already, or may not run.
  void add(Choice choice) {
    if (is_new(choice)) list_.push_back(std::move(choice));
  }
  /// Before all that are there: what is taken where nothing is measured and the model sees no difference.
  void lead(Choice choice) {
    if (auto const found = std::find(list_.begin(), list_.end(), choice); found != list_.end())
      std::rotate(list_.begin(), found, found + 1);
    else if (legal_(choice))
      list_.insert(list_.begin(), std::move(choice));
  }
  /// Also with rows ordered by length, where that changes anything.
  void add_with_order(Choice choice) {
    add(choice);
    if (problem_.source_permuted || problem_.stats.min_length == problem_.stats.max_length) return;
    choice.rows_by_length = true;
    add(std::move(choice));
  }
  [[nodiscard]] std::vector<Choice> take() { return std::move(list_); }

 private:
  [[nodiscard]] bool is_new(Choice const& choice) const {
    return std::find(list_.begin(), list_.end(), choice) == list_.end() && legal_(choice);
  }
  Problem const& problem_;
  Legal legal_;
  std::vector<Choice> list_;
};

}  // namespace araia
