// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/copied_columns as plans bind it.
#include <utility>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include "backends/openmp/lib/host_spmm.hpp"
#include "backends/openmp/spmm/csr_copied_columns/descriptor.hpp"

namespace araia::host {
namespace {

/// The source itself, shared, with the workspace of a panel of B.
template <class Own, class Exec>
class BoundCopiedColumns final : public HostSpmm<Own, Exec> {
 public:
  using Scalar = typename Own::Sum;
  using Source = typename Own::Source;
  using Workspace = Kokkos::View<Scalar*, typename Exec::device_type>;

  BoundCopiedColumns(Source source, Workspace workspace, int lines)
      : source_(std::move(source)), workspace_(std::move(workspace)), lines_(lines) {}

  void update_values(Exec const&, Source const& source) override { source_ = source; }
  [[nodiscard]] std::uint64_t bytes() const override { return workspace_.span() * sizeof(Scalar); }

 private:
  void multiply(Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
                EpiloguePointers<Scalar> const& epilogue, int threads) const override {
    copied_columns_spmm(source_.pointers(), lines_, workspace_.data(), alpha, b, beta, c, epilogue, threads);
  }

  Source source_;
  Workspace workspace_;
  int lines_;  // of a row of a panel
};

}  // namespace

[[gnu::used]] static void write_out_bound_copied_columns() { write_out_host_spmm<kernels::CsrCopiedColumnsSpmm>(); }

}  // namespace araia::host

namespace araia::kernels {

template <class Own, class Exec, class Source, class Options>
requires detail::multiplies_one_real<Own, Source> std::shared_ptr<Own> CsrCopiedColumnsSpmm::bind(
    Exec const& exec, Source const& source, Choice const&, Options const& options) {
  using Scalar = typename Source::value_type;
  using Kernel = host::BoundCopiedColumns<Own, Exec>;
  auto const made = host::copied_columns_shape(source.cols, source.nnz, options.columns, sizeof(Scalar));
  if (!made) throw Error(ErrorKind::unsupported, "araia::make_plan: csr/copied_columns: the matrix has no entries");
  auto const size = static_cast<std::size_t>(host::copied_columns_workspace(source.cols, made->lines, sizeof(Scalar)));
  detail::require_memory("araia::make_plan: csr/copied_columns", size * sizeof(Scalar), options.memory_limit);
  auto const workspace = detail::new_view<typename Kernel::Workspace>(exec, "araia::csr::panel_of_b", size);
  ask_for_huge_pages(workspace);
  return std::make_shared<Kernel>(source, workspace, made->lines);
}

}  // namespace araia::kernels
