// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/lockstep as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_lockstep/descriptor.hpp"
#include "backends/cuda/spmm/csr_lockstep/kernel.hpp"
#include "backends/cuda/spmm/csr_lockstep/record_texture.hpp"

namespace araia::cuda {

template <>
class PackedCode<kernels::CsrLockstepSpmm, float> : public PackedDefaults {
 public:
  static constexpr bool values_apart = false;
  PackedCode(LockstepChoice const& choice, BindOptions const&) : shape_(choice.shape) {}

  template <class Host>
  void look_at(Kokkos::Cuda const&, Host const& host) {
    shape_ = choose_lockstep(host, shape_);
  }
  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return lockstep_packing(host, shape_, host_threads(), keep_sources);
  }
  void place(Kokkos::Cuda const& exec, DeviceArrays& to, LockstepPacking const& p, std::uint32_t* words) {
    texture_ = RecordTexture(words, static_cast<std::int64_t>(p.records.size() / 4));
    lockstep_ = {streams_of(exec, to, p, words), p.shape, p.stages, to.put(exec, "events", p.events), texture_.get()};
  }
  template <class Place>
  void run(Place const& at, float alpha, DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c,
           EpiloguePointers<float> const& epilogue) const {
    lockstep_spmm(lockstep_, at.a.row_permutation, alpha, b, beta, c, at.exec.cuda_stream(), at.early, epilogue);
  }

 private:
  LockstepShape shape_;
  RecordTexture texture_;  // of the records, which PackedBound frees before: that waits for what still reads
  LockstepPointers lockstep_;
};

[[gnu::used]] static void write_out_lockstep() { write_out_packed<kernels::CsrLockstepSpmm>(); }

}  // namespace araia::cuda
