// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The bytes of a container's header and table: docs/formats/container.md is their description.

#include <araia/io/container.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

namespace araia::detail {

static_assert(std::endian::native == std::endian::little, "araia: containers are written and read as they lie");

// CR LF and the byte above 127 show when a file went through a transfer as text.
inline constexpr std::array<unsigned char, 8> container_magic{0x89, 'A', 'R', 'A', 'I', 'A', '\r', '\n'};
inline constexpr std::uint32_t container_byte_order = 0x01020304;
inline constexpr std::uint32_t container_version = 2;     // the latest; files are of the first that has what they hold
inline constexpr std::uint64_t container_alignment = 64;  // bytes, of every array

struct ContainerHeader {
  std::array<unsigned char, 8> magic = container_magic;
  std::uint32_t byte_order = container_byte_order;
  std::uint32_t version = 1;
  std::uint32_t checksum = 0;      // CRC-32 of header, table and their padding, this field taken as 0
  std::uint32_t header_bytes = 0;  // header, table and padding: where the first array begins
  std::uint64_t file_bytes = 0;
  std::uint16_t format = 0;
  std::uint16_t arrays = 0;
  std::uint8_t scalar = 0;
  std::uint8_t ordinal = 0;
  std::uint8_t offset = 0;
  std::uint8_t empty_pattern = 0;  // from version 2
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::array<std::int64_t, Container::most_parameters> parameters{};
};
static_assert(sizeof(ContainerHeader) == 128 && std::is_trivially_copyable_v<ContainerHeader>);

struct ContainerEntry {
  std::uint16_t name = 0;
  std::uint16_t type = 0;
  std::uint32_t checksum = 0;  // CRC-32 of the array
  std::uint64_t offset = 0;    // of the array in the file, bytes
  std::uint64_t count = 0;     // elements
};
static_assert(sizeof(ContainerEntry) == 24 && std::is_trivially_copyable_v<ContainerEntry>);

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + container_alignment - 1) / container_alignment * container_alignment;
}

/// The rule that a container breaks, or nothing.
std::string broken_rule(Container const& container);

/// CRC-32 of `size` bytes behind those that gave `before`.
std::uint32_t checksum(void const* bytes, std::uint64_t size, std::uint32_t before = 0);

}  // namespace araia::detail
