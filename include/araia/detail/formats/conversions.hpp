// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Coo, Ell and itself by length, and back: structure once, values by one gather, on the execution space.
// The gather needs no stored map: where an entry came from follows from the source's row_offsets, so update_values
// takes a Csr of the same structure with the new values.

#include <araia/detail/formats/csr_by_length.hpp>
#include <araia/detail/formats/csr_to_coo.hpp>
#include <araia/detail/formats/csr_to_ell.hpp>
#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/to_csr.hpp>
