// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every format and its variants behind one interface: a matrix is stored as a container, and comes back as a Csr.

#include <gtest/gtest.h>

#include <araia/formats/container.hpp>
#include <araia/formats/csr_to_bsr.hpp>
#include <araia/formats/csr_to_csc.hpp>
#include <araia/formats/csr_to_hyb.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "support/bcsc.hpp"
#include "support/formats.hpp"
#include "support/sell.hpp"

namespace araia::test {

/// araia's allocations that came to live, less those that went, while it lives, as Kokkos' tools see them.
class LiveAllocations {
 public:
  LiveAllocations() {
    total() = {};
    Kokkos::Tools::Experimental::set_allocate_data_callback(&count<1>);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(&count<-1>);
  }
  ~LiveAllocations() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  LiveAllocations(LiveAllocations const&) = delete;
  LiveAllocations& operator=(LiveAllocations const&) = delete;

  /// What these arrays must show: each a multiple of 8 bytes, a View without elements as its record alone.
  [[nodiscard]] static std::int64_t expected(Container const& c, std::int64_t allocations) {
    std::int64_t sum = 0;
    for (auto const& array : c.arrays) sum += static_cast<std::int64_t>((array.bytes() + 7) / 8 * 8);
    auto const record = static_cast<std::int64_t>(sizeof(Kokkos::Impl::SharedAllocationHeader));
    return sum + (allocations - static_cast<std::int64_t>(c.arrays.size())) * record;
  }
  [[nodiscard]] std::int64_t bytes() const { return total().bytes; }
  [[nodiscard]] std::int64_t allocations() const { return total().allocations; }

 private:
  // What Kokkos keeps for itself has labels of its own.
  template <int sign>
  static void count(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
    if (std::string_view(label).starts_with("araia::")) {
      total().bytes += sign * static_cast<std::int64_t>(bytes);
      total().allocations += sign;
    }
  }
  struct Total {
    std::int64_t bytes = 0;
    std::int64_t allocations = 0;
  };
  static Total& total() {
    static Total sum;
    return sum;
  }
};

inline std::string container_bytes(Container const& c) {
  std::ostringstream out;
  write_container(out, c);
  return out.str();
}

/// One way to store a matrix.
template <class Matrix>
struct Storage {
  std::string name;
  bool reorders = false;  ///< entries of a row come back by ascending column; duplicates may be refused
  std::function<Container(Matrix const&)> store;
  std::function<Matrix(Container const&)> back;
};

/// All of them. Each store() also holds bytes() to what Kokkos allocated, to count_bytes and to the container's.
template <class Scalar, class Ordinal, class Offset, class Exec>
std::vector<Storage<Csr<Scalar, Ordinal, Offset, typename Exec::device_type>>> every_storage() {
  using Dev = typename Exec::device_type;
  using Matrix = Csr<Scalar, Ordinal, Offset, Dev>;
  std::vector<Storage<Matrix>> all;
  auto const add = [&]<class Make, class Count>(std::string name, bool reorders, Make make, Count count) {
    using Format = decltype(make(Exec(), Matrix{}));
    Storage<Matrix> storage{.name = name, .reorders = reorders, .store = {}, .back = {}};
    storage.store = [=](Matrix const& A) {
      Exec const exec;
      LiveAllocations const live;
      Format const B = make(exec, A);
      exec.fence();
      std::int64_t const allocated = live.bytes();
      std::int64_t const allocations = live.allocations();
      EXPECT_EQ(count(exec, A, B), B.bytes()) << name << ": count_bytes and bytes()";
      Container const c = to_container(exec, B);
      EXPECT_EQ(c.bytes(), B.bytes()) << name << ": the container's and bytes()";
      EXPECT_EQ(allocated, LiveAllocations::expected(c, allocations)) << name << ": what Kokkos allocated";
      return c;
    };
    storage.back = [=](Container const& c) {
      Exec const exec;
      return to_csr<Offset>(exec, from_container<Format>(exec, c));
    };
    all.push_back(std::move(storage));
  };
  // The format as an argument: nvcc warns of lambdas whose own template parameter no argument names.
  auto const counted = []<class Format>(std::type_identity<Format>, auto const& options) {
    return
        [options](Exec const& exec, Matrix const& A, Format const&) { return count_bytes<Format>(exec, A, options); };
  };

  using CooFormat = Coo<Scalar, Ordinal, Dev>;
  using EllFormat = Ell<Scalar, Ordinal, Dev>;
  add(
      "coo", false, [](Exec const& exec, Matrix const& A) { return csr_to_coo(exec, A); },
      counted(std::type_identity<CooFormat>{}, false));
  add(
      "csr by length", false, [](Exec const& exec, Matrix const& A) { return sort_rows_by_length(exec, A); },
      counted(std::type_identity<Matrix>{}, true));
  for (bool const sort : {false, true})
    add(
        sort ? "ell by length" : "ell", false,
        [=](Exec const& exec, Matrix const& A) { return csr_to_ell(exec, A, {.sort_rows = sort}); },
        counted(std::type_identity<EllFormat>{}, sort));
  for (bool const keep : {false, true}) {
    CscOptions const options{.keep_source = keep};
    add(
        keep ? "csc with its source" : "csc", true,
        [=](Exec const& exec, Matrix const& A) { return csr_to_csc(exec, A, options); },
        counted(std::type_identity<Csc<Scalar, Ordinal, Offset, Dev>>{}, options));
  }
  for (std::int64_t const width : {-1, 0, 2}) {
    HybOptions const options{.width = width};
    add(
        "hyb " + std::to_string(width), false,
        [=](Exec const& exec, Matrix const& A) { return csr_to_hyb(exec, A, options); },
        counted(std::type_identity<Hyb<Scalar, Ordinal, Dev>>{}, options));
  }
  for (auto const& options : sell_storages()) {
    if (!options.stored_mask) continue;  // fill is then told from stored zeros by nothing
    add(
        "sell " + printed(options), fills(options),
        [=](Exec const& exec, Matrix const& A) { return csr_to_sell(exec, A, options); },
        counted(std::type_identity<Sell<Scalar, Ordinal, Offset, Dev>>{}, options));
  }
  for (auto const& [r, c] : std::vector<std::pair<int, int>>{{1, 1}, {2, 2}, {3, 3}, {2, 5}}) {
    BsrOptions const options{.block_rows = r, .block_cols = c, .keep_stored_mask = true};
    add(
        "bsr " + std::to_string(r) + " x " + std::to_string(c), true,
        [=](Exec const& exec, Matrix const& A) { return csr_to_bsr(exec, A, options); },
        counted(std::type_identity<Bsr<Scalar, Ordinal, Offset, Dev>>{}, options));
  }
  for (auto const& [name, options] : all_bcsc_options()) {
    auto const o = options;
    add(
        "bcsc " + name, !options.keep_gather,
        [=](Exec const& exec, Matrix const& A) { return csr_to_bcsc(exec, A, o); },
        counted(std::type_identity<Bcsc<Scalar, Ordinal, Offset, Dev>>{}, o));
    if (options.block_height > 65536) continue;
    add(
        "bcsc+compact " + name, !options.keep_gather,
        [=](Exec const& exec, Matrix const& A) { return csr_to_bcsc_compact<std::uint16_t>(exec, A, o); },
        counted(std::type_identity<BcscCompact<Scalar, Ordinal, Offset, Dev, std::uint16_t>>{}, o));
  }
  return all;
}

/// The zoo as far as its indices fit, with what makes comparison hard: stored zeros, values of every kind.
template <class Ordinal, class Offset>
std::vector<TestMatrix> round_trip_zoo() {
  std::vector<TestMatrix> fitting;
  auto all = zoo();
  all.push_back(with_stored_zeros(stencil(13, 7)));
  all.push_back(with_stored_zeros(node_blocks(20, 4)));
  auto strange = random_matrix("strange values", 90, 70, 4);
  constexpr double values[] = {0.0,
                               -0.0,
                               1e-310,
                               -4.9406564584124654e-324,
                               1.7976931348623157e308,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN(),
                               1e-40,
                               6e-8};
  for (std::size_t k = 0; k < strange.values.size(); ++k) strange.values[k] = values[k % std::size(values)];
  all.push_back(std::move(strange));
  for (auto& m : all)
    if (m.rows <= std::numeric_limits<Ordinal>::max() && m.cols <= std::numeric_limits<Ordinal>::max() &&
        m.nnz() <= std::numeric_limits<Offset>::max())
      fitting.push_back(std::move(m));
  return fitting;
}

template <class Matrix>
bool takes(Storage<Matrix> const& storage, TestMatrix const& m) {
  return !storage.reorders || ascends(m);
}

/// Round trips in parts, each with every so many-th storage: of one part a slow tool, as compute-sanitizer, sees the
/// end.
class StoragePart : public testing::TestWithParam<std::size_t> {
 public:
  static constexpr std::size_t parts = 8;
  template <class Matrix>
  static std::vector<Storage<Matrix>> of(std::vector<Storage<Matrix>> const& all) {
    std::vector<Storage<Matrix>> part;
    for (std::size_t i = GetParam(); i < all.size(); i += parts) part.push_back(all[i]);
    return part;
  }
};
inline auto every_storage_part() { return testing::Range(std::size_t{0}, StoragePart::parts); }

/// A -> X -> file -> X -> A for every X of the part: each time the same entries bit for bit, and the same file.
template <class Scalar, class Ordinal, class Offset, class Exec>
void check_every_storage(std::vector<TestMatrix> const& matrices) {
  Exec const exec;
  auto const storages = StoragePart::of(every_storage<Scalar, Ordinal, Offset, Exec>());
  for (auto const& m : matrices)
    for (bool const values : {true, false}) {
      auto A = device_csr_of<Scalar, Ordinal, Offset, Exec>(m);
      if (!values) A.values = {};
      std::string const expected = container_bytes(to_container(exec, A));
      for (auto const& storage : storages) {
        if (!takes(storage, m)) continue;
        SCOPED_TRACE(m.name + (values ? "" : ", pattern") + ", " + storage.name);
        try {
          std::string const file = container_bytes(storage.store(A));
          auto const B = storage.back(parse_container(file, "file"));
          EXPECT_TRUE(container_bytes(to_container(exec, B)) == expected);
          EXPECT_TRUE(container_bytes(storage.store(B)) == file);
        } catch (Error const& error) {
          // Padding may be more than short offsets count, and is refused then.
          bool const beyond = sizeof(Offset) == 2 && error.kind() == ErrorKind::resource_limit;
          EXPECT_TRUE(beyond) << error.what();
        }
      }
    }
}

/// X -> Y -> X for every ordered pair whose X is of the part.
template <class Scalar, class Ordinal, class Offset, class Exec>
void check_every_pair(std::vector<TestMatrix> const& matrices) {
  auto const storages = every_storage<Scalar, Ordinal, Offset, Exec>();
  for (auto const& m : matrices) {
    auto const A = device_csr_of<Scalar, Ordinal, Offset, Exec>(m);
    for (auto const& x : StoragePart::of(storages)) {
      if (!takes(x, m)) continue;
      auto const stored = x.store(A);
      std::string const expected = container_bytes(stored);
      auto const from_x = x.back(stored);
      for (auto const& y : storages) {
        if (!takes(y, m)) continue;
        EXPECT_TRUE(container_bytes(x.store(y.back(y.store(from_x)))) == expected)
            << m.name << ": " << x.name << " -> " << y.name << " -> " << x.name;
      }
    }
  }
}

}  // namespace araia::test
