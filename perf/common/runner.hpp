// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// From contenders and matrices to Google Benchmark: one benchmark a contender, matrix and regime, all measured
// together.

#include <algorithm>
#include <araia/error.hpp>
#include <cstdio>
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
  int copies = 0;      ///< that cold products rotated through
  int set = 0;         ///< contenders of one set were timed in turns, sets one after the other
  std::string choice;  ///< of a contender that chooses
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

/// Sets of contenders whose bytes fit into `room` together: each goes into the first set that has room for it, so what
/// takes nothing is in the first. One beyond the room has a set of its own.
std::vector<std::vector<std::size_t>> sets_within(std::vector<double> const& bytes, double room);

/// "12.3 MB", of 1e6 bytes.
std::string megabytes(double bytes);

/// "the memory budget (--memory-mb) leaves 12.3 MB"
std::string budget_leaves(double room);

namespace detail {

/// Calls work(); returns what it refused to do or why it failed, or an empty string. A product that the library says it
/// does not run, or has no memory for, is left out.
template <class Work>
std::string reason_of_failure(Work const& work) {
  try {
    work();
    return {};
  } catch (Error const& error) {
    bool const refused = error.kind() == ErrorKind::unsupported || error.kind() == ErrorKind::resource_limit;
    return refused ? LeftOut(error.what()).what() : error.what();
  } catch (std::exception const& error) {
    return error.what();
  }
}

template <class Problem>
Result prepare_and_verify(Contender<Problem> const& contender, Problem& problem, int columns,
                          std::vector<typename Problem::value_type> const& B, double dense_bytes, Prepared& prepared) {
  Result result;
  result.error = reason_of_failure([&] {
    prepared = contender.prepare(problem);
    problem.poison();
    prepared.launch(0);
    problem.exec.fence("araia::perf: product to verify");
    std::string const wrong =
        problem.with_result(prepared.column_major, [&](auto const* C, std::int64_t row, std::int64_t column) {
          return verify_product(problem.host, B, columns, C, row, column, prepared.roundoff);
        });
    if (!wrong.empty()) throw std::runtime_error("wrong result: " + wrong);
    result.setup_seconds = prepared.setup_seconds;
    result.bytes = prepared.matrix_bytes + dense_bytes;
    result.padding = static_cast<double>(prepared.stored) / static_cast<double>(problem.host.nnz()) - 1;
    result.choice = prepared.choice;
  });
  return result;
}

/// What a contender will take, before it is set up.
template <class Problem>
struct Counted {
  Contender<Problem> const* contender = nullptr;
  int copies = 1;
  double bytes = 0;          ///< of all copies, and of making the last one
  std::string no_cold = {};  ///< why its cold run is left out; empty: it is not
};

/// \param room  bytes that are left beside the problem
/// \throws LeftOut where one copy takes too much, or the format pads too much
template <class Problem>
Counted<Problem> count_contender(Contender<Problem> const& contender, Problem const& problem, int columns,
                                 Options const& options, Machine const& machine, double room, bool cold, bool warm) {
  GeneratedMatrix const& host = problem.host;
  double const csr = Problem::csr_bytes(host);
  double const dense = Problem::dense_bytes(host, columns);
  Counted<Problem> counted{.contender = &contender};
  if (contender.stored) {
    auto const stored = contender.stored(host);
    if (static_cast<double>(stored) > options.most_padding * static_cast<double>(host.nnz()))
      throw LeftOut("pads " + std::to_string(host.nnz()) + " entries to " + std::to_string(stored));
  }
  Storage const storage = contender.storage ? contender.storage(problem) : Storage{.read = csr, .made = 0};
  if (storage.made > options.most_padding * csr)
    throw LeftOut("takes " + megabytes(storage.made) + " where the CSR takes " + megabytes(csr));
  auto const bytes_of = [&](std::int64_t copies) {
    double const more =
        static_cast<double>(std::max<std::int64_t>(0, copies - static_cast<std::int64_t>(problem.A.size())));
    double const making = storage.made > 0 ? csr : 0;  // workspace of a conversion
    return static_cast<double>(copies) * storage.made + making + more * dense * Problem::layouts;
  };
  if (bytes_of(1) > room) throw LeftOut("takes " + megabytes(bytes_of(1)) + ", " + budget_leaves(room));
  if (cold) {
    // What reads the Csr rotates through its copies.
    std::int64_t const copies =
        contender.storage ? cold_copies(storage.read + dense, machine) : static_cast<std::int64_t>(problem.A.size());
    if (copies > options.most_copies)
      counted.no_cold = "cold needs " + std::to_string(copies) + " copies";
    else if (bytes_of(copies) > room)
      counted.no_cold = "cold takes " + megabytes(bytes_of(copies)) + ", " + budget_leaves(room);
    else
      counted.copies = static_cast<int>(copies);
    if (!counted.no_cold.empty() && !warm) throw LeftOut(counted.no_cold);
  }
  counted.bytes = bytes_of(counted.copies);
  return counted;
}

/// Counts what the contenders take, then sets up and times those that fit into memory together, set by set.
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
  auto const result_of = [&](Contender<Problem> const& contender, std::string const& regime) -> Result& {
    return measured.results[contender.format + '/' + contender.kernel + '/' + regime];
  };
  bool cold = std::any_of(entries.begin(), entries.end(), [](auto const& e) { return e.regime == "cold"; });
  double const dense = Problem::dense_bytes(host, columns);
  double const one = Problem::csr_bytes(host) + Problem::layouts * dense;
  // On a host the matrix as generated, and B to check with, lie in the same memory.
  constexpr bool shared = !araia::detail::is_device_space<Exec>;
  double const beside = shared ? static_cast<double>(host.nnz()) * (sizeof(double) + sizeof(std::int32_t)) +
                                     static_cast<double>(host.rows) * sizeof(std::int64_t) + dense
                               : 0;
  double const room = machine.memory_budget - beside;
  if (one > room) throw LeftOut("matrix and operands take " + megabytes(one) + ", " + budget_leaves(room));
  std::string no_cold;
  std::int64_t const needed = cold ? cold_copies(Problem::csr_bytes(host) + dense, machine) : 1;
  if (needed > options.most_copies)
    no_cold = "cold needs " + std::to_string(needed) + " copies";
  else if (static_cast<double>(needed) * one > room)
    no_cold = "cold takes " + megabytes(static_cast<double>(needed) * one) + ", " + budget_leaves(room);
  cold = cold && no_cold.empty();
  Problem problem(host, exec, cold ? needed : 1, columns);
  double const left = room - static_cast<double>(problem.A.size()) * one;
  problem.memory_left = left;
  std::vector<Scalar> B;
  B.reserve(static_cast<std::size_t>(host.cols * columns));
  for (std::int64_t i = 0; i < host.cols; ++i)
    for (int j = 0; j < columns; ++j) B.push_back(operand<Scalar>(i, j));

  std::vector<Counted<Problem>> counted;
  for (auto const& contender : contenders) {
    bool const wants_cold = wanted(contender, "cold");
    bool const wants_warm = wanted(contender, "warm");
    if (wants_cold && !no_cold.empty()) result_of(contender, "cold").error = LeftOut(no_cold).what();
    if (!wants_warm && !(wants_cold && cold)) continue;
    std::string const error = reason_of_failure([&] {
      counted.push_back(
          count_contender(contender, problem, columns, options, machine, left, wants_cold && cold, wants_warm));
    });
    for (auto const* regime : {"cold", "warm"})
      if (!error.empty() && wanted(contender, regime)) result_of(contender, regime).error = error;
  }
  std::vector<double> bytes;
  for (auto const& one_of : counted) bytes.push_back(one_of.bytes);
  std::function<void()> const between = options.between ? ordinary_kernel(exec) : std::function<void()>{};
  int number = 0;
  for (auto const& set : sets_within(bytes, left)) {
    std::map<std::string, std::vector<Timed>> timed;
    std::map<std::string, std::vector<Result*>> results;
    for (std::size_t const c : set) {
      Contender<Problem> const& contender = *counted[c].contender;
      problem.set_copies(counted[c].copies);
      Prepared prepared;
      Result result = prepare_and_verify(contender, problem, columns, B, dense, prepared);
      result.copies = counted[c].copies;
      result.set = number;
      for (std::string const regime : {"cold", "warm"}) {
        if (!wanted(contender, regime)) continue;
        std::string const& left_out = cold ? counted[c].no_cold : no_cold;
        Result& entry = result_of(contender, regime) = result;
        if (entry.error.empty() && regime == "cold" && !left_out.empty()) entry.error = LeftOut(left_out).what();
        if (!entry.error.empty()) continue;
        timed[regime].push_back({.launch = [prepared](int copy) { prepared.launch(copy); },  // keeps what it points to
                                 .copies = regime == "cold" ? counted[c].copies : 1});
        results[regime].push_back(&entry);
      }
    }
    for (auto const& [regime, launches] : timed) {
      auto samples = measure_interleaved(exec, launches, options.samples, options.batch_seconds, between);
      for (std::size_t c = 0; c < samples.size(); ++c) {
        Result& result = *results[regime][c];
        if (*std::min_element(samples[c].begin(), samples[c].end()) <= 0)
          result.error = LeftOut("takes too little time to be told from the kernel between").what();
        else
          result.seconds = std::move(samples[c]);
      }
    }
    ++number;
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
