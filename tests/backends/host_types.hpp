// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The types that the host kernels in Csr order are tested with.

#include <araia/Araia_Config.hpp>

#include <cstdint>

#include "support/typed.hpp"

namespace araia::test {

template <class AType, class XType, class YType, class OffsetType>
struct HostOperands {
  using A = AType;
  using X = XType;
  using Y = YType;
  using Offset = OffsetType;
};

#ifdef ARAIA_TYPES_MINIMAL
using HostTypes = TypeList<HostOperands<double, double, double, std::int32_t>>;
#else
using HostTypes =
    TypeList<HostOperands<double, double, double, std::int32_t>, HostOperands<double, double, double, std::int64_t>,
             HostOperands<float, float, float, std::int32_t>, HostOperands<float, float, float, std::int64_t>,
             HostOperands<float, double, double, std::int32_t>, HostOperands<float, double, double, std::int64_t>>;
#endif

}  // namespace araia::test
