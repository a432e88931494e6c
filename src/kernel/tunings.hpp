// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tuning structs of all formats, for descriptors.

#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/bsr_tuning.hpp>
#include <araia/detail/kernels/csc_tuning.hpp>
#include <araia/detail/kernels/hyb_tuning.hpp>
#include <araia/detail/kernels/sell_tuning.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>
