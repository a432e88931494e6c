// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a Choice tells the conversions: its zeros are their defaults. The source was checked when the plan began.

#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/sell_options.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>
#include "src/plan/stored.hpp"

namespace araia::detail {

inline CscOptions csc_options(Choice const&, StoreOptions const& s) {
  return {.keep_source = s.keep_maps, .memory_limit = s.memory_limit, .validate = false};
}

inline HybOptions hyb_options(Choice const& c, StoreOptions const& s) {
  return {.width = c.width ? c.width : -1, .memory_limit = s.memory_limit, .validate = false};
}

inline SellOptions sell_options(Choice const& c, StoreOptions const& s) {
  constexpr int windows = 32;  // slices: long enough to gather rows of one length, short enough to keep x in cache
  SellOptions o;
  if (c.slice_height) o.slice_height = c.slice_height;
  if (c.rows_by_length) o.sort_window = c.sort_window ? c.sort_window : windows * o.slice_height;
  o.least_slice_height = c.least_slice_height;
  if (c.block_width) o.block_width = c.block_width;
  o.diagonals = c.diagonals;
  if (c.narrow) o.columns = SellColumns::least_bytes;
  o.memory_limit = s.memory_limit;
  o.validate = false;
  return o;
}

/// Host: bytes that the conversion of a choice takes beside the result, where its limit does not tell.
std::uint64_t conversion_workspace(Problem const& p, Choice const& c, int threads);

/// A shape of zeros is left to the conversion.
inline BsrOptions bsr_options(Choice const& c, StoreOptions const& s) {
  return {.block_rows = c.block_rows, .block_cols = c.block_cols, .memory_limit = s.memory_limit, .validate = false};
}

inline BcscOptions bcsc_options(Choice const& c, StoreOptions const& s) {
  BcscOptions o;
  if (c.block_height) o.block_height = c.block_height;
  if (c.block_entries > 0) o.heights = BcscHeights::by_entries;
  if (c.block_columns > 0) o.heights = BcscHeights::by_columns;
  o.per_block = std::max(c.block_entries, c.block_columns);
  o.split = c.split;
  o.dense_entries = c.dense_entries;
  o.keep_gather = s.keep_maps;
  o.memory_limit = s.memory_limit;
  o.validate = false;
  return o;
}

}  // namespace araia::detail
