// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What kernels of SpMM that are bound on hosts share.

#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>

namespace araia::host {

/// Products in the caller's thread, which starts the others, with the epilogue where C is stored.
/// \tparam Own  the Bound of one scalar that is implemented
template <class Own, class Exec>
class HostSpmm : public Own {
 public:
  using Scalar = typename Own::Sum;
  using Source = typename Own::Source;

  void run(Exec const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
           DenseMatrix<Scalar> const& c) const final {
    run_in_store(exec, alpha, {b}, beta, {c}, {});
  }
  [[nodiscard]] bool stores_epilogue() const final { return true; }
  void run_in_store(Exec const& exec, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                    DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue) const final {
    exec.fence("araia::spmm: host kernels run in the caller's thread");
    multiply(alpha, b, beta, c, epilogue, exec.concurrency());
  }

 private:
  /// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, by so many threads.
  virtual void multiply(Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
                        EpiloguePointers<Scalar> const& epilogue, int threads) const = 0;
};

/// bind of a descriptor, for all plans on hosts of one real scalar.
template <class Descriptor>
void write_out_host_spmm() {
  using namespace detail;
  for_types<HostSpaces, Reals, Offsets>([&]<class Exec, class S, class Offset>() {
    write_out(Descriptor::template bind<Bound<Exec, SpmmDesc, S, S, S, Offset>, Exec, BoundSource<Exec, S, Offset>,
                                        BindOptions>);
  });
}

}  // namespace araia::host
