// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The types of matrix, x, y and offsets that the backends' kernels in Csr order are tested with.

#include <araia/Araia_Config.hpp>

#include <cstdint>

#include "support/typed.hpp"

namespace araia::test {

template <class AType, class XType, class YType, class OffsetType>
struct BackendOperands {
  using A = AType;
  using X = XType;
  using Y = YType;
  using Offset = OffsetType;
};

#ifdef ARAIA_TYPES_MINIMAL
using BackendTypes = TypeList<BackendOperands<double, double, double, std::int32_t>>;
#else
using BackendTypes =
    TypeList<BackendOperands<double, double, double, std::int32_t>,
             BackendOperands<double, double, double, std::int64_t>, BackendOperands<float, float, float, std::int32_t>,
             BackendOperands<float, float, float, std::int64_t>, BackendOperands<float, double, double, std::int32_t>,
             BackendOperands<float, double, double, std::int64_t>>;
#endif

}  // namespace araia::test
