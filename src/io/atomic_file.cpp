// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/io/atomic_file.hpp"
#include <araia/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <random>
#include <string_view>
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
  constexpr int most_links = 40;  // as the kernel has it
  for (int links = 0; fs::is_symlink(fs::symlink_status(path)); ++links) {
    if (links == most_links)
      throw fs::filesystem_error("too many links", std::make_error_code(std::errc::too_many_symbolic_link_levels));
    fs::path const to = fs::read_symlink(path);
    path = to.is_absolute() ? to : directory_of(path) / to;
  }
  return path;
}

// Why an existing file may not be written, 0 where it may. Root passes every check of permissions: for it a file
// without any write bit is one that somebody wants to keep.
int refusal(fs::path const& file, mode_t mode) {
  if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  return (mode & 0222) == 0 ? EACCES : 0;
}

// Owner, group and mode of the old file. Best effort: a file system without permissions still gets its file.
void keep_access(int descriptor, struct stat const& old) {
  constexpr auto same_owner = static_cast<uid_t>(-1);
  mode_t mode = old.st_mode & 07777;
  struct stat now {};
  bool const known = ::fstat(descriptor, &now) == 0;
  bool const own = known && now.st_uid == old.st_uid;
  bool const of_group = known && now.st_gid == old.st_gid;
  if (!(own && of_group) && ::fchown(descriptor, old.st_uid, old.st_gid) != 0) {  // only root may give a file away
    if (!own) mode &= ~static_cast<mode_t>(S_ISUID);
    if (!of_group && ::fchown(descriptor, same_owner, old.st_gid) != 0) {
      // The new group was among the others, and the old one is now: either may do what both could.
      mode_t const both = (mode >> 3) & mode & 07;
      mode = (mode & (S_ISUID | S_ISVTX | 0700)) | both << 3 | both;
    }
  }
  if (::fchmod(descriptor, mode) != 0) errno = 0;
}

// A temporary file in memory that a signal handler may read.
struct Unfinished {
  std::atomic<bool> taken = false;
  std::atomic<bool> named = false;  // path is whole
  std::array<char, 4096> path{};    // longer ones cannot be opened
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may read it");
constinit std::array<Unfinished, 16> unfinished{};

int remember(fs::path const& temporary) {
  std::string const& path = temporary.native();
  for (std::size_t i = 0; i < unfinished.size() && path.size() < unfinished[i].path.size(); ++i) {
    if (unfinished[i].taken.exchange(true)) continue;
    std::memcpy(unfinished[i].path.data(), path.c_str(), path.size() + 1);
    unfinished[i].named = true;
    return static_cast<int>(i);
  }
  return -1;
}

void forget(int entry) {
  if (entry < 0) return;
  unfinished[static_cast<std::size_t>(entry)].named = false;
  unfinished[static_cast<std::size_t>(entry)].taken = false;
}

}  // namespace

int named_descriptor(fs::path const& path) {
  std::string const name = path.lexically_normal().string();
  if (name == "/dev/stdin") return STDIN_FILENO;  // to be refused where it is not for writing
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    auto const [end, error] = std::from_chars(name.data() + folder.size(), name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size() && number >= 0) return number;
  }
  return -1;
}

void remove_unfinished_files() noexcept {
  for (auto const& file : unfinished)
    if (file.named) ::unlink(file.path.data());
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  if (int const open = named_descriptor(path_); open >= 0) {
    // Opened by its path, a file would be written from its start, and a socket not at all.
    int const mode = ::fcntl(open, F_GETFL);
    if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) fail("write", EBADF);
    descriptor_ = ::fcntl(open, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail("open", errno);
    direct_ = true;
    return;
  }
  struct stat old {};
  bool const exists = ::stat(path_.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail("open", errno);
  if (exists && S_ISDIR(old.st_mode)) {
    throw Error(ErrorKind::invalid_argument, {path_.string()}, "cannot write: it is a directory, expected a file");
  }
  if (exists && !S_ISREG(old.st_mode)) {
    target_ = path_;
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("open", errno);
    direct_ = true;
    return;
  }
  if (int const error = exists ? refusal(path_, old.st_mode) : 0; error != 0) fail("write", error);
  try {
    target_ = followed(path_);
  } catch (fs::filesystem_error const& error) {
    fail("follow the link", error.code().value());
  }
  int error = EEXIST;
  for (int attempt = 0; attempt < 16 && descriptor_ < 0 && error == EEXIST; ++attempt) {
    temporary_ = directory_of(target_) / random_name();
    entry_ = remember(temporary_);  // first, so that no signal finds the file without its name
    descriptor_ =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, exists ? 0600 : 0666);
    error = errno;
    if (descriptor_ < 0) forget(std::exchange(entry_, -1));
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("create a temporary file beside it", error);
  }
  if (exists) keep_access(descriptor_, old);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget(entry_);
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
  if (!direct_ && ::fsync(descriptor_) != 0) fail("sync", errno);
  int const descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail("close", errno);
  if (direct_) return;
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
              "cannot " + action + ": " + std::generic_category().message(error) +
                  (direct_ ? "; part or all of it may be written" : "; nothing was changed"));
}

}  // namespace araia
