// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/atomic_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

namespace araia {
namespace {

namespace fs = std::filesystem;

std::string random_name() {
  std::random_device entropy;
  std::string name = ".araia-";
  for (int i = 0; i < 16; ++i) name += "0123456789abcdef"[entropy() & 15U];
  return name + ".tmp";  // not made of the target's name, which may already be as long as names can be
}

fs::path directory_of(fs::path const& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// A link is followed to the file it names, which may be yet to come.
fs::path followed(fs::path path) {
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path)); ++links) {
    fs::path const to = fs::read_symlink(path);
    path = to.is_absolute() ? to : directory_of(path) / to;
  }
  return path;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  struct stat old {};
  bool const exists = ::stat(path_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) {
    throw Error(ErrorKind::invalid_argument, {path_.string()}, "cannot write: it is a directory, expected a file");
  }
  if (exists && !S_ISREG(old.st_mode)) {
    target_ = path_;
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("open", errno);
    return;
  }
  try {
    target_ = followed(path_);
  } catch (fs::filesystem_error const& error) {
    fail("follow the link", error.code().value());
  }
  int error = EEXIST;
  for (int attempt = 0; attempt < 16 && descriptor_ < 0 && error == EEXIST; ++attempt) {
    temporary_ = directory_of(target_) / random_name();
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    error = errno;
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("create a temporary file beside it", error);
  }
  // Best effort: a file system without permissions still gets its file.
  if (exists && ::fchmod(descriptor_, old.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", written < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  bool const direct = temporary_.empty();
  if (!direct && ::fsync(descriptor_) != 0) fail("sync", errno);
  int const descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail("close", errno);
  if (direct) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("replace", errno);
  temporary_.clear();
  // The rename is done and seen by all; syncing its directory only hastens it to the device, so a refusal is no error.
  int const directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

void AtomicFile::fail(std::string const& action, int error) const {
  throw Error(ErrorKind::device, {path_.string()},
              "cannot " + action + ": " + std::generic_category().message(error) + "; nothing was changed");
}

}  // namespace araia
