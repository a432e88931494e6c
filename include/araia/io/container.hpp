// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The native file of a matrix in any format, `.araia`: a header, a table of arrays, the arrays as they lie in memory.
// What the bytes are is in docs/formats/container.md. Here they are arrays with names; formats/container.hpp makes
// formats of them and checks what the arrays say.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/io/read_options.hpp>

namespace araia {

/// Formats, by their numbers in files.
enum class StoredFormat : std::uint16_t { coo = 1, csr, csc, ell, hyb, sell, bsr, bcsc, bcsc_compact };

/// Elements of arrays, by their numbers in files.
enum class ElementType : std::uint8_t {
  int8 = 1,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex_float32,
  complex_float64
};

/// Arrays of formats, by their numbers in files; the fields of the formats by the same names.
enum class ArrayName : std::uint16_t {
  row_offsets = 1,
  col_indices,
  values,
  row_permutation,
  row_indices,
  col_offsets,
  source,
  row_lengths,
  tail_row_indices,
  tail_col_indices,
  tail_values,
  slice_rows,
  slice_offsets,
  diagonal_offsets,
  column_offsets,
  diagonals,
  column_words,
  stored_mask,
  block_offsets,
  block_col_indices,
  block_rows,
  block_cols,
  row_in_block,
  split,
  gather,
  entry_offsets,
  first_cols,
  col_steps,
  col_counts
};

[[nodiscard]] char const* to_string(StoredFormat format) noexcept;
[[nodiscard]] char const* to_string(ElementType type) noexcept;
[[nodiscard]] char const* to_string(ArrayName name) noexcept;
[[nodiscard]] std::size_t bytes_of(ElementType type) noexcept;

struct ContainerArray {
  ArrayName name{};
  ElementType type{};
  std::uint64_t count = 0;             ///< elements, 1 or more: an array without any is left out
  std::shared_ptr<void const> data{};  ///< (count) kept alive by this; 64-byte-aligned where it was read

  [[nodiscard]] std::uint64_t bytes() const noexcept { return count * bytes_of(type); }
};

/// What a file holds. A pattern has no array of values; nor has a matrix without entries, where `empty_pattern` tells.
struct Container {
  static constexpr std::size_t most_parameters = 8;

  StoredFormat format{};
  ElementType scalar{};   ///< of values, also of a pattern's: the type that it is stored for
  ElementType ordinal{};  ///< of indices
  ElementType offset{};   ///< of offsets
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  bool empty_pattern = false;  ///< of a matrix without entries: a pattern; else its values would be of type scalar
  std::array<std::int64_t, most_parameters> parameters{};  ///< of the format; those that it does not use are 0
  std::vector<ContainerArray> arrays{};                    ///< by ascending name, each once

  /// Bytes of the arrays.
  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

/// Does the name end in .araia or .araia.gz, in any case?
[[nodiscard]] bool names_container(std::filesystem::path const& path);

/// The arrays of a file; gzip is recognised by content. Whether they make a matrix is not looked at.
/// \throws araia::Error: parse, naming the byte, where a file is cut, changed or not of the format; unsupported (a
/// newer
///         version, the other byte order); resource_limit naming need and limit; invalid_argument (no readable file);
///         device
/// Cost   time linear in the bytes; memory that of the arrays, which is compared with the bytes that there are before
/// it
///        is taken (what gzip holds is taken as it comes)
[[nodiscard]] Container read_container(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of bytes in memory, which errors call `name`.
[[nodiscard]] Container parse_container(std::string_view bytes, std::string name, ReadOptions const& options = {});

/// Writes a file, whole or not at all (AtomicFile); compressed where `path` ends in .gz. Equal containers give equal
/// bytes.
/// \throws araia::Error: invalid_argument where `container` breaks its own rules; device
void write_container(std::filesystem::path const& path, Container const& container);
void write_container(std::ostream& out, Container const& container);

}  // namespace araia
