// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C++ types and their numbers in files; reading stored elements into a type that holds every value of theirs.

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/formats/scalar.hpp>
#include <araia/error.hpp>
#include <araia/io/container.hpp>

namespace araia {

namespace detail {

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_integral_v<T>) {
    constexpr int log_bytes = std::bit_width(sizeof(T)) - 1;
    return static_cast<ElementType>(static_cast<int>(std::is_signed_v<T> ? ElementType::int8 : ElementType::uint8) +
                                    log_bytes);
  } else if constexpr (std::is_same_v<T, float>) {
    return ElementType::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ElementType::float64;
  } else if constexpr (std::is_same_v<T, Kokkos::complex<float>>) {
    return ElementType::complex_float32;
  } else if constexpr (std::is_same_v<T, Kokkos::complex<double>>) {
    return ElementType::complex_float64;
  } else if constexpr (std::is_same_v<T, Kokkos::Experimental::half_t>) {
    return ElementType::float16;
  } else {
    static_assert(std::is_same_v<T, Kokkos::Experimental::bhalf_t>, "araia: no file holds elements of this type");
    return ElementType::bfloat16;
  }
}

/// The number of these IEEE half-precision bits.
inline float float_of_half(std::uint16_t bits) {
  std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  std::uint32_t const exponent = (bits >> 10) & 0x1fu;
  std::uint32_t const fraction = bits & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24
    float const magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  std::uint32_t const wide = exponent == 31 ? 0xffu : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

struct HalfBits {
  std::uint16_t bits;
  explicit operator double() const { return static_cast<double>(float_of_half(bits)); }
  explicit operator float() const { return float_of_half(bits); }
};
struct Bfloat16Bits {
  std::uint16_t bits;
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

/// Does To hold every value of From?
template <class To, class From>
constexpr bool holds_every_value() {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
    return (std::is_signed_v<To> == std::is_signed_v<From> && sizeof(To) >= sizeof(From)) ||
           (std::is_signed_v<To> && sizeof(To) > sizeof(From));
  else if constexpr (is_complex_v<To> && is_complex_v<From>)
    return sizeof(To) >= sizeof(From);
  else if constexpr (is_complex_v<To> && !std::is_integral_v<From>)
    return holds_every_value<typename To::value_type, From>();
  else if constexpr (std::is_floating_point_v<To> && std::is_floating_point_v<From>)
    return sizeof(To) >= sizeof(From);
  else
    return std::is_floating_point_v<To> && (std::is_same_v<From, HalfBits> || std::is_same_v<From, Bfloat16Bits>);
}

template <class To, class From>
To widened(From const& value) {
  if constexpr (is_complex_v<To> && !is_complex_v<From>)
    return To(static_cast<typename To::value_type>(value));
  else
    return static_cast<To>(value);
}

/// to[i] = the stored element i.
/// \return false where To does not hold every value of the stored type
template <class To>
bool widen(ContainerArray const& from, To* to) {
  auto const copy = [&]<class From>(From const* source) {
    if constexpr (holds_every_value<To, From>()) {
      for (std::uint64_t i = 0; i < from.count; ++i) to[i] = widened<To>(source[i]);
      return true;
    } else {
      return false;
    }
  };
  void const* const data = from.data.get();
  switch (from.type) {
    case ElementType::int8: return copy(static_cast<std::int8_t const*>(data));
    case ElementType::int16: return copy(static_cast<std::int16_t const*>(data));
    case ElementType::int32: return copy(static_cast<std::int32_t const*>(data));
    case ElementType::int64: return copy(static_cast<std::int64_t const*>(data));
    case ElementType::uint8: return copy(static_cast<std::uint8_t const*>(data));
    case ElementType::uint16: return copy(static_cast<std::uint16_t const*>(data));
    case ElementType::uint32: return copy(static_cast<std::uint32_t const*>(data));
    case ElementType::uint64: return copy(static_cast<std::uint64_t const*>(data));
    case ElementType::float16: return copy(static_cast<HalfBits const*>(data));
    case ElementType::bfloat16: return copy(static_cast<Bfloat16Bits const*>(data));
    case ElementType::float32: return copy(static_cast<float const*>(data));
    case ElementType::float64: return copy(static_cast<double const*>(data));
    case ElementType::complex_float32: return copy(static_cast<Kokkos::complex<float> const*>(data));
    case ElementType::complex_float64: return copy(static_cast<Kokkos::complex<double> const*>(data));
  }
  return false;
}

}  // namespace detail
}  // namespace araia
