// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input of a convolution laid out anew: padded planes, or the unrolled matrix.
// Mapping  block: 1024 places of a plane of a channel of an image | thread: four of them, 256 apart (coalesced stores)
// Traffic  4 bytes a place written, 4 read where it is not of the border.

#include "backends/cuda/conv/planes/kernel.hpp"

#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/conv/divisor.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int threads = 256;
constexpr int places_of_thread = 4;

/// a * step % period. Products of up to 31 bits, the rule, are spared a division of 64 bits.
__device__ std::int32_t begin_of(std::int32_t const a, LaidAxis const& axis) {
  std::int64_t const product = std::int64_t{a} * axis.step;
  if (product <= 0x7fffffff) return static_cast<std::int32_t>(product) % axis.period;
  return static_cast<std::int32_t>(product % axis.period);
}

__global__ void __launch_bounds__(threads)
    lay_out_planes(LaidOut const o, Divisor const width, std::int64_t const blocks_of_plane) {
  std::int64_t const plane = blockIdx.x / blocks_of_plane;
  auto const first = static_cast<std::int32_t>(blockIdx.x - plane * blocks_of_plane) * (threads * places_of_thread);
  auto const b = static_cast<std::int32_t>(plane % o.w.planes);
  std::int64_t rest = plane / o.w.planes;
  auto const a = static_cast<std::int32_t>(rest % o.h.planes);
  rest /= o.h.planes;
  std::int64_t const channel = rest % o.channels;
  std::int64_t const image = rest / o.channels;
  float const* const x = o.x + image * o.x_image_stride + channel * o.x_channel_stride;
  float* const to = o.to + image * o.image_stride + channel * o.channel_stride +
                    (static_cast<std::int64_t>(a) * o.w.planes + b) * o.plane_stride;
  std::int32_t const begin_h = begin_of(a, o.h) - o.h.pad;
  std::int32_t const begin_w = begin_of(b, o.w) - o.w.pad;
  std::int32_t const places = o.h.places * o.w.places;
  wait_for_predecessor();
  let_successor_start();
  float value[places_of_thread];
#pragma unroll
  for (int i = 0; i < places_of_thread; ++i) {
    std::int32_t const place = first + i * threads + static_cast<std::int32_t>(threadIdx.x);
    std::int32_t const p = width.quotient(place);
    std::int32_t const line = begin_h + p * o.h.stride;
    std::int32_t const element = begin_w + (place - p * o.w.places) * o.w.stride;
    bool const inside = place < places && line >= 0 && line < o.h.input && element >= 0 && element < o.w.input;
    value[i] = inside ? x[static_cast<std::int64_t>(line) * o.w.input + element] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < places_of_thread; ++i) {
    std::int32_t const place = first + i * threads + static_cast<std::int32_t>(threadIdx.x);
    if (place < places) to[place] = value[i];
  }
}

void require(LaidAxis const& axis, char const* name) {
  if (axis.input < 0 || axis.places < 0 || axis.planes < 1 || axis.step < 0 || axis.period < 1 || axis.stride < 1 ||
      axis.pad < 0)
    throw Error(ErrorKind::invalid_argument, std::string("araia: lay_out: axis ") + name +
                                                 " has an extent below 0, or planes, period or stride below 1");
}

}  // namespace

void lay_out(LaidOut const& operands, cudaStream_t stream) {
  constexpr char const* name = "araia: lay_out";
  require(operands.h, "h");
  require(operands.w, "w");
  if (operands.images < 0 || operands.channels < 0)
    throw Error(ErrorKind::invalid_argument, "araia: lay_out: images or channels are below 0");
  std::int64_t const places = std::int64_t{operands.h.places} * operands.w.places;
  if (operands.images == 0 || operands.channels == 0 || places == 0) return;
  if (places > 0x7fffffff - threads * places_of_thread)
    throw Error(ErrorKind::resource_limit,
                "araia: lay_out: a plane has " + std::to_string(places) + " places, expected fewer than 2^31 - 1024");
  std::int64_t const blocks_of_plane = (places + threads * places_of_thread - 1) / (threads * places_of_thread);
  std::int64_t const planes = operands.images * operands.channels * operands.h.planes * operands.w.planes;
  launch_overlapped(lay_out_planes, grid_blocks(planes * blocks_of_plane, 1, name), threads, 0, stream, name, operands,
                    Divisor(operands.w.places), blocks_of_plane);
}

}  // namespace araia::cuda
