// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What stored.hpp declares of one format, over its Store.

#include <memory>
#include <utility>

#include "src/plan/converted.hpp"
#include "src/plan/format_options.hpp"

namespace araia::detail {

template <class Store, class Exec, class A>
StoredPtr<Exec, A, std::int32_t> store_as(Exec const& exec, PlanSource<Exec, A, std::int32_t> const& source,
                                          Choice const& choice, StoreOptions const& options) {
  return Store::convert(exec, source, choice, options, [](auto matrix) -> StoredPtr<Exec, A, std::int32_t> {
    return std::make_shared<Converted<Exec, A, std::int32_t, decltype(matrix)>>(std::move(matrix));
  });
}

template <class Store, class Exec, class A>
Footprint count_as(Exec const& exec, PlanSource<Exec, A, std::int32_t> const& source, Choice const& choice,
                   StoreOptions const& options) {
  return Store::count(exec, source, choice, options);
}

}  // namespace araia::detail
