// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of .araia files: what is written, and that nothing else is read.
#include <araia/io/container.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "../../src/io/container_layout.hpp"
#include "../../src/io/gzip.hpp"
#include "io_test.hpp"

namespace {

using namespace araia;

template <class T>
ContainerArray array_of(ArrayName name, ElementType type, std::vector<T> values) {
  auto const owner = std::make_shared<std::vector<T>>(std::move(values));
  return {name, type, owner->size(), {owner, owner->data()}};
}

// [1 0 2; 0 3 0] by rows.
Container small() {
  Container c{.format = StoredFormat::csr,
              .scalar = ElementType::float64,
              .ordinal = ElementType::int32,
              .offset = ElementType::int64,
              .rows = 2,
              .cols = 3,
              .nnz = 3};
  c.arrays.push_back(array_of<std::int64_t>(ArrayName::row_offsets, ElementType::int64, {0, 2, 3}));
  c.arrays.push_back(array_of<std::int32_t>(ArrayName::col_indices, ElementType::int32, {0, 2, 1}));
  c.arrays.push_back(array_of<double>(ArrayName::values, ElementType::float64, {1, 2, 3}));
  return c;
}

std::string bytes_of(Container const& c) {
  std::ostringstream out;
  write_container(out, c);
  return out.str();
}

// "csr float64 int32 int64 2x3 3; row_offsets int64 24 bytes; ..." or the error's kind and message.
std::string described(std::string_view bytes, ReadOptions const& options = {}) {
  try {
    Container const c = parse_container(bytes, "file", options);
    std::ostringstream out;
    out << to_string(c.format) << ' ' << to_string(c.scalar) << ' ' << to_string(c.ordinal) << ' '
        << to_string(c.offset) << ' ' << c.rows << 'x' << c.cols << ' ' << c.nnz;
    for (auto const p : c.parameters)
      if (p != 0) out << ' ' << p;
    for (auto const& a : c.arrays) out << "; " << to_string(a.name) << ' ' << to_string(a.type) << ' ' << a.count;
    return out.str();
  } catch (Error const& error) {
    return std::string(to_string(error.kind())) + ' ' + error.what();
  }
}

// The header's checksum made to fit after a change.
std::string repaired(std::string bytes) {
  detail::ContainerHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.checksum = 0;
  header.checksum = detail::checksum(bytes.data() + sizeof header, header.header_bytes - sizeof header,
                                     detail::checksum(&header, sizeof header));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return repaired(bytes);
}

TEST(Container, ReadsWhatItWrites) {
  EXPECT_EQ(described(bytes_of(small())),
            "csr float64 int32 int64 2x3 3; row_offsets int64 3; col_indices int32 3; values float64 3");
  Container const c = parse_container(bytes_of(small()), "file");
  for (std::size_t i = 0; i < c.arrays.size(); ++i) {
    auto const expected = small().arrays[i];
    ASSERT_EQ(c.arrays[i].bytes(), expected.bytes());
    EXPECT_EQ(std::memcmp(c.arrays[i].data.get(), expected.data.get(), expected.bytes()), 0) << i;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(c.arrays[i].data.get()) % 64, 0U) << i;
  }
  EXPECT_EQ(bytes_of(c), bytes_of(small()));
}

// The format is for others to read too: its bytes do not change unseen.
TEST(Container, GoldenBytes) {
  std::string const bytes = bytes_of(small());
  ASSERT_EQ(bytes.size(), 408U);
  auto const number = [&]<class T>(std::size_t at, T) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 8),
            "\x89"
            "ARAIA\r\n");
  EXPECT_EQ(number(8, std::uint32_t{}), 0x01020304U);
  EXPECT_EQ(number(12, std::uint32_t{}), 1U);
  EXPECT_EQ(number(20, std::uint32_t{}), 256U);
  EXPECT_EQ(number(24, std::uint64_t{}), 408U);
  EXPECT_EQ(number(32, std::uint16_t{}), 2);            // csr
  EXPECT_EQ(number(34, std::uint16_t{}), 3);            // arrays
  EXPECT_EQ(number(36, std::uint32_t{}), 0x0004030cU);  // int64, int32, float64
  EXPECT_EQ(number(40, std::int64_t{}), 2);
  EXPECT_EQ(number(48, std::int64_t{}), 3);
  EXPECT_EQ(number(56, std::int64_t{}), 3);
  EXPECT_EQ(number(128, std::uint32_t{}), 0x00040001U);  // row_offsets, int64
  EXPECT_EQ(number(136, std::uint64_t{}), 256U);
  EXPECT_EQ(number(144, std::uint64_t{}), 3U);
  EXPECT_EQ(number(264, std::int64_t{}), 2);  // row_offsets[1]
  EXPECT_EQ(number(400, double{}), 3);        // values[2]
  EXPECT_EQ(number(132, std::uint32_t{}), detail::checksum(bytes.data() + 256, 24));
  EXPECT_EQ(detail::checksum("123456789", 9), 0xcbf43926U);  // the check value of CRC-32
}

// Version 2 is of these files alone: all others stay as older libraries read them.
TEST(Container, APatternWithoutEntriesSaysSo) {
  Container c{.format = StoredFormat::coo,
              .scalar = ElementType::float64,
              .ordinal = ElementType::int32,
              .offset = ElementType::int64,
              .rows = 2,
              .cols = 3};
  for (bool const pattern : {false, true}) {
    c.empty_pattern = pattern;
    std::string const bytes = bytes_of(c);
    EXPECT_EQ(static_cast<int>(bytes[12]), pattern ? 2 : 1);
    EXPECT_EQ(parse_container(bytes, "file").empty_pattern, pattern);
    EXPECT_EQ(bytes_of(parse_container(bytes, "file")), bytes);
  }
  c = small();
  c.empty_pattern = true;
  EXPECT_THROW((void)bytes_of(c), Error);
}

TEST(Container, EveryTruncationIsRefused) {
  std::string const bytes = bytes_of(small());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(described(bytes.substr(0, size)).substr(0, 5), "parse") << size;
  EXPECT_EQ(described(bytes + '\0'), "parse file: byte 408: the file goes on behind its last array");
}

TEST(Container, EveryFlippedBitIsRefused) {
  std::string bytes = bytes_of(small());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto const flip = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
    std::string const outcome = described(bytes);
    EXPECT_TRUE(outcome.starts_with("parse") || (bit / 8 >= 8 && bit / 8 < 16 && outcome.starts_with("unsupported")))
        << "bit " << bit << ": " << outcome;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
  }
}

// A checksum is no signature: what is wrong under a right one is refused for what it is.
TEST(Container, HostileHeaders) {
  std::string const good = bytes_of(small());
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  for (auto const& [bytes, reason] : std::vector<std::pair<std::string, std::string>>{
           {with(good, 12, std::uint32_t{3}), "unsupported file: version 3 of the .araia format"},
           {with(good, 12, std::uint32_t{2}), "parse file: byte 39: byte 39 is 0, expected 0 in version 1 and 1 in"},
           {with(with(good, 12, std::uint32_t{2}), 39, std::uint8_t{1}),
            "parse file: byte 32: a pattern without entries is told by its header, but nnz is 3"},
           {with(with(with(good, 12, std::uint32_t{2}), 39, std::uint8_t{1}), 56, std::int64_t{0}),
            "parse file: byte 32: a pattern without entries is told by its header, but array values is there"},
           {with(good, 12, std::uint32_t{0}), "parse file: byte 12: version 0"},
           {with(good, 8, std::uint32_t{0x04030201}), "unsupported file: written in the other byte order"},
           {with(good, 24, std::uint64_t{409}), "parse file: byte 24: the file has 409 bytes by its header, 408"},
           {with(good, 32, std::uint16_t{0}), "parse file: byte 32: format is 0"},
           {with(good, 32, std::uint16_t{10}), "parse file: byte 32: format is 10"},
           {with(good, 34, std::uint16_t{4}), "parse file: byte 32: an array's name is 0"},
           {with(good, 34, std::uint16_t{2}), "parse file: byte 20: header and table end at 256, expected 192"},
           {with(good, 36, std::uint8_t{3}), "parse file: byte 32: the type of values is int32"},
           {with(good, 37, std::uint8_t{12}), "parse file: byte 32: the type of indices is float64"},
           {with(good, 38, std::uint8_t{0}), "parse file: byte 32: the type of offsets is unknown"},
           {with(good, 39, std::uint8_t{1}), "parse file: byte 39: byte 39 is 1, expected 0 in version 1"},
           {with(good, 40, std::int64_t{-1}), "parse file: byte 32: rows, cols or nnz is -1"},
           {with(good, 48, std::int64_t{1} << 61), "parse file: byte 32: rows, cols or nnz is 2305843009213693952"},
           {with(good, 64, std::int64_t{-1}), "parse file: byte 32: a parameter is -1"},
           {with(good, 128, std::uint16_t{2}), "parse file: byte 32: array col_indices stands behind col_indices"},
           {with(good, 128, std::uint16_t{30}), "parse file: byte 32: an array's name is 30"},
           {with(good, 130, std::uint16_t{15}), "parse file: byte 32: array row_offsets has type 15"},
           {with(good, 130, std::uint16_t{0x104}), "parse file: byte 32: array row_offsets has type 0"},
           {with(good, 136, std::uint64_t{320}), "parse file: byte 136: array row_offsets begins at byte 320"},
           {with(good, 144, std::uint64_t{0}), "parse file: byte 32: array row_offsets has no elements"},
           {with(good, 144, huge), "parse file: byte 32: array row_offsets has 18446744073709551615 elements"},
           {with(good, 144, std::uint64_t{1} << 61), "parse file: byte 32: array row_offsets has 2305843009213693952"},
       })
    EXPECT_EQ(described(bytes).substr(0, reason.size()), reason);
}

TEST(Container, PromisesBeyondTheFileAreRefusedBeforeMemoryIsTaken) {
  Container c = small();
  c.arrays.pop_back();
  std::string bytes = bytes_of(c);
  constexpr std::uint64_t count = std::uint64_t{1} << 40;
  bytes = with(with(bytes, 168, count), 24, 256 + 4 * count);
  EXPECT_EQ(described(bytes),
            "parse file: the file ends at byte 268 or before, its arrays at byte " + std::to_string(256 + 4 * count));
  // Compressed, nobody knows what is still to come.
  std::string packed;
  detail::GzipWriter writer([&packed](std::string_view block) { packed += block; });
  writer.write(bytes);
  writer.finish();
  ReadOptions options;
  options.max_memory_bytes = std::uint64_t{1} << 50;
  EXPECT_EQ(described(packed, options).substr(0, 5), "parse");
}

TEST(Container, TheLimitOfMemoryHolds) {
  ReadOptions options;
  options.max_memory_bytes = 59;
  EXPECT_EQ(described(bytes_of(small()), options),
            "resource_limit file: the arrays need 60 bytes, the limit is 59 bytes");
  options.max_memory_bytes = 60;
  EXPECT_EQ(described(bytes_of(small()), options).substr(0, 3), "csr");
}

TEST(Container, FilesAreWrittenWholeAndCompressedByName) {
  test::TemporaryDirectory const directory;
  Container large = small();
  large.arrays.back() = array_of(ArrayName::values, ElementType::float64, std::vector<double>(300000, 1.5));
  for (std::string const name : {"a.araia", "a.araia.gz"}) {
    EXPECT_TRUE(names_container(directory / name));
    write_container(directory / name, large);
    EXPECT_EQ(bytes_of(read_container(directory / name)), bytes_of(large));
  }
  EXPECT_LT(std::filesystem::file_size(directory / "a.araia.gz"), 10000U);
  EXPECT_FALSE(names_container("a.mtx"));
  EXPECT_TRUE(names_container("a.ARAIA"));
  EXPECT_TRUE(names_container("a.Araia.GZ"));
  large.arrays.front().count = 0;
  EXPECT_THROW(write_container(directory / "b.araia", large), Error);
  EXPECT_FALSE(std::filesystem::exists(directory / "b.araia"));
  EXPECT_EQ(directory.files(), 2U);
}

TEST(Container, EveryNameAndTypeIsTold) {
  for (int number = 1; number <= 29; ++number) EXPECT_STRNE(to_string(static_cast<ArrayName>(number)), "unknown");
  for (int number = 1; number <= 14; ++number) {
    EXPECT_STRNE(to_string(static_cast<ElementType>(number)), "unknown");
    EXPECT_GT(araia::bytes_of(static_cast<ElementType>(number)), 0U);
  }
  EXPECT_STREQ(to_string(static_cast<ArrayName>(30)), "unknown");
  EXPECT_EQ(araia::bytes_of(static_cast<ElementType>(15)), 0U);
  EXPECT_STREQ(to_string(StoredFormat::bcsc_compact), "bcsc+compact");
}

}  // namespace
