// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Loops over indices and teams: Kokkos's on devices; on hosts a few parallel loops that serve every body through a
// pointer, called once a chunk of the indices or once a team. A loop of Kokkos's of its own for each body takes g++
// three to six times as long to compile (of a reduction 170 ms in place of 25 at -O3), and hosts ran some hundreds of
// them in every unit that converts. Inside a chunk the body is a plain loop that the compiler sees.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include <araia/detail/formats/first_failure.hpp>
#include <araia/detail/formats/team_shape.hpp>

namespace araia::detail {

template <class Exec>
using IndexRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
/// Host: chunks of the policy's size go to whoever is free.
template <class Exec>
using DynamicRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

/// Do loops of Exec go through run_chunks? Its launches wait for their end, so that what they point at may lie on the
/// stack, and its threads call functions of the host.
template <class Exec>
inline constexpr bool shares_loops = false
#ifdef KOKKOS_ENABLE_SERIAL
                                     || std::is_same_v<Exec, Kokkos::Serial>
#endif
#ifdef KOKKOS_ENABLE_OPENMP
                                     || std::is_same_v<Exec, Kokkos::OpenMP>
#endif
    ;

/// Host: the indices of a range in chunks: of a DynamicRange, of its chunk size; else one a thread, whose sizes differ
/// by one at most, as OpenMP's static schedule has them.
struct HostChunks {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t count;
  std::int64_t items;   // of a chunk
  std::int64_t longer;  // the first so many chunks have one more

  template <class Policy>
  explicit HostChunks(Policy const& range)
      : begin(range.begin()), end(std::max<std::int64_t>(range.begin(), range.end())) {
    std::int64_t const indices = end - begin;
    if constexpr (std::is_same_v<typename Policy::schedule_type::type, Kokkos::Dynamic>) {
      items = std::max<std::int64_t>(1, range.chunk_size());
      longer = 0;
      count = (indices + items - 1) / items;
    } else {
      count = std::min<std::int64_t>(range.space().concurrency(), indices);
      items = count > 0 ? indices / count : 0;
      longer = indices - count * items;
    }
  }
  [[nodiscard]] std::int64_t first(std::int64_t chunk) const { return begin + chunk * items + std::min(chunk, longer); }
  [[nodiscard]] std::int64_t last(std::int64_t chunk) const { return std::min(first(chunk + 1), end); }
};

/// Host: what is done with a chunk, without its type.
struct HostBody {
  void const* work;
  void (*run)(void const* work, std::int64_t first, std::int64_t last);
};

/// Host: a chunk's part of a result, in a line of cache of its own.
struct alignas(64) HostPart {
  unsigned char bytes[64];

  template <class Value>
  [[nodiscard]] Value get() const {
    static_assert(std::is_arithmetic_v<Value>);
    Value value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  template <class Value>
  void set(Value value) {
    std::memcpy(bytes, &value, sizeof value);
  }
};

/// Host: what is done with a chunk that takes part in a result.
struct HostPartBody {
  void const* work;
  void (*run)(void const* work, std::int64_t first, std::int64_t last, HostPart& part);
};

/// run(chunk, its first index, its end) for every chunk. Run: one of the two types in this file, so that there is one
/// such loop a policy. An exception of one chunk, as where memory ends, leaves the loop when all others are done.
template <class Policy, class Run>
static void run_chunks_by(char const* label, Policy const& range, Run const& run) {
  HostChunks const chunks(range);
  FirstFailure failure;
  using Chunks = Kokkos::RangePolicy<typename Policy::execution_space, Kokkos::IndexType<std::int64_t>,
                                     Kokkos::Schedule<typename Policy::schedule_type::type>>;
  Kokkos::parallel_for(
      label, Chunks(range.space(), 0, chunks.count, Kokkos::ChunkSize(1)),
      [=, failed = &failure](std::int64_t p) { failed->guard([&] { run(p, chunks.first(p), chunks.last(p)); }); });
  failure.rethrow();
}

template <class Policy>
static void run_chunks(char const* label, Policy const& range, HostBody const& body) {
  run_chunks_by(label, range,
                [=](std::int64_t, std::int64_t first, std::int64_t last) { body.run(body.work, first, last); });
}

template <class Policy>
static void run_chunks(char const* label, Policy const& range, HostPartBody const& body, HostPart* parts) {
  run_chunks_by(label, range, [=](std::int64_t chunk, std::int64_t first, std::int64_t last) {
    body.run(body.work, first, last, parts[chunk]);
  });
}

/// body(i) for every index of the range, an IndexRange or a DynamicRange.
template <class Policy, class Body>
static void for_each_index(char const* label, Policy const& range, Body const& body) {
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    Kokkos::parallel_for(label, range, body);
  } else {
    run_chunks(label, range, HostBody{&body, [](void const* work, std::int64_t i, std::int64_t last) {
                                        auto const& each = *static_cast<Body const*>(work);
                                        for (; i < last; ++i) each(i);
                                      }});
  }
}

/// Host: what a team does, without its type.
template <class Member>
struct HostTeamBody {
  void const* work;
  void (*run)(void const* work, Member const& team);

  void operator()(Member const& team) const { run(work, team); }
};

/// body(team) for every team of a TeamPolicy.
template <class Policy, class Body>
static void for_each_team(char const* label, Policy const& policy, Body const& body) {
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    Kokkos::parallel_for(label, policy, body);
  } else {
    using Member = typename Policy::member_type;
    Kokkos::parallel_for(label, policy, HostTeamBody<Member>{&body, [](void const* work, Member const& team) {
                                                               (*static_cast<Body const*>(work))(team);
                                                             }});
  }
}

/// Host: the smallest index that was found to hold so far.
template <class Holds>
struct HostSearch {
  Holds const& holds;
  std::atomic<std::int64_t>& first;

  void look(std::int64_t i, std::int64_t last) const {
    last = std::min(last, first.load(std::memory_order_relaxed));  // what lies behind it does not matter
    while (i < last && !holds(i)) ++i;
    if (i >= last) return;
    std::int64_t found = first.load(std::memory_order_relaxed);
    while (i < found && !first.compare_exchange_weak(found, i, std::memory_order_relaxed)) {
    }
  }
};

/// The smallest index for which holds(i), or the range's end. Fences a device, as Kokkos does.
/// Host: a chunk looks once whether one before it holds, so that many are left early.
template <class Policy, class Holds>
static std::int64_t first_index(char const* label, Policy const& range, Holds const& holds) {
  auto const end = static_cast<std::int64_t>(range.end());
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    std::int64_t first = end;
    Kokkos::parallel_reduce(
        label, range,
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & smallest) {
          if (i < smallest && holds(i)) smallest = i;
        },
        Kokkos::Min<std::int64_t>(first));
    return std::min(first, end);
  } else {
    std::atomic<std::int64_t> first = end;
    HostSearch<Holds> const search{holds, first};
    run_chunks(label, range, HostBody{&search, [](void const* erased, std::int64_t i, std::int64_t last) {
                                        static_cast<HostSearch<Holds> const*>(erased)->look(i, last);
                                      }});
    return first.load(std::memory_order_relaxed);
  }
}

/// The reducer that `result` is, or the sum that goes into it.
template <class Result>
static auto reducer_of(Result& result) {
  if constexpr (Kokkos::is_reducer<std::remove_const_t<Result>>::value) {
    return result;
  } else {
    return Kokkos::Sum<Result>(result);
  }
}

/// body(i, part) for every index; parts are joined in order of the indices. Fences a device, as Kokkos does.
/// \param result  a number, which gets the sum, or a Kokkos reducer of a number
template <class Policy, class Body, class Result>
static void reduce_indices(char const* label, Policy const& range, Body const& body, Result&& result) {
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    Kokkos::parallel_reduce(label, range, body, result);
  } else {
    auto const reducer = reducer_of(result);
    using Reducer = std::remove_const_t<decltype(reducer)>;
    using Value = typename Reducer::value_type;
    struct Work {
      Body const& body;
      Reducer const& reducer;
    } const work{body, reducer};
    auto const count = static_cast<std::size_t>(HostChunks(range).count);
    std::unique_ptr<HostPart[]> const parts(new HostPart[count]);
    run_chunks(label, range,
               HostPartBody{&work,
                            [](void const* erased, std::int64_t i, std::int64_t last, HostPart& part) {
                              auto const& [each, reduces] = *static_cast<Work const*>(erased);
                              Value value;
                              reduces.init(value);
                              for (; i < last; ++i) each(i, value);
                              part.set(value);
                            }},
               parts.get());
    Value total;
    reducer.init(total);
    for (std::size_t p = 0; p < count; ++p) reducer.join(total, parts[p].get<Value>());
    reducer.reference() = total;
  }
}

/// Host: the two passes of scan_indices; returns the sum of all.
template <class Value, class Policy, class Body>
static Value scan_chunks(char const* label, Policy const& range, Body const& body) {
  auto const count = static_cast<std::size_t>(HostChunks(range).count);
  std::unique_ptr<HostPart[]> const parts(new HostPart[count]);
  for (std::size_t p = 0; p < count; ++p) parts[p].set(Value{});
  if (count > 1) {
    run_chunks(label, range,
               HostPartBody{&body,
                            [](void const* work, std::int64_t i, std::int64_t last, HostPart& part) {
                              auto const& each = *static_cast<Body const*>(work);
                              auto sum = part.get<Value>();
                              for (; i < last; ++i) each(i, sum, false);
                              part.set(sum);
                            }},
               parts.get());
  }
  Value before{};
  for (std::size_t p = 0; p < count; ++p) {
    Value const of_chunk = parts[p].get<Value>();
    parts[p].set(before);
    before = static_cast<Value>(before + of_chunk);
  }
  run_chunks(label, range,
             HostPartBody{&body,
                          [](void const* work, std::int64_t i, std::int64_t last, HostPart& part) {
                            auto const& each = *static_cast<Body const*>(work);
                            auto sum = part.get<Value>();
                            for (; i < last; ++i) each(i, sum, true);
                            part.set(sum);
                          }},
             parts.get());
  return count > 0 ? parts[count - 1].get<Value>() : Value{};
}

/// body(i, sum, final) for every index, which adds to `sum` what index i counts; with `final`, `sum` is that of all
/// before it. Value: of the sum.
template <class Value, class Policy, class Body>
static void scan_indices(char const* label, Policy const& range, Body const& body) {
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    Kokkos::parallel_scan(label, range, body);
  } else {
    scan_chunks<Value>(label, range, body);
  }
}

/// The same, and the sum of all. Fences a device, as Kokkos does.
template <class Policy, class Body, class Value>
static void scan_indices(char const* label, Policy const& range, Body const& body, Value& total) {
  if constexpr (!shares_loops<typename Policy::execution_space>) {
    total = Value{};  // which Kokkos leaves alone on Cuda where there is no index
    Kokkos::parallel_scan(label, range, body, total);
  } else {
    total = scan_chunks<Value>(label, range, body);
  }
}

}  // namespace araia::detail
