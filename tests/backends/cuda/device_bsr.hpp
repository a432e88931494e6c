// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix of dense blocks in BSR on a CUDA device.

#include <araia/detail/formats/bsr_pointers.hpp>
#include <cstdint>

#include "backends/bsr_zoo.hpp"
#include "backends/cuda/device_array.hpp"

namespace araia::test {

template <class A, class Offset>
struct DeviceBsr {
  BsrPointers<A, std::int32_t, Offset> pointers;

  /// \param m        of p.slots(); its first_element shifts the arrays off their alignment
  /// \param outside  in slots of blocks that the matrix ends in, beyond its last row or column
  DeviceBsr(ZooMatrix<A, Offset> const& m, BlockPattern const& p, A outside = A{}) {
    ZooBlocks<A, Offset> const host(m, p, outside);
    offsets_ = DeviceArray<Offset>(host.offsets);
    columns_ = DeviceArray<std::int32_t>(host.columns);
    values_ = DeviceArray<A>(host.values);
    pointers = host.pointers();
    pointers.block_offsets = offsets_.data();
    pointers.block_col_indices = columns_.data() + host.first_element;
    pointers.values = values_.data() + host.first_element;
  }

 private:
  DeviceArray<Offset> offsets_;
  DeviceArray<std::int32_t> columns_;
  DeviceArray<A> values_;
};

}  // namespace araia::test
