// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three experiments that the library began from, on today's machines; docs/seeds.md has their tables.
//   random_lengths  CSR and ELL with their rows sorted by length or not, a thread a row, teams of 32, 64, 128
//   pruned          8192 x 8192 at 10% and 20%: CSR, ELL, HYB, COO, conversion and products
//   lattice, fem    SELL in its variants against CSR, on look-alikes of mc2depi, cant and qcd
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmv.hpp>
#include <common/araia_contenders.hpp>
#include <common/bench_main.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {
namespace {

template <class Scalar>
using Problem = SpmvProblem<Scalar>;
template <class Scalar>
using Contenders = std::vector<Contender<Problem<Scalar>>>;

/// The product in the format that convert(exec, A) makes, by the kernel that `tuning` names. The matrices are few and
/// known, so the bytes are counted by making one.
template <class Scalar, class Convert, class Tuning>
Contender<Problem<Scalar>> contender(char const* format, std::string kernel, Tuning const& tuning,
                                     Convert const& convert) {
  return {"araia",
          format,
          std::move(kernel),
          [convert, tuning](Problem<Scalar>& problem) {
            auto const [matrices, seconds] =
                detail::convert_copies(problem, [&](auto const& A) { return convert(problem.exec, A); });
            Prepared prepared;
            prepared.launch = [matrices = matrices, tuning, x = problem.x, y = problem.y,
                               exec = problem.exec](int copy) {
              auto const c = static_cast<std::size_t>(copy);
              spmv(exec, Op::none, Scalar{1}, (*matrices)[c], x[c], Scalar{}, y[c], tuning);
            };
            prepared.matrix_bytes = static_cast<double>(matrices->front().bytes());
            prepared.stored = matrices->front().stored();
            prepared.setup_seconds = seconds;
            return prepared;
          },
          {},
          detail::storage_of<Problem<Scalar>>(
              [convert](auto const& exec, auto const& A) { return convert(exec, A).bytes(); })};
}

template <class Scalar>
Contenders<Scalar> sorted_and_unsorted() {
  Contenders<Scalar> list;
  // Host spaces have teams of one thread: the runtime's own choice.
  std::vector<int> const teams =
      araia::detail::is_device_space<Exec> ? std::vector<int>{32, 64, 128} : std::vector<int>{0};
  for (int const team : teams) {
    std::string const size = team > 0 ? "_" + std::to_string(team) : "";
    CsrSpmvTuning const csr{
        .kernel = CsrSpmvKernel::thread_per_row, .rows_per_team = team, .team_size = team, .vector_length = 1};
    EllSpmvTuning const ell{.rows_per_team = team, .team_size = team};
    list.push_back(contender<Scalar>("csr", "unsorted" + size, csr, [](Exec const&, auto const& A) { return A; }));
    list.push_back(contender<Scalar>("csr", "sorted" + size, csr,
                                     [](Exec const& exec, auto const& A) { return sort_rows_by_length(exec, A); }));
    for (bool const sort : {false, true})
      list.push_back(contender<Scalar>(
          "ell", (sort ? "sorted" : "unsorted") + size, ell,
          [sort](Exec const& exec, auto const& A) { return csr_to_ell(exec, A, {.sort_rows = sort}); }));
  }
  return list;
}

template <class Scalar>
Contenders<Scalar> four_formats() {
  return {contender<Scalar>("csr", "default", CsrSpmvTuning{}, [](Exec const&, auto const& A) { return A; }),
          contender<Scalar>("ell", "default", EllSpmvTuning{},
                            [](Exec const& exec, auto const& A) { return csr_to_ell(exec, A); }),
          contender<Scalar>("hyb", "default", HybSpmvTuning{},
                            [](Exec const& exec, auto const& A) { return csr_to_hyb(exec, A); }),
          contender<Scalar>("coo", "default", CooSpmvTuning{},
                            [](Exec const& exec, auto const& A) { return csr_to_coo(exec, A); })};
}

template <class Scalar>
Contenders<Scalar> sliced() {
  Contenders<Scalar> list;
  list.push_back(contender<Scalar>("csr", "default", CsrSpmvTuning{}, [](Exec const&, auto const& A) { return A; }));
  auto const add = [&](char const* kernel, SellOptions options) {
    options.stored_mask = false;
    list.push_back(contender<Scalar>("sell", kernel, SellSpmvTuning{}, [options](Exec const& exec, auto const& A) {
      return csr_to_sell(exec, A, options);
    }));
  };
  add("slices", {});
  add("slices_sorted", {.sort_window = 512});
  add("slices_variable", {.sort_window = 512, .least_slice_height = 8});
  add("pairs", {.sort_window = 512, .block_width = 2});
  add("quadruples", {.sort_window = 512, .block_width = 4});
  add("diagonals", {.diagonals = true});
  add("narrow_columns", {.columns = SellColumns::least_bytes});
  add("diagonals_narrow_columns", {.sort_window = 512, .diagonals = true, .columns = SellColumns::least_bytes});
  return list;
}

std::vector<std::shared_ptr<LazyMatrix>> seeds(Options const&) {
  std::vector<std::shared_ptr<LazyMatrix>> list;
  auto const add = [&](std::string name, std::string klass, std::function<GeneratedMatrix()> make) {
    list.push_back(std::make_shared<LazyMatrix>(
        LazyMatrix{.name = std::move(name), .klass = std::move(klass), .make = std::move(make)}));
  };
  for (std::int64_t const n : {4096, 8192, 16384})
    add("random_lengths_" + std::to_string(n), "random_lengths",
        [n] { return generate::random_lengths(n, n, 0.01, 0.2); });
  for (int const percent : {10, 20})
    add("uniform_" + std::to_string(percent) + "pct", "pruned",
        [percent] { return generate::pruned_layer(8192, 8192, 1 - percent / 100.0); });
  add("mc2depi_like", "sliced", [] { return generate::lattice_2d(725); });  // mc2depi: 525825 rows, 2.1 million entries
  add("cant_like", "sliced", [] { return generate::fem_3_dof(9, 9, 256); });  // cant: 62451 rows, 4.0 million
  add("qcd_like", "sliced", [] { return generate::lattice_4d(8); });          // qcd5_4: 49152 rows, 1.9 million
  return list;
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  using namespace araia::perf;
  std::map<std::string, Contenders<double>> f64;
  std::map<std::string, Contenders<float>> f32;
  f64 = {{"random_lengths", sorted_and_unsorted<double>()},
         {"pruned", four_formats<double>()},
         {"sliced", sliced<double>()}};
  if constexpr (with_f32)
    f32 = {{"random_lengths", sorted_and_unsorted<float>()},
           {"pruned", four_formats<float>()},
           {"sliced", sliced<float>()}};
  return bench_main(
      argc, argv, [](Options const&) {},
      [&](Exec const& exec, Options const& options, Machine const& machine, std::shared_ptr<LazyMatrix> const& matrix,
          std::vector<Group>& groups) {
        if (options.wants(options.types, "f64"))
          add_group(groups, exec, options, machine, matrix, 1, types_name<double>(), f64[matrix->klass]);
        if constexpr (with_f32)
          if (options.wants(options.types, "f32"))
            add_group(groups, exec, options, machine, matrix, 1, types_name<float>(), f32[matrix->klass]);
      },
      &seeds);
}
