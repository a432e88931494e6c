// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/engine/kernels.hpp"

#include <algorithm>
#include <array>

#include "backends/all.hpp"
#include "src/engine/names.hpp"

namespace araia::detail {
namespace {

template <class D>
constexpr Kernel described() {
  Kernel k{.info = D::info, .seconds = &D::seconds};
  if constexpr (requires { &D::refuse; }) k.refuse = &D::refuse;
  if constexpr (requires { &D::propose; }) k.propose = &D::propose;
  if constexpr (requires { &D::footprint; }) k.footprint = &D::footprint;
  if constexpr (requires { &D::matrix_bytes; }) k.matrix_bytes = &D::matrix_bytes;
  if constexpr (requires { &D::gathered_bytes; }) k.gathered_bytes = &D::gathered_bytes;
  if constexpr (requires { &D::workspace_bytes; }) k.workspace_bytes = &D::workspace_bytes;
  if constexpr (requires { &D::fuses; }) k.fuses = &D::fuses;
  if constexpr (requires { &D::precision; }) k.precision = &D::precision;
  return k;
}

template <class... D>
constexpr std::array<Kernel, sizeof...(D)> described(kernels::List<D...>) {
  return {described<D>()...};
}

constexpr auto all_kernels = described(kernels::All{});

bool is_named(Kernel const& k, std::string_view storage, std::string_view name) {
  return k.info.storage == storage && k.info.name == name;
}

}  // namespace

std::span<Kernel const> kernels() { return all_kernels; }

Kernel const* kernel_of(Problem const& p, Choice const& c) {
  auto const found = std::find_if(all_kernels.begin(), all_kernels.end(), [&](Kernel const& k) {
    return is_named(k, c.format, c.kernel) && k.info.is_for(p.spmm, transposes(p.op));
  });
  return found == all_kernels.end() ? nullptr : &*found;
}

Kernel const* kernel_named(std::string_view storage, std::string_view name) {
  auto const found =
      std::find_if(all_kernels.begin(), all_kernels.end(), [&](Kernel const& k) { return is_named(k, storage, name); });
  return found == all_kernels.end() ? nullptr : &*found;
}

std::string_view packing_of(std::string_view storage, std::string_view kernel) {
  auto const* const found = kernel_named(storage, kernel);
  return found ? found->info.packing : std::string_view();
}

bool is_source(Choice const& choice) {
  auto const* const storage = storage_named(choice.format);
  return storage && storage->is_source && packing_of(choice.format, choice.kernel).empty() &&
         std::none_of(choice_flags.begin(), choice_flags.end(), [&](ChoiceFlag const& f) { return choice.*f.field; });
}

bool shares_source(Choice const& choice) {
  auto const* const kernel = kernel_named(choice.format, choice.kernel);
  return is_source(choice) || (kernel && kernel->info.reads_source);
}

unsigned parameters_read(std::string_view storage, std::string_view name) {
  unsigned read = reads::none;
  for (auto const& k : all_kernels)
    if (is_named(k, storage, name)) read |= k.info.reads;
  return read;
}

std::uint64_t kernel_bytes(Problem const& p, Choice const& c) {
  auto const* const kernel = kernel_of(p, c);
  return kernel && kernel->workspace_bytes ? kernel->workspace_bytes(p) : 0;
}

Prices const& prices_of(Machine const& m) {
  if (!m.prices.empty()) return prices_named(m.prices);
  return prices_named(m.device ? "h200" : "x86");
}

}  // namespace araia::detail

std::vector<std::string> araia::kernel_names(std::string_view format, bool spmm, Op op) {
  std::vector<std::string> names;
  for (auto const& k : detail::kernels())
    if (k.info.storage == format && k.info.is_for(spmm, transposes(op))) names.emplace_back(k.info.name);
  return names;
}

bool araia::writes_workspace(Choice const& choice) {
  auto const* const kernel = detail::kernel_named(choice.format, choice.kernel);
  return kernel && kernel->info.writes_workspace;
}
