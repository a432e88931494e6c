// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A CSR matrix of the zoo on a CUDA device, for kernels that take plain pointers.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/csr_zoo.hpp"
#include "backends/cuda/device_array.hpp"

namespace araia::test {

template <class A, class Offset>
struct DeviceCsr {
  DeviceArray<Offset> row_offsets;
  DeviceArray<std::int32_t> col_indices;
  DeviceArray<A> values;
  DeviceArray<std::int32_t> row_permutation;
  CsrPointers<A, std::int32_t, Offset> pointers;

  explicit DeviceCsr(ZooMatrix<A, Offset> const& m)
      : row_offsets(m.row_offsets),
        col_indices(m.col_indices),
        values(m.values),
        row_permutation(m.row_permutation),
        pointers(m.pointers()) {
    pointers.row_offsets = row_offsets.data();
    pointers.col_indices = col_indices.data() + m.first_element;
    if (pointers.values) pointers.values = values.data() + m.first_element;
    if (pointers.row_permutation) pointers.row_permutation = row_permutation.data();
  }
};

}  // namespace araia::test
