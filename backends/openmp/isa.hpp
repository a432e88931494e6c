// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Instruction sets that the host kernels are built for, and which of them this machine runs.

#include <cstdint>
#include <string_view>
#include <vector>

namespace araia::host {

/// x86-64 levels, each holding those before it; `generic` is what the compiler was told, on other machines.
enum class Isa {
  generic,
  v2,  ///< SSE4.2
  v3,  ///< AVX2, FMA
  v4,  ///< AVX-512 F, BW, CD, DQ, VL
};

/// Of a vector register of the host kernels.
constexpr std::int64_t register_bytes(Isa isa) { return isa == Isa::v4 ? 64 : isa == Isa::v3 ? 32 : 16; }

/// The best level that this library holds and both the machine and its operating system support; found once.
Isa isa();

/// Whether eight gathered lanes cost less than eight loads put together: on AVX-512 processors of Intel, not on those
/// of AMD. Found once.
bool gathers_fast();

/// Whether streams are best prefetched into L1, not L2: on AMD's processors from Zen 5 on, which have the buffers for
/// it. Found once.
bool prefetches_into_l1();

/// All of them, the best last.
std::vector<Isa> supported_isas();

std::string_view to_string(Isa isa);

}  // namespace araia::host
