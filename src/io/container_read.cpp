// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of containers: all bytes are hostile until their checksum and their rules say otherwise.
#include <araia/error.hpp>
#include <araia/io/container.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "container_layout.hpp"
#include "container_source.hpp"

namespace araia {
namespace {

using detail::ContainerEntry, detail::ContainerHeader;

/// Reads on, and knows where it is.
class Cursor {
 public:
  explicit Cursor(detail::ByteSource& source) : source_(source) {}

  void take(void* to, std::uint64_t size, char const* what) {
    std::size_t const got = source_.read(static_cast<char*>(to), size);
    if (got != size)
      refuse("the file ends at byte " + std::to_string(at_ + got) + ", in " + what + ", which ends at byte " +
             std::to_string(at_ + size));
    at_ += size;
  }

  [[nodiscard]] std::uint64_t at() const noexcept { return at_; }
  [[nodiscard]] detail::Remaining remaining() const { return source_.remaining(); }

  [[noreturn]] void refuse(std::string const& reason) const { throw Error(ErrorKind::parse, {source_.name()}, reason); }
  [[noreturn]] void refuse(std::uint64_t byte, std::string const& reason) const {
    refuse("byte " + std::to_string(byte) + ": " + reason);
  }
  void require(bool truth, std::uint64_t byte, std::string const& reason) const {
    if (!truth) refuse(byte, reason);
  }
  [[nodiscard]] std::string const& name() const noexcept { return source_.name(); }

 private:
  detail::ByteSource& source_;
  std::uint64_t at_ = 0;
};

struct FreeAligned {
  void operator()(void* bytes) const noexcept {
    ::operator delete (bytes, std::align_val_t{detail::container_alignment});
  }
};
std::unique_ptr<void, FreeAligned> new_bytes(std::uint64_t size) {
  return std::unique_ptr<void, FreeAligned>(::operator new (size, std::align_val_t{detail::container_alignment}));
}

/// The next `size` bytes. Where it is not known that they are there, memory grows with what comes.
std::shared_ptr<void const> take_array(Cursor& cursor, std::uint64_t size, char const* what) {
  constexpr std::uint64_t unproven = 1 << 20;  // bytes taken on trust
  if (cursor.remaining().exact) {
    auto bytes = new_bytes(size);
    cursor.take(bytes.get(), size, what);
    return bytes;
  }
  std::uint64_t capacity = std::min(size, unproven);
  auto bytes = new_bytes(capacity);
  cursor.take(bytes.get(), capacity, what);
  while (capacity < size) {
    std::uint64_t const more = std::min(size - capacity, capacity);
    auto larger = new_bytes(capacity + more);
    std::memcpy(larger.get(), bytes.get(), capacity);
    bytes = std::move(larger);
    cursor.take(static_cast<char*>(bytes.get()) + capacity, more, what);
    capacity += more;
  }
  return bytes;
}

void take_padding(Cursor& cursor, std::uint64_t to) {
  char padding[detail::container_alignment];
  std::uint64_t const from = cursor.at();
  cursor.take(padding, to - from, "padding");
  for (std::uint64_t i = 0; i < to - from; ++i) cursor.require(padding[i] == 0, from + i, "padding is not zero");
}

/// The header as it stands, its fields before the checksum looked at: they say how the rest is read.
ContainerHeader take_header(Cursor& cursor) {
  ContainerHeader header;
  cursor.take(&header, sizeof header, "the header");
  cursor.require(header.magic == detail::container_magic, 0,
                 "this is no .araia file, its first 8 bytes are not those of one");
  auto const unsupported = [&](std::string const& what) { throw Error(ErrorKind::unsupported, {cursor.name()}, what); };
  if (header.byte_order == 0x04030201) unsupported("written in the other byte order, expected little-endian");
  cursor.require(header.byte_order == detail::container_byte_order, 8, "this is no byte order");
  if (header.version > detail::container_version)
    unsupported("version " + std::to_string(header.version) + " of the .araia format, this library reads up to " +
                std::to_string(detail::container_version));
  cursor.require(header.version != 0, 12, "version 0, expected 1 or more");
  cursor.require(header.arrays <= static_cast<std::uint16_t>(ArrayName::col_counts), 34,
                 std::to_string(header.arrays) + " arrays, expected at most " +
                     std::to_string(static_cast<int>(ArrayName::col_counts)));
  auto const expected = detail::aligned(sizeof header + header.arrays * sizeof(ContainerEntry));
  cursor.require(
      header.header_bytes == expected, 20,
      "header and table end at " + std::to_string(header.header_bytes) + ", expected " + std::to_string(expected));
  return header;
}

Container container_of(ContainerHeader const& header, std::vector<ContainerEntry> const& table) {
  Container c;
  c.format = static_cast<StoredFormat>(header.format);
  c.scalar = static_cast<ElementType>(header.scalar);
  c.ordinal = static_cast<ElementType>(header.ordinal);
  c.offset = static_cast<ElementType>(header.offset);
  c.rows = header.rows;
  c.cols = header.cols;
  c.nnz = header.nnz;
  c.empty_pattern = header.empty_pattern != 0;
  c.parameters = header.parameters;
  for (auto const& entry : table) {
    // A type beyond 8 bits is none: 0 says so.
    auto const type = entry.type <= 255 ? static_cast<ElementType>(entry.type) : ElementType{};
    c.arrays.push_back({static_cast<ArrayName>(entry.name), type, entry.count, nullptr});
  }
  return c;
}

}  // namespace

namespace detail {

bool has_container_magic(std::string_view start) {
  return start.size() >= container_magic.size() &&
         std::memcmp(start.data(), container_magic.data(), container_magic.size()) == 0;
}

Container read_container(ByteSource& source, ReadOptions const& options) {
  Cursor cursor(source);
  ContainerHeader header = take_header(cursor);
  std::string rest(header.header_bytes - sizeof header, '\0');
  cursor.take(rest.data(), rest.size(), "the table of arrays");
  std::vector<ContainerEntry> table(header.arrays);
  std::size_t const table_bytes = table.size() * sizeof(ContainerEntry);
  if (!table.empty()) std::memcpy(table.data(), rest.data(), table_bytes);

  std::uint32_t const stated = std::exchange(header.checksum, 0);
  std::uint32_t const found = checksum(rest.data(), rest.size(), checksum(&header, sizeof header));
  cursor.require(stated == found, 16, "the header's checksum does not fit: the header or the table was changed");
  for (std::size_t i = table_bytes; i < rest.size(); ++i)
    cursor.require(rest[i] == 0, sizeof header + i, "padding is not zero");
  cursor.require(header.empty_pattern == (header.version == 1 ? 0 : 1), 39,
                 "byte 39 is " + std::to_string(header.empty_pattern) + ", expected 0 in version 1 and 1 in version 2");

  Container c = container_of(header, table);
  if (auto const rule = broken_rule(c); !rule.empty()) cursor.refuse(32, rule);
  std::uint64_t end = header.header_bytes;
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t const begin = aligned(end);
    cursor.require(table[i].offset == begin, sizeof header + i * sizeof(ContainerEntry) + 8,
                   std::string("array ") + to_string(c.arrays[i].name) + " begins at byte " +
                       std::to_string(table[i].offset) + ", expected " + std::to_string(begin));
    end = begin + c.arrays[i].bytes();
  }
  cursor.require(header.file_bytes == end, 24,
                 "the file has " + std::to_string(header.file_bytes) + " bytes by its header, " + std::to_string(end) +
                     " by its arrays");
  auto const left = cursor.remaining();
  if (end - cursor.at() > left.most)
    cursor.refuse("the file ends at byte " + std::to_string(cursor.at() + left.most) +
                  " or before, its arrays at byte " + std::to_string(end));
  if (std::uint64_t const limit = memory_limit(options); c.bytes() > limit)
    throw Error(
        ErrorKind::resource_limit, {source.name()},
        "the arrays need " + std::to_string(c.bytes()) + " bytes, the limit is " + std::to_string(limit) + " bytes");

  for (std::size_t i = 0; i < table.size(); ++i) {
    take_padding(cursor, table[i].offset);
    std::string const what = std::string("array ") + to_string(c.arrays[i].name);
    c.arrays[i].data = take_array(cursor, c.arrays[i].bytes(), what.c_str());
    cursor.require(checksum(c.arrays[i].data.get(), c.arrays[i].bytes()) == table[i].checksum, table[i].offset,
                   what + ": its checksum does not fit, it was changed");
  }
  cursor.require(source.peek(1).empty(), end, "the file goes on behind its last array");
  return c;
}

}  // namespace detail

Container read_container(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_container(*detail::open_source(path, options), options);
}

Container parse_container(std::string_view bytes, std::string name, ReadOptions const& options) {
  return detail::read_container(*detail::decompressed(detail::memory_source(bytes, std::move(name)), options), options);
}

}  // namespace araia
