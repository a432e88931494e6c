// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/io/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/io/smtx.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <vector>

#include "../../src/io/gzip.hpp"
#include "../../src/io/memory_limit.hpp"
#include "io_test.hpp"
#include "support/sanitizer.hpp"

namespace {

using araia::test::outcome;
using araia::test::sanitized;

// What a child process, whose address space may grow by `bytes` and no more, makes of f.
std::string with_little_memory(rlim_t bytes, std::function<std::string()> const& f) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  pid_t const child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)), RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &limit);
    // What earlier tests have freed would come beside the limit: all of it is taken first.
    for (std::size_t size = std::size_t{64} << 20; size >= 1 << 12; size /= 2)
      for (void* volatile taken = std::malloc(size); taken;) taken = std::malloc(size);
    limit.rlim_cur += bytes;
    ::setrlimit(RLIMIT_AS, &limit);
    std::string text;
    try {
      text = f();
    } catch (std::bad_alloc const&) {
      text = "bad_alloc";
    }
    bool const sent = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  ssize_t const got = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) return "the child died";
  return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
}

TEST(HostileFiles, AHeaderThatPromisesTooMuchCostsNoMemoryAndNoTime) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory and time of their own";
  std::string const real = "%%MatrixMarket matrix coordinate real general\n";
  std::string const pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  std::string const array = "%%MatrixMarket matrix array real general\n";
  struct Row {
    std::string text;
    std::string outcome;
  };
  for (Row const& row : std::vector<Row>{
           {real + "3 3 1000000000000000000\n", "parse 2:5"},
           {real + "3 3 1000000000\n1 1 1\n", "parse 2:5"},
           {real + "3 3 9223372036854775807\n", "parse 2:5"},
           {real + "3 3 9223372036854775808\n", "parse 2:5"},
           {real + "3 3 18446744073709551615\n", "parse 2:5"},
           {real + "3 3 18446744073709551616\n", "parse 2:5"},
           {real + "3 3 -1\n", "parse 2:5"},
           {real + "1000000000000000000 3 0\n", "resource_limit"},
           {real + "3 1000000000000000000 0\n", "resource_limit"},
           {real + "9223372036854775806 9223372036854775806 0\n", "resource_limit"},
           {pattern + "1000000000000000000 1000000000000000000 1\n2 1\n", "resource_limit"},
           {pattern + "4 4 2\n2 1\n", "parse 2:5"},
           {array + "4294967296 4294967296\n", "parse 2:1"},
           {array + "9223372036854775806 9223372036854775806\n1\n", "parse 2:1"},
           {array + "3037000500 3037000500\n", "parse 2:1"},
           {"%%MatrixMarket matrix array real symmetric\n6074001000 6074001000\n", "parse 2:1"},
           {"%%MatrixMarket matrix array complex general\n1 2\n1 0\n", "parse 2:1"},
           {array + "0 9223372036854775806\n", "resource_limit"},
       }) {
    auto const& text = row.text;
    auto const& expected = row.outcome;
    std::clock_t const start = std::clock();  // of this process, whatever else runs
    EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(text, "file"); }), expected) << text;
    EXPECT_EQ(outcome([&] { return araia::parse_matrix_market_dense(text, "file"); }), expected) << text;
    EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC / 100) << text;
    EXPECT_EQ(
        with_little_memory(16 << 20, [&] { return outcome([&] { return araia::parse_matrix_market(text, "file"); }); }),
        expected)
        << text;
  }
}

TEST(HostileFiles, CompressedHeadersReserveNothing) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory and time of their own";
  // As many entries as the best compression could hold in these bytes, which are noise in a comment.
  std::string text = "%%MatrixMarket matrix coordinate real general\n3 3 400000000\n1 1 1\n%";
  for (std::uint32_t x = 1, k = 0; k < 4000000; ++k) {
    x = 1664525 * x + 1013904223;
    text += static_cast<char>('0' + (x >> 24) % 64);
  }
  araia::test::TemporaryDirectory const directory;
  auto const path = directory / "a.mtx.gz";
  {
    std::ofstream out(path, std::ios::binary);
    araia::detail::GzipWriter writer(
        [&out](std::string_view bytes) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
    writer.write(text);
    writer.finish();
  }
  EXPECT_EQ(with_little_memory(32 << 20,
                               [&] {
                                 return outcome([&] {
                                   return araia::read_matrix_market(
                                       path, {.threads = 1, .max_memory_bytes = std::uint64_t{1} << 40});
                                 });
                               }),
            "parse 5:1");
}

TEST(HostileFiles, ReadingTakesTheResultAndLittleMore) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory and time of their own";
  araia::test::TemporaryDirectory const directory;
  std::size_t const entries = 1000000;
  {
    // Written entry by entry: memory freed here would be memory that the child may use beyond its limit.
    std::ofstream out(directory / "a.mtx");
    out << "%%MatrixMarket matrix coordinate real general\n1000 1000 " << entries << '\n';
    for (std::size_t k = 0; k < entries; ++k) out << 1 + k / 1000 << ' ' << 1 + k % 1000 << " 1.5\n";
  }
  auto const read = [&] {
    // The child's address space is the limit that the test is of, not the one that the reader would take from it.
    araia::HostCoo const A =
        araia::read_matrix_market(directory / "a.mtx", {.threads = 1, .max_memory_bytes = std::uint64_t{1} << 40});
    return std::to_string(A.stored());
  };
  EXPECT_EQ(with_little_memory(16 * entries + (8 << 20), read), std::to_string(entries));
  EXPECT_EQ(with_little_memory(16 * entries - (4 << 20), read), "bad_alloc");
}

// What a pipe brings has no size that could be held against the header.
TEST(HostileFiles, MoreElementsThanCanBeCountedAreRefusedAtTheHeader) {
  for (std::string const sizes : {"general\n4000000000 4000000000\n", "symmetric\n5000000000 5000000000\n"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::string const text = "%%MatrixMarket matrix array real " + sizes;
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    EXPECT_EQ(outcome([&] { return araia::read_matrix_market("/dev/fd/" + std::to_string(ends[0])); }), "parse 2:1");
    ::close(ends[0]);
  }
}

TEST(HostileFiles, MemoryLimitNamesNeedAndLimit) {
  std::string const text = "%%MatrixMarket matrix coordinate real general\n1000 10 1\n1 1 1\n";
  try {
    (void)araia::parse_matrix_market(text, "file", {.max_memory_bytes = 8000});
    FAIL();
  } catch (araia::Error const& error) {
    EXPECT_EQ(error.kind(), araia::ErrorKind::resource_limit);
    EXPECT_STREQ(error.what(), "file: 1000 x 10 with 1 entries: needs 8024 bytes, the limit is 8000");
  }
  EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(text, "file", {.max_memory_bytes = 8024}); }),
            "1000x10 g i32 f64; 1 1 1");
  EXPECT_EQ(outcome([&] {
              return araia::parse_smtx("1000, 10, 0\n" + std::string(2002, '0'), "file", {.max_memory_bytes = 8000});
            }),
            "resource_limit");
}

// What is held while the result is made counts: the elements of an array beside its entries, the entries of a
// coordinate file beside a dense matrix.
TEST(HostileFiles, MemoryIsThatOfAllThatIsHeldAtOnce) {
  std::string text = "%%MatrixMarket matrix array real general\n50 4\n";
  for (int k = 0; k < 200; ++k) text += "1\n";
  auto const sparse = [&](std::uint64_t limit) {
    return outcome([&] { return araia::parse_matrix_market(text, "file", {.max_memory_bytes = limit}); });
  };
  EXPECT_EQ(sparse(200 * (8 + 16) - 1), "resource_limit");
  EXPECT_EQ(sparse(200 * (8 + 16)).substr(0, 4), "50x4");
  text = "%%MatrixMarket matrix coordinate real general\n10 10 100\n";
  for (int k = 0; k < 100; ++k) text += "1 1 1\n";
  auto const dense = [&](std::uint64_t limit) {
    return outcome([&] { return araia::parse_matrix_market_dense(text, "file", {.max_memory_bytes = limit}); });
  };
  EXPECT_EQ(dense(100 * (8 + 16) - 1), "resource_limit");
  EXPECT_EQ(dense(100 * (8 + 16)).substr(0, 5), "10x10");
  text = "%%MatrixMarket matrix array real symmetric\n10 10\n";
  for (int k = 0; k < 55; ++k) text += "1\n";
  EXPECT_EQ(dense(155 * 8 - 1), "resource_limit");
}

TEST(HostileFiles, LimitsOfCgroupsAndOfTheAddressSpaceCount) {
  araia::test::TemporaryDirectory const directory;
  auto const put = [&](std::string const& folder, std::string const& file, std::string const& text) {
    std::filesystem::create_directories(directory / folder);
    araia::test::put_content(directory / (folder + '/' + file), text);
  };
  auto const limit = [&](std::string const& membership) {
    return araia::detail::cgroup_memory(membership, directory / "");
  };
  constexpr std::uint64_t none = ~std::uint64_t{0};
  EXPECT_EQ(limit("0::/a/b\n"), none);
  put("a/b", "memory.max", "max\n");
  put("a", "memory.max", "1073741824\n");
  EXPECT_EQ(limit("0::/a/b\n"), 1073741824U);  // of the one around it
  EXPECT_EQ(limit("0::/a/b/missing"), 1073741824U);
  EXPECT_EQ(limit("0::/"), none);
  put(".", "memory.max", "5000");
  EXPECT_EQ(limit("0::/"), 5000U);  // in a container: the root is its own
  put("memory/job", "memory.limit_in_bytes", "4096\n");
  EXPECT_EQ(limit("4:cpu,memory:/job\n0::/\n"), 4096U);
  EXPECT_EQ(limit("4:cpu,memoryless:/job\n"), none);
  EXPECT_EQ(limit("junk\n:\n::\n"), 5000U);
  EXPECT_EQ(limit(""), none);
  put("a", "memory.max", "-1\n");
  put(".", "memory.max", "x");
  EXPECT_EQ(limit("0::/a"), none);
}

TEST(HostileFiles, TheDefaultLimitIsHalfOfWhatTheProcessMayHave) {
  EXPECT_LE(araia::default_host_memory_limit(), araia::process_memory() / 2);
  if (!sanitized) {
    EXPECT_EQ(with_little_memory(1 << 20,
                                 [] {
                                   rlimit space{};
                                   ::getrlimit(RLIMIT_AS, &space);
                                   bool const least = araia::process_memory() <= space.rlim_cur;
                                   bool const half = araia::default_host_memory_limit() <= space.rlim_cur / 2;
                                   return std::string(least && half ? "least" : "more");
                                 }),
              "least");
  }
  std::string const text = "%%MatrixMarket matrix coordinate real general\n1000 10 1\n1 1 1\n";
  auto const read = [&](std::uint64_t limit) {
    araia::set_default_host_memory_limit(limit);
    auto const got = outcome([&] { return araia::parse_matrix_market(text, "file"); });
    araia::set_default_host_memory_limit(araia::unset_memory_limit);
    return got;
  };
  EXPECT_EQ(read(8023), "resource_limit");
  EXPECT_EQ(read(8024), "1000x10 g i32 f64; 1 1 1");
}

TEST(HostileFiles, EveryPrefixAndEveryChangedByteHasAnOutcome) {
  std::string const market =
      "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 1.5e0\n2 1 -2\n3 3 nan\n";
  std::string const pattern = "% c\n2, 3, 3\n0 2 3\n0 2 1\n";
  auto const read = [](std::string const& text) {
    return outcome([&] {
      return text[0] == '%' && text[1] == '%' ? araia::parse_matrix_market(text, "file")
                                              : araia::parse_smtx(text, "file");
    });
  };
  for (std::string const& text : {market, pattern}) {
    for (std::size_t size = 2; size + 2 < text.size(); ++size) {
      EXPECT_EQ(read(text.substr(0, size)).substr(0, 6), "parse ") << size;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[at] = static_cast<char>(byte);
        std::string const got = read(changed);
        EXPECT_TRUE(got.substr(0, 6) == "parse " || got == "resource_limit" || got.find('x') < 2) << got;
      }
    }
  }
}

}  // namespace
