// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Entries of A in csr_spmm_short_rows: what the lanes of a row read of it at once, and how they hand it around.

#include <cstdint>
#include <type_traits>

#include "backends/cuda/short_row_arguments.cuh"

namespace araia::cuda {

/// A thread's row among the 32 / LANES of its warp. Lanes that are left over have the last one.
template <int LANES>
__device__ __forceinline__ int row_of_warp() {
  int const row = static_cast<int>(threadIdx.x) % 32 / LANES;
  return 32 % LANES == 0 ? row : min(row, 32 / LANES - 1);
}

/// A thread's place among the lanes of its row. One that is left over has a place beyond the columns of all but the
/// widest rows, and loads nothing then; it stores nothing in any case.
template <int LANES>
__device__ __forceinline__ int place_in_row() {
  if constexpr (32 % LANES == 0) return static_cast<int>(threadIdx.x) % LANES;
  constexpr int beyond = 1 << 20;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  return lane < 32 / LANES * LANES ? lane % LANES : beyond;
}

/// Some entries of a row that its LANES lanes hold, read by all of them at once: as every lane's own loads they would
/// be as many requests as those of B. Entries that are not there have column -1 and value 0.
template <class T, int LANES>
struct HeldEntries {
  static constexpr int each = LANES == 1 ? 4 : LANES < 8 ? 8 / LANES : 1;  // of a lane
  static constexpr int count = LANES * each / 4 * 4;  // whole 16 bytes of columns: of 10 lanes eight hold one
  std::int32_t column[each];
  T value[each];

  HeldEntries() = default;
  /// Those from `at` on, of which `there` are the row's.
  __device__ __forceinline__ HeldEntries(ShortArguments<T> const& args, std::int64_t at, int there, int place) {
    auto const columns = reinterpret_cast<std::uint64_t>(args.col_indices + at + place);
    auto const values = reinterpret_cast<std::uint64_t>(args.values + at + place);
    bool const ones = args.values == nullptr;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      bool const here = i * LANES + place < (count < LANES ? min(there, count) : there);
      column[i] = load_word_if(here, columns + i * LANES * sizeof(std::int32_t), -1);
      value[i] = load_word_if(here && !ones, values + i * LANES * sizeof(T), here && ones ? T{1} : T{});
    }
  }
};

/// Entries handed around by shuffles: two or three an entry, for lanes that are few. Shared memory would take a
/// register more, for its address.
template <class T, int LANES>
class ShuffledEntries {
 public:
  struct Shared {};

  __device__ __forceinline__ explicit ShuffledEntries(Shared& /*unused*/) {}
  __device__ __forceinline__ void take(HeldEntries<T, LANES> const& held) { held_ = held; }

  /// Entries of the lane's row from k on, a multiple of FEW. All lanes of the warp call it.
  template <int FEW>
  __device__ __forceinline__ void give(int k, std::int32_t (&columns)[FEW], T (&values)[FEW]) const {
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      columns[i] = __shfl_sync(~0u, held_.column[(k + i) / LANES], (k + i) % LANES, LANES);
      values[i] = __shfl_sync(~0u, held_.value[(k + i) / LANES], (k + i) % LANES, LANES);
    }
  }

 private:
  HeldEntries<T, LANES> held_;
};

/// Entries handed around in shared memory: a lane reads 16 bytes of its row's at once, four columns or values of float
/// by an access, where shuffles take L1's data path as long for each. 16 bytes of a row follow those of the row before,
/// so that the rows of a warp meet on no bank.
template <class T, int LANES>
class SharedEntries {
  static constexpr int rows = 32 / LANES;
  static constexpr int count = HeldEntries<T, LANES>::count;

 public:
  struct Shared {
    alignas(16) std::int32_t column[count * rows];
    alignas(16) T value[count * rows];
  };

  /// `shared` is the warp's.
  __device__ __forceinline__ explicit SharedEntries(Shared& shared) : shared_(shared) {}

  /// All lanes of the warp call it.
  __device__ __forceinline__ void take(HeldEntries<T, LANES> const& held) {
    __syncwarp();  // all have read those before
#pragma unroll
    for (int i = 0; i < HeldEntries<T, LANES>::each; ++i) {
      if (count < LANES && place() >= count) break;
      shared_.column[at<std::int32_t>(i * LANES + place())] = held.column[i];
      shared_.value[at<T>(i * LANES + place())] = held.value[i];
    }
    __syncwarp();  // before lanes read what others wrote
  }

  /// As of shuffled ones.
  template <int FEW>
  __device__ __forceinline__ void give(int k, std::int32_t (&columns)[FEW], T (&values)[FEW]) const {
    read(shared_.column, k, columns);
    read(shared_.value, k, values);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ static int place() { return place_in_row<LANES>(); }

  /// Entry k of the lane's row.
  template <class U>
  [[nodiscard]] __device__ __forceinline__ static int at(int k) {
    constexpr int together = 16 / static_cast<int>(sizeof(U));
    int const row = row_of_warp<LANES>();
    return (k / together * rows + row) * together + k % together;
  }
  /// Entries of the lane's row from k on, a multiple of FEW.
  template <int FEW, class U>
  __device__ __forceinline__ static void read(U const* from, int k, U (&to)[FEW]) {
    using Bytes = std::conditional_t<FEW * sizeof(U) == 8, uint2, uint4>;
    constexpr int together = static_cast<int>(sizeof(Bytes) / sizeof(U));
    static_assert(FEW % together == 0);
#pragma unroll
    for (int i = 0; i < FEW; i += together) {
      Bytes const bytes = *reinterpret_cast<Bytes const*>(from + at<U>(k + i));
#pragma unroll
      for (int j = 0; j < together; ++j) to[i + j] = reinterpret_cast<U const*>(&bytes)[j];
    }
  }

  Shared& shared_;
};

template <class T, int LANES>
using HandedEntries = std::conditional_t<(LANES < 8), ShuffledEntries<T, LANES>, SharedEntries<T, LANES>>;

/// f(columns, values) of FEW entries at once, of the first `n`. All lanes of the warp call it, with the same n.
template <int FEW, class T, int LANES, class F>
__device__ __forceinline__ void hand_out(HandedEntries<T, LANES> const& entries, int n, F const& f) {
  constexpr int count = HeldEntries<T, LANES>::count;
  static_assert(count % FEW == 0);
#pragma unroll
  for (int k = 0; k < count; k += FEW) {
    if (k >= n) break;
    std::int32_t columns[FEW];
    T values[FEW];
    entries.give(k, columns, values);
    f(columns, values);
  }
}

}  // namespace araia::cuda
