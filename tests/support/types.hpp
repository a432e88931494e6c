// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The type combinations that typed tests run over: execution space, scalars of (A, x, y), offsets.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include <araia/detail/formats/written_out.hpp>

#include "support/typed.hpp"

namespace araia::test {

template <class Exec, class A, class X, class Y, class Offset>
struct Operands {
  using exec = Exec;
  using a = A;
  using x = X;
  using y = Y;
  using offset = Offset;
};

using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Complex = Kokkos::complex<double>;

// The host twin of a device build, or one thread beside several where the library brings that, runs one combination.
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
#define ARAIA_AND_ON_ONE_THREAD , Operands<Kokkos::Serial, double, double, double, std::int32_t>
#else
#define ARAIA_AND_ON_ONE_THREAD
#endif
#ifdef ARAIA_TYPES_MINIMAL
using OperandTypes = TypeList<Operands<Device, double, double, double, std::int32_t> ARAIA_AND_ON_ONE_THREAD>;
using FormatTypes = OperandTypes;
#else
using OperandTypes =
    TypeList<Operands<Device, double, double, double, std::int32_t>,
             Operands<Device, double, double, double, std::int64_t>,
             Operands<Device, float, float, float, std::int32_t>, Operands<Device, float, double, double, std::int32_t>,
             Operands<Device, Complex, Complex, Complex, std::int32_t> ARAIA_AND_ON_ONE_THREAD>;

/// For what does not depend on the scalars of x and y: formats, conversions. Every scalar of a matrix, either width of
/// offsets; not each with each, as most of it is compiled in the tests.
using FormatTypes = TypeList<Operands<Device, double, double, double, std::int32_t>,
                             Operands<Device, float, double, double, std::int64_t>,
                             Operands<Device, Complex, Complex, Complex, std::int32_t> ARAIA_AND_ON_ONE_THREAD>;
#endif

template <class T>
std::string scalar_name() {
  if (std::is_same_v<T, double>) return "f64";
  if (std::is_same_v<T, float>) return "f32";
  return "c64";
}

struct OperandTypeNames {
  template <class T>
  static std::string name(int) {
    return std::string(T::exec::name()) + "_" + scalar_name<typename T::a>() + scalar_name<typename T::x>() +
           scalar_name<typename T::y>() + (sizeof(typename T::offset) == 8 ? "_i64" : "_i32");
  }
};

}  // namespace araia::test
