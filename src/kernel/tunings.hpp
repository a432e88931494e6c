// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tuning structs of all formats, for descriptors.

#include <araia/kernels/bcsc_tuning.hpp>
#include <araia/kernels/bsr_tuning.hpp>
#include <araia/kernels/csc_tuning.hpp>
#include <araia/kernels/hyb_tuning.hpp>
#include <araia/kernels/sell_tuning.hpp>
#include <araia/kernels/spmm_tuning.hpp>
#include <araia/kernels/spmv_tuning.hpp>
