// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What was fitted on a machine, as data: one table a kind of machine in src/machine/prices, read by the model alone.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace araia {
struct Machine;
}

namespace araia::detail {

/// The name of a price, hashed (FNV-1a): of a kernel "<operation>/<storage>_<name>.<term>", of all "<part>/<term>".
class PriceName {
 public:
  constexpr PriceName(char const* text) { *this += std::string_view(text); }  // NOLINT: a literal is a name
  constexpr PriceName(std::string_view text) { *this += text; }               // NOLINT
  constexpr PriceName& operator+=(std::string_view text) {
    constexpr std::uint64_t prime = 1099511628211u;
    for (char const c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * prime;
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

struct Price {
  std::string_view name;
  double value;
};

struct HashedPrice {
  std::uint64_t hash;
  double value;
};

/// Sorted by hash; a name that is there twice does not compile.
template <std::size_t N>
constexpr std::array<HashedPrice, N> hashed(Price const (&prices)[N]) {
  std::array<HashedPrice, N> table{};
  for (std::size_t i = 0; i < N; ++i) table[i] = {PriceName(prices[i].name).hash(), prices[i].value};
  std::sort(table.begin(), table.end(), [](auto const& a, auto const& b) { return a.hash < b.hash; });
  for (std::size_t i = 1; i < N; ++i)
    if (table[i - 1].hash == table[i].hash) throw "a price is there twice";
  return table;
}

/// Of one kind of machine.
class Prices {
 public:
  constexpr Prices(std::string_view machine, bool of_device, std::span<HashedPrice const> table)
      : machine_(machine), of_device_(of_device), table_(table) {}

  [[nodiscard]] std::string_view machine() const { return machine_; }
  [[nodiscard]] bool of_device() const { return of_device_; }
  [[nodiscard]] bool empty() const { return table_.empty(); }
  /// The price, or `otherwise` where nobody measured it.
  [[nodiscard]] double get(PriceName name, double otherwise) const {
    auto const* const found = find(name);
    return found ? found->value : otherwise;
  }
  /// \throws araia::Error internal: models ask for prices that all tables of their kind of machine have
  [[nodiscard]] double operator[](char const* name) const;

 private:
  [[nodiscard]] HashedPrice const* find(PriceName name) const {
    auto const at = std::lower_bound(table_.begin(), table_.end(), name.hash(),
                                     [](HashedPrice const& p, std::uint64_t hash) { return p.hash < hash; });
    return at != table_.end() && at->hash == name.hash() ? &*at : nullptr;
  }
  std::string_view machine_;
  bool of_device_;
  std::span<HashedPrice const> table_;
};

/// The table of a kind of machine: "h200", "x86"; of any other name one without prices.
[[nodiscard]] Prices const& prices_named(std::string_view machine);

/// The table that a machine names, or the one of its kind.
/// \throws araia::Error invalid_argument where there is none of that name for such a machine
[[nodiscard]] Prices const& prices_of(Machine const& machine);

}  // namespace araia::detail
