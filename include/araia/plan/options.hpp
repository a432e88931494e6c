// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a caller may ask of the tuner. By default it times nothing and writes nothing.

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <araia/plan/choice.hpp>
#include <araia/plan/machine.hpp>

namespace araia {

struct PlanOptions {
  bool validate = true;                ///< check the matrix first, which reads its pattern once: a broken one is an
                                       ///< error. Without it make_plan takes the caller's word, and what is broken
                                       ///< ends in any way
  bool check_values = false;           ///< a debugging aid: every product sums up the source's values and throws
                                       ///< where they changed without update_values. Waits for exec
  bool measure = false;                ///< time candidates; else the model decides
  double budget = 2.0;                 ///< seconds of all that make_plan does, conversions included. What cannot be
                                       ///< converted, verified and timed within them is left out; where that is all,
                                       ///< the model decides
  double products = 0;                 ///< how many will follow; 0: unknown, taken to be without end. Else a
                                       ///< conversion must pay within them, and measuring may cost a tenth of them
  bool cold = false;                   ///< measure products whose matrix is not in cache from the one before
  std::stop_token cancel{};            ///< asked between steps; the best so far is then taken
  std::uint64_t memory_limit = 0;      ///< bytes of all conversions together; 0: a host's default limit, or half of
                                       ///< what a device has free, of which operands of measuring, and a
                                       ///< host's workspace, come first
  bool deterministic = false;          ///< the same bits in every run and on any number of threads, of one plan:
                                       ///< plans made on others, or measured, may choose otherwise
  bool keep_maps = false;              ///< csc, bcsc: 4 bytes an entry that make update_values one gather; csr's packed
                                       ///< kernels: 4 bytes a slot, which spare them packing again on the host
  bool allow_dense = false;            ///< SpMM on CUDA: the dense matrix, by cuBLAS, is a candidate. It multiplies
                                       ///< zeros: an infinity or NaN in B reaches every row of C
  std::vector<std::string> formats{};  ///< of format_labels(): "csr", "sell+diagonals", ...; empty: all
  std::optional<Choice> choice{};      ///< run this and nothing else; checked for legality
  std::optional<Machine> machine{};    ///< instead of default_machine(exec)
  /// Sees the values array of every matrix that the tuner converts, in exec's memory, before it is verified. Tests
  /// break a candidate with it.
  std::function<void(Choice const&, void* values, std::uint64_t bytes)> after_conversion{};
  /// Told of each step ("verifying csr/host_simd", share of the work done), from the calling thread.
  std::function<void(std::string const& step, double share)> progress{};
};

}  // namespace araia
