// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// x86 intrinsics, for units compiled for AVX2 and AVX-512.

#if defined(__AVX2__)
#if defined(__GNUC__) && !defined(__clang__)  // takes what intrinsics leave undefined for a mistake: GCC bug 105593
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
#endif
