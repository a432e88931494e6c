// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What container_entries makes of a container needs Kokkos: tests/formats/test_container.cpp goes on there.
#include <araia/io/container.hpp>

#include <cstdint>
#include <cstring>

#include "../../src/io/container_layout.hpp"
#include "fuzz_reader.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using araia::detail::ContainerEntry, araia::detail::ContainerHeader;

// Makes the checksums fit, without which a mutation would not come far.
void repair(std::uint8_t* data, std::size_t size) {
  ContainerHeader header;
  if (size < sizeof header) return;
  std::memcpy(&header, data, sizeof header);
  std::size_t const table_end = sizeof header + header.arrays * sizeof(ContainerEntry);
  if (header.header_bytes > size || table_end > header.header_bytes) return;
  for (std::size_t i = 0; i < header.arrays; ++i) {
    std::uint8_t* const place = data + sizeof header + i * sizeof(ContainerEntry);
    ContainerEntry entry;
    std::memcpy(&entry, place, sizeof entry);
    std::uint64_t const bytes = entry.count * araia::bytes_of(static_cast<araia::ElementType>(entry.type & 15));
    if (entry.offset > size || bytes > size - entry.offset) continue;
    entry.checksum = araia::detail::checksum(data + entry.offset, bytes);
    std::memcpy(place, &entry, sizeof entry);
  }
  header.checksum = 0;
  header.checksum = araia::detail::checksum(data + sizeof header, header.header_bytes - sizeof header,
                                            araia::detail::checksum(&header, sizeof header));
  std::memcpy(data, &header, sizeof header);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (seed % 8 != 0) repair(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  araia::ReadOptions options;
  options.max_memory_bytes = 1 << 16;
  bool good = false;
  std::string const written = araia::fuzz::outcome(
      [&] { return araia::parse_container(bytes, "file", options); },
      [](std::ostream& out, araia::Container const& c) { araia::write_container(out, c); }, good, false);
  // There is one way to write a container, so what is read is written as it was.
  bool const compressed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  if (good && !compressed) araia::fuzz::require(written == bytes, "what is read is written as it was");
  return 0;
}
