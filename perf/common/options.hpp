// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Flags of the benchmark binaries, beside Google Benchmark's own.

#include <cstdint>
#include <string>
#include <vector>

namespace araia::perf {

struct Options {
  std::vector<std::string> generators;  ///< --classes=a,b  generators to run; none when only files are given
  std::vector<double> sizes_mb{16};     ///< --size-mb=16,80  CSR bytes of a generated matrix in double, 1e6 bytes
  std::vector<std::string> files;       ///< --matrix=FILE and --data=DIR
  std::vector<std::string> types;       ///< --types=f64,f32  all by default
  std::vector<int> columns;             ///< --columns=16,64  of the dense operand; spmm only
  bool help = false;                    ///< --help  was printed
  bool steps = false;                   ///< --steps  spmm: what one column more costs; columns are 1 to 130 then
  std::vector<std::string> regimes;     ///< --regimes=cold,warm  both by default
  int samples = 21;                     ///< --samples=N  rounds over all contenders
  double batch_seconds = 1e-3;          ///< --batch-ms=1  least time of one sample
  std::int64_t cache_bytes = 0;         ///< --cache-mb=N  last-level cache; 0: asked from the machine
  std::int64_t most_copies = 2048;      ///< --most-copies=N  cold runs that need more copies are left out
  std::int64_t bandwidth_bytes = 0;     ///< --bandwidth-mb=N  bytes of an array; 0: array_bytes() of machine.hpp
  std::int64_t memory_bytes = 0;        ///< --memory-mb=N  of matrices, operands and formats; 0: half of what is free
  double plan_seconds = 0;              ///< --measured-plan=S  of tuning for the contender plan/measured; 0: without it
  bool between = false;                 ///< --between  an ordinary kernel follows every product
  double most_padding = 2;              ///< --most-padding=2  formats that store more per nonzero are left out
  std::vector<std::string> contenders{};  ///< --contenders=araia,mkl  owners to run; all by default, but bcsc (spmm)

  [[nodiscard]] bool wants(std::vector<std::string> const& list, std::string const& item) const;
};

/// Takes our flags out of argv and leaves the others. --help prints ours and leaves --help to Google Benchmark.
/// \throws std::invalid_argument naming the flag and what was expected
Options parse_options(int& argc, char** argv);

/// For programs without Google Benchmark, once Kokkos has taken its flags.
/// \throws std::invalid_argument naming the first argument that is left
void refuse_others(int argc, char** argv);

}  // namespace araia::perf
