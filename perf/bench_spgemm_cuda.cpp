// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A A on CUDA beside cuSPARSE, double: microseconds by the host's clock from the first call to the device's last
// kernel, workspace and C allocated before; medians of nine. Every C is held against cuSPARSE's.
//   bench_spgemm_cuda [--only NAME] [--deterministic] [--serial] [--small]

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <araia/error.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <common/device_array.hpp>
#include "src/generate/patterns.hpp"

#include "backends/cuda/check.hpp"
#include "backends/cuda/spgemm/spgemm.hpp"

namespace {

using namespace araia;
using cuda::check;
using perf::DeviceArray;
namespace sg = cuda::spgemm;

constexpr int runs = 9;

void check(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw Error(ErrorKind::device, std::string(what) + ": " + cusparseGetErrorString(status));
}

/// Microseconds of work and the device's end of it.
double median_us(int count, std::function<void()> const& work) {
  std::vector<double> times;
  for (int run = 0; run < count + 1; ++run) {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto const start = std::chrono::steady_clock::now();
    work();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  times.erase(times.begin());
  std::ranges::sort(times);
  return times[times.size() / 2];
}

struct DeviceCsr {
  DeviceArray<std::int32_t> row_offsets;
  DeviceArray<std::int32_t> col_indices;
  DeviceArray<double> values;
  sg::Matrix matrix;
  explicit DeviceCsr(GeneratedMatrix const& m)
      : row_offsets(m.row_offsets), col_indices(m.col_indices), values(m.values) {
    matrix.rows = m.rows;
    matrix.cols = m.cols;
    matrix.nnz = m.nnz();
    matrix.row_offsets = row_offsets.data();
    matrix.col_indices = col_indices.data();
    matrix.values = values.data();
  }
};

struct Vendor {
  double best_us = std::numeric_limits<double>::infinity();  // of a whole product
  std::string best;
  std::size_t best_bytes = 0;
  double each_us[3] = {-1, -1, -1};  // algorithms 1, 2 and 3; below 0: refused
  std::size_t each_bytes[3] = {0, 0, 0};
  double reuse_us = -1;
  std::size_t reuse_bytes = 0;
  std::int64_t nnz = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
};

class Handles {
 public:
  explicit Handles(DeviceCsr const& a) : a_(a) {
    check(cusparseCreate(&handle), "cusparseCreate");
    matA = describe(a.matrix.rows, a.matrix.nnz, a.row_offsets.data(), a.col_indices.data(), a.values.data());
  }
  ~Handles() {
    cusparseDestroySpMat(matA);
    cusparseDestroy(handle);
  }
  cusparseSpMatDescr_t describe(std::int64_t rows, std::int64_t nnz, void* offsets, void* columns, void* values) const {
    cusparseSpMatDescr_t matrix = nullptr;
    check(cusparseCreateCsr(&matrix, rows, a_.matrix.cols, nnz, offsets, columns, values, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "cusparseCreateCsr");
    return matrix;
  }
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matA = nullptr;

 private:
  DeviceCsr const& a_;
};

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
double const one = 1;
double const zero = 0;

/// A whole product by one algorithm: buffers and C are allocated by a product before the timed ones.
void whole_product(Handles& h, DeviceCsr const& a, cusparseSpGEMMAlg_t algorithm, int slot, Vendor& vendor) {
  std::size_t bytes1 = 0;
  std::size_t bytes2 = 0;
  std::size_t bytes3 = 0;
  DeviceArray<unsigned char> buffer1;
  DeviceArray<unsigned char> buffer2;
  DeviceArray<unsigned char> buffer3;
  DeviceArray<std::int32_t> offsets(static_cast<std::size_t>(a.matrix.rows) + 1);
  DeviceArray<std::int32_t> columns;
  DeviceArray<double> values;
  std::int64_t nnz = 0;
  float const fraction = 0.2F;  // of the products at a time, algorithm 3
  auto const product = [&](bool allocate) {
    cusparseSpGEMMDescr_t descr = nullptr;
    check(cusparseSpGEMM_createDescr(&descr), "cusparseSpGEMM_createDescr");
    cusparseSpMatDescr_t c = h.describe(a.matrix.rows, 0, offsets.data(), nullptr, nullptr);
    auto const estimate = [&](std::size_t* bytes, void* buffer) {
      check(cusparseSpGEMM_workEstimation(h.handle, plain, plain, &one, h.matA, h.matA, &zero, c, CUDA_R_64F, algorithm,
                                          descr, bytes, buffer),
            "cusparseSpGEMM_workEstimation");
    };
    auto const compute = [&](std::size_t* bytes, void* buffer) {
      check(cusparseSpGEMM_compute(h.handle, plain, plain, &one, h.matA, h.matA, &zero, c, CUDA_R_64F, algorithm, descr,
                                   bytes, buffer),
            "cusparseSpGEMM_compute");
    };
    estimate(&bytes1, nullptr);
    if (allocate) buffer1 = DeviceArray<unsigned char>(bytes1);
    estimate(&bytes1, buffer1.data());
    if (algorithm != CUSPARSE_SPGEMM_ALG1) {
      auto const memory = [&](void* buffer, std::size_t* needed) {
        check(cusparseSpGEMM_estimateMemory(h.handle, plain, plain, &one, h.matA, h.matA, &zero, c, CUDA_R_64F,
                                            algorithm, descr, fraction, &bytes3, buffer, needed),
              "cusparseSpGEMM_estimateMemory");
      };
      memory(nullptr, nullptr);
      if (allocate) buffer3 = DeviceArray<unsigned char>(bytes3);
      memory(buffer3.data(), &bytes2);
    } else {
      compute(&bytes2, nullptr);
    }
    if (allocate) buffer2 = DeviceArray<unsigned char>(bytes2);
    compute(&bytes2, buffer2.data());
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    check(cusparseSpMatGetSize(c, &rows, &cols, &nnz), "cusparseSpMatGetSize");
    if (allocate) {
      columns = DeviceArray<std::int32_t>(static_cast<std::size_t>(nnz));
      values = DeviceArray<double>(static_cast<std::size_t>(nnz));
    }
    check(cusparseCsrSetPointers(c, offsets.data(), columns.data(), values.data()), "cusparseCsrSetPointers");
    check(cusparseSpGEMM_copy(h.handle, plain, plain, &one, h.matA, h.matA, &zero, c, CUDA_R_64F, algorithm, descr),
          "cusparseSpGEMM_copy");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    cusparseDestroySpMat(c);
    cusparseSpGEMM_destroyDescr(descr);
  };
  try {
    product(true);
    vendor.each_us[slot] = median_us(5, [&] { product(false); });
    vendor.each_bytes[slot] = bytes1 + std::max(bytes2, bytes3);  // the third may be freed first
  } catch (Error const& error) {
    std::printf("  cuSPARSE algorithm %d: %s\n", slot + 1, error.what());
    static_cast<void>(cudaGetLastError());
    return;
  }
  if (vendor.each_us[slot] < vendor.best_us) {
    vendor.best_us = vendor.each_us[slot];
    vendor.best = "ALG" + std::to_string(slot + 1);
    vendor.best_bytes = vendor.each_bytes[slot];
  }
  if (vendor.values.empty()) {
    vendor.nnz = nnz;
    vendor.row_offsets = offsets.download();
    vendor.col_indices = columns.download();
    vendor.values = values.download();
  }
}

void reuse(Handles& h, DeviceCsr const& a, Vendor& vendor) {
  cusparseSpGEMMDescr_t descr = nullptr;
  check(cusparseSpGEMM_createDescr(&descr), "cusparseSpGEMM_createDescr");
  DeviceArray<std::int32_t> offsets(static_cast<std::size_t>(a.matrix.rows) + 1);
  cusparseSpMatDescr_t c = h.describe(a.matrix.rows, 0, offsets.data(), nullptr, nullptr);
  constexpr auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t bytes[5] = {};
  DeviceArray<unsigned char> buffers[5];
  try {
    auto const estimate = [&](void* buffer) {
      check(cusparseSpGEMMreuse_workEstimation(h.handle, plain, plain, h.matA, h.matA, c, algorithm, descr, &bytes[0],
                                               buffer),
            "cusparseSpGEMMreuse_workEstimation");
    };
    estimate(nullptr);
    buffers[0] = DeviceArray<unsigned char>(bytes[0]);
    estimate(buffers[0].data());
    auto const nnz_of = [&](void* b2, void* b3, void* b4) {
      check(cusparseSpGEMMreuse_nnz(h.handle, plain, plain, h.matA, h.matA, c, algorithm, descr, &bytes[1], b2,
                                    &bytes[2], b3, &bytes[3], b4),
            "cusparseSpGEMMreuse_nnz");
    };
    nnz_of(nullptr, nullptr, nullptr);
    for (int k = 1; k < 4; ++k) buffers[k] = DeviceArray<unsigned char>(bytes[k]);
    nnz_of(buffers[1].data(), buffers[2].data(), buffers[3].data());
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    check(cusparseSpMatGetSize(c, &rows, &cols, &nnz), "cusparseSpMatGetSize");
    DeviceArray<std::int32_t> columns(static_cast<std::size_t>(nnz));
    DeviceArray<double> values(static_cast<std::size_t>(nnz));
    check(cusparseCsrSetPointers(c, offsets.data(), columns.data(), values.data()), "cusparseCsrSetPointers");
    auto const copy = [&](void* buffer) {
      check(cusparseSpGEMMreuse_copy(h.handle, plain, plain, h.matA, h.matA, c, algorithm, descr, &bytes[4], buffer),
            "cusparseSpGEMMreuse_copy");
    };
    copy(nullptr);
    buffers[4] = DeviceArray<unsigned char>(bytes[4]);
    copy(buffers[4].data());
    vendor.reuse_us = median_us(runs, [&] {
      check(cusparseSpGEMMreuse_compute(h.handle, plain, plain, &one, h.matA, h.matA, &zero, c, CUDA_R_64F, algorithm,
                                        descr),
            "cusparseSpGEMMreuse_compute");
    });
    for (std::size_t const b : bytes) vendor.reuse_bytes += b;
  } catch (Error const& error) {
    std::printf("  cuSPARSE reuse: %s\n", error.what());
    static_cast<void>(cudaGetLastError());
  }
  cusparseDestroySpMat(c);
  cusparseSpGEMM_destroyDescr(descr);
}

/// The largest error of a value over the largest of C; infinite where the pattern differs.
double difference(Vendor const& vendor, std::vector<std::int32_t> const& offsets,
                  std::vector<std::int32_t> const& columns, std::vector<double> const& values) {
  if (offsets != vendor.row_offsets || columns != vendor.col_indices) return std::numeric_limits<double>::infinity();
  double worst = 0;
  double most = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    double const error = std::abs(values[k] - vendor.values[k]);
    if (!(error <= worst)) worst = error;  // NaN as well
    most = std::max(most, std::abs(vendor.values[k]));
  }
  return worst / most;
}

struct Geomean {
  double log_sum = 0;
  int count = 0;
  void add(double ratio) {
    log_sum += std::log(ratio);
    ++count;
  }
  [[nodiscard]] double value() const { return count == 0 ? 0 : std::exp(log_sum / count); }
};

struct Means {
  Geomean whole;
  Geomean reuse;
  double worst_whole = std::numeric_limits<double>::infinity();
  double worst_reuse = std::numeric_limits<double>::infinity();
  double most_memory = 0;  // ours over cuSPARSE's best algorithm's
};

constexpr char const* bin_names[] = {"empty",      "window_short", "window_long",  "sorted_64",
                                     "sorted_256", "sorted_1024",  "block_window", "hub"};

void bench(char const* name, bool in_mean, GeneratedMatrix const& m, sg::Options const& options, Means& means) {
  std::printf("%s: %s, %lld rows, %lld entries\n", name, m.name.c_str(), static_cast<long long>(m.rows),
              static_cast<long long>(m.nnz()));
  DeviceCsr const a(m);
  Vendor vendor;
  {
    Handles h(a);
    whole_product(h, a, CUSPARSE_SPGEMM_ALG1, 0, vendor);
    whole_product(h, a, CUSPARSE_SPGEMM_ALG2, 1, vendor);
    whole_product(h, a, CUSPARSE_SPGEMM_ALG3, 2, vendor);
    reuse(h, a, vendor);
  }

  DeviceArray<unsigned char> analysis(sg::analysis_bytes(a.matrix));
  sg::Plan plan = sg::analyse(a.matrix, a.matrix, options, analysis.data(), nullptr);
  if (!plan.refusal.empty()) {
    std::printf("  refused: %s\n", plan.refusal.c_str());
    return;
  }
  DeviceArray<unsigned char> workspace(plan.workspace_bytes);
  DeviceArray<std::int32_t> offsets(static_cast<std::size_t>(m.rows) + 1);
  std::int64_t const nnz = sg::symbolic(plan, a.matrix, a.matrix, workspace.data(), offsets.data(), nullptr);
  DeviceArray<std::int32_t> columns(static_cast<std::size_t>(nnz));
  DeviceArray<double> values(static_cast<std::size_t>(nnz));
  columns.fill_bytes(0xff);
  values.fill_bytes(0xff);
  sg::Result const c{{offsets.data(), false}, columns.data(), values.data()};
  auto const whole = [&](sg::Options const& how) {
    plan = sg::analyse(a.matrix, a.matrix, how, analysis.data(), nullptr);
    static_cast<void>(sg::symbolic(plan, a.matrix, a.matrix, workspace.data(), offsets.data(), nullptr));
    sg::numeric(plan, a.matrix, a.matrix, c, nullptr);
  };
  double const whole_us = median_us(runs, [&] { whole(options); });
  double const error = difference(vendor, offsets.download(), columns.download(), values.download());
  double const analysis_us =
      median_us(runs, [&] { plan = sg::analyse(a.matrix, a.matrix, options, analysis.data(), nullptr); });
  double const symbolic_us = median_us(runs, [&] {
    static_cast<void>(sg::symbolic(plan, a.matrix, a.matrix, workspace.data(), offsets.data(), nullptr));
  });
  double const numeric_us = median_us(runs, [&] { sg::numeric(plan, a.matrix, a.matrix, c, nullptr); });
  values.fill_bytes(0xff);
  double const reuse_us = median_us(runs, [&] { sg::values(plan, a.matrix, a.matrix, c, nullptr); });
  double const reuse_error = difference(vendor, offsets.download(), columns.download(), values.download());

  std::size_t const bytes = plan.analysis_bytes + plan.workspace_bytes;
  auto const mega = [](std::size_t b) { return static_cast<double>(b) / 1e6; };
  std::printf("  products %lld, nnz(C) %lld, %s, groups of %d:", static_cast<long long>(plan.products),
              static_cast<long long>(nnz), plan.thread_per_row ? "thread_per_row" : "bins", plan.group);
  for (std::size_t bin = 0; bin < sg::bins; ++bin)
    if (plan.items[bin] != 0) std::printf(" %s %lld", bin_names[bin], static_cast<long long>(plan.items[bin]));
  std::printf("\n  tile list %u of %lld entries; longest row of C by bin", plan.counters.pass.list_used,
              static_cast<long long>(plan.layout.row_tile_count));
  for (std::uint32_t const longest : plan.counters.pass.longest_c) std::printf(" %u", longest);
  std::printf("\n  cuSPARSE us: ALG1 %.0f (%.1f MB), ALG2 %.0f (%.1f MB), ALG3 %.0f (%.1f MB), reuse %.0f (%.1f MB)\n",
              vendor.each_us[0], mega(vendor.each_bytes[0]), vendor.each_us[1], mega(vendor.each_bytes[1]),
              vendor.each_us[2], mega(vendor.each_bytes[2]), vendor.reuse_us, mega(vendor.reuse_bytes));
  std::printf("  ours us: whole %.0f = analyse %.0f + symbolic %.0f + numeric %.0f; reuse %.0f; %.1f MB of workspace\n",
              whole_us, analysis_us, symbolic_us, numeric_us, reuse_us, mega(bytes));
  int const group = plan.group;
  double const gain = vendor.best_us / whole_us;
  double const reuse_gain = vendor.reuse_us / reuse_us;
  std::printf(
      "  over cuSPARSE: whole %.2f (best %s), reuse %.2f, workspace %.3f of best's; %.0f GF, reuse %.0f GF\n", gain,
      vendor.best.c_str(), reuse_gain, static_cast<double>(bytes) / static_cast<double>(vendor.best_bytes),
      2e-3 * static_cast<double>(plan.products) / whole_us, 2e-3 * static_cast<double>(plan.products) / reuse_us);
  constexpr double allowed = 1e-12;
  std::printf("  worst difference %.1e, after reuse %.1e: %s\n", error, reuse_error,
              error <= allowed && reuse_error <= allowed ? "right" : "WRONG");
  std::fflush(stdout);

  // The same without what the plan may use: what each costs or brings.
  auto const variant = [&](char const* what, sg::Options how) {
    plan = sg::analyse(a.matrix, a.matrix, how, analysis.data(), nullptr);
    if (!plan.refusal.empty()) return;
    DeviceArray<unsigned char> const own(plan.workspace_bytes);
    auto const run = [&] {
      plan = sg::analyse(a.matrix, a.matrix, how, analysis.data(), nullptr);
      static_cast<void>(sg::symbolic(plan, a.matrix, a.matrix, own.data(), offsets.data(), nullptr));
      sg::numeric(plan, a.matrix, a.matrix, c, nullptr);
    };
    double const us = median_us(3, run);
    double const off = difference(vendor, offsets.download(), columns.download(), values.download());
    double const again_us = median_us(3, [&] { sg::values(plan, a.matrix, a.matrix, c, nullptr); });
    std::printf("    %-22s whole %.0f, reuse %.0f, %.1f MB%s\n", what, us, again_us,
                mega(plan.analysis_bytes + plan.workspace_bytes), off <= allowed ? "" : " WRONG");
    std::fflush(stdout);
  };
  sg::Options how = options;
  how.b_ascends = true;
  variant("B known to ascend", how);
  how = options;
  how.deterministic = true;
  variant("deterministic", how);
  how = options;
  how.side_streams = nullptr;
  variant("one stream", how);
  how = options;
  how.workspace_limit = bytes / 2;
  variant("half the workspace", how);
  how = options;
  how.workspace_limit = bytes / 10;
  variant("a tenth", how);
  if (group > 1) {
    how = options;
    how.form = sg::Form::window_long;
    variant("without groups", how);
  }
  how = options;
  how.form = sg::Form::block_window;
  variant("block_window", how);

  if (!in_mean) return;
  means.whole.add(gain);
  means.reuse.add(reuse_gain);
  means.worst_whole = std::min(means.worst_whole, gain);
  means.worst_reuse = std::min(means.worst_reuse, reuse_gain);
  means.most_memory = std::max(means.most_memory, static_cast<double>(bytes) / static_cast<double>(vendor.best_bytes));
}

int run(int argc, char** argv) {
  std::string only;
  sg::SideStreams const side;
  sg::Options options;
  options.side_streams = &side;
  bool small = false;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--only") == 0 && k + 1 < argc)
      only = argv[++k];
    else if (std::strcmp(argv[k], "--deterministic") == 0)
      options.deterministic = true;
    else if (std::strcmp(argv[k], "--serial") == 0)
      options.side_streams = nullptr;
    else if (std::strcmp(argv[k], "--small") == 0)
      small = true;
    else
      throw Error(ErrorKind::invalid_argument, std::string("bench_spgemm_cuda: '") + argv[k] +
                                                   "', expected --only NAME, --deterministic, --serial or --small");
  }
  Means means;
  auto const take = [&](char const* name, bool in_mean, auto const& make) {
    if (only.empty() || only == name) bench(name, in_mean, make(), options, means);
  };
  take("27-point", true,
       [&] { return small ? generate::stencil_27_point(12, 12, 12) : generate::stencil_27_point(48, 48, 48); });
  take("7-point", true,
       [&] { return small ? generate::stencil_7_point(20, 20, 20) : generate::stencil_7_point(128, 128, 128); });
  take("fem", true, [&] { return small ? generate::fem_3_dof(8, 8, 8) : generate::fem_3_dof(24, 24, 24); });
  take("power", true, [&] { return generate::power_law(small ? 5000 : 200000, 8); });
  take("circuit", true, [&] { return generate::circuit(small ? 2000 : 30000); });
  take("lattice", true, [&] { return generate::lattice_4d(small ? 3 : 8); });
  take("lattice_2d", false, [&] { return generate::lattice_2d(small ? 60 : 1000); });
  take("banded", false, [&] { return generate::banded_random(small ? 3000 : 200000, 16, 1000); });
  take("uniform", false, [&] { return generate::uniform_random(small ? 3000 : 200000, small ? 3000 : 200000, 16); });
  std::printf(
      "geometric means over cuSPARSE's best: whole %.2f, reuse %.2f; least whole %.2f, reuse %.2f; most workspace "
      "%.3f\n",
      means.whole.value(), means.reuse.value(), means.worst_whole, means.worst_reuse, means.most_memory);
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
