// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work of packings on the host's threads.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace araia::cuda {

/// work(first, last) over [0, count) on `threads` threads, fewer where shares would hold less than `least`.
template <class Work>
void share(std::int64_t count, int threads, Work const& work, std::int64_t least = 1) {
  std::int64_t const shares = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(count / least, 1));
  std::vector<std::jthread> others;
  for (std::int64_t s = 1; s < shares; ++s)
    others.emplace_back([&work, first = count * s / shares, last = count * (s + 1) / shares] { work(first, last); });
  work(0, count / shares);
}

}  // namespace araia::cuda
