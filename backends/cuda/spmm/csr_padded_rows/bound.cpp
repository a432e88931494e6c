// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/padded_rows as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_padded_rows/descriptor.hpp"
#include "backends/cuda/spmm/csr_padded_rows/packing.hpp"

namespace araia::cuda {
namespace {

template <class Scalar>
class PaddedRowsKernel : public PackedDefaults {
 public:
  static constexpr SpmmKernel kernel = SpmmKernel::padded_rows;
  PaddedRowsKernel(SpmmChoice const& choice, BindOptions const&) : tuning_(choice.rows) {}

  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return padded_rows(host, keep_sources);
  }
  void place(PackedUpload& to, PaddedRows<Scalar> const& p, Scalar* words) {
    rows_.rows = p.rows;
    rows_.cols = p.cols;
    rows_.nnz = p.nnz;
    rows_.row_offsets = to.put("row_offsets", p.row_offsets);
    rows_.col_indices = to.put("col_indices", p.col_indices);
    rows_.values = words;
  }
  /// One launch for a batch.
  template <class Place>
  void run(Place const& at, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
           EpiloguePointers<Scalar> const& epilogue) const {
    auto rows = rows_;
    rows.row_permutation = at.a.row_permutation;
    padded_rows_spmm(rows, alpha, b, beta, c, epilogue, tuning_, at.exec.cuda_stream(), at.early);
  }

 private:
  CsrSpmmRowTuning tuning_;
  CsrPointers<Scalar, std::int32_t, std::int32_t> rows_;
};

}  // namespace

template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_padded_rows(Exec const& exec, Source const& source, Options const& options) {
  return bind_packed<Own, PaddedRowsKernel<typename Source::value_type>>(exec, source, options);
}

[[gnu::used]] static void write_out_bind_padded_rows() {
  detail::for_types<detail::Reals, detail::Offsets>([&]<class S, class Offset>() {
    detail::write_out(bind_padded_rows<PackedOwn<S, Offset>, Kokkos::Cuda, PackedSource<S, Offset>, BindOptions>);
  });
}

}  // namespace araia::cuda
