// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and rules of containers; writing.
#include <araia/error.hpp>
#include <araia/io/container.hpp>

#include <zlib.h>

#include <cstring>
#include <limits>
#include <ostream>

#include "container_layout.hpp"
#include "lower_case.hpp"
#include "text_output.hpp"

namespace araia {
namespace {

constexpr char const* format_names[] = {"coo", "csr", "csc", "ell", "hyb", "sell", "bsr", "bcsc", "bcsc+compact"};
constexpr char const* type_names[] = {"int8",    "int16",   "int32",           "int64",          "uint8",
                                      "uint16",  "uint32",  "uint64",          "float16",        "bfloat16",
                                      "float32", "float64", "complex_float32", "complex_float64"};
constexpr std::size_t type_bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
constexpr char const* array_names[] = {
    "row_offsets",   "col_indices",       "values",           "row_permutation",  "row_indices",  "col_offsets",
    "source",        "row_lengths",       "tail_row_indices", "tail_col_indices", "tail_values",  "slice_rows",
    "slice_offsets", "diagonal_offsets",  "column_offsets",   "diagonals",        "column_words", "stored_mask",
    "block_offsets", "block_col_indices", "block_rows",       "block_cols",       "row_in_block", "split",
    "gather",        "entry_offsets",     "first_cols",       "col_steps",        "col_counts"};
static_assert(std::size(format_names) == static_cast<std::size_t>(StoredFormat::bcsc_compact));
static_assert(std::size(type_names) == static_cast<std::size_t>(ElementType::complex_float64));
static_assert(std::size(type_bytes) == std::size(type_names));
static_assert(std::size(array_names) == static_cast<std::size_t>(ArrayName::col_counts));

/// Numbers in files count from 1.
template <class Enumeration, std::size_t size, class Value>
bool among(Enumeration value, Value const (&)[size]) {
  auto const number = static_cast<std::size_t>(value);
  return number >= 1 && number <= size;
}
template <class Enumeration, std::size_t size>
char const* name_of(Enumeration value, char const* const (&names)[size]) {
  return among(value, names) ? names[static_cast<std::size_t>(value) - 1] : "unknown";
}

bool is_index(ElementType type) { return type >= ElementType::int8 && type <= ElementType::int64; }
bool is_scalar(ElementType type) { return type >= ElementType::float16 && type <= ElementType::complex_float64; }

// Sizes beyond are no matrix's, and sums of a few of those below do not wrap.
constexpr std::int64_t most = std::int64_t{1} << 60;

void write_bytes(detail::Sink const& sink, Container const& c) {
  if (auto const rule = detail::broken_rule(c); !rule.empty())
    throw Error(ErrorKind::invalid_argument, "araia::write_container: " + rule);
  detail::ContainerHeader header;
  std::string table(detail::aligned(sizeof header + c.arrays.size() * sizeof(detail::ContainerEntry)) - sizeof header,
                    '\0');
  header.header_bytes = static_cast<std::uint32_t>(sizeof header + table.size());
  header.format = static_cast<std::uint16_t>(c.format);
  header.arrays = static_cast<std::uint16_t>(c.arrays.size());
  header.scalar = static_cast<std::uint8_t>(c.scalar);
  header.ordinal = static_cast<std::uint8_t>(c.ordinal);
  header.offset = static_cast<std::uint8_t>(c.offset);
  if (c.empty_pattern) {
    header.version = 2;
    header.empty_pattern = 1;
  }
  header.rows = c.rows;
  header.cols = c.cols;
  header.nnz = c.nnz;
  header.parameters = c.parameters;
  header.file_bytes = header.header_bytes;
  for (std::size_t i = 0; i < c.arrays.size(); ++i) {
    auto const& array = c.arrays[i];
    detail::ContainerEntry entry;
    entry.name = static_cast<std::uint16_t>(array.name);
    entry.type = static_cast<std::uint16_t>(array.type);
    entry.checksum = detail::checksum(array.data.get(), array.bytes());
    entry.offset = detail::aligned(header.file_bytes);
    entry.count = array.count;
    header.file_bytes = entry.offset + array.bytes();
    std::memcpy(table.data() + i * sizeof entry, &entry, sizeof entry);
  }
  header.checksum = detail::checksum(table.data(), table.size(), detail::checksum(&header, sizeof header));
  sink({reinterpret_cast<char const*>(&header), sizeof header});
  sink(table);
  std::uint64_t written = header.header_bytes;
  for (auto const& array : c.arrays) {
    static constexpr char zeros[detail::container_alignment] = {};
    sink({zeros, detail::aligned(written) - written});
    sink({static_cast<char const*>(array.data.get()), array.bytes()});
    written = detail::aligned(written) + array.bytes();
  }
}

}  // namespace

char const* to_string(StoredFormat format) noexcept { return name_of(format, format_names); }
char const* to_string(ElementType type) noexcept { return name_of(type, type_names); }
char const* to_string(ArrayName name) noexcept { return name_of(name, array_names); }
std::size_t bytes_of(ElementType type) noexcept {
  return among(type, type_bytes) ? type_bytes[static_cast<std::size_t>(type) - 1] : 0;
}

std::uint64_t Container::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (auto const& array : arrays) sum += array.bytes();
  return sum;
}

namespace detail {

std::string broken_rule(Container const& c) {
  if (!among(c.format, format_names))
    return "format is " + std::to_string(static_cast<int>(c.format)) + ", expected 1 to 9";
  if (!is_scalar(c.scalar))
    return std::string("the type of values is ") + to_string(c.scalar) + ", expected a real or complex one";
  if (!is_index(c.ordinal))
    return std::string("the type of indices is ") + to_string(c.ordinal) + ", expected int8 to int64";
  if (!is_index(c.offset))
    return std::string("the type of offsets is ") + to_string(c.offset) + ", expected int8 to int64";
  for (std::int64_t const number : {c.rows, c.cols, c.nnz})
    if (number < 0 || number > most) return "rows, cols or nnz is " + std::to_string(number) + ", expected 0 to 2^60";
  for (std::int64_t const number : c.parameters)
    if (number < 0 || number > most) return "a parameter is " + std::to_string(number) + ", expected 0 to 2^60";
  if (c.empty_pattern && c.nnz != 0)
    return "a pattern without entries is told by its header, but nnz is " + std::to_string(c.nnz);
  ArrayName before{};
  std::uint64_t bytes = 0;
  for (auto const& array : c.arrays) {
    std::string const name = to_string(array.name);
    if (!among(array.name, array_names))
      return "an array's name is " + std::to_string(static_cast<int>(array.name)) + ", expected 1 to 29";
    if (array.name <= before)
      return "array " + name + " stands behind " + to_string(before) + ", expected ascending names";
    if (!among(array.type, type_names))
      return "array " + name + " has type " + std::to_string(static_cast<int>(array.type)) + ", expected 1 to 14";
    if (array.count == 0) return "array " + name + " has no elements, expected it to be left out";
    if (array.count > static_cast<std::uint64_t>(most) / bytes_of(array.type) ||
        bytes > static_cast<std::uint64_t>(most))
      return "array " + name + " has " + std::to_string(array.count) +
             " elements, expected at most 2^60 bytes of all arrays";
    if (c.empty_pattern && (array.name == ArrayName::values || array.name == ArrayName::tail_values))
      return "a pattern without entries is told by its header, but array " + name + " is there";
    bytes += array.bytes();
    before = array.name;
  }
  return {};
}

std::uint32_t checksum(void const* bytes, std::uint64_t size, std::uint32_t before) {
  // A null pointer would start anew.
  if (size == 0) return before;
  return static_cast<std::uint32_t>(::crc32_z(before, static_cast<Bytef const*>(bytes), static_cast<z_size_t>(size)));
}

}  // namespace detail

bool names_container(std::filesystem::path const& path) {
  std::filesystem::path const name = detail::lower_case(path.filename().string());
  return (name.extension() == ".gz" ? name.stem() : name).extension() == ".araia";
}

void write_container(std::filesystem::path const& path, Container const& container) {
  detail::write_bytes_file(path, [&](detail::Sink const& sink) { write_bytes(sink, container); });
}

void write_container(std::ostream& out, Container const& container) {
  write_bytes(
      [&out](std::string_view bytes) {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!out) throw Error(ErrorKind::device, "the output stream refuses to be written");
      },
      container);
}

}  // namespace araia
