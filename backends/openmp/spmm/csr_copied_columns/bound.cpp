// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/copied_columns as plans bind it.
#include <utility>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/openmp/spmm/csr_copied_columns/descriptor.hpp"

namespace araia::host {
namespace {

template <class Own, class Exec, class Source>
class BoundCopiedColumns final : public Own {
 public:
  using Scalar = typename Source::value_type;
  using Room = Kokkos::View<Scalar*, typename Exec::device_type>;

  BoundCopiedColumns(Source source, Room room, int lines)
      : source_(std::move(source)), room_(std::move(room)), lines_(lines) {}

  void run(Exec const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
           DenseMatrix<Scalar> const& c) const override {
    run_in_store(exec, alpha, {b}, beta, {c}, {});
  }
  [[nodiscard]] bool stores_epilogue() const override { return true; }
  void run_in_store(Exec const& exec, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                    DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue) const override {
    exec.fence("araia::spmm::csr::copied_columns: host kernels run in the caller's thread");
    copied_columns_spmm(source_.pointers(), lines_, room_.data(), alpha, b, beta, c, epilogue, exec.concurrency());
  }
  void update_values(Exec const&, Source const& source) override { source_ = source; }
  [[nodiscard]] std::uint64_t bytes() const override { return room_.span() * sizeof(Scalar); }

 private:
  Source source_;
  Room room_;
  int lines_;  // of a row of a strip
};

}  // namespace

template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_copied_columns(Exec const& exec, Source const& source, Options const& options) {
  using Scalar = typename Source::value_type;
  using Kernel = BoundCopiedColumns<Own, Exec, Source>;
  auto const shape = copied_columns_shape(source.cols, source.nnz, options.columns, sizeof(Scalar));
  if (!shape) throw Error(ErrorKind::unsupported, "araia::make_plan: csr/copied_columns: the matrix has no entries");
  auto const size = static_cast<std::size_t>(copied_columns_room(source.cols, shape->lines, sizeof(Scalar)));
  detail::require_memory("araia::make_plan: csr/copied_columns", size * sizeof(Scalar), options.memory_limit);
  auto const room = detail::new_view<typename Kernel::Room>(exec, "araia::csr::strips", size);
  ask_for_huge_pages(room);
  return std::make_shared<Kernel>(source, room, shape->lines);
}

[[gnu::used]] static void write_out_bind_copied_columns() {
  using namespace detail;
  for_types<HostSpaces, Reals, Offsets>([&]<class Exec, class S, class Offset>() {
    write_out(
        bind_copied_columns<Bound<Exec, SpmmDesc, S, S, S, Offset>, Exec, BoundSource<Exec, S, Offset>, BindOptions>);
  });
}

}  // namespace araia::host
