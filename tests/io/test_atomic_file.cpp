// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>
#include "src/io/atomic_file.hpp"
#include "src/io/escape.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

#include "io_test.hpp"
#include "support/errors.hpp"

namespace {

using araia::AtomicFile;
using araia::ErrorKind;
using araia::escape;
using araia::test::content;
using araia::test::kind_of;
using araia::test::put_content;
using araia::test::TemporaryDirectory;

// Files of more than `bytes` cannot be written while it lives, as on a full device.
class FullDevice {
 public:
  explicit FullDevice(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDevice() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDevice(FullDevice const&) = delete;
  FullDevice& operator=(FullDevice const&) = delete;

 private:
  rlimit old_{};
  void (*signal_)(int);
};

araia::HostCoo column_of(std::size_t rows) {
  araia::HostCoo A;
  A.rows = static_cast<std::int64_t>(rows);
  A.cols = 1;
  std::vector<std::int32_t> indices(rows);
  for (std::size_t i = 0; i < rows; ++i) indices[i] = static_cast<std::int32_t>(i);
  A.row_indices = indices;
  A.col_indices = std::vector<std::int32_t>(rows, 0);
  return A;
}

TEST(AtomicFile, CommitPutsTheWholeFileInPlace) {
  TemporaryDirectory const directory;
  auto const path = directory / "file";
  put_content(path, "old");
  ::chmod(path.c_str(), 0640);
  {
    AtomicFile file(path);
    file.write("new ");
    file.write("content");
    EXPECT_EQ(content(path), "old");
    file.commit();
  }
  EXPECT_EQ(content(path), "new content");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0640});
  EXPECT_EQ(directory.files(), 1U);
}

std::string access_of(std::filesystem::path const& path) {
  struct stat found {};
  ::stat(path.c_str(), &found);
  std::ostringstream out;
  out << found.st_uid << ':' << found.st_gid << ' ' << std::oct << (found.st_mode & 07777);
  return out.str();
}

void replace(std::filesystem::path const& path) {
  AtomicFile file(path);
  file.write("new");
  file.commit();
}

TEST(AtomicFile, OwnerAndGroupStay) {
  TemporaryDirectory const directory;
  auto const path = directory / "file";
  put_content(path, "old");
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  groups.resize(static_cast<std::size_t>(std::max(0, ::getgroups(static_cast<int>(groups.size()), groups.data()))));
  bool given = ::chown(path.c_str(), 4321, 8765) == 0;
  for (gid_t const group : groups)
    given = given || (group != ::getegid() && ::chown(path.c_str(), static_cast<uid_t>(-1), group) == 0);
  if (!given) GTEST_SKIP() << "this process has one group, and may give files to no other";
  ::chmod(path.c_str(), 0640);
  auto const before = access_of(path);
  replace(path);
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(access_of(path), before);
}

TEST(AtomicFile, NobodyGainsAccessWhereTheGroupCannotBeKept) {
  TemporaryDirectory const directory;
  auto const path = directory / "file";
  put_content(path, "old");
  ::chmod((directory / ".").c_str(), 0777);
  if (::chown(path.c_str(), 4321, 8765) != 0) GTEST_SKIP() << "needs root, which may give files away";
  for (auto const& [mode, kept] : {std::pair(0656, "644"), std::pair(06626, "622"), std::pair(0666, "666")}) {
    ASSERT_EQ(::chown(path.c_str(), 4321, 8765), 0);
    ::chmod(path.c_str(), static_cast<mode_t>(mode));
    pid_t const child = ::fork();
    if (child == 0) {
      if (::setgroups(0, nullptr) != 0 || ::setgid(5432) != 0 || ::setuid(5432) != 0) ::_exit(2);
      if (::access(path.c_str(), F_OK) != 0) ::_exit(3);
      try {
        replace(path);
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "needs root, which may become another";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) GTEST_SKIP() << "needs a directory that others reach";
    ASSERT_EQ(status, 0);
    EXPECT_EQ(access_of(path), std::string("5432:5432 ") + kept);
  }
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  TemporaryDirectory const directory;
  { AtomicFile(directory / "new").write("text"); }
  EXPECT_EQ(directory.files(), 0U);
}

// What is written to a link stays behind it.
void expect_link_followed(TemporaryDirectory const& directory) {
  std::filesystem::create_symlink("target", directory / "link");
  AtomicFile file(directory / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
  EXPECT_EQ(content(directory / "target"), "new");
}

TEST(AtomicFile, ALinkStaysAndItsTargetIsReplaced) {
  TemporaryDirectory const directory;
  put_content(directory / "target", "old");
  expect_link_followed(directory);
}

TEST(AtomicFile, ADeviceIsWrittenInPlace) {
  AtomicFile file("/dev/null");
  file.write("text");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, ADeviceThatFailsToCloseMayBeWritten) {
  int const next = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::close(next);
  AtomicFile file("/dev/null");
  file.write("text");
  ASSERT_EQ(::close(next), 0);  // the number that came next is the file's
  std::string message;
  EXPECT_EQ(kind_of([&] { file.commit(); }, &message), ErrorKind::device);
  EXPECT_NE(message.find("cannot close"), message.npos) << message;
  EXPECT_NE(message.find("all of it may be written"), message.npos) << message;
}

TEST(AtomicFile, RefusesWhatCannotBeCreated) {
  TemporaryDirectory const directory;
  put_content(directory / "file", "x");
  EXPECT_EQ(kind_of([&] { AtomicFile(directory / "missing" / "file"); }), ErrorKind::device);
  EXPECT_EQ(kind_of([&] { AtomicFile(directory / "file" / "below"); }), ErrorKind::device);
  EXPECT_EQ(kind_of([&] { AtomicFile(directory / "."); }), ErrorKind::invalid_argument);
  std::filesystem::create_symlink("loop", directory / "loop");
  EXPECT_EQ(kind_of([&] { AtomicFile(directory / "loop" / "file"); }), ErrorKind::device);
}

TEST(AtomicFile, RefusesALoopOfLinksAndLeavesIt) {
  TemporaryDirectory const directory;
  std::filesystem::create_symlink("b", directory / "a");
  std::filesystem::create_symlink("a", directory / "b");
  EXPECT_EQ(kind_of([&] { AtomicFile(directory / "a"); }), ErrorKind::device);
  EXPECT_EQ(std::filesystem::read_symlink(directory / "a"), "b");
  EXPECT_EQ(std::filesystem::read_symlink(directory / "b"), "a");
  EXPECT_EQ(directory.files(), 2U);
}

TEST(AtomicFile, ALinkToNothingYetIsFollowed) {
  TemporaryDirectory const directory;
  expect_link_followed(directory);
}

TEST(AtomicFile, RefusesAFileThatMayNotBeWritten) {
  TemporaryDirectory const directory;
  put_content(directory / "file", "old");
  std::filesystem::create_symlink("file", directory / "link");
  ::chmod((directory / "file").c_str(), 0444);
  for (auto const name : {"file", "link"})
    EXPECT_EQ(kind_of([&] { AtomicFile(directory / name); }), ErrorKind::device) << name;
  EXPECT_EQ(content(directory / "file"), "old");
  EXPECT_EQ(directory.files(), 2U);
  ::chmod((directory / "file").c_str(), 0644);
  AtomicFile(directory / "file").commit();
  EXPECT_EQ(content(directory / "file"), "");
}

TEST(AtomicFile, UnfinishedFilesAreRemovedAndFinishedOnesStay) {
  TemporaryDirectory const directory;
  for (int round = 0; round < 20; ++round) {  // more files than are known at a time: entries are given back
    AtomicFile done(directory / "done");
    done.write("text");
    done.commit();
    { AtomicFile(directory / "dropped").write("text"); }
    AtomicFile first(directory / "first");
    AtomicFile second(directory / "second");
    EXPECT_EQ(directory.files(), 3U);
    araia::remove_unfinished_files();
    EXPECT_EQ(directory.files(), 1U) << round;
  }
  EXPECT_EQ(content(directory / "done"), "text");
}

TEST(AtomicFile, AFullDeviceLeavesTheOldFileAndNothingBeside) {
  TemporaryDirectory const directory;
  for (std::string const name : {"a.mtx", "a.mtx.gz"}) {
    auto const path = directory / name;
    put_content(path, "old");
    std::size_t const before = directory.files();
    araia::HostCoo const A = column_of(100000);
    {
      FullDevice const full(50000);
      EXPECT_EQ(kind_of([&] { araia::write_matrix_market(path, A); }), ErrorKind::device) << name;
    }
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(directory.files(), before);
  }
}

TEST(AtomicFile, AMatrixThatCannotBeWrittenLeavesTheOldFile) {
  TemporaryDirectory const directory;
  put_content(directory / "a.mtx", "old");
  araia::HostCoo A = column_of(10);
  A.cols = 0;
  EXPECT_EQ(kind_of([&] { araia::write_matrix_market(directory / "a.mtx", A); }), ErrorKind::invalid_structure);
  EXPECT_EQ(content(directory / "a.mtx"), "old");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(AtomicFile, ADescriptorIsWrittenFromWhereItStands) {
  TemporaryDirectory const directory;
  int const open = ::open((directory / "a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::write(open, "old ", 4), 4);
  for (std::string const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    AtomicFile file(folder + std::to_string(open));
    file.write("new ");
    file.commit();
  }
  ::close(open);
  EXPECT_EQ(content(directory / "a"), "old new new ");
  EXPECT_EQ(directory.files(), 1U);
  int const reading = ::open((directory / "a").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(kind_of([&] { AtomicFile const file("/dev/fd/" + std::to_string(reading)); }), ErrorKind::device);
  ::close(reading);
  EXPECT_EQ(kind_of([&] { AtomicFile const file("/dev/fd/999999"); }), ErrorKind::device);
  EXPECT_EQ(araia::named_descriptor("/dev/../dev/stdout"), 1);
  EXPECT_EQ(araia::named_descriptor("/dev/fd/3x"), -1);
  EXPECT_EQ(araia::named_descriptor("stdout"), -1);
}

TEST(Escape, LeavesPrintableCharactersAndNothingElse) {
  using namespace std::string_literals;
  EXPECT_EQ(escape("plain text, 1.5e3"), "plain text, 1.5e3");
  EXPECT_EQ(escape("\x1b[2J\n\t\0\x7f %s \\"s), "\\x1b[2J\\x0a\\x09\\x00\\x7f %s \\");
  EXPECT_EQ(escape("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");   // e', EUR, :-D
  EXPECT_EQ(escape("\xc2\x9b"), "\\xc2\\x9b");           // a control beyond ASCII
  EXPECT_EQ(escape("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // from right to left
  for (std::string const bad : {"\xc3", "\xa9", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_EQ(escape(bad + "a").size(), 4 * bad.size() + 1) << bad;
  EXPECT_EQ(escape(escape("\x1b\\n\xff")), escape("\x1b\\n\xff"));
  EXPECT_EQ(escape(std::string(256, 'a')), std::string(256, 'a'));
  EXPECT_EQ(escape(std::string(257, 'a')), std::string(253, 'a') + "...");
  EXPECT_EQ(escape(std::string(1000, '\n')).size(), 255U);  // no escape is cut in two
  EXPECT_EQ(escape("abcdef", 5), "ab...");
  EXPECT_EQ(escape("\xc3\xa9\xc3\xa9\xc3\xa9", 5), "\xc3\xa9...");
  EXPECT_EQ(escape("abcdef", 2), "..");
}

TEST(Escape, KeepsUtf8ForJson) {
  EXPECT_EQ(araia::valid_utf8("\xc3\xa9\\\n\x1b"), "\xc3\xa9\\\n\x1b");
  EXPECT_EQ(araia::valid_utf8("a\xff"
                              "b\xc3"),
            "a\\xff"
            "b\\xc3");
  EXPECT_EQ(araia::valid_utf8(std::string(1000, 'a')), std::string(1000, 'a'));
}

}  // namespace
