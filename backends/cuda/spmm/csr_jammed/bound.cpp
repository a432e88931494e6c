// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/jammed as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_jammed/descriptor.hpp"
#include "backends/cuda/spmm/csr_jammed/kernel.hpp"

namespace araia::cuda {

template <>
class PackedCode<kernels::CsrJammedSpmm, float> : public PackedDefaults {
 public:
  static constexpr bool sums_again = true;
  static constexpr bool values_apart = false;
  PackedCode(JammedChoice const& choice, BindOptions const&) : shape_(choice.shape), tuning_(choice.tuning) {}

  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return jam_packing(host, shape_, host_threads(), keep_sources);
  }
  void place(Kokkos::Cuda const& exec, DeviceArrays& to, JamPacking const& p, std::uint32_t* words) {
    jam_ = {streams_of(exec, to, p, words), p.shape, to.put(exec, "counts", p.counts)};
  }
  template <class Place>
  void run(Place const& at, float alpha, DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c,
           EpiloguePointers<float> const& epilogue) const {
    jammed_spmm(jam_, at.a, alpha, b, beta, c, tuning_, multiprocessors(at.exec), at.exec.cuda_stream(), at.early,
                epilogue);
  }

 private:
  JamShape shape_;
  JammedTuning tuning_;
  JamPointers jam_;
};

[[gnu::used]] static void write_out_jammed() { write_out_packed<kernels::CsrJammedSpmm>(); }

}  // namespace araia::cuda
