// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x: our formats and kernels beside the peers', interleaved.
#include <array>
#include <limits>
#include <utility>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmv.hpp>
#include <common/araia_contenders.hpp>
#include <common/bench_main.hpp>
#include <common/product_contenders.hpp>

namespace araia::perf {
namespace {

template <class Scalar>
using Problem = SpmvProblem<Scalar>;

/// One of our kernels on matrices that are there already, one a copy.
template <class Scalar, class Matrix, class Tuning>
Prepared one_shot(Problem<Scalar>& problem, std::shared_ptr<std::vector<Matrix>> const& matrices, double setup,
                  Tuning const& tuning) {
  Prepared prepared;
  prepared.launch = [matrices, tuning, x = problem.x, y = problem.y, exec = problem.exec](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    spmv(exec, Op::none, Scalar{1}, (*matrices)[c], x[c], Scalar{}, y[c], tuning);
  };
  prepared.matrix_bytes = static_cast<double>(matrices->front().bytes());
  prepared.stored = matrices->front().stored();
  prepared.setup_seconds = setup;
  return prepared;
}

/// A format by its own default kernel; convert(exec, A) makes it, of count(exec, A) bytes.
template <class Scalar, class Convert, class Count>
Contender<Problem<Scalar>> other_format(char const* format, std::string const& kernel, Convert const& convert,
                                        Count const& count) {
  return {"araia",
          format,
          kernel,
          [convert](Problem<Scalar>& problem) {
            auto const [matrices, seconds] =
                detail::convert_copies(problem, [&](auto const& A) { return convert(problem.exec, A); });
            using Matrix = typename std::decay_t<decltype(*matrices)>::value_type;
            return one_shot(problem, matrices, seconds, spmv_tuning_t<Matrix>{});
          },
          {},
          detail::storage_of<Problem<Scalar>>(count)};
}

/// The bytes of a format, for other_format: the library counts them before the conversion.
template <class Scalar>
using SellOf = Sell<Scalar, std::int32_t, std::int32_t, Device>;
template <class Scalar>
using BsrOf = Bsr<Scalar, std::int32_t, std::int32_t, Device>;

constexpr auto square_blocks = [](auto const& exec, auto const& A) {
  auto const size = detect_block_size(exec, A);
  return BsrOptions{.block_rows = size.block_rows, .block_cols = size.block_cols};
};

auto count_sell(SellOptions const& options) {
  return [options](Exec const& exec, auto const& A) {
    return count_bytes<SellOf<typename std::decay_t<decltype(A)>::value_type>>(exec, A, options);
  };
}

constexpr auto count_bsr = [](Exec const& exec, auto const& A) {
  return count_bytes<BsrOf<typename std::decay_t<decltype(A)>::value_type>>(exec, A, square_blocks(exec, A));
};

/// Bytes of what inspect_rows makes at most: lists of columns are no longer than the matrix's.
constexpr auto most_runs_bytes = [](auto const& problem) { return problem.host.nnz() * 2 * sizeof(std::int32_t); };

/// By the runs of rows that share their columns; convert(exec, A) makes the matrix, of A's structure. Its bytes are
/// counted as CSR's: how many columns are shared is the matrix's affair.
template <class Scalar, class Convert>
Prepared by_runs(Problem<Scalar>& problem, Convert const& convert) {
  auto const matrices = detail::convert_copies(problem, [&](auto const& A) { return convert(problem.exec, A); }).first;
  auto const [runs, inspecting] =
      detail::convert_copies(problem, [&](auto const& A) { return inspect_rows(problem.exec, A); });
  Prepared prepared = one_shot(problem, matrices, inspecting, CsrSpmvTuning{});
  prepared.launch = [matrices, runs = runs, x = problem.x, y = problem.y, exec = problem.exec](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    spmv(exec, Op::none, Scalar{1}, (*matrices)[c], x[c], Scalar{}, y[c],
         {.kernel = CsrSpmvKernel::host_simd_runs, .row_runs = (*runs)[c].get()});
  };
  return prepared;
}

/// push(contender) for every kernel that packs a matrix of its own, of the problem's matrices or as matrix_of() has
/// them.
template <class Scalar, class MatrixOf, class Push>
void add_packings(std::string const& prefix, MatrixOf const& matrix_of, Push const& push) {
  detail::add_packings<Problem<Scalar>>(
      prefix, "", [](Problem<Scalar> const&) { return SpmvDesc{}; }, matrix_of,
      [](Problem<Scalar> const& problem) { return problem.x; },
      [](Problem<Scalar> const& problem) { return problem.y; }, false, push);
}

/// A with its values in float, beside the same structure.
template <class Matrix>
auto in_float(Exec const& exec, Matrix const& A) {
  using Device = typename Matrix::device_type;
  Kokkos::View<float*, Device> const values(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string("araia::perf::float_values")),
      A.values.extent(0));
  ask_for_huge_pages(values);  // as the double ones are
  Kokkos::deep_copy(exec, values, A.values);
  return Csr<float, typename Matrix::ordinal_type, typename Matrix::size_type, Device>{.rows = A.rows,
                                                                                       .cols = A.cols,
                                                                                       .nnz = A.nnz,
                                                                                       .row_offsets = A.row_offsets,
                                                                                       .col_indices = A.col_indices,
                                                                                       .values = values};
}

/// Matrices of float beside the products in double: half the bytes of the values, sums and vectors as they are.
template <class Scalar>
void add_float_matrices(std::vector<Contender<Problem<Scalar>>>& contenders) {
  auto const push = [&](Contender<Problem<Scalar>> contender) {
    contender.prepare = [prepare = contender.prepare](Problem<Scalar>& problem) {
      auto prepared = prepare(problem);
      prepared.roundoff = static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;
      return prepared;
    };
    contenders.push_back(std::move(contender));
  };
  auto const add = [&](char const* format, std::string const& kernel, auto const& convert, auto const& count) {
    push(other_format<Scalar>(
        format, "f32_matrix" + kernel,
        [convert](Exec const& exec, auto const& A) { return convert(exec, in_float(exec, A)); },
        [count](Exec const& exec, auto const& A) { return count(exec, in_float(exec, A)); }));
  };
  // The structure stays the Csr's: beside it values are made, and read in place of its own.
  auto const beside_structure = [](auto const& bytes_of_runs) {
    return [bytes_of_runs](Problem<Scalar> const& problem) {
      double const nnz = static_cast<double>(problem.host.nnz());
      double const runs = static_cast<double>(bytes_of_runs(problem));
      return Storage{.read = Problem<Scalar>::csr_bytes(problem.host) - nnz * (sizeof(Scalar) - sizeof(float)),
                     .made = nnz * sizeof(float) + runs};
    };
  };
  add(
      "csr", "", [](Exec const&, auto const& A) { return A; }, [](Exec const&, auto const& A) { return A.bytes(); });
  contenders.back().storage = beside_structure([](auto const&) { return 0; });
  if constexpr (araia::detail::is_host_backend_space<Exec>)
    push({"araia",
          "csr",
          "f32_matrix_runs",
          [](Problem<Scalar>& problem) {
            return by_runs(problem, [](Exec const& exec, auto const& A) { return in_float(exec, A); });
          },
          {},
          beside_structure(most_runs_bytes)});
  for (std::int64_t const height : {32, 64, 128})
    for (bool const diagonals : {false, true}) {
      if (!araia::detail::is_cuda_space<Exec> && height != 32) continue;
      SellOptions const options{.slice_height = araia::detail::is_device_space<Exec> || diagonals ? height : 8,
                                .diagonals = diagonals,
                                .columns = SellColumns::least_bytes,
                                .stored_mask = false};
      std::string const kernel = diagonals ? "_diagonals" : "_narrow_columns";
      add(
          "sell", height == 32 ? kernel : kernel + "_c" + std::to_string(height),
          [options](Exec const& exec, auto const& A) { return csr_to_sell(exec, A, options); }, count_sell(options));
    }
  add_packings<Scalar>(
      "f32_matrix_",
      [](Problem<Scalar> const& problem, int copy) { return in_float(problem.exec, problem.source(copy)); }, push);
}

/// Formats beside Csr, Coo and Ell. Slices are as tall as a host's vector, with diagonals as a plan's, or as a device's
/// warp, or two or four of those.
template <class Scalar>
void add_formats(std::vector<Contender<Problem<Scalar>>>& contenders) {
  constexpr bool device = araia::detail::is_device_space<Exec>;
  auto const sell_of = [&](std::int64_t height, std::string const& kernel, SellOptions options) {
    options.slice_height = height;
    options.stored_mask = false;
    contenders.push_back(other_format<Scalar>(
        "sell", kernel, [options](Exec const& exec, auto const& A) { return csr_to_sell(exec, A, options); },
        count_sell(options)));
  };
  auto const sell = [&](char const* kernel, SellOptions const& options) {
    sell_of(device || options.diagonals ? 32 : 8, kernel, options);
    if constexpr (araia::detail::is_cuda_space<Exec>) {  // two and four rows a lane
      sell_of(64, kernel + std::string("_c64"), options);
      sell_of(128, kernel + std::string("_c128"), options);
    }
  };
  sell("plain", {});
  sell("narrow_columns", {.columns = SellColumns::least_bytes});
  sell("diagonals", {.diagonals = true, .columns = SellColumns::least_bytes});
  contenders.push_back(other_format<Scalar>(
      "bsr", "lanes_on_blocks",
      [](Exec const& exec, auto const& A) { return csr_to_bsr(exec, A, square_blocks(exec, A)); }, count_bsr));
  add_packings<Scalar>("", detail::matrices_of_problem,
                       [&](Contender<Problem<Scalar>> contender) { contenders.push_back(std::move(contender)); });
  contenders.push_back(other_format<Scalar>(
      "hyb", "ell_then_coo", [](Exec const& exec, auto const& A) { return csr_to_hyb(exec, A); },
      [](Exec const& exec, auto const& A) {
        return count_bytes<Hyb<Scalar, std::int32_t, Device>>(exec, A, HybOptions{});
      }));
  contenders.push_back(other_format<Scalar>(
      "csc", "scatter", [](Exec const& exec, auto const& A) { return csr_to_csc(exec, A); },
      [](Exec const& exec, auto const& A) {
        return count_bytes<Csc<Scalar, std::int32_t, std::int32_t, Device>>(exec, A, CscOptions{});
      }));
  contenders.push_back(other_format<Scalar>(
      "bcsc", "block_per_team", [](Exec const& exec, auto const& A) { return csr_to_bcsc(exec, A); },
      [](Exec const& exec, auto const& A) {
        return count_bytes<Bcsc<Scalar, std::int32_t, std::int32_t, Device>>(exec, A, BcscOptions{});
      }));
}

template <class Scalar>
void add_ours(std::vector<Contender<Problem<Scalar>>>& contenders, Options const& options) {
  detail::add_product(
      contenders, "", options, [](Problem<Scalar> const&) { return SpmvDesc{}; },
      [](Problem<Scalar> const& problem) { return problem.x; },
      [](Problem<Scalar> const& problem) { return problem.y; },
      [](Exec const& exec, auto const& A, auto const& x, auto const& y) {
        spmv(exec, Op::none, Scalar{1}, A, x, Scalar{}, y);
      });
  for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row, CsrSpmvKernel::vector_per_row})
    contenders.push_back({"araia", "csr", kernel_name(kernel), [kernel](Problem<Scalar>& problem) {
                            auto const shared =
                                std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
                            return one_shot(problem, shared, 0, CsrSpmvTuning{.kernel = kernel});
                          }});
  for (auto const kernel : {CsrSpmvKernel::balanced, CsrSpmvKernel::equal_chunks}) {
    if (kernel == CsrSpmvKernel::equal_chunks && !araia::detail::is_cuda_space<Exec>) continue;
    contenders.push_back(
        {"araia",
         "csr",
         kernel_name(kernel),
         [kernel](Problem<Scalar>& problem) {
           auto const [partitions, seconds] =
               detail::convert_copies(problem, [&](auto const& A) { return partition_rows(problem.exec, A, kernel); });
           auto const shared = std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
           Prepared prepared = one_shot(problem, shared, seconds, CsrSpmvTuning{});
           prepared.matrix_bytes += static_cast<double>(partitions->front().bytes());
           prepared.launch = [=, partitions = partitions, x = problem.x, y = problem.y, exec = problem.exec](int copy) {
             auto const c = static_cast<std::size_t>(copy);
             spmv(exec, Op::none, Scalar{1}, (*shared)[c], x[c], Scalar{}, y[c],
                  {.kernel = kernel, .partition = (*partitions)[c].pointers()});
           };
           return prepared;
         },
         {},
         detail::storage_beside_csr<Problem<Scalar>>([](auto const& problem) {
           return araia::detail::csr_partition_bytes(CsrCut::path, problem.host.rows, problem.host.nnz());
         })});
  }
  if constexpr (araia::detail::is_host_backend_space<Exec>)
    contenders.push_back(
        {"araia",
         "csr",
         "host_simd_runs",
         [](Problem<Scalar>& problem) { return by_runs(problem, [](Exec const&, auto const& A) { return A; }); },
         {},
         detail::storage_beside_csr<Problem<Scalar>>(most_runs_bytes)});
  for (auto const kernel : {CooSpmvKernel::segmented, CooSpmvKernel::atomic})
    contenders.push_back({"araia",
                          "coo",
                          kernel_name(kernel),
                          [kernel](Problem<Scalar>& problem) {
                            auto const [coo, seconds] = detail::convert_copies(
                                problem, [&](auto const& A) { return csr_to_coo(problem.exec, A); });
                            return one_shot(problem, coo, seconds, CooSpmvTuning{.kernel = kernel});
                          },
                          {},
                          detail::storage_of<Problem<Scalar>>(detail::count_coo)});
  contenders.push_back({"araia", "ell", "thread_per_row",
                        [](Problem<Scalar>& problem) {
                          auto const [ell, seconds] = detail::convert_copies(
                              problem, [&](auto const& A) { return csr_to_ell(problem.exec, A); });
                          return one_shot(problem, ell, seconds, EllSpmvTuning{});
                        },
                        detail::ell_stored, detail::storage_of<Problem<Scalar>>(detail::count_ell)});
  add_formats(contenders);
  if constexpr (std::is_same_v<Scalar, double> && with_f32) add_float_matrices(contenders);
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  using namespace araia::perf;
  Suite suite;
  return bench_main(
      argc, argv,
      [&](Options const& options) {
        for_each_scalar([&](auto scalar) { add_ours<decltype(scalar)>(suite.spmv<decltype(scalar)>(), options); });
        add_peers(suite);
      },
      [&](Exec const& exec, Options const& options, Machine const& machine, std::shared_ptr<LazyMatrix> const& matrix,
          std::vector<Group>& groups) {
        for_each_scalar([&](auto scalar) {
          using Scalar = decltype(scalar);
          if (options.wants(options.types, scalar_name<Scalar>()))
            add_group(groups, exec, options, machine, matrix, 1, types_name<Scalar>(), suite.spmv<Scalar>());
        });
      });
}
