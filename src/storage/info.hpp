// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a storage says of itself: its name and numbers in a Choice, what it takes, and what its conversion costs.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <araia/plan/choice.hpp>

namespace araia {
struct Problem;  // araia/detail/plan/traffic.hpp, which is not included: names and flags need no Kokkos
struct Footprint;
}  // namespace araia

namespace araia::detail {

// Pointers to members, by a name of their own: nvcc rewrites the plain declarator with parentheses, and its host
// compiler warns of them.
using FlagField = bool Choice::*;
using IntegerField = int Choice::*;

/// A flag of a Choice, which all storages share that have it.
struct ChoiceFlag {
  char const* name;  ///< in JSON
  char const* word;  ///< in labels
  FlagField field;
};
inline constexpr std::array<ChoiceFlag, 5> choice_flags{{{"rows_by_length", "by_length", &Choice::rows_by_length},
                                                         {"diagonals", "diagonals", &Choice::diagonals},
                                                         {"narrow", "narrow", &Choice::narrow},
                                                         {"compact", "compact", &Choice::compact},
                                                         {"split", "split", &Choice::split}}};

/// Descriptors of storages, listed by storages().
struct Storage {
  std::string_view name;
  std::array<FlagField, 3> flags{};     ///< those that it takes, null at the end
  std::array<IntegerField, 4> sizes{};  ///< numbers that its conversion is told, null at the end
  std::string_view columns_per_lane{};  ///< what its kernels may be told, "0, 1 or 4"; empty: refuse() says
  bool is_source = false;               ///< plans take their matrix in it
  bool is_format = true;                ///< one that users convert to; false: plans alone hold it
  bool offsets_of_64_bits = false;      ///< plans hold it with such offsets too
  /// Empty, or why the conversion does not take the choice, naming the field.
  std::string (*refuse)(Problem const& p, Choice const& c) = nullptr;
  /// From the row statistics, in O(1), without what a kernel packs or keeps beside it.
  Footprint (*footprint)(Problem const& p, Choice const& c) = nullptr;
  /// Host: bytes that the conversion takes beside the result, where its limit does not tell.
  std::uint64_t (*workspace)(Problem const& p, Choice const& c, int threads) = nullptr;

  [[nodiscard]] bool has(FlagField field) const;
  [[nodiscard]] bool has(IntegerField field) const;
};

/// In the order of lists.
[[nodiscard]] std::span<Storage const> storages();

/// Null where there is none of this name.
[[nodiscard]] Storage const* storage_named(std::string_view name);

/// "csr, coo, ..."
[[nodiscard]] std::string storage_names();

/// "rows_by_length is for csr, ell and sell": of what the choice says that its storage does not have. Empty: nothing.
[[nodiscard]] std::string why_foreign(Storage const& storage, Choice const& c);

/// "field is N, expected ..."
[[nodiscard]] std::string outside(char const* field, int got, std::string_view expected);

}  // namespace araia::detail
