// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/bsr_spmm_blocks.hpp"
#include "backends/openmp/bsr_spmm_host.hpp"
#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// The rows of C of a block row and its loop cost about as much as one block.
constexpr std::int64_t blocks_per_block_row = 1;

// Up to less than a register of AVX-512 the kernels of AVX2 take fewer instructions with a mask, as for a Csr.
constexpr std::int64_t one_register = 64;  // bytes

template <class Args>
void blocks_by_isa(Isa isa, Args const& args) {
  auto const row_bytes = args.b.columns * static_cast<std::int64_t>(sizeof(*args.b.data));
  if (isa == Isa::v4 && row_bytes < one_register) isa = Isa::v3;
  with_isa(isa, [&]<Isa level>() { bsr_spmm_blocks<level>(args); });
}

}  // namespace

template <class A, class X, class Y, class Offset>
void bsr_spmm(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
              DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads, Isa isa) {
  if (a.rows == 0 || c.first.columns == 0) return;
  if (alpha == Y(0) || a.blocks == 0) {
    for (std::int64_t i = 0; i < c.count; ++i) scale(beta, c.item(i), epilogue.item(i));
    return;
  }
  std::int64_t const slots = a.blocks * a.block_rows * a.block_cols;
  auto const bytes_read = static_cast<std::int64_t>(sizeof(A)) * slots +
                          static_cast<std::int64_t>(sizeof(std::int32_t)) * a.blocks +
                          static_cast<std::int64_t>(sizeof(X)) * a.cols * c.first.columns * c.count;
  std::int64_t const block_rows = (a.rows + a.block_rows - 1) / a.block_rows;
  BsrSpmmBlocks<A, X, Y, Offset> const whole{.a = a,
                                             .b = b.first,
                                             .c = c.first,
                                             .alpha = alpha,
                                             .beta = beta,
                                             .past_cache = beta == Y(0) && goes_past_cache(c, bytes_read),
                                             .prefetches = isa != Isa::v3,  // whose processors foresee these rows
                                             .first_block_row = 0,
                                             .last_block_row = block_rows,
                                             .epilogue = nullptr};
  auto const every_item = [&](BsrSpmmBlocks<A, X, Y, Offset> blocks) {
    for (std::int64_t i = 0; i < c.count; ++i) {
      EpiloguePointers<Y> const of_item = epilogue.item(i);
      blocks.b = b.item(i);
      blocks.c = c.item(i);
      if (of_item.any()) blocks.epilogue = &of_item;
      blocks_by_isa(isa, blocks);
    }
  };
  std::int64_t const work = (slots + a.rows) * c.first.columns * c.count;
  in_chunks(threads_with_work(work, least_multiply_adds, threads), [&](int chunk, int chunks) {
    auto mine = whole;
    mine.first_block_row = first_row_of_chunk(a.block_offsets, block_rows, chunk, chunks, blocks_per_block_row);
    mine.last_block_row = first_row_of_chunk(a.block_offsets, block_rows, chunk + 1, chunks, blocks_per_block_row);
    every_item(mine);
  });
}

[[gnu::used]] static void write_out_bsr_spmm() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>(
      []<class A, class X, class Y, class Offset>() { write_out(bsr_spmm<A, X, Y, Offset>); });
}

}  // namespace araia::host
