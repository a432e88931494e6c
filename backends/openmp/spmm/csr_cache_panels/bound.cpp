// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/cache_panels as plans bind it.
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include "backends/openmp/lib/host_spmm.hpp"
#include "backends/openmp/spmm/csr_cache_panels/descriptor.hpp"

namespace araia::host {
namespace {

template <class Own, class Exec>
class BoundCachePanels final : public HostSpmm<Own, Exec> {
 public:
  using Scalar = typename Own::Sum;

  explicit BoundCachePanels(CachePanels<Scalar> packed) : packed_(std::move(packed)) {}

  void update_values(Exec const& exec, typename Own::Source const& source) override {
    exec.fence("araia::plan: the packing is filled by the caller's thread");
    host::update_values(packed_, source.pointers(), exec.concurrency());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return packed_.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    return {const_cast<Scalar*>(packed_.values.data()), packed_.values.size() * sizeof(Scalar), packed_.stored()};
  }

 private:
  void multiply(Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
                EpiloguePointers<Scalar> const& epilogue, int threads) const override {
    cache_panels_spmm(packed_, alpha, b, beta, c, epilogue, threads);
  }

  CachePanels<Scalar> packed_;
};

}  // namespace

[[gnu::used]] static void write_out_bound_cache_panels() { write_out_host_spmm<kernels::CsrCachePanelsSpmm>(); }

}  // namespace araia::host

namespace araia::kernels {

template <class Own, class Exec, class Source, class Options>
requires detail::multiplies_one_real<Own, Source> std::shared_ptr<Own> CsrCachePanelsSpmm::bind(
    Exec const& exec, Source const& source, Choice const&, Options const& options) {
  using Scalar = typename Source::value_type;
  exec.fence("araia::make_plan: the matrix is packed by the caller's thread");
  auto const a = source.pointers();
  auto const made = host::cache_panel_shape(host::length_histogram(a.row_offsets, a.rows), a.cols, a.nnz,
                                            options.columns, sizeof(Scalar));
  if (!made)
    throw Error(ErrorKind::unsupported, "araia::make_plan: csr/cache_panels: no panels for so sparse a matrix");
  detail::require_memory("araia::make_plan: csr/cache_panels",
                         host::cache_panels_bytes(a.rows, a.cols, a.nnz, sizeof(Scalar), *made), options.memory_limit);
  return std::make_shared<host::BoundCachePanels<Own, Exec>>(
      host::pack_cache_panels<Scalar>(a, *made, exec.concurrency(), options.memory_limit));
}

}  // namespace araia::kernels
