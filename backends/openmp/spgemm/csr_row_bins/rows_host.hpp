// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernels of rows.hpp by instruction set, and the memory that they work in.

#include <cstddef>
#include <cstdint>

#include "backends/openmp/isa.hpp"
#include "backends/openmp/spgemm/csr_row_bins/rows.hpp"

namespace araia::host {

/// Of one thread. \param values  whether any are formed
template <class Scalar>
std::size_t spgemm_row_bytes(SpgemmRowTuning const& tuning, bool values);

/// Over as many bytes, aligned to 64. \param clear  they are not in the state between two rows yet
template <class Scalar>
SpgemmRowMemory<Scalar> spgemm_row_memory(SpgemmRowTuning const& tuning, bool values, unsigned char* memory,
                                          bool clear);

/// Bytes of the links of so many rows of B, or of C.
std::int64_t spgemm_b_link_bytes(std::int64_t rows);
std::int64_t spgemm_c_link_bytes(std::int64_t rows);

/// Slots of a table that holds `columns` different ones half full.
std::int64_t spgemm_hash_slots(std::int64_t columns);

template <class Offset>
void spgemm_links(SpgemmLinksArgs<Offset> const& args, Isa isa);
template <class Scalar, class Offset>
void spgemm_shapes(SpgemmRowsArgs<Scalar, Offset> const& args, bool a_is_b, SpgemmRowExtent& extent, Isa isa);
template <class Scalar, class Offset>
void spgemm_count(SpgemmRowsArgs<Scalar, Offset> const& args, SpgemmRowOffsets const& counts, SpgemmRowCounts& kinds,
                  Isa isa);
template <class Scalar, class Offset>
void spgemm_fill(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool sorted, SpgemmRowOffsets const& offsets,
                 std::int32_t* cols, Scalar* values, Isa isa);
template <class Scalar, class Offset>
void spgemm_refresh(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool add, SpgemmRowOffsets const& offsets,
                    std::int32_t const* cols, Scalar* values, Isa isa);

}  // namespace araia::host
