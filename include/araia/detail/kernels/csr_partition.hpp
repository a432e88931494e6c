// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Chunks of equal work of a Csr, whatever the lengths of its rows: where they begin, for kernels and their tuning.
// Source   [MerrillGarland2016]; differs: the places are found once a structure, and a chunk is a league's team.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>

namespace araia {

/// What is cut in equal chunks.
enum class CsrCut {
  path,    ///< entries and ends of rows: a chunk owns chunk_items of them, so empty rows count too
  entries  ///< entries alone: a chunk owns chunk_items of them, and they begin at a multiple of that
};

/// Bytes of a carry: those of the largest sum that the library writes out, complex<double>.
inline constexpr std::int64_t csr_carry_bytes = 16;

/// Of a CsrPartition, as kernels take it; valid while that lives. A chunk stores the rows that begin in it; what it
/// adds to a row that began earlier goes to its carry.
struct CsrPartitionPointers {
  static constexpr std::int64_t chunk_items = 1024;  // of SpMV
  CsrCut cut = CsrCut::path;
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t chunks = 0;
  std::int64_t items = chunk_items;  // of a chunk
  std::int32_t const* first_rows =
      nullptr;                   // (chunks + 1) first row that begins in the chunk or later; rows at the end
  void* carries = nullptr;       // (chunks * carry_bytes) workspace of one product at a time; of SpMM csr_spmm_carries
  std::int64_t carry_bytes = 0;  // of a carry: a sum must fit
  std::int64_t longest_row = 0;  // entries; 0: not known. Where it is short, equal_chunks needs no carries
  friend bool operator==(CsrPartitionPointers const&, CsrPartitionPointers const&) = default;
};

namespace detail {

/// Chunks of a matrix: 1 at least.
constexpr std::int64_t csr_chunks(CsrCut cut, std::int64_t rows, std::int64_t nnz,
                                  std::int64_t chunk_items = CsrPartitionPointers::chunk_items) {
  std::int64_t const items = cut == CsrCut::path ? rows + nnz : nnz;
  return items <= chunk_items ? 1 : (items - 1) / chunk_items + 1;
}

/// Bytes of a partition, by sizes alone.
constexpr std::uint64_t csr_partition_bytes(CsrCut cut, std::int64_t rows, std::int64_t nnz) {
  auto const chunks = static_cast<std::uint64_t>(csr_chunks(cut, rows, nnz));
  return (chunks + 1) * sizeof(std::int32_t) + chunks * static_cast<std::uint64_t>(csr_carry_bytes);
}

/// What csr/merge_split of SpMM cuts: items of a chunk, which a group of lanes takes with as many as cover the columns.
/// Long chunks where that occupies a device of 132 multiprocessors, and as short ones as carries allow where not.
constexpr std::int64_t csr_spmm_chunk_items(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                            std::int64_t scalar_bytes) {
  constexpr std::int64_t lane_bytes = 16;
  constexpr std::int64_t enough = std::int64_t{2} * 132 * 768;  // lanes: of all that are resident, twice
  constexpr std::int64_t fewest = 16;
  std::int64_t const most = scalar_bytes <= 4 ? 128 : 256;
  std::int64_t lanes = 2;  // any number of them is as good as enough
  while (lanes < enough && lanes * (lane_bytes / scalar_bytes) < columns) lanes *= 2;
  std::int64_t items = fewest;
  while (items < most && (rows + nnz) / (2 * items) >= enough / lanes) items *= 2;
  return items;
}

/// Rows of carries of csr/merge_split: one for the chunks of a block of 256 threads, 32 lanes a chunk at most.
constexpr std::int64_t csr_spmm_carries(std::int64_t chunks) { return (chunks - 1) / 8 + 1; }

/// Bytes of its partition, by sizes alone.
constexpr std::uint64_t csr_spmm_partition_bytes(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                                 std::int64_t scalar_bytes) {
  std::int64_t const chunks =
      csr_chunks(CsrCut::path, rows, nnz, csr_spmm_chunk_items(rows, nnz, columns, scalar_bytes));
  auto const carries = saturating_product(
      static_cast<std::uint64_t>(csr_spmm_carries(chunks)),
      saturating_product(static_cast<std::uint64_t>(columns), static_cast<std::size_t>(scalar_bytes)));
  return saturating_sum(static_cast<std::uint64_t>(chunks + 1) * sizeof(std::int32_t), carries);
}

/// Fills first_rows: the first row that begins at item chunk * chunk_items or behind it, by bisection.
template <class Exec, class Offset>
static void find_first_rows(Exec const& exec, CsrCut cut, std::int64_t rows, std::int64_t nnz, std::int64_t chunk_items,
                            Offset const* row_offsets, std::int32_t* first_rows) {
  std::int64_t const chunks = csr_chunks(cut, rows, nnz, chunk_items);
  std::int64_t const items_of_a_row = cut == CsrCut::path ? 1 : 0;
  for_each_index(
      "araia::csr_partition::first_rows", IndexRange<Exec>(exec, 0, chunks + 1), KOKKOS_LAMBDA(std::int64_t chunk) {
        std::int64_t const item = chunk * chunk_items;
        std::int64_t low = chunk == chunks ? rows : 0;
        std::int64_t high = chunk == 0 ? 0 : rows;
        while (low < high) {
          std::int64_t const middle = low + (high - low) / 2;
          if (static_cast<std::int64_t>(row_offsets[middle]) + items_of_a_row * middle < item)
            low = middle + 1;
          else
            high = middle;
        }
        first_rows[chunk] = static_cast<std::int32_t>(low);
      });
}

/// First entry of a chunk of the path, whose first row is known: the earlier row's rest comes first.
template <class Offset>
KOKKOS_INLINE_FUNCTION std::int64_t path_entry(Offset const* row_offsets, std::int64_t chunk, std::int64_t first_row) {
  std::int64_t const begins = static_cast<std::int64_t>(row_offsets[first_row]);
  return Kokkos::min(chunk * CsrPartitionPointers::chunk_items - first_row + 1, begins);
}

}  // namespace detail
}  // namespace araia
