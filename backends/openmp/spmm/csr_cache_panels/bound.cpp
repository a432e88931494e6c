// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/cache_panels as plans bind it.
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/openmp/spmm/csr_cache_panels/descriptor.hpp"

namespace araia::host {
namespace {

template <class Own, class Exec, class Source>
class BoundCachePanels final : public Own {
 public:
  using Scalar = typename Source::value_type;

  explicit BoundCachePanels(CachePanels<Scalar> packed) : packed_(std::move(packed)) {}

  void run(Exec const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
           DenseMatrix<Scalar> const& c) const override {
    run_in_store(exec, alpha, {b}, beta, {c}, {});
  }
  [[nodiscard]] bool stores_epilogue() const override { return true; }
  void run_in_store(Exec const& exec, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                    DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue) const override {
    exec.fence("araia::spmm::csr::cache_panels: host kernels run in the caller's thread");
    cache_panels_spmm(packed_, alpha, b, beta, c, epilogue, exec.concurrency());
  }
  void update_values(Exec const& exec, Source const& source) override {
    exec.fence("araia::plan: the packing is filled by the caller's thread");
    host::update_values(packed_, source.pointers(), exec.concurrency());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return packed_.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    return {const_cast<Scalar*>(packed_.values.data()), packed_.values.size() * sizeof(Scalar), packed_.stored()};
  }

 private:
  CachePanels<Scalar> packed_;
};

}  // namespace

template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_cache_panels(Exec const& exec, Source const& source, Options const& options) {
  using Scalar = typename Source::value_type;
  exec.fence("araia::make_plan: the matrix is packed by the caller's thread");
  auto const a = source.pointers();
  auto const shape =
      cache_panel_shape(length_histogram(a.row_offsets, a.rows), a.cols, a.nnz, options.columns, sizeof(Scalar));
  if (!shape)
    throw Error(ErrorKind::unsupported, "araia::make_plan: csr/cache_panels: no panels for so sparse a matrix");
  detail::require_memory("araia::make_plan: csr/cache_panels",
                         cache_panels_bytes(a.rows, a.cols, a.nnz, sizeof(Scalar), *shape), options.memory_limit);
  return std::make_shared<BoundCachePanels<Own, Exec, Source>>(
      pack_cache_panels<Scalar>(a, *shape, exec.concurrency(), options.memory_limit));
}

[[gnu::used]] static void write_out_bind_cache_panels() {
  using namespace detail;
  for_types<HostSpaces, Reals, Offsets>([&]<class Exec, class S, class Offset>() {
    write_out(
        bind_cache_panels<Bound<Exec, SpmmDesc, S, S, S, Offset>, Exec, BoundSource<Exec, S, Offset>, BindOptions>);
  });
}

}  // namespace araia::host
