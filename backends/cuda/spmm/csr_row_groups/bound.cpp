// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/row_groups as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_row_groups/descriptor.hpp"
#include "backends/cuda/spmm/csr_row_groups/kernel.hpp"

namespace araia::cuda {

template <class Scalar>
class PackedCode<kernels::CsrRowGroupsSpmm, Scalar> : public PackedDefaults {
 public:
  static constexpr bool sums_again = true;
  static constexpr bool stores_epilogue = false;
  PackedCode(RowGroupsPrice const&, BindOptions const& options) : columns_(options.columns) {}

  template <class Host>
  void look_at(Kokkos::Cuda const& exec, Host const& host) {
    auto const& device = exec.cuda_device_prop();
    choice_ = choose_groups(group_stats(host), host.rows, host.nnz, columns_, sizeof(Scalar),
                            device.multiProcessorCount, device.l2CacheSize);
  }
  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return group_packing(host, choice_.shape, host_threads(), keep_sources);
  }
  [[nodiscard]] std::size_t workspace_bytes(GroupPacking<Scalar> const& p) const {
    return static_cast<std::size_t>(p.workspace_rows * columns_) * sizeof(Scalar);
  }
  void place(Kokkos::Cuda const& exec, DeviceArrays& to, GroupPacking<Scalar> const& p, Scalar* words) {
    groups_ = {p.rows,
               p.cols,
               p.shape,
               p.runs,
               p.slice_offsets.back(),
               static_cast<std::int64_t>(p.cut_rows.size()),
               p.most_segments(),
               to.put(exec, "run_offsets", p.run_offsets),
               to.put(exec, "slice_offsets", p.slice_offsets),
               to.put(exec, "row_order", p.row_order),
               to.put(exec, "col_indices", p.col_indices),
               words,
               to.put(exec, "cut_rows", p.cut_rows)};
    workspace_ = to.make<Scalar>(exec, "workspace", p.workspace_rows * columns_);
  }
  template <class Place>
  void run(Place const& at, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta, DenseMatrix<Scalar> const& c,
           EpiloguePointers<Scalar> const&) const {
    row_groups_spmm(groups_, at.a, alpha, b, beta, c, workspace_, choice_.tuning, at.exec.cuda_stream());
  }

 private:
  std::int64_t columns_;  // of B and C
  GroupChoice choice_{};
  GroupPointers<Scalar> groups_;
  Scalar* workspace_ = nullptr;  // of cut rows
};

[[gnu::used]] static void write_out_row_groups() { write_out_packed<kernels::CsrRowGroupsSpmm>(); }

}  // namespace araia::cuda
