// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/nn/conv_shape.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

#include <araia/detail/assembly/checked.hpp>
#include <araia/error.hpp>

namespace araia {
namespace {

void require_at_least(char const* name, std::int64_t value, std::int64_t least) {
  if (value < least)
    throw Error(ErrorKind::invalid_argument, "araia::ConvShape: " + std::string(name) + " is " + std::to_string(value) +
                                                 ", expected at least " + std::to_string(least));
}

/// Of numbers that are not negative.
void require_product(char const* what, std::initializer_list<std::int64_t> factors, std::uint64_t most) {
  std::uint64_t product = 1;
  for (auto const factor : factors) product = detail::saturating_product(product, static_cast<std::uint64_t>(factor));
  if (product > most)
    throw Error(ErrorKind::resource_limit,
                "araia::ConvShape: " + std::string(what) + " has " +
                    (product == std::numeric_limits<std::uint64_t>::max() ? std::string("more than 2^64")
                                                                          : std::to_string(product)) +
                    " elements, expected at most " + std::to_string(most));
}

void require_kernel_fits(char const* axis, std::int64_t input, std::int64_t pad, std::int64_t kernel,
                         std::int64_t dilation) {
  std::int64_t const padded = input + 2 * pad;
  std::int64_t const taken = dilation * (kernel - 1) + 1;
  if (taken > padded)
    throw Error(ErrorKind::invalid_argument, "araia::ConvShape: the kernel takes " + std::to_string(taken) + " " +
                                                 axis + ", the padded input has " + std::to_string(padded));
}

std::string pair_text(std::int64_t h, std::int64_t w) {
  return h == w ? std::to_string(h) : std::to_string(h) + "x" + std::to_string(w);
}

}  // namespace

std::string to_string(ConvShape const& s) {
  std::string text;
  for (auto const value : {s.channels, s.height, s.width, s.filters, s.kernel_height, s.kernel_width})
    text += std::to_string(value) + ",";
  return text + pair_text(s.stride_h, s.stride_w) + "," + pair_text(s.pad_h, s.pad_w) + "," +
         pair_text(s.dilation_h, s.dilation_w) + "," + std::to_string(s.groups);
}

void require_valid(ConvShape const& s, std::int64_t batch) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  struct {
    char const* name;
    std::int64_t value;
    std::int64_t least;
  } const numbers[] = {{"channels", s.channels, 1},
                       {"height", s.height, 1},
                       {"width", s.width, 1},
                       {"filters", s.filters, 1},
                       {"kernel height", s.kernel_height, 1},
                       {"kernel width", s.kernel_width, 1},
                       {"stride_h", s.stride_h, 1},
                       {"stride_w", s.stride_w, 1},
                       {"pad_h", s.pad_h, 0},
                       {"pad_w", s.pad_w, 0},
                       {"dilation_h", s.dilation_h, 1},
                       {"dilation_w", s.dilation_w, 1},
                       {"groups", s.groups, 1},
                       {"batch", batch, 1}};
  for (auto const& number : numbers) {
    require_at_least(number.name, number.value, number.least);
    if (number.value > most)
      throw Error(ErrorKind::resource_limit, "araia::ConvShape: " + std::string(number.name) + " is " +
                                                 std::to_string(number.value) + ", expected at most " +
                                                 std::to_string(most));
  }
  if (s.channels % s.groups != 0 || s.filters % s.groups != 0)
    throw Error(ErrorKind::invalid_argument, "araia::ConvShape: groups is " + std::to_string(s.groups) +
                                                 ", expected a divisor of channels, " + std::to_string(s.channels) +
                                                 ", and of filters, " + std::to_string(s.filters));
  require_kernel_fits("lines", s.height, s.pad_h, s.kernel_height, s.dilation_h);
  require_kernel_fits("elements of a line", s.width, s.pad_w, s.kernel_width, s.dilation_w);
  constexpr std::uint64_t limit = most;
  require_product("an image", {s.channels, s.height, s.width}, limit);
  require_product("an image's output", {s.filters, s.out_height(), s.out_width()}, limit);
  require_product("the matrix of weights", {s.filters, s.group_channels(), s.kernel_height, s.kernel_width}, limit);
  require_product("an unrolled line", {s.channels, s.kernel_height, s.kernel_width}, limit);
  require_product("an image's unrolled matrix",
                  {s.channels, s.kernel_height, s.kernel_width, s.out_height(), s.out_width()}, limit);
  constexpr std::uint64_t of_batch = std::uint64_t{1} << 48;
  require_product("a batch's unrolled matrix",
                  {batch, s.channels, s.kernel_height, s.kernel_width, s.out_height(), s.out_width()}, of_batch);
  require_product("a batch's input", {batch, s.channels, s.height, s.width}, of_batch);
  require_product("a batch's output", {batch, s.filters, s.out_height(), s.out_width()}, of_batch);
  // Places of an axis are no more than the outputs and what the last tap skips, both bounded by the padded input.
  detail::PhasedAxis const h(s.out_height(), s.kernel_height, s.stride_h, s.dilation_h);
  detail::PhasedAxis const w(s.out_width(), s.kernel_width, s.stride_w, s.dilation_w);
  require_product("an image's planes", {s.channels, h.phases, w.phases, h.extent, w.extent}, limit);
  require_product("a batch's planes", {batch, s.channels, h.phases, w.phases, h.extent, w.extent}, of_batch);
}

namespace detail {

PhasedAxis::PhasedAxis(std::int64_t out, std::int64_t taps, std::int64_t of_stride, std::int64_t of_dilation)
    : stride(of_stride), dilation(of_dilation) {
  period = stride / std::gcd(stride, dilation);
  phases = std::min(period, taps);
  extent = out + tap_shift(taps - 1);
}

ShiftedPlanes::ShiftedPlanes(ConvShape const& s, std::int64_t images_together)
    : h(s.out_height(), s.kernel_height, s.stride_h, s.dilation_h),
      w(s.out_width(), s.kernel_width, s.stride_w, s.dilation_w),
      channels(s.channels),
      together(images_together) {}

}  // namespace detail
}  // namespace araia
