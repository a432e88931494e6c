// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Packings of a matrix of the zoo on a CUDA device.

#include <cstdint>

#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/jammed_spmm.hpp"
#include "backends/cuda/lockstep_spmm.hpp"
#include "backends/cuda/tile_spmm.hpp"

namespace araia::test {

/// A jam packing on the device.
struct DeviceJam {
  template <class Offset>
  DeviceJam(ZooMatrix<float, Offset> const& m, cuda::JamShape shape)
      : packing(cuda::jam_packing(m.pointers(), shape, 3)),
        order(packing.row_order),
        offsets(packing.stream_offsets),
        counts(packing.counts),
        records(packing.records),
        pointers{
            {packing.rows, packing.cols, packing.groups, packing.chunks, order.data(), offsets.data(), records.data()},
            packing.shape,
            counts.data()} {}
  cuda::JamPacking packing;
  DeviceArray<std::int32_t> order;
  DeviceArray<std::int64_t> offsets;
  DeviceArray<std::uint32_t> counts;
  DeviceArray<std::uint32_t> records;
  cuda::JamPointers pointers;
};

/// A lockstep packing on the device.
struct DeviceLockstep {
  template <class Offset>
  DeviceLockstep(ZooMatrix<float, Offset> const& m, cuda::LockstepShape shape)
      : packing(cuda::lockstep_packing(m.pointers(), shape, 3)),
        order(packing.row_order),
        offsets(packing.stream_offsets),
        early(packing.early),
        records(packing.records),
        pointers{
            {packing.rows, packing.cols, packing.groups, packing.chunks, order.data(), offsets.data(), records.data()},
            packing.shape,
            early.data()} {}
  cuda::LockstepPacking packing;
  DeviceArray<std::int32_t> order;
  DeviceArray<std::int64_t> offsets;
  DeviceArray<std::int32_t> early;
  DeviceArray<std::uint32_t> records;
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
