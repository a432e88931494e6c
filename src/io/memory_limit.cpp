// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_limit.hpp"

#include <araia/detail/io/memory_limit.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace araia {
namespace detail {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};

// The number that a file holds; none for "max", and where there is no such file.
std::uint64_t number_in(std::filesystem::path const& path) {
  std::string text;
  std::ifstream(path) >> text;
  std::uint64_t number = none;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : none;
}

// Of a cgroup and of all those that hold it. A process in a container may see a part of the path alone, or nothing but
// its own cgroup at the root.
std::uint64_t least_upwards(std::filesystem::path const& root, std::filesystem::path of, char const* file) {
  std::uint64_t least = number_in(root / file);
  for (; of.has_relative_path(); of = of.parent_path())
    least = std::min(least, number_in(root / of.relative_path() / file));
  return least;
}

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at <= list.size();) {
    std::size_t const comma = std::min(list.find(',', at), list.size());
    if (list.substr(at, comma - at) == word) return true;
    at = comma + 1;
  }
  return false;
}

std::uint64_t physical_memory() {
  long const pages = ::sysconf(_SC_PHYS_PAGES);
  long const page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::uint64_t{1} << 32;  // unknown: 4 GiB
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::uint64_t address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return none;
  return limit.rlim_cur;
}

std::atomic<std::uint64_t> set_limit{unset_memory_limit};

}  // namespace

std::uint64_t cgroup_memory(std::string_view membership, std::filesystem::path const& root) {
  std::uint64_t least = none;
  while (!membership.empty()) {
    std::size_t const end = std::min(membership.find('\n'), membership.size());
    std::string_view const line = membership.substr(0, end);
    membership.remove_prefix(std::min(end + 1, membership.size()));
    std::size_t const first = line.find(':');
    std::size_t const second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    std::string_view const controllers = line.substr(first + 1, second - first - 1);
    std::filesystem::path const path(line.substr(second + 1));
    if (controllers.empty()) least = std::min(least, least_upwards(root, path, "memory.max"));
    if (has_word(controllers, "memory"))
      least = std::min(least, least_upwards(root / "memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace detail

std::uint64_t process_memory() {
  // Looked up once: conversions ask for every matrix.
  static std::uint64_t const of_machine = [] {
    std::ifstream file("/proc/self/cgroup");
    std::string const membership{std::istreambuf_iterator<char>(file), {}};
    return std::min(detail::physical_memory(), detail::cgroup_memory(membership, "/sys/fs/cgroup"));
  }();
  return std::min(of_machine, detail::address_space());
}

std::uint64_t default_host_memory_limit() {
  std::uint64_t const set = detail::set_limit.load(std::memory_order_relaxed);
  return set == unset_memory_limit ? process_memory() / 2 : set;
}

void set_default_host_memory_limit(std::uint64_t bytes) { detail::set_limit.store(bytes, std::memory_order_relaxed); }

}  // namespace araia
