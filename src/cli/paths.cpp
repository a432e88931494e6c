// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be written where, decided by names and inodes before anything is read.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "src/io/atomic_file.hpp"
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

namespace fs = std::filesystem;

/// ".mtx" of "a.mtx" and "a.mtx.gz"; empty where nothing stands before it: ".mtx" is a name without a suffix.
std::string suffix_of(fs::path const& path) {
  return (path.extension() == ".gz" ? path.stem() : path).extension().string();
}

bool is_pipe_or_device(fs::path const& path) {
  std::error_code unknown;
  auto const type = fs::status(path, unknown).type();
  return type == fs::file_type::fifo || type == fs::file_type::character || type == fs::file_type::socket;
}

bool same_file(struct stat const& a, struct stat const& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

bool is_written_directly(std::string const& path) { return named_descriptor(path) >= 0 || is_pipe_or_device(path); }

bool is_standard_output(std::string const& path) {
  struct stat out {};
  struct stat standard {};
  struct stat null {};
  if (::fstat(STDOUT_FILENO, &standard) != 0) return false;
  int const descriptor = named_descriptor(path);
  if ((descriptor >= 0 ? ::fstat(descriptor, &out) : ::stat(path.c_str(), &out)) != 0) return false;
  return same_file(out, standard) && !(::stat("/dev/null", &null) == 0 && same_file(out, null));
}

void require_writable(PathArgument const& out, bool json) {
  if (json && is_standard_output(out.path))
    throw Failure(Exit::usage, formatted("--json is for standard output, which {} {} takes too; expected another",
                                         out.argument, in_quotes(out.path)));
  // A pipe that is opened and closed again would tell its reader that nothing comes.
  if (named_descriptor(out.path) >= 0 || !is_pipe_or_device(out.path)) AtomicFile const never_put_in_place(out.path);
}

std::string shortened(std::string_view text, std::size_t most) {
  static constexpr std::string_view dots = "...";
  struct Character {
    std::size_t end;    // bytes of the text up to behind the character
    std::size_t shown;  // bytes of it, escaped
  };
  std::vector<Character> characters;
  for (std::size_t at = 0; at < text.size();) {
    auto const first = first_character(text.substr(at));
    at += first.bytes;
    characters.push_back({at, first.printable ? first.bytes : 4 * first.bytes});
  }
  std::size_t const room = most - dots.size();
  std::size_t used = 0;
  std::size_t head = 0;
  for (; head < characters.size() && used + characters[head].shown <= room / 3; ++head) used += characters[head].shown;
  std::size_t tail = characters.size();  // longer than the head: reasons stand there
  for (; tail > head && used + characters[tail - 1].shown <= room; --tail) used += characters[tail - 1].shown;
  std::size_t left_out = 0;
  for (std::size_t i = head; i < tail && left_out <= dots.size(); ++i) left_out += characters[i].shown;
  if (left_out <= dots.size()) return std::string(text);
  auto const end_of = [&](std::size_t count) { return count == 0 ? 0 : characters[count - 1].end; };
  return std::string(text.substr(0, end_of(head))).append(dots).append(text.substr(end_of(tail)));
}

std::string in_quotes(std::string_view path) {
  constexpr std::size_t most = 400;  // bytes: two of them leave room for what is said of them
  return '\'' + shortened(path, most) + '\'';
}

void require_suffix(PathArgument const& out, std::initializer_list<std::string_view> known) {
  if (is_written_directly(out.path)) return;
  std::string const got = suffix_of(out.path);
  std::string expected;
  for (auto const suffix : known) {
    if (got == suffix) return;
    expected += (expected.empty() ? "NAME" : " or NAME") + std::string(suffix);
  }
  throw Failure(Exit::usage, formatted("{} is {}, expected {}, also with .gz, or a pipe or device", out.argument,
                                       in_quotes(out.path), expected));
}

void require_other_file(PathArgument const& out, std::initializer_list<PathArgument> inputs) {
  struct stat of_out {};
  struct stat of_in {};
  // Devices keep nothing, a socket has two directions, and what is not there is not the same.
  if (::stat(out.path.c_str(), &of_out) != 0 || S_ISCHR(of_out.st_mode) || S_ISSOCK(of_out.st_mode)) return;
  for (auto const& in : inputs) {
    if (::stat(in.path.c_str(), &of_in) == 0 && same_file(of_out, of_in))
      throw Failure(Exit::usage, formatted("{} {} is the same file as {} {}, which it would replace; expected another",
                                           out.argument, in_quotes(out.path), in.argument, in_quotes(in.path)));
  }
}

void require_streams_once(std::initializer_list<PathArgument> inputs) {
  struct Stream {
    PathArgument named;
    struct stat status;
  };
  std::vector<Stream> streams;
  for (auto const& in : inputs) {
    struct stat status {};
    // What is not there is told by whoever opens it; files begin anew, as terminals do behind their end.
    if (::stat(in.path.c_str(), &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) continue;
    for (auto const& [named, other] : streams)
      if (same_file(status, other))
        throw Failure(Exit::usage, formatted("{} {} is the same stream as {} {}, which can be read but once; expected "
                                             "a file or another stream",
                                             in.argument, in_quotes(in.path), named.argument, in_quotes(named.path)));
    streams.push_back({in, status});
  }
}

}  // namespace araia::cli
