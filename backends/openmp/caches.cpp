// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/caches.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

namespace araia::host {

namespace {

// Of a machine of which nothing is known.
constexpr Caches usual{.l1 = std::int64_t{1} << 15, .l2 = std::int64_t{1} << 20, .last = std::int64_t{1} << 24};

/// Processors in one of Linux's maps: hexadecimal digits, commas between them.
int processors_of(std::string const& map) {
  int count = 0;
  for (char const digit : map)
    if (digit != ',')
      count += std::popcount(static_cast<unsigned>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10) & 15U);
  return count;
}

/// Linux; glibc's sysconf gives all third-level caches of an AMD socket together.
Caches from_sysfs() {
  Caches found{.l1 = 0, .l2 = 0, .last = 0};
  for (int index = 0; index < 8; ++index) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + '/';
    int level = 0;
    std::int64_t bytes = 0;
    std::string type;
    char unit = ' ';
    if (!(std::ifstream(folder + "level") >> level)) break;
    if (!(std::ifstream(folder + "type") >> type) || type == "Instruction") continue;
    std::ifstream size(folder + "size");
    if (!(size >> bytes)) continue;
    if (size >> unit) bytes <<= unit == 'M' ? 20 : unit == 'K' ? 10 : 0;
    if (level == 1) found.l1 = bytes;
    if (level == 2) found.l2 = bytes;
    if (bytes <= found.last) continue;
    found.last = bytes;
    std::string map;
    if (std::ifstream(folder + "shared_cpu_map") >> map) found.sharers = std::max(1, processors_of(map));
  }
  return found;
}

Caches from_sysconf() {
  Caches found{.l1 = 0, .l2 = 0, .last = 0};
#ifdef _SC_LEVEL3_CACHE_SIZE
  found.l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  found.l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  found.last = std::max<std::int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), found.l2);
#endif
  return found;
}

Caches caches_of_system() {
  Caches found = usual;
  for (Caches const& told : {from_sysconf(), from_sysfs()}) {
    if (told.l1 > 0) found.l1 = told.l1;
    if (told.l2 > 0) found.l2 = told.l2;
    if (told.last > 0) found.last = told.last, found.sharers = told.sharers;
  }
  found.whole = found.sharers >= sysconf(_SC_NPROCESSORS_ONLN);
  return found;
}

}  // namespace

Caches const& caches() {
  static Caches const found = caches_of_system();
  return found;
}

}  // namespace araia::host
