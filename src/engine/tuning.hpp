// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tuning of a product that a choice stands for. A descriptor of backends/all.hpp whose kernel multiplies one of the
// formats has
//   static constexpr ... tuning{}   the tuning struct of the format's product, with the kernel, whose name info says
// where it has parameters of its own,
//   static void set(tuning, Choice const&)   takes them
// and, where the kernel must know more of the matrix,
//   static void prepare(tuning, Problem const&, Rows const&)   takes it from a RowInspection::Rows, which keeps it

#include <type_traits>
#include <variant>

#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/plan/description.hpp>
#include "backends/all.hpp"

namespace araia::detail {

/// Does the descriptor have a tuning for this operation?
template <class Desc, class D>
constexpr bool is_tuned() {
  if constexpr (requires { D::tuning; }) return D::info.operation == Desc::operation;
  return false;
}

/// The tuning structs of all descriptors, each once.
template <class Desc>
std::variant<std::monostate> tunings_in(ListOf<>, kernels::List<>);
template <class Desc, class... Found>
requires(sizeof...(Found) > 0) std::variant<Found...> tunings_in(ListOf<Found...>, kernels::List<>);
template <class Desc, class... Found, class D, class... Others>
auto tunings_in(ListOf<Found...> found, kernels::List<D, Others...>) {
  constexpr kernels::List<Others...> others;
  if constexpr (is_tuned<Desc, D>()) {
    using Tuning = std::remove_const_t<decltype(D::tuning)>;
    if constexpr (!(std::is_same_v<Tuning, Found> || ...))
      return tunings_in<Desc>(ListOf<Found..., Tuning>{}, others);
    else
      return tunings_in<Desc>(found, others);
  } else {
    return tunings_in<Desc>(found, others);
  }
}

/// The tuning of a product in one of the formats.
template <class Desc>
using AnyTuning = decltype(tunings_in<Desc>(ListOf<>{}, kernels::All{}));

/// The tuning struct of a product with a matrix of these pointers.
template <class Desc, class Pointers>
using product_tuning_t =
    typename std::conditional_t<std::is_same_v<Desc, SpmvDesc>, SpmvTuningOf<Pointers>, SpmmTuningOf<Pointers>>::type;

template <class Desc, class Pointers>
auto const& tuning_for(AnyTuning<Desc> const& tuning, Pointers const&) {
  return std::get<product_tuning_t<Desc, Pointers>>(tuning);
}

/// Takes the parameters of the choice, as far as the product has them.
template <class Tuning>
void set_parameters(Tuning& t, Choice const& c) {
  if constexpr (requires { t.rows_per_team; }) t.rows_per_team = c.rows_per_team;
  if constexpr (requires { t.cols_per_team; }) t.cols_per_team = c.rows_per_team;
  if constexpr (requires { t.team_size; }) t.team_size = c.team_size;
  if constexpr (requires { t.vector_length; }) t.vector_length = c.vector_length;
  if constexpr (requires { t.columns_per_lane; }) t.columns_per_lane = c.columns_per_lane;
  if constexpr (requires { t.columns_per_thread; }) t.columns_per_thread = c.columns_per_lane;
  if constexpr (requires { t.entries_per_thread; }) t.entries_per_thread = c.entries;
  if constexpr (requires { t.entries_per_team; }) t.entries_per_team = c.entries;
  if constexpr (requires { t.ell; }) set_parameters(t.ell, c);
  if constexpr (requires { t.tail.entries_per_thread; }) t.tail.entries_per_thread = c.entries;
  if constexpr (requires { t.tail.entries_per_team; }) t.tail.entries_per_team = c.entries;
}

/// The tuning that the choice's kernel has by its descriptor; `prepare` is then called with that descriptor, as a
/// type_identity, and with the tuning.
/// \throws araia::Error internal where no kernel of the operation on a format has this name
template <class Desc, class Prepare>
AnyTuning<Desc> tuning_of(Choice const& choice, Prepare const& prepare) {
  AnyTuning<Desc> found;
  bool known = false;
  auto const look_at = [&]<class D>(std::type_identity<D> descriptor) {
    if constexpr (is_tuned<Desc, D>()) {
      if (known || D::info.storage != choice.format || D::info.name != choice.kernel) return;
      auto tuning = D::tuning;
      set_parameters(tuning, choice);
      if constexpr (requires { D::set(tuning, choice); }) D::set(tuning, choice);
      prepare(descriptor, tuning);
      found = tuning;
      known = true;
    }
  };
  [&]<class... D>(kernels::List<D...>) { (look_at(std::type_identity<D>()), ...); }(kernels::All{});
  if (!known)
    throw Error(ErrorKind::internal, "araia: no product of " + choice.format + " has a kernel '" + choice.kernel + "'");
  return found;
}

/// The same without what kernels prepare.
template <class Desc>
AnyTuning<Desc> tuning_of(Choice const& choice) {
  return tuning_of<Desc>(choice, [](auto, auto const&) {});
}

/// With all that the kernel needs.
/// \param rows  see RowInspection
template <class Desc, class Rows>
AnyTuning<Desc> prepared_tuning(Problem const& problem, Choice const& choice, Rows const& rows) {
  return tuning_of<Desc>(choice, [&]<class D, class Tuning>(std::type_identity<D>, Tuning& tuning) {
    if constexpr (requires { &D::template prepare<Rows>; }) D::prepare(tuning, problem, rows);
  });
}

}  // namespace araia::detail
