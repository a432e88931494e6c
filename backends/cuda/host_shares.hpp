// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work of packings on the host's threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace araia::cuda {

/// work(first, last) over [0, count) on `threads` threads, fewer where shares would hold less than `least`. What a
/// share throws, the first of them that does, is thrown here when all have ended.
template <class Work>
void share(std::int64_t count, int threads, Work const& work, std::int64_t least = 1) {
  std::int64_t const shares = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(count / least, 1));
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(shares));
  auto const run = [&](std::int64_t s) {
    try {
      work(count * s / shares, count * (s + 1) / shares);
    } catch (...) {
      thrown[static_cast<std::size_t>(s)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::int64_t s = 1; s < shares; ++s) others.emplace_back(run, s);
    run(0);
  }
  for (auto const& what : thrown)
    if (what) std::rethrow_exception(what);
}

/// work(i) for all of [0, count).
template <class Work>
void share_each(std::int64_t count, int threads, Work const& work, std::int64_t least = 1) {
  share(
      count, threads,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) work(i);
      },
      least);
}

}  // namespace araia::cuda
