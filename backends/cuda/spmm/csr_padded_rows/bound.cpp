// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/padded_rows as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_padded_rows/descriptor.hpp"
#include "backends/cuda/spmm/csr_padded_rows/packing.hpp"

namespace araia::cuda {

template <class Scalar>
class PackedCode<kernels::CsrPaddedRowsSpmm, Scalar> : public PackedDefaults {
 public:
  static constexpr bool runs_batches = true;
  PackedCode(PaddedRowsChoice const& choice, BindOptions const&) : tuning_(choice.tuning) {}

  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return padded_rows(host, keep_sources);
  }
  void place(Kokkos::Cuda const& exec, DeviceArrays& to, PaddedRows<Scalar> const& p, Scalar* words) {
    rows_.rows = p.rows;
    rows_.cols = p.cols;
    rows_.nnz = p.nnz;
    rows_.row_offsets = to.put(exec, "row_offsets", p.row_offsets);
    rows_.col_indices = to.put(exec, "col_indices", p.col_indices);
    rows_.values = words;
  }
  template <class Place>
  void run(Place const& at, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
           EpiloguePointers<Scalar> const& epilogue) const {
    auto rows = rows_;
    rows.row_permutation = at.a.row_permutation;
    csr_spmm_padded_row_per_warp(rows, alpha, b, beta, c, epilogue, tuning_, at.exec.cuda_stream(), at.early);
  }

 private:
  CsrSpmmRowTuning tuning_;
  CsrPointers<Scalar, std::int32_t, std::int32_t> rows_;
};

[[gnu::used]] static void write_out_padded_rows() { write_out_packed<kernels::CsrPaddedRowsSpmm>(); }

}  // namespace araia::cuda
