// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// NumPy's .npy: dense tensors of float32 and float64, in C order.

#include <araia/detail/io/read_options.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace araia {

struct HostTensor {
  using Values = std::variant<std::vector<float>, std::vector<double>>;

  std::vector<std::int64_t> shape;  ///< of any rank; none: one number
  Values values;                    ///< (product of shape), the last extent contiguous
};

/// A file of version 1, 2 or 3, '<f4' or '<f8'; gzip is recognised by content.
/// \throws araia::Error: parse where the header is broken, or the data shorter or longer than its shape says;
///         unsupported for other types, byte orders and Fortran order; resource_limit; invalid_argument; device
/// Cost   time linear in the file; memory the result, which is bounded by the bytes that a plain file has
[[nodiscard]] HostTensor read_npy(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of bytes in memory, which errors call `name`.
[[nodiscard]] HostTensor parse_npy(std::string_view bytes, std::string name, ReadOptions const& options = {});

/// Version 1, whole or not at all; compressed where the name ends in .gz.
/// \throws araia::Error: dimension_mismatch where values do not fill the shape; unsupported on big-endian machines;
///         device
void write_npy(std::filesystem::path const& path, HostTensor const& tensor);

}  // namespace araia
