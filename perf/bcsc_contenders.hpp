// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernels of Bcsc by name, blocks of 64 and of 128 rows: those of teams beside the backends' of the same space.
// They run where --contenders names bcsc.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include <araia/ops/spmm.hpp>
#include <common/araia_contenders.hpp>
#include <common/product_contenders.hpp>

namespace araia::perf {

/// The tiled kernel of teams with what a plan brings: the parts that it chooses, and memory for their sums, which the
/// first product on a problem allocates.
template <class Scalar>
struct TiledTeams {
  BcscTiledTuning asked;
  std::shared_ptr<Kokkos::View<Scalar*, Exec>> parts{};

  /// With memory of its own, which goes with the problem.
  [[nodiscard]] TiledTeams for_problem() const { return {asked, std::make_shared<Kokkos::View<Scalar*, Exec>>()}; }

  template <class A, class B, class C>
  void operator()(Exec const& exec, A const& matrix, B const& b, C const& c) const {
    auto const a = matrix.pointers();
    auto const of_c = araia::detail::dense_matrix(c);
    auto const height = araia::detail::tallest_block(a);
    auto const tuning = araia::detail::completed_in_parts(exec, asked, a, height, of_c.columns, sizeof(Scalar));
    auto const needed = static_cast<std::size_t>(tuning.parts * of_c.rows * of_c.columns);
    if (tuning.parts > 1 && parts->size() < needed) *parts = Kokkos::View<Scalar*, Exec>("parts", needed);
    araia::detail::bcsc_team_spmm_in_parts(exec, tuning, Scalar{1}, a,
                                           araia::detail::as_const(araia::detail::dense_matrix(b)), Scalar{}, of_c,
                                           parts->data());
  }
};

template <class Multiply>
Multiply prepared_for_problem(Multiply const& multiply) {
  if constexpr (requires { multiply.for_problem(); })
    return multiply.for_problem();
  else
    return multiply;
}

/// \param multiply  (exec, A, B, C) of a Bcsc and Views
template <class Scalar, class Multiply>
void add_bcsc_kernel(std::vector<Contender<SpmmProblem<Scalar>>>& contenders, std::string const& kernel,
                     std::int64_t height, Multiply const& multiply) {
  using Problem = SpmmProblem<Scalar>;
  contenders.push_back({"bcsc",
                        "bcsc",
                        kernel + "_of_" + std::to_string(height),
                        [height, multiply](Problem& problem) {
                          auto const converted = detail::convert_copies(problem, [&](auto const& A) {
                            return csr_to_bcsc(problem.exec, A, {.block_height = height});
                          });
                          auto const matrices = converted.first;
                          Prepared prepared;
                          prepared.launch = [matrices, multiply = prepared_for_problem(multiply), B = problem.B_row,
                                             C = problem.C_row, exec = problem.exec](int copy) {
                            auto const c = static_cast<std::size_t>(copy);
                            multiply(exec, (*matrices)[c], B[c], C[c]);
                          };
                          prepared.matrix_bytes = static_cast<double>(matrices->front().bytes());
                          prepared.stored = matrices->front().stored();
                          prepared.setup_seconds = converted.second;
                          return prepared;
                        },
                        {},
                        detail::storage_of<Problem>([height](Exec const& exec, auto const& A) {
                          return count_bytes<Bcsc<Scalar, std::int32_t, std::int32_t, Exec::device_type>>(
                              exec, A, BcscOptions{.block_height = height});
                        })});
}

template <class Scalar>
void add_bcsc_kernels(std::vector<Contender<SpmmProblem<Scalar>>>& contenders) {
  auto const add_named = [&](BcscSpmmKernel kernel, std::int64_t height) {
    add_bcsc_kernel<Scalar>(contenders, kernel_name(kernel), height,
                            [kernel](Exec const& exec, auto const& A, auto const& B, auto const& C) {
                              spmm(exec, Op::none, Scalar{1}, A, B, Scalar{}, C, BcscSpmmTuning{.kernel = kernel});
                            });
  };
  auto const add_teams = [&](std::string const& name, std::int64_t height, auto const& tuning) {
    add_bcsc_kernel<Scalar>(
        contenders, name, height, [tuning](Exec const& exec, auto const& A, auto const& B, auto const& C) {
          bcsc_team_spmm(exec, tuning, Scalar{1}, A.pointers(), araia::detail::as_const(araia::detail::dense_matrix(B)),
                         Scalar{}, araia::detail::dense_matrix(C));
        });
  };
  for (std::int64_t const height : {64, 128}) {
    add_named(BcscSpmmKernel::naive, height);
    if constexpr (araia::detail::is_host_backend_space<Exec>) {
      add_named(BcscSpmmKernel::host_simd, height);
    } else {
      add_named(BcscSpmmKernel::tiled, height);
      add_named(BcscSpmmKernel::warp_centric, height);
      add_named(BcscSpmmKernel::warp_centric_atomic, height);
    }
    auto const add_tiled_teams = [&](std::string const& name, BcscTiledTuning const& asked) {
      add_bcsc_kernel<Scalar>(contenders, name, height, TiledTeams<Scalar>{asked, {}});
    };
    BcscTiledTuning tiled;
    add_tiled_teams("tiled_teams", tiled);
    tiled.parts = 1;
    add_tiled_teams("tiled_teams_one_part", tiled);
    tiled.parts = 0;
    tiled.buffers = 2;
    add_tiled_teams("tiled_teams_two_buffers", tiled);
    BcscWarpCentricTuning warp_centric;
    add_teams("warp_centric_teams", height, warp_centric);
    warp_centric.atomic = true;
    add_teams("warp_centric_atomic_teams", height, warp_centric);
  }
}

}  // namespace araia::perf
