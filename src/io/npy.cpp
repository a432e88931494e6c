// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/npy.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include <araia/error.hpp>

#include "byte_source.hpp"
#include "text_output.hpp"

namespace araia {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t npy_most_header = std::size_t{1} << 20;
constexpr std::size_t npy_most_rank = 32;
constexpr std::size_t npy_alignment = 64;  // of the data, as NumPy writes it
constexpr std::size_t npy_block_values = std::size_t{1}
                                         << 20;  // read at a time, so that a short file takes little memory

struct NpyHeader {
  std::string descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

[[noreturn]] void broken_npy(std::string const& file, std::string const& what) {
  throw Error(ErrorKind::parse, {file, 0, 0}, ".npy: " + what);
}

/// The header's literal: {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }.
class NpyHeaderParser {
 public:
  NpyHeaderParser(std::string const& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool seen[3] = {};
    expect('{');
    while (!take('}')) {
      std::string const key = quoted();
      expect(':');
      if (key == "descr") {
        once(seen[0], key);
        header.descr = quoted();
      } else if (key == "fortran_order") {
        once(seen[1], key);
        header.fortran = boolean();
      } else if (key == "shape") {
        once(seen[2], key);
        header.shape = tuple();
      } else {
        broken_npy(file_, "the header has the key '" + key + "', expected descr, fortran_order and shape");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (at_ != text_.size()) broken_npy(file_, "text follows the header's dictionary");
    if (!seen[0] || !seen[1] || !seen[2]) broken_npy(file_, "the header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) broken_npy(file_, std::string("the header lacks '") + c + "' at byte " + std::to_string(at_));
  }
  void once(bool& seen, std::string const& key) {
    if (seen) broken_npy(file_, "the header has " + key + " twice");
    seen = true;
  }
  std::string quoted() {
    skip();
    char const quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') broken_npy(file_, "the header lacks a text at byte " + std::to_string(at_));
    auto const end = text_.find(quote, at_ + 1);
    if (end == text_.npos) broken_npy(file_, "a text of the header does not end");
    std::string const value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    skip();
    for (auto const& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    broken_npy(file_, "fortran_order is neither True nor False");
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!take(')')) {
      skip();
      std::size_t const begin = at_;
      std::int64_t value = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        std::int64_t const digit = text_[at_] - '0';
        if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10)
          broken_npy(file_, "an extent of the shape does not fit 64 bits");
        value = value * 10 + digit;
      }
      if (at_ == begin) broken_npy(file_, "the shape has what is no number at byte " + std::to_string(at_));
      extents.push_back(value);
      if (extents.size() > npy_most_rank) broken_npy(file_, "the shape has more than 32 extents");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::string const& file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::uint64_t npy_elements(std::string const& file, std::vector<std::int64_t> const& shape) {
  std::uint64_t count = 1;
  for (auto const extent : shape) {
    auto const n = static_cast<std::uint64_t>(extent);
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    if (n != 0 && count > most / n)
      throw Error(ErrorKind::resource_limit, {file, 0, 0}, ".npy: the shape has more than 2^60 elements");
    count *= n;
  }
  return count;
}

template <class T>
std::vector<T> read_npy_values(detail::ByteSource& source, std::uint64_t count) {
  std::vector<T> values;
  while (values.size() < count) {
    std::size_t const begin = values.size();
    auto const more = static_cast<std::size_t>(std::min<std::uint64_t>(count - begin, npy_block_values));
    values.resize(begin + more);
    std::size_t const got = source.read(reinterpret_cast<char*>(values.data() + begin), more * sizeof(T));
    if (got != more * sizeof(T))
      broken_npy(source.name(), "the data ends after " + std::to_string(begin * sizeof(T) + got) +
                                    " bytes, the shape has " + std::to_string(count * sizeof(T)));
  }
  char one;
  if (source.read(&one, 1) != 0)
    broken_npy(source.name(), "data follows the " + std::to_string(count * sizeof(T)) + " bytes of the shape");
  return values;
}

HostTensor read_npy_from(std::unique_ptr<detail::ByteSource> source, ReadOptions const& options) {
  static_assert(sizeof(float) == 4 && sizeof(double) == 8);
  std::string const file = source->name();
  if constexpr (std::endian::native != std::endian::little)
    throw Error(ErrorKind::unsupported, {file, 0, 0}, ".npy: this machine is not little-endian");
  unsigned char start[8];
  std::string_view const begin(reinterpret_cast<char const*>(start), npy_magic.size());
  if (source->read(reinterpret_cast<char*>(start), sizeof start) != sizeof start || begin != npy_magic)
    broken_npy(file, "the file does not begin as NumPy's do");
  unsigned const version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    throw Error(ErrorKind::unsupported, {file, 0, 0},
                ".npy: version " + std::to_string(version) + "." + std::to_string(start[7]) + ", expected 1.0 to 3.0");
  std::size_t const bytes = version == 1 ? 2 : 4;
  unsigned char of_length[4] = {};
  if (source->read(reinterpret_cast<char*>(of_length), bytes) != bytes) broken_npy(file, "the header is cut off");
  std::size_t length = 0;
  for (std::size_t i = 0; i < bytes; ++i) length |= std::size_t{of_length[i]} << (8 * i);
  if (length > npy_most_header)
    throw Error(
        ErrorKind::resource_limit, {file, 0, 0},
        ".npy: a header of " + std::to_string(length) + " bytes, the limit is " + std::to_string(npy_most_header));
  std::string text(length, '\0');
  if (source->read(text.data(), length) != length) broken_npy(file, "the header is cut off");
  NpyHeader const header = NpyHeaderParser(file, text).parse();
  bool const narrow = header.descr == "<f4";
  if (!narrow && header.descr != "<f8")
    throw Error(ErrorKind::unsupported, {file, 0, 0},
                ".npy: elements are '" + header.descr + "', expected '<f4' or '<f8' (float32 or float64)");
  if (header.fortran && header.shape.size() > 1)
    throw Error(ErrorKind::unsupported, {file, 0, 0}, ".npy: Fortran order, expected C order");
  std::uint64_t const count = npy_elements(file, header.shape);
  std::uint64_t const need = count * (narrow ? sizeof(float) : sizeof(double));
  std::uint64_t const limit = detail::memory_limit(options);
  if (need > limit)
    throw Error(
        ErrorKind::resource_limit, {file, 0, 0},
        ".npy: the tensor needs " + std::to_string(need) + " bytes, the limit is " + std::to_string(limit) + " bytes");
  if (auto const left = source->remaining(); left.exact && left.most != need)
    broken_npy(file, "the shape has " + std::to_string(need) + " bytes, the file " + std::to_string(left.most));
  HostTensor tensor;
  tensor.shape = header.shape;
  if (narrow) {
    tensor.values = read_npy_values<float>(*source, count);
  } else {
    tensor.values = read_npy_values<double>(*source, count);
  }
  return tensor;
}

}  // namespace

HostTensor read_npy(std::filesystem::path const& path, ReadOptions const& options) {
  return read_npy_from(detail::open_source(path, options), options);
}

HostTensor parse_npy(std::string_view bytes, std::string name, ReadOptions const& options) {
  return read_npy_from(detail::decompressed(detail::memory_source(bytes, std::move(name)), options), options);
}

void write_npy(std::filesystem::path const& path, HostTensor const& tensor) {
  if constexpr (std::endian::native != std::endian::little)
    throw Error(ErrorKind::unsupported, "araia::write_npy: this machine is not little-endian");
  std::uint64_t const count = npy_elements(path.string(), tensor.shape);
  std::visit(
      [&](auto const& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if (values.size() != count)
          throw Error(ErrorKind::dimension_mismatch, "araia::write_npy: values are " + std::to_string(values.size()) +
                                                         ", expected " + std::to_string(count) + " of the shape");
        std::string text = "{'descr': '<f" + std::to_string(sizeof(T)) + "', 'fortran_order': False, 'shape': (";
        for (auto const extent : tensor.shape) text += std::to_string(extent) + (tensor.shape.size() == 1 ? "," : ", ");
        if (tensor.shape.size() > 1) text.resize(text.size() - 2);
        text += "), }";
        std::size_t const before = npy_magic.size() + 4;
        while ((before + text.size() + 1) % npy_alignment != 0) text += ' ';
        text += '\n';
        std::string head(npy_magic);
        head += '\1';
        head += '\0';
        head += static_cast<char>(text.size() & 0xff);
        head += static_cast<char>(text.size() >> 8 & 0xff);
        detail::write_bytes_file(path, [&](detail::Sink const& sink) {
          sink(head + text);
          sink({reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T)});
        });
      },
      tensor.values);
}

}  // namespace araia
