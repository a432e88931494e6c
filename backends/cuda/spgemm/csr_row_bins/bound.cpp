// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel row_bins on CUDA, for double: who holds its memory. What is done with rows is in backends/cuda/spgemm.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>

#include "backends/cuda/spgemm/csr_row_bins/descriptor.hpp"
#include "backends/cuda/spgemm/spgemm.hpp"

namespace araia::detail {

/// counts(i + 1) = offsets(i + 1) - offsets(i), whose sums are modulo 2^32.
template <class Offsets>
static void spgemm_counts_of_offsets(Kokkos::Cuda const& exec, std::int32_t const* offsets, Offsets const& counts,
                                     std::int64_t rows) {
  for_each_index(
      "araia::spgemm::row_bins::counts", IndexRange<Kokkos::Cuda>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
        counts.set(i + 1, static_cast<std::int64_t>(static_cast<std::uint32_t>(offsets[i + 1]) -
                                                    static_cast<std::uint32_t>(offsets[i])));
      });
}

static inline void spgemm_scale(Kokkos::Cuda const& exec, double* values, std::int64_t count, double alpha) {
  for_each_index(
      "araia::spgemm::row_bins::scale", IndexRange<Kokkos::Cuda>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t k) { values[k] *= alpha; });
}

class SpgemmCudaRows final : public SpgemmWay<Kokkos::Cuda, double, std::int32_t, std::int32_t> {
  using Exec = Kokkos::Cuda;

 public:
  /// Null where the backend has no kernel for the product, or none under the limit that another kernel might keep.
  /// \throws araia::Error resource_limit where options.kernel is row_bins and the limit is too small for it
  static std::unique_ptr<SpgemmCudaRows> make(Exec const& exec, Operands const& of, SpgemmOptions const& options,
                                              std::string& refusal) {
    std::unique_ptr<SpgemmCudaRows> way(new SpgemmCudaRows);
    way->rows_ = of.a.rows;
    if (way->rows_ == 0) return way;  // the backend launches for rows alone
    refusal = cuda::spgemm::size_refusal(of.a, of.b);
    if (!refusal.empty()) return nullptr;
    std::uint64_t const ones =
        of.a.values && of.b.values ? 0 : static_cast<std::uint64_t>(std::max(of.a.nnz, of.b.nnz));
    std::uint64_t const own =
        (static_cast<std::uint64_t>(of.a.rows) + 1) * sizeof(std::int32_t) + ones * sizeof(double) + 2 * alignment;
    std::uint64_t const analysis = cuda::spgemm::analysis_bytes(of.a);
    auto const fits = [&](std::uint64_t bytes) {
      if (options.workspace_limit == 0 || bytes <= options.workspace_limit) return true;
      if (options.kernel == kernels::CsrRowBinsCudaSpgemm::info.name)
        require_memory("araia::make_spgemm: the bins of rows", bytes, options.workspace_limit);
      return false;
    };
    if (!fits(own + analysis)) return nullptr;
    cuda::spgemm::Options wanted;
    wanted.b_ascends = of.ascending;
    wanted.deterministic = options.deterministic;
    wanted.side_streams = &way->streams_;
    if (options.workspace_limit > 0) wanted.workspace_limit = options.workspace_limit - own;
    way->analysis_ = room(exec, "araia::spgemm::analysis", analysis);
    way->plan_ = cuda::spgemm::analyse(of.a, of.b, wanted, aligned(way->analysis_), exec.cuda_stream());
    way->bytes_ = own + analysis + way->plan_.workspace_bytes;
    refusal = way->plan_.refusal;
    if (!fits(way->bytes_) || !refusal.empty()) return nullptr;
    way->ones_count_ = static_cast<std::int64_t>(ones);
    return way;
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return bytes_; }

  void allocate(Exec const& exec) override {
    if (rows_ == 0) return;
    workspace_ = room(exec, "araia::spgemm::workspace", plan_.workspace_bytes);
    if (ones_count_ == 0) return;
    ones_ = new_view<Kokkos::View<double*, Exec::device_type>>(exec, "araia::spgemm::ones", ones_count_);
    Kokkos::deep_copy(exec, ones_, 1.0);
  }

  void count(Exec const& exec, Operands const& of, Offsets const& counts) override {
    if (rows_ == 0) return;
    auto const offsets = new_array<std::int32_t, Exec::device_type>(exec, "araia::spgemm::offsets", rows_ + 1);
    (void)cuda::spgemm::symbolic(plan_, of.a, of.b, aligned(workspace_), offsets.data(), exec.cuda_stream());
    spgemm_counts_of_offsets(exec, offsets.data(), counts, rows_);
    exec.fence("araia::spgemm: offsets of the symbolic step are read");
  }

  void fill(Exec const& exec, Operands const& of, double alpha, Offsets const& offsets, std::int32_t* cols,
            double* values) override {
    if (rows_ == 0) return;
    auto const with = valued(of);
    cuda::spgemm::numeric(plan_, with.a, with.b, result(offsets, cols, values), exec.cuda_stream());
    if (alpha != 1) spgemm_scale(exec, values, plan_.nnz, alpha);
  }

  void refresh(Exec const& exec, Operands const& of, double alpha, bool, Offsets const& offsets,
               std::int32_t const* cols, double* values) override {
    // The backend's result has one type for columns that are written and for those that are read.
    if (rows_ == 0) return;
    auto const with = valued(of);
    cuda::spgemm::values(plan_, with.a, with.b, result(offsets, const_cast<std::int32_t*>(cols), values),
                         exec.cuda_stream());
    if (alpha != 1) spgemm_scale(exec, values, plan_.nnz, alpha);
  }

  [[nodiscard]] std::vector<SpgemmBin> bins() const override {
    auto const products = static_cast<std::uint64_t>(plan_.products);
    if (plan_.thread_per_row) return {{"thread_per_row", rows_, products}};
    static constexpr char const* names[cuda::spgemm::bins] = {"empty",      "window_short", "window_long",  "sorted_64",
                                                              "sorted_256", "sorted_1024",  "block_window", "hub"};
    std::vector<SpgemmBin> bins;
    for (std::size_t bin = 0; bin < cuda::spgemm::bins; ++bin)
      if (plan_.items[bin] > 0) bins.push_back({names[bin], plan_.items[bin] * plan_.group, 0});
    if (bins.size() == 1) bins.front().products = products;
    return bins;
  }

 private:
  using Room = Kokkos::View<unsigned char*, Exec::device_type>;
  static constexpr std::size_t alignment = 256;  // Kokkos's arrays have 128

  SpgemmCudaRows() = default;

  static Room room(Exec const& exec, char const* label, std::size_t bytes) {
    auto const made =
        new_array<unsigned char, Exec::device_type>(exec, label, static_cast<std::int64_t>(bytes + alignment));
    exec.fence("araia::spgemm: the memory is there");
    return made;
  }
  static void* aligned(Room const& room) {
    auto const address = reinterpret_cast<std::uintptr_t>(room.data());
    return reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment);
  }
  /// The backend's kernels read values: ones of a matrix that has none.
  [[nodiscard]] Operands valued(Operands of) const {
    if (!of.a.values) of.a.values = ones_.data();
    if (!of.b.values) of.b.values = ones_.data();
    return of;
  }
  static cuda::spgemm::Result result(Offsets const& offsets, std::int32_t* cols, double* values) {
    bool const wide = offsets.wide != nullptr;
    void* const data = wide ? static_cast<void*>(offsets.wide) : static_cast<void*>(offsets.narrow);
    return {{data, wide}, cols, values};
  }

  cuda::spgemm::SideStreams streams_;
  cuda::spgemm::Plan plan_;
  std::int64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  Room analysis_;
  Room workspace_;
  std::int64_t ones_count_ = 0;
  Kokkos::View<double*, Exec::device_type> ones_;
};

template <class Exec>
std::unique_ptr<SpgemmWay<Exec, double, std::int32_t, std::int32_t>> make_spgemm_row_bins_of_cuda(
    Exec const& exec, SpgemmOperands<double, std::int32_t, std::int32_t> const& of, SpgemmFacts const& /*facts*/,
    SpgemmOptions const& options, std::string& refusal) {
  if (options.pattern_only || options.add) {
    refusal = kernels::CsrRowBinsCudaSpgemm::no_values_over_c;
    return nullptr;
  }
  return SpgemmCudaRows::make(exec, of, options, refusal);
}

template std::unique_ptr<SpgemmWay<Kokkos::Cuda, double, std::int32_t, std::int32_t>> make_spgemm_row_bins_of_cuda(
    Kokkos::Cuda const&, SpgemmOperands<double, std::int32_t, std::int32_t> const&, SpgemmFacts const&,
    SpgemmOptions const&, std::string&);

}  // namespace araia::detail
