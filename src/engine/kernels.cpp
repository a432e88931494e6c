// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/engine/kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <type_traits>
#include <typeindex>

#include <araia/error.hpp>
#include "backends/all.hpp"
#include "src/engine/names.hpp"
#include "src/formatted.hpp"
#include "src/kernel/choice_parameters.hpp"

namespace araia::detail {
namespace {

template <class... D>
constexpr std::size_t count(kernels::List<D...>) {
  return sizeof...(D);
}
constexpr std::size_t of_library = count(kernels::All{});
constexpr std::size_t most_of_applications = 64;

// Nobody frees a place, so that pointers and spans stay what they are while kernels are added.
using Places = std::array<Kernel, of_library + most_of_applications>;
template <class... D>
constexpr Places with_room(kernels::List<D...>) {
  return {described<D>()...};
}
constinit Places places = with_room(kernels::All{});
constinit std::atomic<std::size_t> used = of_library;

/// One type of operands that a kernel was bound for.
struct Binding {
  std::size_t kernel;
  std::type_index descriptor;
  std::type_index types;
  AnyBind bind;
};
std::mutex bindings_mutex;
std::vector<Binding>& bindings() {
  static std::vector<Binding> all;
  return all;
}

template <class Is>
Binding const* find_binding(Is const& is) {
  auto const found = std::find_if(bindings().begin(), bindings().end(), is);
  return found == bindings().end() ? nullptr : &*found;
}

std::string name_of(KernelInfo const& info) { return std::string(info.storage) + '/' + std::string(info.name); }

[[noreturn]] void refuse_registration(KernelInfo const& info, std::string const& what) {
  throw Error(ErrorKind::invalid_argument, "araia::register_kernel: " + name_of(info) + ": " + what);
}

bool is_named(Kernel const& k, std::string_view storage, std::string_view name) {
  return k.info.storage == storage && k.info.name == name;
}

}  // namespace

std::span<Kernel const> kernels() { return {places.data(), used.load(std::memory_order_acquire)}; }

namespace {

bool is_word(std::string_view text) {
  constexpr std::size_t longest = 64;  // as choice_from_json takes it
  return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// May both bear one name? What labels and plans look up by it must be the same of both.
bool goes_beside(KernelInfo const& a, KernelInfo const& b) {
  bool const one_product =
      a.operation == b.operation && (a.side == b.side || a.side == Side::both || b.side == Side::both);
  return !one_product && a.packing == b.packing && a.reads_source == b.reads_source;
}

}  // namespace

void register_kernel(Kernel const& kernel, std::type_index descriptor, std::type_index types, AnyBind bind) {
  auto const& info = kernel.info;
  if (info.runs != Runs::where_bound) refuse_registration(info, "info.runs is another than Runs::where_bound");
  if (!storage_named(info.storage)) refuse_registration(info, "no such storage, expected one of " + storage_names());
  if (!is_word(info.name)) refuse_registration(info, "the name must have 1 to 64 characters of a-z, 0-9 and _");
  for (auto const& p : info.parameters) {
    if (!is_word(p.name))
      refuse_registration(info, "a parameter's name must have 1 to 64 characters of a-z, 0-9 and _");
    if (is_field_of_choice(p.name))
      refuse_registration(info, formatted("a parameter is called '{}' as a field of every Choice is, expected "
                                          "another name",
                                          p.name));
  }
  if (kernel.fuses) refuse_registration(info, "fuses is for kernels of the library");
  if (!bind) refuse_registration(info, "bind is null");
  std::lock_guard const lock(bindings_mutex);
  std::size_t const known = used.load(std::memory_order_relaxed);
  auto const* const own = find_binding([&](Binding const& b) { return b.descriptor == descriptor; });
  std::size_t const place = own ? own->kernel : known;
  for (std::size_t i = 0; i < known; ++i)
    if (i != place && is_named(places[i], info.storage, info.name) &&
        (i < of_library || !goes_beside(places[i].info, info)))
      refuse_registration(info, "another kernel has this name");
  if (own && find_binding([&](Binding const& b) { return b.kernel == place && b.types == types; }))
    refuse_registration(info, "it is registered for these types already");
  if (place == places.size())
    throw Error(ErrorKind::resource_limit,
                formatted("araia::register_kernel: {}: {} kernels are registered already, the limit is {}",
                          name_of(info), most_of_applications, most_of_applications));
  bindings().push_back({place, descriptor, types, bind});
  if (place == known) {
    places[place] = kernel;
    used.store(known + 1, std::memory_order_release);
  }
}

AnyBind binding_of(KernelInfo const& kernel, std::type_index types) {
  std::lock_guard const lock(bindings_mutex);
  for (auto const& b : bindings())
    if (b.types == types && &places[b.kernel].info == &kernel) return b.bind;
  return nullptr;
}

std::vector<std::string> bound_names(std::type_index types) {
  std::lock_guard const lock(bindings_mutex);
  std::vector<std::string> names;
  for (auto const& b : bindings())
    if (b.types == types) names.push_back(name_of(places[b.kernel].info));
  return names;
}

bool is_unbound(KernelInfo const& kernel, Problem const& p) {
  return kernel.runs == Runs::where_bound &&
         std::find(p.bound.begin(), p.bound.end(), name_of(kernel)) == p.bound.end();
}

namespace {

bool runs_types(KernelInfo const& kernel, Problem const& p) {
  return !is_unbound(kernel, p) && (kernel.runs != Runs::by_cuda || p.cuda_kernels) &&
         (kernel.runs != Runs::by_host_simd || p.host_simd);
}

/// Does it read all of the kernels' parameters that the choice sets?
bool reads_all(KernelInfo const& kernel, Choice const& c) {
  auto const& own = kernel.parameters;
  return std::none_of(choice_parameters.begin(), choice_parameters.end(),
                      [&](ChoiceParameter const& parameter) {
                        return parameter.bit != reads::none && c.*parameter.field != 0 &&
                               (kernel.reads & parameter.bit) == 0;
                      }) &&
         std::all_of(c.own.begin(), c.own.end(), [&](OwnParameter const& set) {
           return std::any_of(own.begin(), own.end(), [&](ParameterInfo const& p) { return p.name == set.name; });
         });
}

}  // namespace

Kernel const* kernel_of(Problem const& p, Choice const& c) {
  Kernel const* found = nullptr;
  bool found_runs = false;
  for (auto const& k : kernels()) {
    if (!is_named(k, c.format, c.kernel) || !k.info.is_for(p.operation, transposes(p.op))) continue;
    bool const runs = runs_types(k.info, p);
    if (runs && reads_all(k.info, c)) return &k;
    if (!found || (runs && !found_runs)) {
      found = &k;
      found_runs = runs;
    }
  }
  return found;
}

Kernel const* kernel_named(std::string_view storage, std::string_view name) {
  auto const all = kernels();
  auto const found = std::find_if(all.begin(), all.end(), [&](Kernel const& k) { return is_named(k, storage, name); });
  return found == all.end() ? nullptr : &*found;
}

std::string_view packing_of(std::string_view storage, std::string_view kernel) {
  auto const* const found = kernel_named(storage, kernel);
  return found ? found->info.packing : std::string_view();
}

namespace {

/// The first of the choice's name for the operation, whatever its side, or null.
Kernel const* kernel_for(OpId operation, Choice const& choice) {
  auto const all = kernels();
  auto const found = std::find_if(all.begin(), all.end(), [&](Kernel const& k) {
    return is_named(k, choice.format, choice.kernel) && k.info.operation == operation;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

bool is_source(OpId operation, Choice const& choice) {
  auto const* const storage = storage_named(choice.format);
  auto const* const kernel = kernel_for(operation, choice);
  return storage && storage->is_source && (!kernel || kernel->info.packing.empty()) &&
         std::none_of(choice_flags.begin(), choice_flags.end(), [&](ChoiceFlag const& f) { return choice.*f.field; });
}

bool shares_source(OpId operation, Choice const& choice) {
  auto const* const kernel = kernel_for(operation, choice);
  return is_source(operation, choice) || (kernel && kernel->info.reads_source);
}

bool has_own_parameter(std::string_view storage, std::string_view kernel, std::string_view parameter) {
  auto const all = kernels();
  return std::any_of(all.begin(), all.end(), [&](Kernel const& k) {
    auto const& own = k.info.parameters;
    return (storage.empty() || k.info.storage == storage) && (kernel.empty() || k.info.name == kernel) &&
           std::any_of(own.begin(), own.end(), [&](ParameterInfo const& p) { return p.name == parameter; });
  });
}

std::uint64_t kernel_bytes(Problem const& p, Choice const& c) {
  auto const* const kernel = kernel_of(p, c);
  return kernel && kernel->workspace_bytes ? kernel->workspace_bytes(p) : 0;
}

namespace {

/// The name of the descriptor whose tuning has this kernel.
template <class Kernel>
char const* name_in_list(Kernel kernel) {
  char const* name = "automatic";
  auto const look_at = [&]<class D>(std::type_identity<D>) {
    if constexpr (requires { requires std::is_same_v<std::remove_const_t<decltype(D::tuning.kernel)>, Kernel>; })
      if (D::tuning.kernel == kernel) name = D::info.name.data();
  };
  [&]<class... D>(kernels::List<D...>) { (look_at(std::type_identity<D>()), ...); }(kernels::All{});
  return name;
}

}  // namespace

}  // namespace araia::detail

std::vector<std::string> araia::kernel_names(std::string_view format, OpId operation, Op op) {
  std::vector<std::string> names;
  for (auto const& k : detail::kernels())
    if (k.info.storage == format && k.info.is_for(operation, transposes(op)) &&
        std::find(names.begin(), names.end(), k.info.name) == names.end())
      names.emplace_back(k.info.name);
  return names;
}

bool araia::writes_workspace(Problem const& problem, Choice const& choice) {
  auto const* const kernel = detail::kernel_of(problem, choice);
  return kernel && kernel->info.writes_workspace;
}

namespace araia {

char const* kernel_name(CsrSpmvKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(CooSpmvKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(SellSpmvKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(BsrSpmvKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(CsrSpmmKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(SellSpmmKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(BsrSpmmKernel kernel) { return detail::name_in_list(kernel); }
char const* kernel_name(CsrSddmmKernel kernel) { return detail::name_in_list(kernel); }

}  // namespace araia
