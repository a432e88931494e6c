// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one list of storages.
#include <algorithm>
#include <vector>

#include "src/formatted.hpp"
#include "src/kernel/choice_parameters.hpp"
#include "src/storage/bcsc.hpp"
#include "src/storage/bsr.hpp"
#include "src/storage/coo.hpp"
#include "src/storage/csc.hpp"
#include "src/storage/csr.hpp"
#include "src/storage/dense.hpp"
#include "src/storage/ell.hpp"
#include "src/storage/hyb.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sell.hpp"

namespace araia::detail {
namespace {

constexpr Storage all_storages[] = {csr_storage,  coo_storage, csc_storage,  ell_storage,  hyb_storage,
                                    sell_storage, bsr_storage, bcsc_storage, dense_storage};

/// "csr, ell and sell"
template <class Field>
std::string owners_of(Field field) {
  std::vector<std::string> names;
  for (auto const& storage : all_storages)
    if (storage.has(field)) names.emplace_back(storage.name);
  if (names.size() == 1) return names.front();
  std::string const last = names.back();
  names.pop_back();
  return joined(names) + " and " + last;
}

}  // namespace

bool Storage::has(FlagField field) const { return std::find(flags.begin(), flags.end(), field) != flags.end(); }
bool Storage::has(IntegerField field) const { return std::find(sizes.begin(), sizes.end(), field) != sizes.end(); }

std::span<Storage const> storages() { return all_storages; }

Storage const* storage_named(std::string_view name) {
  auto const* const found =
      std::find_if(std::begin(all_storages), std::end(all_storages), [&](auto const& s) { return s.name == name; });
  return found == std::end(all_storages) ? nullptr : found;
}

std::string storage_names() {
  std::vector<std::string> names;
  for (auto const& storage : all_storages) names.emplace_back(storage.name);
  return joined(names);
}

std::string outside(char const* field, int got, std::string_view expected) {
  return formatted("{} is {}, expected {}", field, got, expected);
}

std::string why_foreign(Storage const& storage, Choice const& c) {
  for (auto const& flag : choice_flags)
    if (c.*flag.field && !storage.has(flag.field)) return formatted("{} is for {}", flag.name, owners_of(flag.field));
  for (auto const& p : choice_parameters) {
    if (p.bit != reads::none) continue;
    if (c.*p.field < 0) return outside(p.name, c.*p.field, "0 or more");
    if (c.*p.field > 0 && !storage.has(p.field)) return formatted("{} is for {}", p.name, owners_of(p.field));
  }
  return {};
}

}  // namespace araia::detail
