// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B for several columns: our formats and kernels beside the peers', interleaved, in both layouts of B and C.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/ops/csr_partition.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <common/araia_contenders.hpp>
#include <common/bench_main.hpp>
#include <common/left_out.hpp>
#include <common/product_contenders.hpp>

#include "backends/cuda/bcsc_shapes.hpp"
#include "bcsc_contenders.hpp"
#include "spmm_steps.hpp"
#include "src/engine/kernels.hpp"

namespace araia::perf {
namespace {

template <class Scalar>
using Problem = SpmmProblem<Scalar>;

template <class Scalar, class Matrix, class Tuning>
Prepared one_shot(Problem<Scalar>& problem, std::shared_ptr<std::vector<Matrix>> const& matrices, double setup,
                  bool column_major, Tuning const& tuning) {
  Prepared prepared;
  auto const with = [&](auto const& B, auto const& C) {
    prepared.launch = [matrices, tuning, B, C, exec = problem.exec](int copy) {
      auto const c = static_cast<std::size_t>(copy);
      spmm(exec, Op::none, Scalar{1}, (*matrices)[c], B[c], Scalar{}, C[c], tuning);
    };
  };
  if (column_major)
    with(problem.B_column, problem.C_column);
  else
    with(problem.B_row, problem.C_row);
  prepared.matrix_bytes = static_cast<double>(matrices->front().bytes());
  prepared.stored = matrices->front().stored();
  prepared.setup_seconds = setup;
  prepared.column_major = column_major;
  return prepared;
}

/// What a user gets without choosing, with B and C in one layout; on hosts every kernel beside it that packs a matrix
/// of its own.
template <class Scalar, class B, class C>
void add_product(std::vector<Contender<Problem<Scalar>>>& contenders, Options const& options, DenseLayout layout,
                 B const& b, C const& c) {
  bool const column_major = layout == DenseLayout::left;
  auto const desc_of = [layout](Problem<Scalar> const& problem) {
    return SpmmDesc{.columns = problem.columns, .layout_b = layout, .layout_c = layout};
  };
  detail::add_product(contenders, column_major ? "_column_major" : "", options, desc_of, b, c,
                      [](Exec const& exec, auto const& A, auto const& B_copy, auto const& C_copy) {
                        spmm(exec, Op::none, Scalar{1}, A, B_copy, Scalar{}, C_copy);
                      });
  if constexpr (araia::detail::is_host_backend_space<Exec>)
    detail::add_packings<Problem<Scalar>>(
        "", column_major ? "_column_major" : "_row_major", desc_of, detail::matrices_of_problem, b, c, column_major,
        [&](Contender<Problem<Scalar>> contender) { contenders.push_back(std::move(contender)); });
}

template <class Scalar>
void add_ours(std::vector<Contender<Problem<Scalar>>>& contenders, Options const& options) {
  using P = Problem<Scalar>;
  add_product<Scalar>(
      contenders, options, DenseLayout::right, [](P const& problem) { return problem.B_row; },
      [](P const& problem) { return problem.C_row; });
  add_product<Scalar>(
      contenders, options, DenseLayout::left, [](P const& problem) { return problem.B_column; },
      [](P const& problem) { return problem.C_column; });
  auto const add_csr = [&](CsrSpmmKernel kernel, bool column_major) {
    contenders.push_back(
        {"araia", "csr", std::string(kernel_name(kernel)) + (column_major ? "_column_major" : "_row_major"),
         [kernel, column_major](Problem<Scalar>& problem) {
           auto const shared = std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
           return one_shot(problem, shared, 0, column_major, CsrSpmmTuning{.kernel = kernel});
         }});
  };
  add_csr(CsrSpmmKernel::automatic, false);
  add_csr(CsrSpmmKernel::automatic, true);
  add_csr(CsrSpmmKernel::columns_on_lanes, false);
  if constexpr (araia::detail::is_host_backend_space<Exec>)
    contenders.push_back({"araia",
                          "csr",
                          "host_simd_runs_row_major",
                          [](Problem<Scalar>& problem) {
                            auto const [runs, seconds] = detail::convert_copies(
                                problem, [&](auto const& A) { return inspect_rows(problem.exec, A); });
                            auto const shared =
                                std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
                            Prepared prepared = one_shot(problem, shared, seconds, false, CsrSpmmTuning{});
                            prepared.launch = [shared, runs = runs, B = problem.B_row, C = problem.C_row,
                                               exec = problem.exec](int copy) {
                              auto const c = static_cast<std::size_t>(copy);
                              spmm(exec, Op::none, Scalar{1}, (*shared)[c], B[c], Scalar{}, C[c],
                                   {.kernel = CsrSpmmKernel::host_simd_runs, .row_runs = (*runs)[c].get()});
                            };
                            return prepared;
                          },
                          {},
                          // Lists of columns are no longer than the matrix's.
                          detail::storage_beside_csr<Problem<Scalar>>(
                              [](auto const& problem) { return problem.host.nnz() * 2 * sizeof(std::int32_t); })});
#ifdef KOKKOS_ENABLE_CUDA
  contenders.push_back(
      {"araia",
       "csr",
       "merge_split_row_major",
       [](Problem<Scalar>& problem) {
         auto const [parts, seconds] = detail::convert_copies(problem, [&](auto const& A) {
           return partition_rows(problem.exec, A, CsrSpmmKernel::merge_split, problem.B_row.front().extent_int(1));
         });
         auto const shared = std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
         Prepared prepared = one_shot(problem, shared, seconds, false, CsrSpmmTuning{});
         prepared.launch = [shared, parts = parts, B = problem.B_row, C = problem.C_row,
                            exec = problem.exec](int copy) {
           auto const c = static_cast<std::size_t>(copy);
           spmm(exec, Op::none, Scalar{1}, (*shared)[c], B[c], Scalar{}, C[c],
                {.kernel = CsrSpmmKernel::merge_split, .partition = (*parts)[c].pointers()});
         };
         return prepared;
       },
       {},
       detail::storage_beside_csr<Problem<Scalar>>([](auto const& problem) {
         return araia::detail::csr_spmm_partition_bytes(problem.host.rows, problem.host.nnz(), problem.columns,
                                                        sizeof(Scalar));
       })});
  // A lower precision is a contender of its own, whatever packing it takes.
  auto const add_packed = [&](std::string const& name, Precision precision, std::string const& packed_for = {}) {
    contenders.push_back(
        {"araia",
         "csr",
         name,
         [precision, packed_for](Problem<Scalar>& problem) {
           SpmmDesc const desc{.columns = problem.B_row.front().extent_int(1), .precision = precision};
           auto const choice =
               detail::packing_by_model(make_plan(problem.exec, desc, problem.A.front()).report(), "csr", packed_for);
           auto const [plans, seconds] = detail::convert_copies(problem, [&](auto const& A) {
             return std::make_shared<Plan<Exec, SpmmDesc, Scalar>>(
                 make_plan(problem.exec, desc, A, {.choice = choice}));
           });
           Prepared prepared;
           prepared.launch = [plans = plans, B = problem.B_row, C = problem.C_row, exec = problem.exec](int copy) {
             auto const c = static_cast<std::size_t>(copy);
             (*plans)[c]->execute(exec, Scalar{1}, B[c], Scalar{}, C[c]);
           };
           prepared.matrix_bytes = static_cast<double>(plans->front()->bytes());
           prepared.stored = problem.host.nnz();
           prepared.setup_seconds = seconds;
           prepared.roundoff =
               unit_roundoff(precision_of(plans->front()->report().problem, choice), static_cast<int>(sizeof(Scalar)));
           return prepared;
         },
         {},
         // Packing says what it took; entries and a copy of the values are what it starts from.
         [](Problem<Scalar> const& problem) {
           double const csr = Problem<Scalar>::csr_bytes(problem.host);
           return Storage{.read = csr, .made = 2 * csr};
         }});
  };
  add_packed("packed_row_major", Precision::native);
  for (auto const& kernel : araia::detail::kernels())
    if (auto const& info = kernel.info;
        info.operation == OpId::spmm && info.storage == "csr" && info.cuda_alone && !info.packing.empty())
      add_packed(std::string(info.name) + "_row_major", Precision::native, std::string(info.name));
  if constexpr (std::is_same_v<Scalar, float>)
    for (Precision const precision : all_precisions)
      if (precision != Precision::native)
        add_packed(std::string("packed_") + precision_name(precision) + "_row_major", precision);
#endif
  contenders.push_back({"araia",
                        "bsr",
                        "automatic_row_major",
                        [](Problem<Scalar>& problem) {
                          auto const [bsr, seconds] = detail::convert_copies(problem, [&](auto const& A) {
                            auto const size = detect_block_size(problem.exec, A);
                            return csr_to_bsr(problem.exec, A,
                                              {.block_rows = size.block_rows, .block_cols = size.block_cols});
                          });
                          return one_shot(problem, bsr, seconds, false, BsrSpmmTuning{});
                        },
                        {},
                        detail::storage_of<P>([](Exec const& exec, auto const& A) {
                          auto const size = detect_block_size(exec, A);
                          return count_bytes<Bsr<Scalar, std::int32_t, std::int32_t, Device>>(
                              exec, A, BsrOptions{.block_rows = size.block_rows, .block_cols = size.block_cols});
                        })});
  auto const add_bcsc = [&](std::string const& kernel, BcscSpmmTuning const& tuning, BcscOptions const& blocks) {
    contenders.push_back({"araia",
                          "bcsc",
                          kernel,
                          [tuning, blocks](Problem<Scalar>& problem) {
                            auto const [bcsc, seconds] = detail::convert_copies(
                                problem, [&](auto const& A) { return csr_to_bcsc(problem.exec, A, blocks); });
                            return one_shot(problem, bcsc, seconds, false, tuning);
                          },
                          {},
                          detail::storage_of<P>([blocks](Exec const& exec, auto const& A) {
                            return count_bytes<Bcsc<Scalar, std::int32_t, std::int32_t, Device>>(exec, A, blocks);
                          })});
  };
  add_bcsc("automatic_row_major", BcscSpmmTuning{}, BcscOptions{});
#ifdef KOKKOS_ENABLE_CUDA
  // The best rows of the 2019 thesis's tables: threads, items and k_tile in their names.
  for (auto const& tile : cuda::bcsc_thread_tiles) {
    std::string name = "tiled";
    for (int const number : {tile.threads_x, tile.threads_y, tile.items_x, tile.items_y, tile.k_tile})
      name += '_' + std::to_string(number);
    BcscSpmmTuning tuning;
    tuning.kernel = BcscSpmmKernel::tiled;
    tuning.threads_x = tile.threads_x;
    tuning.threads_y = tile.threads_y;
    tuning.items_x = tile.items_x;
    tuning.items_y = tile.items_y;
    tuning.k_tile = tile.k_tile;
    BcscOptions blocks;
    blocks.block_height = tile.rows();
    add_bcsc(name + "_row_major", tuning, blocks);
  }
#endif
  contenders.push_back({"araia",
                        "coo",
                        "atomic_row_major",
                        [](Problem<Scalar>& problem) {
                          auto const [coo, seconds] = detail::convert_copies(
                              problem, [&](auto const& A) { return csr_to_coo(problem.exec, A); });
                          return one_shot(problem, coo, seconds, false, CooSpmmTuning{});
                        },
                        {},
                        detail::storage_of<P>(detail::count_coo)});
  contenders.push_back({"araia", "ell", "columns_on_lanes_row_major",
                        [](Problem<Scalar>& problem) {
                          auto const [ell, seconds] = detail::convert_copies(
                              problem, [&](auto const& A) { return csr_to_ell(problem.exec, A); });
                          return one_shot(problem, ell, seconds, false, EllSpmmTuning{});
                        },
                        detail::ell_stored, detail::storage_of<P>(detail::count_ell)});
  auto const& asked = options.contenders;
  if (std::find(asked.begin(), asked.end(), "bcsc") != asked.end()) add_bcsc_kernels<Scalar>(contenders);
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  using namespace araia::perf;
  if (std::any_of(argv, argv + argc, [](char const* flag) { return std::string_view(flag) == "--steps"; }))
    return spmm_steps_main(argc, argv);
  Suite suite;
  return bench_main(
      argc, argv,
      [&](Options const& options) {
        for_each_scalar([&](auto scalar) { add_ours<decltype(scalar)>(suite.spmm<decltype(scalar)>(), options); });
        add_peers(suite);
      },
      [&](Exec const& exec, Options const& options, Machine const& machine, std::shared_ptr<LazyMatrix> const& matrix,
          std::vector<Group>& groups) {
        for_each_scalar([&](auto scalar) {
          using Scalar = decltype(scalar);
          if (!options.wants(options.types, scalar_name<Scalar>())) return;
          for (int const columns : options.columns)
            add_group(groups, exec, options, machine, matrix, columns, types_name<Scalar>(), suite.spmm<Scalar>());
        });
      });
}
