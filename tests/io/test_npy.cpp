// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy: what is written is read again, byte for byte as NumPy writes it; broken and hostile files are typed errors.
#include <araia/io/npy.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/errors.hpp"

namespace araia::test {
namespace {

std::string file_of(std::string const& dictionary, std::string const& data, char version = 1) {
  std::string text = dictionary + "\n";
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(text.size() & 0xff);
  file += static_cast<char>(text.size() >> 8);
  if (version != 1) file += std::string(2, '\0');
  return file + text + data;
}

std::string header(std::string const& descr, std::string const& shape, std::string const& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

ErrorKind kind(std::string const& bytes, ReadOptions const& options = {}) {
  return kind_of([&] { (void)parse_npy(bytes, "x.npy", options); });
}

TEST(Npy, WhatIsWrittenIsRead) {
  auto const path = std::filesystem::temp_directory_path() / "araia_test_npy.npy";
  HostTensor const tensor{.shape = {2, 1, 3}, .values = std::vector<float>{1, 2, 3, 4, 5, 6.5F}};
  write_npy(path, tensor);
  std::ifstream in(path, std::ios::binary);
  std::string const bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(bytes.size(), 128U + 24U);  // as numpy.save has it
  EXPECT_EQ(bytes.substr(10, 61), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 3), ");
  auto const read = read_npy(path);
  EXPECT_EQ(read.shape, tensor.shape);
  EXPECT_EQ(read.values, tensor.values);
  for (auto const& shape : {std::vector<std::int64_t>{}, {1}, {1, 1, 1, 1}}) {
    HostTensor const one{.shape = shape, .values = std::vector<double>{7}};
    write_npy(path, one);
    EXPECT_EQ(read_npy(path).shape, shape);
    EXPECT_EQ(read_npy(path).values, one.values);
  }
  auto const compressed = path.string() + ".gz";
  write_npy(compressed, tensor);
  std::ifstream gz(compressed, std::ios::binary);
  EXPECT_EQ(gz.get(), 0x1f);
  EXPECT_EQ(gz.get(), 0x8b);
  EXPECT_EQ(read_npy(compressed).shape, tensor.shape);
  EXPECT_EQ(read_npy(compressed).values, tensor.values);
  std::filesystem::remove(compressed);
  write_npy(path, {.shape = {3, 0}, .values = std::vector<double>{}});
  EXPECT_EQ(read_npy(path).shape, (std::vector<std::int64_t>{3, 0}));
  EXPECT_EQ(kind_of([&] { write_npy(path, {.shape = {2}, .values = std::vector<double>{1}}); }),
            ErrorKind::dimension_mismatch);
  std::filesystem::remove(path);
}

TEST(Npy, VersionsAndSpellings) {
  std::string const data(8, '\0');
  for (char const version : {char{1}, char{2}, char{3}})
    EXPECT_EQ(parse_npy(file_of(header("<f4", "(2,)"), data, version), "x").shape, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(parse_npy(file_of("{\"shape\":(1,1),'fortran_order':False,'descr':'<f8'}", data), "x").shape.size(), 2U);
  EXPECT_EQ(parse_npy(file_of(header("<f8", "(1,)", "True"), data), "x").shape.size(), 1U);
}

TEST(Npy, BrokenFilesAreTypedErrors) {
  std::string const data(8, '\0');
  auto const good = file_of(header("<f4", "(2,)"), data);
  ASSERT_NO_THROW((void)parse_npy(good, "x"));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(kind(good.substr(0, size)), ErrorKind::parse) << size;
  EXPECT_EQ(kind(good + "x"), ErrorKind::parse);
  for (auto const& dictionary :
       {header("<f4", "(3,)"), header("<f4", "(2"), header("<f4", "(-2,)"), header("<f4", "(2 2)"), header("<f4", "2"),
        header("<f4", "(99999999999999999999,)"), header("<f4", "(2,)", "Maybe"), std::string("{}"), std::string("["),
        std::string("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"),
        std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"),
        std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}")})
    EXPECT_EQ(kind(file_of(dictionary, data)), ErrorKind::parse) << dictionary;
  for (auto const& dictionary :
       {header(">f4", "(2,)"), header("<i4", "(2,)"), header("|O", "(2,)"), header("<f4", "(1, 2)", "True")})
    EXPECT_EQ(kind(file_of(dictionary, data)), ErrorKind::unsupported) << dictionary;
  EXPECT_EQ(kind(file_of(header("<f4", "(2,)"), data, 4)), ErrorKind::unsupported);
  EXPECT_EQ(kind(file_of(header("<f8", "(4294967296, 4294967296)"), data)), ErrorKind::resource_limit);
  EXPECT_EQ(kind(file_of(header("<f8", "(1000000000000,)"), data)), ErrorKind::resource_limit);
  ReadOptions small;
  small.max_memory_bytes = 4;
  EXPECT_EQ(kind(good, small), ErrorKind::resource_limit);
  EXPECT_EQ(kind_of([] { (void)read_npy("/no/such/file.npy"); }), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace araia::test
