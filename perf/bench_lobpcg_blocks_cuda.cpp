// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG's block passes on CUDA: microseconds by events, medians of runs between which another kernel has filled the
// caches; beside a copy of as many bytes and beside cuBLAS, whose blocks lie in one array. cuBLAS is given the products
// alone: residuals and norms would be passes of their own.
//   bench_lobpcg_blocks_cuda [--rows N] [--width K] [--float]

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>
#include "src/kernel/lobpcg_blocks.hpp"

#include <common/device_array.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/lobpcg/blocks_gram/kernel.hpp"
#include "backends/cuda/lobpcg/blocks_update/kernel.hpp"

namespace {

using namespace araia;
using namespace araia::detail;
using cuda::check;
using perf::DeviceArray;
namespace lobpcg = araia::cuda::lobpcg;

constexpr int runs = 15;

void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(ErrorKind::device, std::string(what) + ": " + cublasGetStatusString(status));
}

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> values(-1, 1);
  std::vector<T> v(count);
  for (T& x : v) x = values(random);
  return v;
}

/// Medians of work alone, which follows other work.
class Clock {
 public:
  Clock() : other_(std::size_t{256} << 20) {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~Clock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Clock(Clock const&) = delete;
  Clock& operator=(Clock const&) = delete;
  template <class Work>
  double median_us(Work const& work) {
    std::vector<float> times;
    for (int run = 0; run < runs + 2; ++run) {
      check(cudaMemsetAsync(other_.data(), run, other_.size(), nullptr), "cudaMemsetAsync");
      check(cudaEventRecord(start_, nullptr), "cudaEventRecord");
      work();
      check(cudaEventRecord(stop_, nullptr), "cudaEventRecord");
      check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
      if (run >= 2) times.push_back(ms * 1000);
    }
    std::ranges::sort(times);
    return static_cast<double>(times[times.size() / 2]);
  }

 private:
  DeviceArray<unsigned char> other_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

double worst_difference(std::vector<double> const& a, std::vector<double> const& b) {
  double worst = 0;
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    double const error = std::abs(a[k] - b[k]);
    if (!(error <= worst)) worst = error;  // NaN as well
    most = std::max(most, std::abs(b[k]));
  }
  return worst / most;
}

template <class T>
void bench(int width, std::int64_t rows, Clock& clock) {
  int const m = 3 * width;
  std::size_t const block = static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
  std::vector<DeviceArray<T>> s, as;
  auto const values = random_values<T>(block, 1);
  // A block of random values differs from the next by where it starts.
  auto const block_of = [&](std::size_t seed) {
    std::vector<T> v(values.size());
    std::size_t const shift = (seed * 1000003 + 17) % values.size();
    std::rotate_copy(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(shift), values.end(), v.begin());
    return DeviceArray<T>(v);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    s.push_back(block_of(2 * k));
    as.push_back(block_of(2 * k + 1));
  }
  LobpcgBasis<T> basis;
  basis.rows = rows;
  basis.blocks = 3;
  for (int k = 0; k < 3; ++k) {
    auto const n = static_cast<std::size_t>(k);
    basis.s[k] = {s[n].data(), width, width};
    basis.as[k] = {as[n].data(), width, width};
  }
  auto const square = static_cast<std::size_t>(m) * static_cast<std::size_t>(m);
  double const block_bytes = static_cast<double>(block * sizeof(T));
  DeviceArray<T> const from(6 * block), to(6 * block);  // also [X R P] in one array, for cuBLAS
  auto const copy_us = [&](double blocks) {
    auto const bytes = static_cast<std::size_t>(blocks * block_bytes / 2);
    return clock.median_us([&] {
      check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, nullptr), "cudaMemcpyAsync");
    });
  };
  auto const say = [&](char const* what, double blocks, double us) {
    double const copy = copy_us(blocks);
    std::printf("  %-26s %9.1f us, %5.2f TB/s of %4.1f blocks; copy %9.1f us, share %.2f", what, us,
                blocks * block_bytes / us * 1e-6, blocks, copy, copy / us);
  };
  std::printf("%s, width %d, %lld rows\n", std::is_same_v<T, double> ? "double" : "float", width,
              static_cast<long long>(rows));

  DeviceArray<double> const g(square), h(square);
  LobpcgGram<T> gram{basis, g.data(), h.data(), false};
  DeviceArray<unsigned char> const gram_space(lobpcg::workspace_bytes(gram));
  double const gram_us = clock.median_us([&] { lobpcg::gram(gram, gram_space.data(), nullptr); });
  auto const our_g = g.download();
  auto const our_h = h.download();
  say("gram", 6, gram_us);
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  auto const r = static_cast<int>(rows);
  auto const gather = [&](std::vector<DeviceArray<T>> const& blocks, T* where) {
    for (std::size_t k = 0; k < 3; ++k)
      check(cudaMemcpy2D(where + static_cast<std::size_t>(width) * k, static_cast<std::size_t>(m) * sizeof(T),
                         blocks[k].data(), static_cast<std::size_t>(width) * sizeof(T),
                         static_cast<std::size_t>(width) * sizeof(T), static_cast<std::size_t>(rows),
                         cudaMemcpyDeviceToDevice),
            "cudaMemcpy2D");
  };
  T* const whole_s = from.data();
  T* const whole_as = from.data() + 3 * block;
  gather(s, whole_s);
  gather(as, whole_as);
  T const one = 1;
  T const zero = 0;
  DeviceArray<T> const vendor_g(square), vendor_h(square);
  // Row-major (rows, m) is column-major (m, rows).
  auto const vendor_product = [&](T const* a, T const* b, T* c) {
    if constexpr (std::is_same_v<T, double>)
      check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, r, &one, a, m, b, m, &zero, c, m), "cublasDgemm");
    else
      check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, r, &one, a, m, b, m, &zero, c, m), "cublasSgemm");
  };
  auto const vendor_square = [&](T const* a, T* c) {
    if constexpr (std::is_same_v<T, double>)
      check(cublasDsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, r, &one, a, m, &zero, c, m), "cublasDsyrk");
    else
      check(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, r, &one, a, m, &zero, c, m), "cublasSsyrk");
  };
  double const gemms_us = clock.median_us([&] {
    vendor_product(whole_s, whole_as, vendor_g.data());
    vendor_product(whole_s, whole_s, vendor_h.data());
  });
  {
    // Column-major: (i, j) of vendor_g is s_i'(A s_j) at j * m + i; A S here is not A times S, so one triangle alone.
    auto const vg = vendor_g.download();
    auto const vh = vendor_h.download();
    std::vector<double> ours, theirs;
    for (int i = 0; i < m; ++i)
      for (int j = i; j < m; ++j) {
        auto const mine = static_cast<std::size_t>(i * m + j);
        auto const other = static_cast<std::size_t>(j * m + i);
        ours.push_back(our_g[mine]);
        theirs.push_back(static_cast<double>(vg[other]));
        ours.push_back(our_h[mine]);
        theirs.push_back(static_cast<double>(vh[other]));
      }
    double const worst = worst_difference(ours, theirs);
    double const syrk_us = clock.median_us([&] {
      vendor_product(whole_s, whole_as, vendor_g.data());
      vendor_square(whole_s, vendor_h.data());
    });
    std::printf("; cuBLAS two gemm %.1f, gemm and syrk %.1f us: %.2f times; difference %.1e %s\n", gemms_us, syrk_us,
                std::min(gemms_us, syrk_us) / gram_us, worst,
                worst < (std::is_same_v<T, double> ? 1e-11 : 1e-3) ? "right" : "WRONG");
  }
  gram.only_r = true;
  DeviceArray<unsigned char> const r_space(lobpcg::workspace_bytes(gram));
  say("gram, only R", 4, clock.median_us([&] { lobpcg::gram(gram, r_space.data(), nullptr); }));
  std::printf("\n");
  LobpcgGram<T> const only_h{basis, nullptr, h.data(), false};
  DeviceArray<unsigned char> const h_space(lobpcg::workspace_bytes(only_h));
  say("gram, H alone", 3, clock.median_us([&] { lobpcg::gram(only_h, h_space.data(), nullptr); }));
  std::printf("\n");

  auto const k = static_cast<std::size_t>(width);
  std::vector<double> small = random_values<double>(2 * static_cast<std::size_t>(m) * k, 7);
  for (double& v : small) v /= m;  // values stay bounded in place
  DeviceArray<double> const c(small), theta(random_values<double>(k, 9)), squares(2 * k);
  std::vector<int> columns(k);
  for (std::size_t j = 0; j < k; ++j) columns[j] = static_cast<int>(j);
  DeviceArray<int> const active(columns);
  DeviceArray<T> const diagonal(random_values<T>(static_cast<std::size_t>(rows), 10));
  LobpcgUpdate<T> update;
  update.basis = basis;
  update.c = c.data();
  update.d = c.data() + static_cast<std::size_t>(m) * k;
  update.theta = theta.data();
  update.kx = update.kp = update.active_count = width;
  update.x = {s[0].data(), width, width};
  update.ax = {as[0].data(), width, width};
  update.r = {s[1].data(), width, width};
  update.p = {s[2].data(), width, width};
  update.ap = {as[2].data(), width, width};
  update.active = active.data();
  update.r_squares = squares.data();
  update.ax_squares = squares.data() + k;
  DeviceArray<unsigned char> const update_space(lobpcg::workspace_bytes(update));
  double const update_us = clock.median_us([&] { lobpcg::update(update, update_space.data(), nullptr); });
  say("update in place", 11, update_us);
  DeviceArray<T> const packed(random_values<T>(2 * static_cast<std::size_t>(m) * k, 7));
  auto const vendor_rotate = [&](T const* a, T* out) {  // (2 k, rows) = [C D]' (2 k, m) times (m, rows), column-major
    if constexpr (std::is_same_v<T, double>)
      check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2 * width, r, m, &one, packed.data(), 2 * width, a, m, &zero,
                        out, 2 * width),
            "cublasDgemm");
    else
      check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2 * width, r, m, &one, packed.data(), 2 * width, a, m, &zero,
                        out, 2 * width),
            "cublasSgemm");
  };
  double const rotate_us = clock.median_us([&] {
    vendor_rotate(whole_s, to.data());
    vendor_rotate(whole_as, to.data() + 2 * block);
  });
  std::printf("; cuBLAS two gemm %.1f us: %.2f times\n", rotate_us, rotate_us / update_us);
  update.inverse_diagonal = diagonal.data();
  say("update, scaled", 11, clock.median_us([&] { lobpcg::update(update, update_space.data(), nullptr); }));
  std::printf("\n");

  LobpcgCross<T> const cross{rows, basis.s[0], basis.s[1], g.data(), h.data()};
  DeviceArray<unsigned char> const cross_space(lobpcg::workspace_bytes(cross));
  say("X'W and W'W", 2, clock.median_us([&] { lobpcg::cross(cross, cross_space.data(), nullptr); }));
  std::printf("\n");
  LobpcgSubtract<T> const subtract{rows, basis.s[0], c.data(), {s[1].data(), width, width}, h.data()};
  DeviceArray<unsigned char> const subtract_space(lobpcg::workspace_bytes(subtract));
  say("W -= X C and W'W", 3, clock.median_us([&] { lobpcg::subtract(subtract, subtract_space.data(), nullptr); }));
  std::printf("\n");
  std::fflush(stdout);
  check(cublasDestroy(handle), "cublasDestroy");
}

int run(int argc, char** argv) {
  std::int64_t rows = 1000000;
  std::vector<int> widths{8, 16, 32, 40};
  bool single = false;
  for (int k = 1; k < argc; ++k) {
    bool const more = k + 1 < argc;
    if (std::strcmp(argv[k], "--rows") == 0 && more)
      rows = std::atoll(argv[++k]);
    else if (std::strcmp(argv[k], "--width") == 0 && more)
      widths = {std::atoi(argv[++k])};
    else if (std::strcmp(argv[k], "--float") == 0)
      single = true;
    else
      throw Error(ErrorKind::invalid_argument,
                  std::string("bench_lobpcg_blocks_cuda: '") + argv[k] + "', expected --rows N, --width K or --float");
  }
  Clock clock;
  for (int const width : widths) {
    if (rows < 1 || rows > 50000000 || width < 4 || width > lobpcg_most_columns || width % 4 != 0)
      throw Error(ErrorKind::invalid_argument,
                  "bench_lobpcg_blocks_cuda: expected 1 to 50000000 rows, widths of 4 to 64 that are multiples of 4");
    if (single)
      bench<float>(width, rows, clock);
    else
      bench<double>(width, rows, clock);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
