// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A file written whole or not at all: the old content stays until commit() has put the new one in its place.

#include <filesystem>
#include <string>
#include <string_view>

namespace araia {

/// Writes go to a temporary file in the directory of `path`. commit() syncs it to the device and renames it to `path`;
/// without commit() the destructor removes it. An existing file keeps its permissions, owner and group, as far as
/// the process may give them: where it may not give the group, group and others are left what both had. One that may
/// not be written is refused, though a rename would not ask; a symbolic link stays a link to its now replaced target. A
/// path that is no regular file (a pipe, a device) is written directly, and so is one that names an open descriptor
/// (/dev/stdout), from where that stands, whatever it leads to.
class AtomicFile {
 public:
  /// \throws araia::Error: device where the file cannot be created, may not be written (by root: has no write bit at
  ///         all) or is behind a loop of links; invalid_argument where `path` is a directory
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  /// \throws araia::Error (device) naming the path and the system's reason
  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(std::string const& action, int error) const;

  std::filesystem::path path_;       // as the caller named it
  std::filesystem::path target_;     // with symbolic links followed
  std::filesystem::path temporary_;  // empty where direct_, and once it is in place
  bool direct_ = false;              // a pipe, a device or an open descriptor
  int descriptor_ = -1;
  int entry_ = -1;  // of the temporary among those that remove_unfinished_files() knows
};

/// The descriptor that a path names by its number, open or not: /dev/stdout, /dev/stderr, /dev/fd/3, /proc/self/fd/3;
/// -1 for any other path.
[[nodiscard]] int named_descriptor(std::filesystem::path const& path);

/// Removes the temporary files that are not yet in place; what still writes one must not go on. For a process about to
/// end by a signal: async-signal-safe. Of more than 16 files under way at a time it knows 16.
void remove_unfinished_files() noexcept;

}  // namespace araia
