// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace araia::detail {
namespace {

constexpr int gzip_window = 15 + 16;            // largest window, gzip header and trailer
constexpr std::uint64_t most_expansion = 1032;  // deflate cannot put more bytes into one
constexpr std::size_t buffer_bytes = 1 << 16;

Bytef* bytes_of(char* p) { return reinterpret_cast<Bytef*>(p); }

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> compressed, std::uint64_t cap)
      : ByteSource(compressed->name()), compressed_(std::move(compressed)), cap_(cap), input_(buffer_bytes, '\0') {
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    if (done_) return 0;
    auto const space = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
    stream_.next_out = bytes_of(to);
    stream_.avail_out = space;
    while (stream_.avail_out == space && !done_) {
      refill();
      if (stream_.avail_in == 0) refuse("the compressed data ends early");
      int const status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_STREAM_END) {
        next_member();
      } else if (status != Z_OK) {
        refuse(std::string("corrupt compressed data: ") + (stream_.msg != nullptr ? stream_.msg : "invalid"));
      }
    }
    std::size_t const got = space - stream_.avail_out;
    total_ += got;
    if (total_ > cap_) {
      throw Error(ErrorKind::resource_limit, {name()},
                  "the decompressed text needs more than the limit of " + std::to_string(cap_) + " bytes");
    }
    return got;
  }

  [[nodiscard]] Remaining remaining_behind() const override {
    std::uint64_t const left = compressed_->remaining().most;
    if (left > UINT64_MAX / (2 * most_expansion)) return {};
    return {(left + stream_.avail_in + 1024) * most_expansion, false};  // 1024: what inflate holds back
  }

  void refill() {
    if (stream_.avail_in != 0) return;
    stream_.next_in = bytes_of(input_.data());
    stream_.avail_in = static_cast<uInt>(compressed_->read(input_.data(), input_.size()));
  }

  // Members may follow each other; zeros may pad the end.
  void next_member() {
    refill();
    if (stream_.avail_in != 0 && *stream_.next_in == 0x1f) {
      inflateReset(&stream_);
      return;
    }
    for (; stream_.avail_in != 0; refill()) {
      if (std::any_of(stream_.next_in, stream_.next_in + stream_.avail_in, [](Bytef b) { return b != 0; })) {
        refuse("bytes that are no gzip data follow the compressed data");
      }
      stream_.avail_in = 0;
    }
    done_ = true;
  }

  [[noreturn]] void refuse(std::string const& reason) const { throw Error(ErrorKind::parse, {name()}, reason); }

  std::unique_ptr<ByteSource> compressed_;
  std::uint64_t cap_;
  std::uint64_t total_ = 0;
  std::string input_;
  z_stream stream_{};
  bool done_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, std::uint64_t cap) {
  return std::make_unique<GzipSource>(std::move(compressed), cap);
}

struct GzipWriter::Stream {
  z_stream z{};
  std::array<char, buffer_bytes> out{};
  Stream() {
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Stream() { deflateEnd(&z); }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
};

GzipWriter::GzipWriter(Sink out) : out_(std::move(out)), stream_(std::make_unique<Stream>()) {}
GzipWriter::~GzipWriter() = default;

void GzipWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::string_view const block = bytes.substr(0, 1U << 30);
    deflate(block, Z_NO_FLUSH);
    bytes.remove_prefix(block.size());
  }
}

void GzipWriter::finish() { deflate({}, Z_FINISH); }

void GzipWriter::deflate(std::string_view bytes, int flush) {
  z_stream& z = stream_->z;
  z.next_in = bytes_of(const_cast<char*>(bytes.data()));  // zlib only reads it
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = bytes_of(stream_->out.data());
    z.avail_out = static_cast<uInt>(stream_->out.size());
    if (::deflate(&z, flush) == Z_STREAM_ERROR) throw Error(ErrorKind::internal, "gzip stream in a wrong state");
    out_({stream_->out.data(), stream_->out.size() - z.avail_out});
  } while (z.avail_out == 0);
}

}  // namespace araia::detail
