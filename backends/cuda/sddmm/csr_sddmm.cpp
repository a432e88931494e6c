// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/cuda/sddmm/csr_sddmm.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/sddmm/arguments.hpp"

namespace araia::cuda {

namespace {

template <class T>
bool suits_vectors(DenseMatrix<T const> const& m) {
  return m.column_stride == 1 && is_aligned(m.data, 16) && m.row_stride % vector_of<T> == 0 &&
         m.columns % vector_of<T> == 0;
}

[[noreturn]] void refuse(std::string const& what) {
  throw Error(ErrorKind::invalid_argument, "araia: csr_sddmm: " + what);
}

}  // namespace

template <class T>
bool csr_sddmm_panels_support(DenseMatrix<T const> const& x, DenseMatrix<T const> const& y) {
  return suits_vectors(x) && suits_vectors(y) && x.columns > 0 && x.columns / vector_of<T> <= most_panel_loads;
}
template bool csr_sddmm_panels_support(DenseMatrix<double const> const&, DenseMatrix<double const> const&);
template bool csr_sddmm_panels_support(DenseMatrix<float const> const&, DenseMatrix<float const> const&);

template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, SddmmTuning const& tuning, cudaStream_t stream) {
  bool const panels = tuning.panel_columns != 0;
  if (tuning.parts < 1 || tuning.parts > 1024 || tuning.rows_per_block < 1 ||
      tuning.rows_per_block > (panels ? most_panel_rows : 65536))
    refuse("parts, rows_per_block are " + std::to_string(tuning.parts) + ", " + std::to_string(tuning.rows_per_block) +
           ", expected 1 to 1024, 1 to " + std::to_string(panels ? most_panel_rows : 65536));
  if (panels) {
    if (!csr_sddmm_panels_support(x, y))
      refuse("panels want rows of X and Y that suit 16-byte loads, up to " + std::to_string(most_panel_loads) +
             " of them, got other strides, addresses or lengths");
    std::int64_t const most = most_panel_bytes / (x.columns * static_cast<std::int64_t>(sizeof(T)));
    if (tuning.panel_columns < 1 || tuning.panel_columns > most)
      refuse("panel_columns is " + std::to_string(tuning.panel_columns) + ", expected 0 to " + std::to_string(most));
  }
  if (a.nnz == 0) return;
  std::int64_t const parts = panels ? (a.cols + tuning.panel_columns - 1) / tuning.panel_columns : tuning.parts;
  SddmmArguments<T, Offset> const args{.a = a,
                                       .d = d,
                                       .x = x.data,
                                       .y = y.data,
                                       .x_row_stride = x.row_stride,
                                       .x_k_stride = x.column_stride,
                                       .y_row_stride = y.row_stride,
                                       .y_k_stride = y.column_stride,
                                       .k = x.columns,
                                       .alpha = alpha,
                                       .beta = beta,
                                       .parts = static_cast<int>(parts),
                                       .rows_per_block = tuning.rows_per_block,
                                       .row_blocks = grid_blocks(a.rows, tuning.rows_per_block, "araia: csr_sddmm")};
  if (panels)
    sddmm_column_panels(args, tuning.panel_columns, stream);
  else
    sddmm_row_parts(args, suits_vectors(x) && suits_vectors(y), stream);
}

[[gnu::used]] static void write_out_csr_sddmm() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(csr_sddmm<T, F>); });
}

}  // namespace araia::cuda
