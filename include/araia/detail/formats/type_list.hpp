// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one list of the types that the library brings ready-made, and how a source file has its templates written out for
// them. No Kokkos here: written_out.hpp adds execution spaces and complex scalars.

#include <araia/Araia_Config.hpp>
#include <cstdint>
#include <type_traits>

namespace araia::detail {

/// A list of types. A list in a list is a tuple, such as the scalars of matrix, x and y.
template <class... T>
struct ListOf {};

template <class List, class T>
inline constexpr bool is_listed = false;
template <class... Listed, class T>
inline constexpr bool is_listed<ListOf<Listed...>, T> = (std::is_same_v<Listed, T> || ...);

/// The first parameter of a template's specialisation, which of formats and their pointers is the scalar.
template <class Form>
struct ScalarOf {
  using type = void;
};
template <template <class...> class Form, class S, class... Rest>
struct ScalarOf<Form<S, Rest...>> {
  using type = S;
};
template <class Form>
using scalar_of = typename ScalarOf<Form>::type;

template <class... Lists>
struct JoinedLists;
template <class... T>
struct JoinedLists<ListOf<T...>> {
  using type = ListOf<T...>;
};
template <class... T, class... U, class... Lists>
struct JoinedLists<ListOf<T...>, ListOf<U...>, Lists...> : JoinedLists<ListOf<T..., U...>, Lists...> {};
/// The types of all lists, in their order.
template <class... Lists>
using Joined = typename JoinedLists<Lists...>::type;

/// Araia_TYPES is full: not f64 and 32-bit offsets alone.
#ifdef ARAIA_TYPES_MINIMAL
inline constexpr bool has_all_types = false;
#else
inline constexpr bool has_all_types = true;
#endif

// What backends are written for, whatever the build.
using AllReals = ListOf<double, float>;
using AllRealProducts = ListOf<ListOf<double, double, double>, ListOf<float, float, float>,
                               ListOf<float, double, double>>;  // scalars of matrix, x and y
using AllOffsets = ListOf<std::int32_t, std::int64_t>;

// What this build has of it.
using Reals = std::conditional_t<has_all_types, AllReals, ListOf<double>>;
using RealProducts = std::conditional_t<has_all_types, AllRealProducts, ListOf<ListOf<double, double, double>>>;
using Offsets = std::conditional_t<has_all_types, AllOffsets, ListOf<std::int32_t>>;

// A chosen type, or those of a chosen tuple, behind those chosen before.
template <class... Chosen, class T>
ListOf<Chosen..., T> with_chosen(ListOf<Chosen...>, std::type_identity<T>);
template <class... Chosen, class... T>
ListOf<Chosen..., T...> with_chosen(ListOf<Chosen...>, std::type_identity<ListOf<T...>>);

template <class F, class... Chosen>
void for_chosen_types(F const& f, ListOf<Chosen...>) {
  f.template operator()<Chosen...>();
}
template <class F, class Chosen, class... T, class... Lists>
void for_chosen_types(F const& f, Chosen chosen, ListOf<T...>, Lists... lists) {
  (for_chosen_types(f, decltype(with_chosen(chosen, std::type_identity<T>{})){}, lists...), ...);
}
/// f.operator()<T...>() for every combination of one type of each list; of a tuple, f gets all of its types.
template <class... Lists, class F>
void for_types(F const& f) {
  for_chosen_types(f, ListOf<>{}, Lists{}...);
}

/// Has the compiler write a function out, as somebody takes its address. For functions that no code calls:
///     [[gnu::used]] void write_out_products() {
///       for_types<RealProducts, Offsets>([&]<class A, class X, class Y, class F>() { write_out(product<A, X, Y, F>);
///       });
///     }
/// Templates that headers only declare are instantiated so in the source file that defines them. A Signature says which
/// of several overloads is meant.
template <class Signature>
[[gnu::always_inline]] inline void write_out(Signature* function) {
  [[maybe_unused]] void (*volatile taken)() = reinterpret_cast<void (*)()>(function);
}
template <class Class, class Signature>
[[gnu::always_inline]] inline void write_out(Signature Class::*function) {
  [[maybe_unused]] auto volatile taken = function;
}

}  // namespace araia::detail
