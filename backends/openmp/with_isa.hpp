// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The call of a kernel that is compiled for each instruction set, from code that is compiled once.

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// f.operator()<level>() for the level that this library holds in place of `isa`: f calls a kernel's template of that
/// level, which the unit of the level defines and writes out.
template <class F>
decltype(auto) with_isa([[maybe_unused]] Isa isa, F const& f) {
#ifdef ARAIA_ISA_X86
  switch (isa) {
    case Isa::v4: return f.template operator()<Isa::v4>();
    case Isa::v3: return f.template operator()<Isa::v3>();
    case Isa::generic:
    case Isa::v2: break;
  }
  return f.template operator()<Isa::v2>();
#else
  return f.template operator()<Isa::generic>();
#endif
}

}  // namespace araia::host
