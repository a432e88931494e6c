// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The headers of Kokkos Kernels' sparse products, for a Kokkos without its deprecated code too.

#include <araia/detail/interop/kokkos_kernels_headers.hpp>

#include <KokkosSparse_spmv.hpp>
