// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrices of bcsc/warp_centric and bcsc/tiled where they run as Kokkos teams.
#include "backends/portable/spmm/bcsc_teams.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/extend/kernel.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include "src/plan/stored.hpp"

namespace araia::kernels {
namespace {

template <class Own, class Exec, class A, class Offset, class Tuning>
class BcscTeams final : public Own {
 public:
  /// \param sums  of parts, none where there is one part
  BcscTeams(Exec const& exec, detail::StoredPtr<Exec, A, Offset> matrix, Tuning const& tuning, std::int64_t sums)
      : matrix_(std::move(matrix)), tuning_(tuning) {
    if (sums > 0)
      part_sums_ =
          detail::new_view<Kokkos::View<Sum*, typename Exec::device_type>>(exec, "araia::plan::bcsc_tiled", sums);
  }
  void run(Exec const& exec, typename Own::Sum alpha, typename Own::Operand const& b, typename Own::Sum beta,
           typename Own::Result const& c) const override {
    std::visit(
        [&](auto const& a) {
          if constexpr (detail::AnyBcscPointers<std::remove_cvref_t<decltype(a)>>)
            detail::bcsc_team_spmm_in_parts(exec, tuning_, alpha, a, b, beta, c, part_sums_.data());
        },
        matrix_->pointers());
  }
  void update_values(Exec const& exec, typename Own::Source const& source) override {
    matrix_->update_values(exec, source);
  }
  [[nodiscard]] std::uint64_t bytes() const override {
    return matrix_->footprint().bytes + part_sums_.size() * sizeof(Sum);
  }

 private:
  using Sum = typename Own::Sum;

  detail::StoredPtr<Exec, A, Offset> matrix_;
  Tuning tuning_;
  Kokkos::View<Sum*, typename Exec::device_type> part_sums_;  // (parts, rows, columns)
};

}  // namespace

template <class Own, class Exec, class Source, class Options, class Tuning>
std::shared_ptr<Own> bind_bcsc_teams(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options, Tuning const& tuning) {
  using A = std::remove_const_t<typename Source::value_type>;
  using Offset = typename Source::size_type;
  using Sum = typename Own::Sum;
  std::int64_t const height =
      std::min<std::int64_t>(choice.block_height > 0 ? choice.block_height : BcscOptions{}.block_height,
                             std::max<std::int64_t>(source.rows, 1));
  auto completed = detail::completed<Exec>(tuning, height, options.columns, sizeof(Sum));
  detail::StoreOptions store;
  store.memory_limit = options.memory_limit;
  auto matrix = detail::make_stored<Exec, A, Offset>(exec, source, choice, store);
  std::int64_t sums = 0;
  if constexpr (std::is_same_v<Tuning, BcscTiledTuning>) {
    auto const bytes_of = [&](int parts) {
      auto const of_rows = detail::saturating_product(static_cast<std::uint64_t>(source.rows),
                                                      static_cast<std::uint64_t>(parts) * sizeof(Sum));
      return parts > 1 ? detail::saturating_product(of_rows, static_cast<std::uint64_t>(options.columns))
                       : std::uint64_t{0};
    };
    auto const held = matrix->footprint().bytes;
    if (tuning.parts == 0) {
      std::visit(
          [&](auto const& a) {
            if constexpr (detail::AnyBcscPointers<std::remove_cvref_t<decltype(a)>>)
              completed = detail::completed_in_parts(exec, tuning, a, height, options.columns, sizeof(Sum));
          },
          matrix->pointers());
      while (completed.parts > 1 && detail::saturating_sum(held, bytes_of(completed.parts)) > options.memory_limit)
        completed.parts /= 2;
    }
    auto const bytes = bytes_of(completed.parts);
    detail::require_memory("bcsc/tiled, the sums of its parts", detail::saturating_sum(held, bytes),
                           options.memory_limit);
    sums = static_cast<std::int64_t>(bytes / sizeof(Sum));
  }
  return std::make_shared<BcscTeams<Own, Exec, A, Offset, Tuning>>(exec, std::move(matrix), completed, sums);
}

[[gnu::used]] static void write_out_bcsc_teams() {
  detail::for_types<detail::Spaces, detail::PlainProducts, detail::Offsets>(
      [&]<class Exec, class A, class X, class Y, class Offset>() {
        using Own = Bound<Exec, SpmmDesc, A, X, Y, Offset>;
        using Source = BoundSource<Exec, A, Offset>;
        detail::write_out(bind_bcsc_teams<Own, Exec, Source, BindOptions, BcscWarpCentricTuning>);
        detail::write_out(bind_bcsc_teams<Own, Exec, Source, BindOptions, BcscTiledTuning>);
      });
}

}  // namespace araia::kernels
