// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrices of bcsc/warp_centric and bcsc/tiled where they run as Kokkos teams.
#include "backends/portable/spmm/bcsc_teams.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/extend/kernel.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include "src/plan/stored.hpp"

namespace araia::kernels {
namespace {

template <class Own, class Exec, class A, class Offset, class Tuning>
class BcscTeams final : public Own {
 public:
  BcscTeams(detail::StoredPtr<Exec, A, Offset> matrix, Tuning const& tuning)
      : matrix_(std::move(matrix)), tuning_(tuning) {}
  void run(Exec const& exec, typename Own::Sum alpha, typename Own::Operand const& b, typename Own::Sum beta,
           typename Own::Result const& c) const override {
    std::visit(
        [&](auto const& a) {
          if constexpr (detail::AnyBcscPointers<std::remove_cvref_t<decltype(a)>>)
            bcsc_team_spmm(exec, tuning_, alpha, a, b, beta, c);
        },
        matrix_->pointers());
  }
  void update_values(Exec const& exec, typename Own::Source const& source) override {
    matrix_->update_values(exec, source);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return matrix_->footprint().bytes; }

 private:
  detail::StoredPtr<Exec, A, Offset> matrix_;
  Tuning tuning_;
};

}  // namespace

template <class Own, class Exec, class Source, class Options, class Tuning>
std::shared_ptr<Own> bind_bcsc_teams(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options, Tuning const& tuning) {
  using A = std::remove_const_t<typename Source::value_type>;
  using Offset = typename Source::size_type;
  std::int64_t const height =
      std::min<std::int64_t>(choice.block_height > 0 ? choice.block_height : BcscOptions{}.block_height,
                             std::max<std::int64_t>(source.rows, 1));
  auto const completed = detail::completed<Exec>(tuning, height, options.columns, sizeof(typename Own::Sum));
  detail::StoreOptions store;
  store.memory_limit = options.memory_limit;
  auto matrix = detail::make_stored<Exec, A, Offset>(exec, source, choice, store);
  return std::make_shared<BcscTeams<Own, Exec, A, Offset, Tuning>>(std::move(matrix), completed);
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
