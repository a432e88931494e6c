// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "byte_source.hpp"

#include <araia/detail/io/memory_limit.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "gzip.hpp"

namespace araia::detail {
namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(std::filesystem::path const& path) : ByteSource(path.string()) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) refuse("cannot open", errno);
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
      int const error = S_ISDIR(status.st_mode) ? EISDIR : errno;
      ::close(descriptor_);
      refuse("cannot read", error);
    }
    // Files under /proc claim size 0, so that only a size above it tells something.
    sized_ = S_ISREG(status.st_mode) && status.st_size > 0;
    left_ = sized_ ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
  ~FileSource() override { ::close(descriptor_); }

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    ssize_t got = 0;
    do got = ::read(descriptor_, to, size);
    while (got < 0 && errno == EINTR);
    if (got < 0) refuse("cannot read", errno);
    left_ -= std::min(left_, static_cast<std::uint64_t>(got));
    return static_cast<std::size_t>(got);
  }

  [[nodiscard]] Remaining remaining_behind() const override { return sized_ ? Remaining{left_, true} : Remaining{}; }

  [[noreturn]] void refuse(std::string const& action, int error) const {
    // What the path names cannot be read, whatever the machine does; all else (EIO, EMFILE) is the machine's.
    bool wrong_path = false;
    for (int const known : {ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, EACCES, EPERM, ELOOP, ENXIO, ENODEV})
      wrong_path = wrong_path || error == known;
    throw Error(wrong_path ? ErrorKind::invalid_argument : ErrorKind::device, {name()},
                action + ": " + std::generic_category().message(error));
  }

  int descriptor_ = -1;
  std::uint64_t left_ = 0;
  bool sized_ = false;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::string name) : ByteSource(std::move(name)), left_(bytes) {}

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    std::size_t const count = std::min(size, left_.size());
    if (count != 0) std::memcpy(to, left_.data(), count);
    left_.remove_prefix(count);
    return count;
  }
  [[nodiscard]] Remaining remaining_behind() const override { return {left_.size(), true}; }

  std::string_view left_;
};

// Compressions that are known by their first bytes and refused by name.
std::string_view refused_compression(std::string_view start) {
  if (start.size() >= 4 && start.substr(0, 3) == "BZh" && start[3] >= '1' && start[3] <= '9') return "bzip2 (.bz2)";
  if (start.substr(0, 6) == std::string_view("\xfd"
                                             "7zXZ\0",
                                             6)) {
    return "xz (.xz)";
  }
  if (start.substr(0, 4) == "\x28\xb5\x2f\xfd") return "zstd (.zst)";
  return {};
}

}  // namespace

std::size_t ByteSource::read(char* to, std::size_t size) {
  std::size_t const first = std::min(size, peeked_.size());
  if (first != 0) std::memcpy(to, peeked_.data(), first);
  peeked_.erase(0, first);
  std::size_t filled = first;
  while (filled < size) {
    std::size_t const got = read_some(to + filled, size - filled);
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

std::string_view ByteSource::peek(std::size_t size) {
  char more[64];
  while (peeked_.size() < std::min(size, sizeof more)) {
    std::size_t const got = read_some(more, std::min(size, sizeof more) - peeked_.size());
    if (got == 0) break;
    peeked_.append(more, got);
  }
  return std::string_view(peeked_).substr(0, size);
}

Remaining ByteSource::remaining() const {
  Remaining left = remaining_behind();
  if (left.most <= UINT64_MAX - peeked_.size()) left.most += peeked_.size();
  return left;
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, ReadOptions const& options) {
  std::string_view const start = source->peek(8);
  if (std::string_view const kind = refused_compression(start); !kind.empty()) {
    throw Error(ErrorKind::unsupported, {source->name()},
                "compressed with " + std::string(kind) + ", expected plain text or gzip (.gz)");
  }
  if (start.substr(0, 2) != "\x1f\x8b") return source;
  std::uint64_t const limit = memory_limit(options);
  std::uint64_t const cap = options.max_bytes != 0 ? options.max_bytes : limit > UINT64_MAX / 4 ? limit : 4 * limit;
  return gunzip(std::move(source), cap);
}

std::unique_ptr<ByteSource> open_source(std::filesystem::path const& path, ReadOptions const& options) {
  return decompressed(std::make_unique<FileSource>(path), options);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

std::uint64_t memory_limit(ReadOptions const& options) {
  return options.max_memory_bytes != 0 ? options.max_memory_bytes : default_host_memory_limit();
}

}  // namespace araia::detail
