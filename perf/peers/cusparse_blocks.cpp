// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE: SpMM from BSR and Blocked-ELL in both layouts, square blocks of every size that divides the matrix.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <common/left_out.hpp>
#include <common/suite.hpp>

#include "cusparse_descriptors.hpp"

namespace araia::perf {
namespace {

enum class BlockFormat { bsr, blocked_ell };

constexpr std::int64_t most_ell_rows = 65535;  // block rows: beyond, Blocked-ELL returns at once and writes nothing
constexpr double tf32_roundoff = 0x1p-11;      // Blocked-ELL rounds float to TF32, which no option turns off

/// Block columns of each block row, ascending.
std::vector<std::vector<std::int32_t>> block_structure(GeneratedMatrix const& host, int block) {
  std::vector<std::vector<std::int32_t>> structure(static_cast<std::size_t>((host.rows + block - 1) / block));
  for (std::size_t i = 0; i < static_cast<std::size_t>(host.rows); ++i) {
    auto& blocks = structure[i / static_cast<std::size_t>(block)];
    for (auto k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k) {
      std::int32_t const b = host.col_indices[static_cast<std::size_t>(k)] / block;
      if (blocks.empty() || blocks.back() != b) blocks.push_back(b);
    }
    if (static_cast<std::int64_t>(i + 1) % block != 0 && static_cast<std::int64_t>(i + 1) != host.rows) continue;
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  }
  return structure;
}

std::size_t most_blocks(std::vector<std::vector<std::int32_t>> const& structure) {
  std::size_t most = 0;
  for (auto const& blocks : structure) most = std::max(most, blocks.size());
  return most;
}

bool divides(GeneratedMatrix const& host, int block) { return host.rows % block == 0 && host.cols % block == 0; }

std::int64_t stored_slots(GeneratedMatrix const& host, BlockFormat format, int block) {
  if (!divides(host, block)) return host.nnz();  // refused when it is prepared
  auto const structure = block_structure(host, block);
  std::size_t blocks = 0;
  for (auto const& row : structure) blocks += row.size();
  if (format == BlockFormat::blocked_ell) blocks = structure.size() * most_blocks(structure);
  return static_cast<std::int64_t>(blocks) * block * block;
}

/// Blocks side by side in rows: of BSR each block row-major, of Blocked-ELL each row of the matrix whole. Places of
/// Blocked-ELL without a block hold column -1 and zeros.
template <class Scalar>
struct Blocks {
  std::int64_t block_rows = 0;
  std::int64_t block_cols = 0;
  std::int64_t count = 0;
  std::int64_t width = 0;  // of Blocked-ELL: blocks of a row
  Vector<std::int32_t> row_offsets, col_indices;
  Vector<Scalar> values;
};

template <class Scalar>
Blocks<Scalar> make_blocks(GeneratedMatrix const& host, BlockFormat format, int block) {
  auto const structure = block_structure(host, block);
  auto const edge = static_cast<std::size_t>(block);
  std::size_t const width = most_blocks(structure);
  bool const ell = format == BlockFormat::blocked_ell;
  std::vector<std::int32_t> offsets{0}, columns;
  for (auto const& blocks : structure) {
    columns.insert(columns.end(), blocks.begin(), blocks.end());
    if (ell) columns.resize(offsets.size() * width, -1);
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  std::vector<Scalar> values(columns.size() * edge * edge);
  for (std::size_t i = 0; i < static_cast<std::size_t>(host.rows); ++i) {
    auto const& blocks = structure[i / edge];
    auto at = blocks.begin();
    for (auto k = static_cast<std::size_t>(host.row_offsets[i]); k < static_cast<std::size_t>(host.row_offsets[i + 1]);
         ++k) {
      auto const column = static_cast<std::size_t>(host.col_indices[k]);
      at = std::lower_bound(at, blocks.end(), static_cast<std::int32_t>(column / edge));
      auto const place = static_cast<std::size_t>(at - blocks.begin());
      std::size_t const slot = ell ? (i * width + place) * edge
                                   : ((static_cast<std::size_t>(offsets[i / edge]) + place) * edge + i % edge) * edge;
      values[slot + column % edge] = static_cast<Scalar>(host.values[k]);
    }
  }
  return {host.rows / block,
          host.cols / block,
          static_cast<std::int64_t>(columns.size()),
          static_cast<std::int64_t>(width),
          to_device<Vector<std::int32_t>>("block_row_offsets", offsets),
          to_device<Vector<std::int32_t>>("block_col_indices", columns),
          to_device<Vector<Scalar>>("block_values", values)};
}

template <class Scalar>
SparsePointer make_descriptor(Blocks<Scalar> const& a, BlockFormat format, int block) {
  cusparseSpMatDescr_t descriptor = nullptr;
  if (format == BlockFormat::bsr)
    check(cusparseCreateBsr(&descriptor, a.block_rows, a.block_cols, a.count, block, block, a.row_offsets.data(),
                            a.col_indices.data(), a.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, value_type<Scalar>, CUSPARSE_ORDER_ROW),
          "create bsr");
  else
    check(cusparseCreateBlockedEll(&descriptor, a.block_rows * block, a.block_cols * block, block, a.width * block,
                                   a.col_indices.data(), a.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   value_type<Scalar>),
          "create blocked ell");
  return own(descriptor);
}

template <class Scalar, class Views>
Prepared spmm(SpmmProblem<Scalar>& problem, Views const& B, Views const& C, bool column_major, BlockFormat format,
              int block) {
  if (!divides(problem.host, block)) throw LeftOut("blocks of " + std::to_string(block) + " do not divide the matrix");
  bool const ell = format == BlockFormat::blocked_ell;
  if (ell && problem.host.rows / block > most_ell_rows)
    throw LeftOut("cuSPARSE multiplies no Blocked-ELL of more than 65535 block rows");
  auto const algorithm = format == BlockFormat::bsr ? CUSPARSE_SPMM_BSR_ALG1 : CUSPARSE_SPMM_BLOCKED_ELL_ALG1;
  auto const handle = make_handle(problem.exec);
  auto const blocks = std::make_shared<std::vector<Blocks<Scalar>>>();
  std::vector<SpmmCall<Scalar>> calls;
  Prepared prepared;
  for (std::size_t c = 0; c < static_cast<std::size_t>(problem.copies()); ++c) {
    auto const start = std::chrono::steady_clock::now();
    if (c == 0) {
      blocks->push_back(make_blocks<Scalar>(problem.host, format, block));
    } else {
      auto copy = blocks->front();
      copy.row_offsets = problem.duplicate(copy.row_offsets);
      copy.col_indices = problem.duplicate(copy.col_indices);
      copy.values = problem.duplicate(copy.values);
      blocks->push_back(copy);
    }
    calls.emplace_back(handle, make_descriptor(blocks->back(), format, block), make_dense(B[c], column_major),
                       make_dense(C[c], column_major), algorithm);
    problem.exec.fence("araia::perf: end of cuSPARSE's set-up");
    if (c == 0)
      prepared.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  prepared.launch = [calls](int copy) { calls[static_cast<std::size_t>(copy)](); };
  prepared.keep = blocks;
  prepared.stored = blocks->front().count * block * block;
  prepared.matrix_bytes =
      static_cast<double>(prepared.stored) * sizeof(Scalar) +
      static_cast<double>(blocks->front().count + blocks->front().block_rows) * sizeof(std::int32_t);
  prepared.column_major = column_major;
  if (ell && sizeof(Scalar) == sizeof(float)) prepared.roundoff = tf32_roundoff;
  return prepared;
}

template <class Scalar>
void add_spmm(Suite& suite) {
  using Problem = SpmmProblem<Scalar>;
  for (auto const format : {BlockFormat::bsr, BlockFormat::blocked_ell})
    for (int const block : {2, 3, 4, 5, 6, 8})
      for (bool const column_major : {false, true})
        suite.spmm<Scalar>().push_back(
            {"cusparse", format == BlockFormat::bsr ? "bsr" : "blocked_ell",
             "cusparse_alg1_" + std::to_string(block) + 'x' + std::to_string(block) +
                 (column_major ? "_column_major" : "_row_major"),
             [=](Problem& problem) {
               return column_major ? spmm(problem, problem.B_column, problem.C_column, true, format, block)
                                   : spmm(problem, problem.B_row, problem.C_row, false, format, block);
             },
             [=](GeneratedMatrix const& host) { return stored_slots(host, format, block); },
             [=](Problem const& problem) {
               auto const slots = static_cast<double>(stored_slots(problem.host, format, block));
               double const blocks = slots / (block * block) + static_cast<double>(problem.host.rows) / block;
               double const bytes = slots * sizeof(Scalar) + blocks * sizeof(std::int32_t);
               return Storage{.read = bytes, .made = bytes};
             }});
}

}  // namespace

void add_cusparse_blocks(Suite& suite) {
  for_each_scalar([&](auto scalar) { add_spmm<decltype(scalar)>(suite); });
}

}  // namespace araia::perf
