// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The numbers of a Choice that several kernels or conversions share: their names in labels and JSON, and which of them
// kernels read. What one kernel alone reads stands in its descriptor: KernelInfo::parameters.

#include <algorithm>
#include <array>
#include <string_view>

#include <araia/detail/extend/kernel_info.hpp>
#include <araia/plan/choice.hpp>
#include "src/storage/info.hpp"

namespace araia::detail {

struct ChoiceParameter {
  char const* name;
  IntegerField field;
  unsigned bit;  ///< of reads
};
inline constexpr std::array<ChoiceParameter, 16> choice_parameters{
    {{"rows_per_team", &Choice::rows_per_team, reads::rows},
     {"entries", &Choice::entries, reads::entries},
     {"team_size", &Choice::team_size, reads::threads},
     {"vector_length", &Choice::vector_length, reads::lanes},
     {"columns_per_lane", &Choice::columns_per_lane, reads::columns},
     {"slice_height", &Choice::slice_height, reads::none},
     {"sort_window", &Choice::sort_window, reads::none},
     {"least_slice_height", &Choice::least_slice_height, reads::none},
     {"block_width", &Choice::block_width, reads::none},
     {"block_rows", &Choice::block_rows, reads::none},
     {"block_cols", &Choice::block_cols, reads::none},
     {"block_height", &Choice::block_height, reads::none},
     {"block_entries", &Choice::block_entries, reads::none},
     {"block_columns", &Choice::block_columns, reads::none},
     {"dense_entries", &Choice::dense_entries, reads::none},
     {"width", &Choice::width, reads::none}}};

/// Is the name taken by a field that every Choice has? No parameter of a kernel's own may be called so.
[[nodiscard]] inline bool is_field_of_choice(std::string_view name) {
  auto const is_it = [&](auto const& field) { return field.name == name; };
  return name == "format" || name == "kernel" || std::any_of(choice_flags.begin(), choice_flags.end(), is_it) ||
         std::any_of(choice_parameters.begin(), choice_parameters.end(), is_it);
}

}  // namespace araia::detail
