// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays copied, filled and looked into, on the default space and the host: nothing beyond them changes.

#include <araia/detail/formats/arrays.hpp>
#include <araia/error.hpp>
#include <cstdint>
#include <vector>

#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {

namespace {

template <class T, class Exec>
using Array = Kokkos::View<T*, typename Exec::device_type>;

template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
}

/// count, count + 1, ... in a fresh array.
template <class T, class Exec>
Array<T, Exec> numbered(std::int64_t count) {
  Kokkos::View<T*, Kokkos::HostSpace> const host("numbered", static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) host(i) = static_cast<T>(count + i);
  auto const array = detail::new_array<T, typename Exec::device_type>(Exec(), "numbered", count);
  detail::copy_array(array, host);
  return array;
}

template <class T, class Exec>
void expect_copies(std::int64_t count) {
  Exec const exec;
  auto const from = numbered<T, Exec>(count);
  auto const to = detail::new_array<T, typename Exec::device_type>(exec, "to", count);
  detail::fill_array(exec, to, T(7));
  auto const filled = on_host(to);
  for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(filled(i), T(7));
  detail::copy_array(exec, to, Kokkos::View<T const*, typename Exec::device_type>(from));
  exec.fence();
  auto const copied = on_host(to);
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(copied(i), static_cast<T>(count + i));
    ASSERT_EQ(detail::value_at(exec, "test::arrays", to.data() + i), static_cast<T>(count + i));
    ASSERT_EQ(detail::value_at(exec, "test::arrays", static_cast<T const*>(from.data()) + i),
              static_cast<T>(count + i));
  }
  detail::copy_array(to, to);
  EXPECT_TRUE(count == 0 || detail::value_at(exec, "test::arrays", to.data()) == static_cast<T>(count));
}

/// A part that begins off every vector's alignment: its neighbours stay.
template <class Exec>
void expect_neighbours_stay() {
  Exec const exec;
  auto const array = numbered<std::uint8_t, Exec>(64);
  detail::fill_array(exec, array.data() + 3, 10, 255);
  detail::copy_array(exec, Kokkos::subview(array, std::pair(21, 24)),
                     Kokkos::subview(numbered<std::uint8_t, Exec>(3), std::pair(0, 3)));
  exec.fence();
  auto const got = on_host(array);
  for (int i = 0; i < 64; ++i) {
    int const expected = i >= 3 && i < 13 ? 255 : i >= 21 && i < 24 ? 3 + i - 21 : 64 + i;
    ASSERT_EQ(got(static_cast<std::size_t>(i)), expected) << i;
  }
}

template <class Exec>
void expect_all() {
  for (std::int64_t const count : {0, 1, 2, 63, 4097}) {
    expect_copies<double, Exec>(count);
    expect_copies<std::int16_t, Exec>(count);
  }
  expect_neighbours_stay<Exec>();
}

template <class To, class From>
void expect_refused(To const& to, From const& from) {
  try {
    detail::copy_array(to, from);
    ADD_FAILURE() << "copied";
  } catch (Error const& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
  }
}

}  // namespace

TEST(FormatArrays, OnTheDefaultSpace) { expect_all<Device>(); }
TEST(FormatArrays, OnTheHost) { expect_all<Host>(); }

TEST(FormatArrays, OfNoIndexAndOfTwo) {
  Device const exec;
  Kokkos::View<double, Device> const one("one");
  detail::fill_array(exec, one, 2.5);
  EXPECT_EQ(detail::value_at(exec, "test::arrays", one.data()), 2.5);
  Kokkos::View<float**, Kokkos::LayoutLeft, Device> const from("from", 5, 3);
  Kokkos::View<float**, Kokkos::LayoutLeft, Device> const to("to", 5, 3);
  detail::fill_array(exec, from, 1.5F);
  detail::copy_array(exec, to, from);
  exec.fence();
  auto const got = on_host(to);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(got(i, j), 1.5F);
}

TEST(FormatArrays, OtherShapesAndGapsAreRefused) {
  Kokkos::View<float**, Kokkos::LayoutLeft, Device> const wide("wide", 2, 3);
  Kokkos::View<float**, Kokkos::LayoutLeft, Device> const tall("tall", 3, 2);
  expect_refused(wide, tall);
  auto const part = Kokkos::subview(tall, std::pair(0, 2), Kokkos::ALL());
  Kokkos::View<float**, Kokkos::LayoutLeft, Device> const whole("whole", 2, 2);
  expect_refused(part, whole);
  expect_refused(whole, part);
  EXPECT_THROW(detail::fill_array(Device(), part, 1.0F), Error);
  expect_refused(Array<double, Device>("three", 3), Array<double, Device>("four", 4));
}

}  // namespace araia::test
