// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Packings of a matrix of the zoo on a CUDA device.

#include <cstdint>
#include <utility>

#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/spmm/csr_jammed/kernel.hpp"
#include "backends/cuda/spmm/csr_lockstep/kernel.hpp"
#include "backends/cuda/spmm/csr_lockstep/record_texture.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/kernel.hpp"

namespace araia::test {

/// What packings by streams have in common, on the device.
template <class Packing>
struct DeviceStreams {
  explicit DeviceStreams(Packing made)
      : packing(std::move(made)),
        order(packing.row_order),
        offsets(packing.stream_offsets),
        records(packing.records),
        streams{packing.rows, packing.cols,   packing.groups, packing.chunks,
                order.data(), offsets.data(), records.data()} {}
  Packing packing;
  DeviceArray<std::int32_t> order;
  DeviceArray<std::int64_t> offsets;
  DeviceArray<std::uint32_t> records;
  cuda::RowStreamPointers streams;
};

/// A jam packing on the device.
struct DeviceJam : DeviceStreams<cuda::JamPacking> {
  template <class Offset>
  DeviceJam(ZooMatrix<float, Offset> const& m, cuda::JamShape shape)
      : DeviceStreams(cuda::jam_packing(m.pointers(), shape, 3)),
        counts(packing.counts),
        pointers{streams, packing.shape, counts.data()} {}
  DeviceArray<std::uint32_t> counts;
  cuda::JamPointers pointers;
};

/// A lockstep packing on the device.
struct DeviceLockstep : DeviceStreams<cuda::LockstepPacking> {
  template <class Offset>
  DeviceLockstep(ZooMatrix<float, Offset> const& m, cuda::LockstepShape shape)
      : DeviceStreams(cuda::lockstep_packing(m.pointers(), shape, 3)),
        events(packing.events),
        texture(records.data(), static_cast<std::int64_t>(packing.records.size() / 4)),
        pointers{streams, packing.shape, packing.stages, events.data(), texture.get()} {}
  DeviceArray<std::uint32_t> events;
  cuda::RecordTexture texture;
  cuda::LockstepPointers pointers;
};

/// A matrix on the device with its packing.
template <class Offset>
struct DeviceTiles {
  explicit DeviceTiles(ZooMatrix<float, Offset> const& m)
      : csr(m),
        packing(cuda::tile_packing(m.pointers(), 3)),
        offsets(packing.tile_offsets),
        values(packing.values),
        positions(packing.positions),
        pointers{packing.rows,   packing.cols,  packing.row_tiles, packing.col_tiles,
                 offsets.data(), values.data(), positions.data()} {}
  DeviceCsr<float, Offset> csr;
  cuda::TilePacking packing;
  DeviceArray<std::int32_t> offsets;
  DeviceArray<float> values;
  DeviceArray<std::uint16_t> positions;
  cuda::TilePointers pointers;
};

}  // namespace araia::test
