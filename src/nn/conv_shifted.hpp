// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What multiplies by shifted columns on a space, and how it wants the planes to lie.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/nn/conv_shape.hpp>
#include "src/kernel/shifted_columns.hpp"

#include "backends/openmp/conv/csr_shifted_columns/kernel.hpp"
#include "backends/portable/conv/csr_shifted_columns/kernel_impl.hpp"
#include "src/from_host.hpp"
#include "src/nn/conv_passes.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/conv/csr_shifted_columns/kernel.hpp"
#include "backends/cuda/conv/planes/kernel.hpp"
#endif

namespace araia::detail {

/// Host arrays of A: row offsets, offsets into the planes that ascend in a row, values.
template <class T>
struct ShiftedRows {
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_offsets;
  std::vector<T> values;
  [[nodiscard]] ShiftedWeights<T> weights() const {
    return {.rows = static_cast<std::int64_t>(row_offsets.size()) - 1,
            .row_offsets = row_offsets.data(),
            .col_offsets = col_offsets.data(),
            .values = values.data()};
  }
};

/// A copy of host data in exec's memory.
template <class To, class Exec, class From>
Kokkos::View<To*, typename Exec::device_type> conv_array(Exec const& exec, char const* label,
                                                         std::vector<From> const& from) {
  std::vector<To> converted(from.size());
  std::transform(from.begin(), from.end(), converted.begin(), [](From v) { return static_cast<To>(v); });
  return array_from_host(exec, label, static_cast<To const*>(converted.data()),
                         static_cast<std::int64_t>(converted.size()));
}

/// The portable kernel, and the hosts'.
template <class Exec, class T>
class ShiftedKernel {
 public:
  using Device = typename Exec::device_type;
  /// Whether the images of a channel should lie one after the other.
  static constexpr bool images_together = false;

  /// \param operands  those of every call, pointers apart
  ShiftedKernel(Exec const& exec, ShiftedRows<T> const& rows, ShiftedOperands<T> const& /*operands*/)
      : rows_(static_cast<std::int64_t>(rows.row_offsets.size()) - 1),
        row_offsets_(conv_array<std::int32_t>(exec, "araia::conv::row_offsets", rows.row_offsets)),
        col_offsets_(conv_array<std::int32_t>(exec, "araia::conv::col_offsets", rows.col_offsets)),
        values_(conv_array<T>(exec, "araia::conv::values", rows.values)) {}

  void multiply(Exec const& exec, ShiftedOperands<T> const& b) const {
    ShiftedWeights<T> const a{.rows = rows_,
                              .row_offsets = row_offsets_.data(),
                              .col_offsets = col_offsets_.data(),
                              .values = values_.data()};
    if constexpr (is_host_backend_space<Exec>) {
      exec.fence("araia::conv: the planes are there");
      host::csr_shifted_columns(a, b, exec.concurrency(), host::isa());
    } else {
      csr_shifted_columns_team(exec, {.rows_per_team = 8, .team_size = 8, .vector_length = device_warp}, a, b);
    }
  }
  [[nodiscard]] std::string name() const { return is_host_backend_space<Exec> ? "host_simd" : "team"; }
  [[nodiscard]] std::uint64_t bytes() const {
    return row_offsets_.extent(0) * sizeof(std::int32_t) + col_offsets_.extent(0) * (sizeof(std::int32_t) + sizeof(T));
  }

 private:
  std::int64_t rows_;
  Kokkos::View<std::int32_t*, Device> row_offsets_;
  Kokkos::View<std::int32_t*, Device> col_offsets_;
  Kokkos::View<T*, Device> values_;
};

#ifdef KOKKOS_ENABLE_CUDA
/// The backend's kernel, for float.
template <>
class ShiftedKernel<Kokkos::Cuda, float> {
 public:
  static constexpr bool images_together = true;

  ShiftedKernel(Kokkos::Cuda const& exec, ShiftedRows<float> const& rows, ShiftedOperands<float> const& operands) {
    namespace shifted = cuda::shifted_columns;
    auto const device = shifted::current_device();
    auto const weights = rows.weights();
    constexpr int tile = 64;  // of columns, for a first look at how many are walked
    packing_ =
        shifted::pack(weights, shifted::choose_shape(shifted::measure(weights), shifted::walked_columns(operands, tile),
                                                     device.multiprocessors, device.shared_bytes, device.clusters));
    words_ = conv_array<std::uint32_t>(exec, "araia::conv::packing", packing_.words);
    packing_.words = {};
  }

  void multiply(Kokkos::Cuda const& exec, ShiftedOperands<float> const& b) const {
    cuda::shifted_columns::convolve(packing_, words_.data(), b, exec.cuda_stream());
  }
  [[nodiscard]] std::string name() const { return "csr_shifted_columns{" + packing_.shape.name() + "}"; }
  [[nodiscard]] std::uint64_t bytes() const { return words_.extent(0) * sizeof(std::uint32_t); }

 private:
  cuda::shifted_columns::Packing packing_;
  Kokkos::View<std::uint32_t*, Kokkos::Cuda::device_type> words_;
};

/// The planes of a batch in NCHW, the images of a channel together.
inline void lay_out_planes(Kokkos::Cuda const& exec, ConvShape const& s, ShiftedPlanes const& p, std::int64_t images,
                           float const* x, float* to) {
  auto const n = [](std::int64_t v) { return static_cast<std::int32_t>(v); };
  auto const axis = [&](PhasedAxis const& of, std::int64_t input, std::int64_t pad) {
    return cuda::LaidAxis{n(input), n(of.extent), n(of.phases), n(of.dilation), n(of.stride), n(of.stride), n(pad)};
  };
  cuda::LaidOut laid;
  laid.images = images;
  laid.channels = s.channels;
  laid.h = axis(p.h, s.height, s.pad_h);
  laid.w = axis(p.w, s.width, s.pad_w);
  laid.x = x;
  laid.x_image_stride = s.input_size();
  laid.x_channel_stride = s.height * s.width;
  laid.to = to;
  laid.image_stride = p.image_stride();
  laid.channel_stride = p.of_channel();
  laid.plane_stride = p.of_phase();
  cuda::lay_out(laid, exec.cuda_stream());
}
#endif

}  // namespace araia::detail
