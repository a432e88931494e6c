// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// From contenders and matrices to Google Benchmark: one benchmark a contender, matrix and regime, all measured
// together.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contender.hpp"
#include "left_out.hpp"
#include "machine.hpp"
#include "matrices.hpp"
#include "options.hpp"
#include "timing.hpp"
#include "verify.hpp"

namespace araia::perf {

/// What a contender got in one regime.
struct Result {
  std::vector<double> seconds;  ///< a product; a sample each
  std::string error;            ///< why there are none
  double setup_seconds = 0;
  double bytes = 0;    ///< modelled bytes of a product
  double padding = 0;  ///< stored entries over nonzeros, less one
};

/// Facts of the matrix that become counters.
struct Shape {
  double rows = 0, cols = 0, nnz = 0;
};

struct Measured {
  Shape shape;
  std::map<std::string, Result> results;  ///< by "format/kernel/regime"
};

/// Benchmarks of one matrix, type and number of columns: measured in one go when the first of them runs.
struct Group {
  std::string operation, types, matrix, klass;  ///< as in names: spmv, f64_i32, stencil7_16MB, stencil
  int columns = 1;
  bool names_columns = false;
  struct Entry {
    std::string owner, format, kernel, regime;
  };
  std::vector<Entry> entries;
  std::function<Measured(std::vector<Entry> const&)> measure;
  std::function<void()> release;  ///< drops the matrix

  [[nodiscard]] std::string benchmark_name(Entry const& entry) const;
};

/// Registers, runs and reports the groups. Returns the exit code: 1 if a contender failed or was wrong.
/// \throws std::invalid_argument where the flags leave no benchmark, std::runtime_error where JSON cannot be written
int run_benchmarks(int argc, char** argv, Options const& options, Machine const& machine,
                   std::map<std::string, std::string> const& context, std::vector<Group> groups);

/// Copies that a cold run rotates through: together beyond twice the cache.
std::int64_t cold_copies(double bytes_of_a_copy, Machine const& machine);

namespace detail {

template <class Problem>
Result prepare_and_verify(Contender<Problem> const& contender, Problem& problem, int columns,
                          std::vector<typename Problem::value_type> const& B, double dense_bytes, Prepared& prepared) {
  Result result;
  try {
    prepared = contender.prepare(problem);
    problem.poison();
    prepared.launch(0);
    problem.exec.fence("araia::perf: product to verify");
    result.error =
        problem.with_result(prepared.column_major, [&](auto const* C, std::int64_t row, std::int64_t column) {
          return verify_product(problem.host, B, columns, C, row, column, prepared.roundoff);
        });
    if (!result.error.empty()) result.error = "wrong result: " + result.error;
    result.setup_seconds = prepared.setup_seconds;
    result.bytes = prepared.matrix_bytes + dense_bytes;
    result.padding = static_cast<double>(prepared.stored) / static_cast<double>(problem.host.nnz()) - 1;
  } catch (std::exception const& error) {
    result.error = error.what();
  }
  return result;
}

/// Sets up the contenders once, then takes the samples of each regime.
template <class Problem>
Measured measure_group(Exec const& exec, Options const& options, Machine const& machine, GeneratedMatrix const& host,
                       int columns, std::vector<Contender<Problem>> const& contenders,
                       std::vector<Group::Entry> const& entries) {
  using Scalar = typename Problem::value_type;
  Measured measured{{static_cast<double>(host.rows), static_cast<double>(host.cols), static_cast<double>(host.nnz())},
                    {}};
  auto const wanted = [&](Contender<Problem> const& contender, std::string const& regime) {
    for (auto const& entry : entries)
      if (entry.format == contender.format && entry.kernel == contender.kernel && entry.regime == regime) return true;
    return false;
  };
  auto const key = [](Contender<Problem> const& contender, std::string const& regime) {
    return contender.format + '/' + contender.kernel + '/' + regime;
  };
  bool const cold = std::any_of(entries.begin(), entries.end(), [](auto const& e) { return e.regime == "cold"; });
  double const dense_bytes = Problem::dense_bytes(host, columns);
  std::int64_t const needed = cold_copies(Problem::csr_bytes(host) + dense_bytes, machine);
  bool const too_many = needed > options.most_copies;
  Problem problem(host, exec, cold && !too_many ? needed : 1, columns);
  std::vector<Scalar> B;
  B.reserve(static_cast<std::size_t>(host.cols * columns));
  for (std::int64_t i = 0; i < host.cols; ++i)
    for (int j = 0; j < columns; ++j) B.push_back(operand<Scalar>(i, j));

  std::vector<Prepared> prepared;
  std::vector<Contender<Problem> const*> running;
  for (auto const& contender : contenders) {
    if (!wanted(contender, "cold") && !wanted(contender, "warm")) continue;
    Result result;
    Prepared ready;
    auto const stored = contender.stored ? contender.stored(host) : host.nnz();
    if (static_cast<double>(stored) > options.most_padding * static_cast<double>(host.nnz()))
      result.error = LeftOut("pads " + std::to_string(host.nnz()) + " entries to " + std::to_string(stored)).what();
    else
      result = prepare_and_verify(contender, problem, columns, B, dense_bytes, ready);
    for (auto const* regime : {"cold", "warm"})
      if (wanted(contender, regime)) measured.results[key(contender, regime)] = result;
    if (!result.error.empty()) continue;
    prepared.push_back(std::move(ready));
    running.push_back(&contender);
  }
  for (std::string const regime : {"cold", "warm"}) {
    std::vector<std::function<void(int)>> launches;
    std::vector<Result*> results;
    for (std::size_t c = 0; c < running.size(); ++c) {
      if (!wanted(*running[c], regime)) continue;
      Result& result = measured.results[key(*running[c], regime)];
      if (regime == "cold" && too_many) {
        result.error = LeftOut("cold needs " + std::to_string(needed) + " copies").what();
        continue;
      }
      launches.push_back(prepared[c].launch);
      results.push_back(&result);
    }
    auto samples = measure_interleaved(exec, launches, options.samples, options.batch_seconds,
                                       regime == "cold" ? problem.copies() : 1);
    for (std::size_t c = 0; c < results.size(); ++c) results[c]->seconds = std::move(samples[c]);
  }
  return measured;
}

}  // namespace detail

/// The group of one matrix for the contenders that the options ask for; appended to groups unless it is empty.
template <class Problem>
void add_group(std::vector<Group>& groups, Exec const& exec, Options const& options, Machine const& machine,
               std::shared_ptr<LazyMatrix> const& matrix, int columns, std::string const& types,
               std::vector<Contender<Problem>> const& contenders) {
  Group group;
  group.operation = Problem::operation;
  group.types = types;
  group.matrix = matrix->name;
  group.klass = matrix->klass;
  group.columns = columns;
  group.names_columns = group.operation != "spmv";
  for (auto const& contender : contenders)
    for (auto const* regime : {"cold", "warm"})
      if (options.wants(options.contenders, contender.owner) && options.wants(options.regimes, regime))
        group.entries.push_back({contender.owner, contender.format, contender.kernel, regime});
  group.measure = [=, &contenders, &options, &machine](std::vector<Group::Entry> const& entries) {
    return detail::measure_group<Problem>(exec, options, machine, matrix->get(), columns, contenders, entries);
  };
  group.release = [matrix] { matrix->release(); };
  if (!group.entries.empty()) groups.push_back(std::move(group));
}

}  // namespace araia::perf
