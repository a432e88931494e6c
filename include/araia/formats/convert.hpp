// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conversions: from a Csr to each format and back, new values for a matrix that was converted, and the bytes that a
// conversion would take.

#include <araia/detail/formats/bcsc_to_csr.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
