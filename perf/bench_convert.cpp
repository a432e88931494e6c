// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Csr -> every other format in double: bytes of the Csr per second, those of the result per second (padding can make
// them the bound), and the products of the result's default kernel after which the conversion has paid, against the
// Csr's.
#include <Kokkos_Core.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/error.hpp>
#include <araia/ops/spmv.hpp>
#include <common/matrices.hpp>
#include <common/memory_pool.hpp>
#include <common/options.hpp>
#include <common/problem.hpp>
#include <common/timing.hpp>

namespace araia::perf {
namespace {

using Problem = SpmvProblem<double>;
using Source = Problem::Matrix;

/// Median seconds of work(), fenced, after one call that is not counted.
template <class Work>
double seconds_of(Exec const& exec, int samples, Work const& work) {
  std::vector<double> times;
  for (int i = 0; i <= samples; ++i) {
    exec.fence("araia::perf: before a sample");
    auto const start = std::chrono::steady_clock::now();
    work();
    exec.fence("araia::perf: after a sample");
    if (i > 0) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return median(std::move(times));
}

struct Measured {
  double conversion;  // seconds
  double product;
  double bytes;
};

struct Conversion {
  std::string name;
  std::function<Measured(Problem const&, int)> measure;
};

template <class Matrix>
double product_seconds(Problem const& problem, Matrix const& A, int samples) {
  return seconds_of(problem.exec, samples,
                    [&] { spmv(problem.exec, Op::none, 1.0, A, problem.x.front(), 0.0, problem.y.front()); });
}

template <class Convert>
Conversion conversion(std::string name, Convert const& convert) {
  return {std::move(name), [convert](Problem const& problem, int samples) {
            auto const& A = problem.A.front();
            double const time = seconds_of(problem.exec, samples, [&] { convert(problem.exec, A); });
            auto const B = convert(problem.exec, A);
            return Measured{time, product_seconds(problem, B, samples), static_cast<double>(B.bytes())};
          }};
}

/// Slices are as tall as a device's warp or a host's vector.
std::vector<Conversion> conversions() {
  constexpr std::int64_t height = araia::detail::is_device_space<Exec> ? 32 : 8;
  auto const sell = [](char const* name, SellOptions options) {
    options.slice_height = height;
    return conversion(name, [options](Exec const& exec, Source const& A) { return csr_to_sell(exec, A, options); });
  };
  return {
      conversion("coo", [](Exec const& exec, Source const& A) { return csr_to_coo(exec, A); }),
      conversion("csc", [](Exec const& exec, Source const& A) { return csr_to_csc(exec, A); }),
      conversion("ell", [](Exec const& exec, Source const& A) { return csr_to_ell(exec, A); }),
      conversion("hyb", [](Exec const& exec, Source const& A) { return csr_to_hyb(exec, A); }),
      sell("sell", {}),
      sell("sell sorted", {.sort_window = 16 * height}),
      sell("sell 16-bit", {.columns = SellColumns::least_bytes}),
      sell("sell blocks", {.block_width = 2}),
      sell("sell diagonals", {.diagonals = true, .columns = SellColumns::least_bytes, .stored_mask = false}),
      conversion("bsr 1..8",
                 [](Exec const& exec, Source const& A) {
                   auto const size = detect_block_size(exec, A);
                   return csr_to_bsr(exec, A, {.block_rows = size.block_rows, .block_cols = size.block_cols});
                 }),
      conversion("bsr 3 x 3", [](Exec const& exec,
                                 Source const& A) { return csr_to_bsr(exec, A, {.block_rows = 3, .block_cols = 3}); }),
      conversion("bcsc", [](Exec const& exec, Source const& A) { return csr_to_bcsc(exec, A); }),
      conversion("bcsc+compact", [](Exec const& exec, Source const& A) { return csr_to_bcsc_compact(exec, A); }),
  };
}

void run(Options const& options) {
  Exec const exec;
  std::printf("memory from %s\n", keep_freed_memory(exec));
  std::printf("%-20s %-15s %9s %8s %9s %12s %12s\n", "matrix", "format", "ms", "GB/s", "bytes/CSR", "GB/s written",
              "break-even");
  for (auto const& matrix : list_matrices(options)) {
    auto const* const host = made_or_left_out(*matrix);
    if (!host) continue;
    Problem const problem(*host, exec, 1, 1);
    double const csr_bytes = Problem::csr_bytes(*host);
    double const csr_product = product_seconds(problem, problem.A.front(), options.samples);
    for (auto const& conversion : conversions()) {
      std::printf("%-20s %-15s ", matrix->name.c_str(), conversion.name.c_str());
      try {
        auto const m = conversion.measure(problem, options.samples);
        double const saved = csr_product - m.product;
        std::printf("%9.2f %8.2f %9.2f %12.2f ", m.conversion * 1e3, csr_bytes / m.conversion * 1e-9,
                    m.bytes / csr_bytes, m.bytes / m.conversion * 1e-9);
        if (saved > 0)
          std::printf("%12.0f\n", m.conversion / saved);
        else
          std::printf("%12s\n", "never");
      } catch (Error const& error) {
        std::printf("%s\n", error.what());
      }
      std::fflush(stdout);
    }
    matrix->release();
  }
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  try {
    auto const options = araia::perf::parse_options(argc, argv);
    Kokkos::ScopeGuard const kokkos(argc, argv);
    if (options.help) return 0;
    araia::perf::refuse_others(argc, argv);
    araia::perf::run(options);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "bench_convert: %s\n", error.what());
    return 2;
  }
}
