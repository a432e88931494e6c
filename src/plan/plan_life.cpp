// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/plan/plan_life.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/written_out.hpp>

namespace araia::detail {
namespace {

struct Living {
  std::mutex mutex;
  std::vector<EndsWithKokkos*> all;
  bool hooked = false;
};

/// Never destroyed, as plans of static storage may end after anything of ours.
Living& living() {
  static auto* const those = new Living;
  return *those;
}

void end_the_living() {
  std::vector<EndsWithKokkos*> all;
  {
    std::lock_guard const lock(living().mutex);
    all.swap(living().all);
  }
  if (all.empty()) return;
  std::string first;
  for (auto* const one : all) {
    auto const name = one->end();
    if (first.empty()) first = name;
  }
  std::fprintf(stderr,
               "araia: %zu plan%s (%s) still existed at Kokkos::finalize and can no longer be used: destroy plans "
               "before it\n",
               all.size(), all.size() == 1 ? "" : "s", (all.size() == 1 ? first : first + ", ...").c_str());
}

}  // namespace

EndsWithKokkos::EndsWithKokkos() {
  auto& [mutex, all, hooked] = living();
  std::lock_guard const lock(mutex);
  if (!hooked) Kokkos::push_finalize_hook(end_the_living);
  hooked = true;
  all.push_back(this);
}

EndsWithKokkos::~EndsWithKokkos() {
  std::lock_guard const lock(living().mutex);
  std::erase(living().all, this);
}

void throw_ended() {
  throw Error(ErrorKind::invalid_argument,
              "araia::Plan: the plan holds nothing, as it was moved from or Kokkos::finalize came before its end");
}

void throw_values_changed(char const* what) {
  throw Error(ErrorKind::invalid_argument, std::string(what) +
                                               ": the values of the source changed since make_plan or update_values, "
                                               "expected a call of update_values first");
}

/// Bits that all depend on all of the index and the word: a sum of these tells words that changed places too.
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t index, std::uint32_t word) {
  std::uint64_t bits = index * 0x9E3779B97F4A7C15u + word;
  bits = (bits ^ (bits >> 32)) * 0xD6E8FEB86659FD93u;
  bits = (bits ^ (bits >> 32)) * 0xD6E8FEB86659FD93u;
  return bits ^ (bits >> 32);
}

template <class Exec>
static std::uint64_t sum_of_words(Exec const& exec, std::uint32_t const* words, std::int64_t count) {
  std::uint64_t sum = 0;
  reduce_indices(
      "araia::plan::checksum", IndexRange<Exec>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & part) { part += mixed(static_cast<std::uint64_t>(i), words[i]); },
      sum);
  exec.fence("araia::plan::checksum");
  return sum;
}

// Values of plans are of 4 bytes and more.
template <class Exec>
std::uint64_t checksum(Exec const& exec, WatchedArray const& array) {
  return sum_of_words(exec, static_cast<std::uint32_t const*>(array.data),
                      static_cast<std::int64_t>(array.bytes / sizeof(std::uint32_t)));
}

[[gnu::used]] static void write_out_checksum() {
  for_types<Spaces>([&]<class Exec>() { write_out(checksum<Exec>); });
}

}  // namespace araia::detail
