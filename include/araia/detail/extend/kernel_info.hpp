// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a kernel says of itself: the constant part of a descriptor. araia/extend/kernel.hpp has what else is asked of
// it.

#include <cstdint>
#include <span>
#include <string_view>

#include <araia/detail/plan/description.hpp>

namespace araia {

/// Where a kernel adds up an element of the result.
enum class Sums {
  ordered,     ///< in one place, in an order of its own: the same bits whatever the threads
  in_scratch,  ///< ordered on a host; on a device by atomics in a team's scratch memory
  scattered    ///< by atomics, or in parts that depend on the number of threads
};

/// Parameters of a Choice that are a kernel's, a bit each; those of none are the conversion's.
namespace reads {
inline constexpr unsigned none = 0, rows = 1, entries = 2, threads = 4, lanes = 8, columns = 16;
}

/// A parameter that this kernel alone reads. Choice::own has its value, labels, JSON and --kernel its name.
struct ParameterInfo {
  std::string_view name;    ///< 1 to 64 characters of a-z, 0-9 and _, of no member of Choice
  std::string_view values;  ///< what it may be beside 0, which stands for "by the kernel", as refusals say it
};

/// Which operations on the matrix a kernel has: N, or T and H. SDDMM has N alone.
enum class Side { plain, transposed, both };

/// Whose types and strides a kernel runs, as far as it does not say in refuse().
enum class Runs {
  everywhere,    ///< a portable kernel
  by_host_simd,  ///< the SIMD backend of hosts: Problem::host_simd
  by_cuda,       ///< the CUDA backend: Problem::cuda_kernels
  where_bound    ///< the types and spaces that it was bound for: Problem::bound
};

/// Descriptors have one as `info`. The folder of one of the library is backends/<space>/<operation>/<storage>_<name>.
/// Texts must live as long as the program.
struct KernelInfo {
  OpId operation = OpId::spmv;
  std::string_view storage;  ///< "csr", ...: what the plan's matrix is, as a Choice names it
  std::string_view name;     ///< the mechanism, as a Choice names it
  Side side = Side::plain;
  Runs runs = Runs::everywhere;
  Sums sums = Sums::ordered;
  unsigned reads = reads::none;                 ///< bits of choice_parameters
  std::span<ParameterInfo const> parameters{};  ///< its own, which refuse() checks
  bool even_work = false;                       ///< on hosts no thread has the longest row for itself
  bool zeroes_result = false;                   ///< writes zeros first, to which entries are added
  bool writes_workspace = false;                ///< products write what the plan keeps beside the result: one at a time
  bool own_row_order = false;                   ///< of rows as the matrix has them: none by length
  bool hosts_alone = false;                     ///< where_bound: on no device
  bool cuda_alone = false;                      ///< where_bound: on CUDA and no host
  bool conjugates = false;                      ///< where_bound: complex products with Op::conjugate run too
  bool needs_values = false;                    ///< a pattern is refused
  bool multiplies_fill = false;  ///< slots that are no entries are multiplied, so what is not finite spreads
  bool reads_source = false;     ///< the plan's matrix is the source itself, whatever `packing` adds beside it
  std::string_view packing{};    ///< of storage labels: how the kernel's own matrix differs from its storage

  [[nodiscard]] constexpr bool on_host() const { return runs != Runs::by_cuda && !cuda_alone; }
  [[nodiscard]] constexpr bool on_device() const { return runs != Runs::by_host_simd && !hosts_alone; }
  [[nodiscard]] constexpr bool is_for(OpId wanted, bool transposed) const {
    return operation == wanted && (side == Side::both || (side == Side::transposed) == transposed);
  }
};

}  // namespace araia
