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

/// The best level that this library holds and both the machine and its operating system support; asked once.
Isa isa();

/// Whether eight gathered lanes cost less than eight loads put together: on AVX-512 processors of Intel (5 cycles), not
/// on those of AMD (11 cycles on Zen 4). Asked once.
bool gathers_fast();

/// Whether streams are best asked for into L1, not L2: on AMD's processors from Zen 5 on. Rows of 27 floats from memory
/// 1.25 times the speed, no product slower; on Zen 4 asking for L2 is up to 1.2 times as fast. Asked once.
bool asks_into_l1();

/// All of them, the best last.
std::vector<Isa> supported_isas();

std::string_view to_string(Isa isa);

}  // namespace araia::host
