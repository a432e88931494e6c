// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients in one launch of clusters: microseconds an iteration, (kernel time at 1,100 iterations - at 100)
// / 1,000, and iterations a microsecond of many systems of one pattern. Medians of nine launches.
//   bench_cg_cluster [--cluster N] [MATRIX.mtx ...]

#include <cuda_runtime_api.h>

#include <algorithm>
#include <araia/error.hpp>
#include <araia/io/matrix_market.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/cuda/cg/csr_one_cluster/kernel.hpp"
#include "backends/cuda/check.hpp"

namespace {

using namespace araia;
using cuda::check;
namespace one_cluster = cuda::one_cluster;

struct Matrix {
  std::string name;
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(row_offsets.size()) - 1; }
};

using Rows = std::vector<std::map<std::int32_t, double>>;

Matrix csr_of(std::string name, Rows const& rows) {
  Matrix m;
  m.name = std::move(name);
  for (auto const& row : rows) {
    for (auto const& [column, value] : row) {
      m.col_indices.push_back(column);
      m.values.push_back(value);
    }
    m.row_offsets.push_back(static_cast<std::int32_t>(m.col_indices.size()));
  }
  return m;
}

/// Junctions of a rectangular lattice in random order, a tenth of whose pipes are missing; conductances over two orders
/// of magnitude, every fiftieth junction grounded.
Matrix street(std::int32_t n) {
  auto const width = static_cast<std::int32_t>(std::lround(std::sqrt(static_cast<double>(n))));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<std::int32_t> name(static_cast<std::size_t>(n));
  std::iota(name.begin(), name.end(), 0);
  std::ranges::shuffle(name, random);
  Rows rows(static_cast<std::size_t>(n));
  auto const pipe = [&](std::int32_t i, std::int32_t j) {
    double const conductance = std::pow(100.0, unit(random));
    if (j >= n || unit(random) < 0.1) return;
    std::int32_t const a = name[static_cast<std::size_t>(i)];
    std::int32_t const b = name[static_cast<std::size_t>(j)];
    rows[static_cast<std::size_t>(a)][b] = rows[static_cast<std::size_t>(b)][a] = -conductance;
    rows[static_cast<std::size_t>(a)][a] += conductance;
    rows[static_cast<std::size_t>(b)][b] += conductance;
  };
  for (std::int32_t i = 0; i < n; ++i) {
    if ((i + 1) % width != 0) pipe(i, i + 1);
    pipe(i, i + width);
    if (i % 50 == 0)
      rows[static_cast<std::size_t>(name[static_cast<std::size_t>(i)])][name[static_cast<std::size_t>(i)]] += 1;
  }
  // A junction without pipes is a system of its own.
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][static_cast<std::int32_t>(i)] += 1e-6;
  return csr_of("street " + std::to_string(n), rows);
}

Matrix read(std::string const& path) {
  HostCoo const coo = read_matrix_market(path);
  auto const* const i = std::get_if<std::vector<std::int32_t>>(&coo.row_indices);
  auto const* const j = std::get_if<std::vector<std::int32_t>>(&coo.col_indices);
  auto const* const v = std::get_if<std::vector<double>>(&coo.values);
  if (!i || !j || !v || coo.rows != coo.cols)
    throw Error(ErrorKind::unsupported, path + ": expected a square matrix of reals");
  Rows rows(static_cast<std::size_t>(coo.rows));
  for (std::size_t k = 0; k < i->size(); ++k) {
    rows[static_cast<std::size_t>((*i)[k])][(*j)[k]] += (*v)[k];
    if (coo.symmetry == Symmetry::symmetric && (*i)[k] != (*j)[k])
      rows[static_cast<std::size_t>((*j)[k])][(*i)[k]] += (*v)[k];
  }
  return csr_of(path, rows);
}

template <class T>
class Device {
 public:
  explicit Device(std::vector<T> const& from) : Device(from.size()) {
    check(cudaMemcpy(data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  explicit Device(std::size_t size) : size_(size) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(1, size) * sizeof(T)), "cudaMalloc");
    memory_.reset(static_cast<T*>(memory));
  }
  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::vector<T> download() const {
    std::vector<T> to(size_);
    check(cudaMemcpy(to.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }

 private:
  struct Free {
    void operator()(T* p) const { cudaFree(p); }
  };
  std::size_t size_;
  std::unique_ptr<T, Free> memory_;
};

/// Systems of one pattern whose values differ by little and whose right-hand sides are their own.
class Batch {
 public:
  Batch(Matrix const& m, int systems, int cluster)
      : m_(m),
        systems_(systems),
        plan_(one_cluster::make_plan(m.rows(), m.row_offsets.data(), m.col_indices.data(), systems, cluster)),
        words_(plan_.packing.words),
        values_(many(m.values)),
        rhs_(random_rhs()),
        x_(static_cast<std::size_t>(m.rows() * systems)),
        results_(static_cast<std::size_t>(systems)) {}

  [[nodiscard]] one_cluster::Plan const& plan() const { return plan_; }

  /// Microseconds of one launch, the median.
  double time(double tolerance, int iterations) {
    std::vector<float> times;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (int run = 0; run < 10; ++run) {
      check(cudaMemset(x_.data(), 0, static_cast<std::size_t>(m_.rows() * systems_) * sizeof(double)), "cudaMemset");
      check(cudaEventRecord(begin), "cudaEventRecord");
      one_cluster::solve(plan_, words_.data(),
                         {.count = systems_,
                          .values = values_.data(),
                          .values_stride = static_cast<std::int64_t>(m_.values.size()),
                          .rhs = rhs_.data(),
                          .rhs_stride = m_.rows(),
                          .solution = x_.data(),
                          .solution_stride = m_.rows()},
                         {.tolerance = tolerance, .max_iterations = iterations}, results_.data(), nullptr, nullptr);
      check(cudaEventRecord(end), "cudaEventRecord");
      check(cudaEventSynchronize(end), "solve");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
      if (run > 0) times.push_back(milliseconds);
    }
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2);
    return 1e3 * static_cast<double>(times[times.size() / 2]);
  }

  [[nodiscard]] std::vector<one_cluster::Result> results() const { return results_.download(); }

  /// The largest ||b - A x|| / ||b|| of all systems.
  [[nodiscard]] double worst_residual() const {
    auto const x = x_.download();
    auto const b = rhs_.download();
    auto const values = values_.download();
    double worst = 0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(systems_); ++s) {
      std::size_t const first = s * static_cast<std::size_t>(m_.rows());
      double above = 0;
      double below = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(m_.rows()); ++i) {
        double r = b[first + i];
        below += r * r;
        for (auto k = static_cast<std::size_t>(m_.row_offsets[i]); k < static_cast<std::size_t>(m_.row_offsets[i + 1]);
             ++k)
          r -= values[s * m_.values.size() + k] * x[first + static_cast<std::size_t>(m_.col_indices[k])];
        above += r * r;
      }
      worst = std::max(worst, std::sqrt(above / below));
    }
    return worst;
  }

 private:
  [[nodiscard]] std::vector<double> many(std::vector<double> const& values) const {
    std::vector<double> all;
    for (int s = 0; s < systems_; ++s)
      for (double const v : values) all.push_back(v * (1 + 1e-8 * s));
    return all;
  }
  [[nodiscard]] std::vector<double> random_rhs() const {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<double> all(static_cast<std::size_t>(m_.rows() * systems_));
    std::ranges::generate(all, [&] { return value(random); });
    return all;
  }

  Matrix const& m_;
  int systems_;
  one_cluster::Plan plan_;
  Device<std::uint32_t> words_;
  Device<double> values_, rhs_, x_;
  Device<one_cluster::Result> results_;
};

void report(Matrix const& m, int systems, int cluster) {
  Batch batch(m, systems, cluster);
  if (!batch.plan().refusal.empty()) {
    if (cluster != 0) return;
    std::printf("%-14s %7d systems  refused: %s\n", m.name.c_str(), systems, batch.plan().refusal.c_str());
    return;
  }
  double const few = batch.time(0, 100);
  double const many = batch.time(0, 1100);
  std::int64_t iterations = 0;
  for (auto const& r : batch.results()) iterations += r.iterations;
  double const of_one = (many - few) / 1000;
  bool const whole = iterations == std::int64_t{1100} * systems;
  double const solve = batch.time(1e-8, 20000);
  auto const result = batch.results()[0];
  auto const& packing = batch.plan().packing;
  auto const& shape = packing.layout.shape;
  std::printf(
      "%-14s %5lld rows %6zu entries %4d systems  %-10s %d x %d threads, %d clusters, halo %4.1f%%, %3zu KB: %6.3f us "
      "an "
      "iteration%s, %7.2f iterations a us | to 1e-8: %5d iterations, status %d, residual %.1e, %9.1f us\n",
      m.name.c_str(), static_cast<long long>(m.rows()), m.values.size(), systems, shape.name().c_str(),
      shape.rows_of_thread, shape.threads, batch.plan().clusters,
      100 * static_cast<double>(packing.halo_entries) / static_cast<double>(m.values.size()),
      packing.layout.shared_bytes() / 1024, of_one, whole ? "" : " (SOME STOPPED EARLY)", systems / of_one,
      result.iterations, static_cast<int>(result.status), batch.worst_residual(), solve);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    int cluster = 0;
    std::vector<Matrix> matrices;
    for (int k = 1; k < count; ++k) {
      if (std::string(arguments[k]) == "--cluster" && k + 1 < count)
        cluster = std::atoi(arguments[++k]);
      else
        matrices.push_back(read(arguments[k]));
    }
    if (matrices.empty())
      for (std::int32_t const n : {1891, 12523, 14991}) matrices.push_back(street(n));
    for (Matrix const& m : matrices) {
      report(m, 1, cluster);
      for (int const forced : {1, 2, 4, 8, 16})
        if (cluster == 0) report(m, 1, forced);
      bool const is_small = m.rows() <= one_cluster::most_rows(1);
      for (int const systems : {is_small ? 132 : 15, is_small ? 264 : 30}) report(m, systems, cluster);
    }
  } catch (std::exception const& error) {
    std::fprintf(stderr, "bench_cg_cluster: %s\n", error.what());
    return 1;
  }
}
