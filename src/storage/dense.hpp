// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <araia/detail/plan/traffic.hpp>
#include "src/storage/info.hpp"

namespace araia::detail {

inline std::string why_not_dense(Problem const& p, Choice const&) {
  return p.allow_dense ? "" : "dense multiplies zeros, which allow_dense does not permit";
}

/// Its kernel's own rule has the bytes.
inline constexpr Storage dense_storage{
    .name = "dense", .columns_per_lane = "0, 1, 4 or 8", .is_format = false, .refuse = why_not_dense};

}  // namespace araia::detail
