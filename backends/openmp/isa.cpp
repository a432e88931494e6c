// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/isa.hpp"

#ifdef ARAIA_ISA_X86
#include <cpuid.h>
#endif

namespace araia::host {

namespace {

Isa detect() {
#ifdef ARAIA_ISA_X86
  // These look at XGETBV too: a level counts only where the operating system saves its registers. Single features, as
  // clang 14 does not know the names of levels here.
  bool const has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  bool const has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (has_v4) return Isa::v4;
  if (has_v3) return Isa::v3;
  // v2 (SSE4.2, POPCNT) is every 64-bit processor since 2009; this library holds nothing below it.
  return Isa::v2;
#else
  return Isa::generic;
#endif
}

#ifdef ARAIA_ISA_X86
/// As CPUID's first leaf gives it, the extended family added.
unsigned processor_family() {
  unsigned version = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &version, &b, &c, &d) == 0) return 0;
  return (version >> 8 & 0xf) + (version >> 20 & 0xff);
}
#endif

}  // namespace

Isa isa() {
  static Isa const best = detect();
  return best;
}

bool gathers_fast() {
#ifdef ARAIA_ISA_X86
  static bool const fast = isa() == Isa::v4 && __builtin_cpu_is("intel");
  return fast;
#else
  return false;
#endif
}

bool prefetches_into_l1() {
#ifdef ARAIA_ISA_X86
  static bool const l1 = __builtin_cpu_is("amd") && processor_family() >= 0x1a;
  return l1;
#else
  return false;
#endif
}

std::vector<Isa> supported_isas() {
#ifdef ARAIA_ISA_X86
  std::vector<Isa> isas{Isa::v2};
  if (isa() >= Isa::v3) isas.push_back(Isa::v3);
  if (isa() >= Isa::v4) isas.push_back(Isa::v4);
  return isas;
#else
  return {Isa::generic};
#endif
}

std::string_view to_string(Isa isa) {
  switch (isa) {
    case Isa::v2: return "x86-64-v2";
    case Isa::v3: return "x86-64-v3";
    case Isa::v4: return "x86-64-v4";
    case Isa::generic: break;
  }
  return "generic";
}

}  // namespace araia::host
