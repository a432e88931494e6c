// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every format and its variants behind one interface: a matrix is stored as a container, and comes back as a Csr.

#include <gtest/gtest.h>

#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/formats/container.hpp>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
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
class Storage {
 public:
  Storage(std::string called, bool orders) : name(std::move(called)), reorders(orders) {}
  virtual ~Storage() = default;
  Storage(Storage const&) = delete;
  Storage& operator=(Storage const&) = delete;

  [[nodiscard]] virtual Container store(Matrix const& A) const = 0;
  [[nodiscard]] virtual Matrix back(Container const& c) const = 0;

  std::string const name;
  bool const reorders;  ///< entries of a row come back by ascending column; duplicates may be refused
};
template <class Matrix>
using Storages = std::vector<std::unique_ptr<Storage<Matrix>>>;

/// `allocated` is what Kokkos did so for these arrays, in so many allocations; `counted` is count_bytes.
inline void expect_bytes(std::string const& name, Container const& c, std::uint64_t bytes, std::uint64_t counted,
                         std::int64_t allocated, std::int64_t allocations) {
  EXPECT_EQ(counted, bytes) << name << ": count_bytes and bytes()";
  EXPECT_EQ(c.bytes(), bytes) << name << ": the container's and bytes()";
  EXPECT_EQ(allocated, LiveAllocations::expected(c, allocations)) << name << ": what Kokkos allocated";
}

/// In a format, by a conversion and its options. A class and no functions of types of their own: those take the tests
/// of every type of a matrix a tenth of their compile time.
template <class Exec, class Matrix, class Format, class Options>
class StorageAs final : public Storage<Matrix> {
 public:
  using Make = Format (*)(Exec const&, Matrix const&, Options const&);
  StorageAs(std::string called, bool orders, Options const& options, Make make)
      : Storage<Matrix>(std::move(called), orders), options_(options), make_(make) {}

  [[nodiscard]] Container store(Matrix const& A) const override {
    Exec const exec;
    LiveAllocations const live;
    Format const B = make_(exec, A, options_);
    exec.fence();
    std::int64_t const allocated = live.bytes();
    std::int64_t const allocations = live.allocations();
    Container const c = to_container(exec, B);
    expect_bytes(this->name, c, B.bytes(), count_bytes<Format>(exec, A, options_), allocated, allocations);
    return c;
  }
  [[nodiscard]] Matrix back(Container const& c) const override {
    Exec const exec;
    return to_csr<typename Matrix::size_type>(exec, from_container<Format>(exec, c));
  }

 private:
  Options options_;
  Make make_;
};

/// All of them. Each store() also holds bytes() to what Kokkos allocated, to count_bytes and to the container's.
template <class Scalar, class Ordinal, class Offset, class Exec>
auto every_storage() {
  using Matrix = Csr<Scalar, Ordinal, Offset, typename Exec::device_type>;
  Storages<Matrix> all;
  auto const add = [&]<class Options, class Format>(std::string name, bool reorders, Options const& options,
                                                    Format (*make)(Exec const&, Matrix const&, Options const&)) {
    all.emplace_back(new StorageAs<Exec, Matrix, Format, Options>(std::move(name), reorders, options, make));
  };

  add(
      "coo", false, false, +[](Exec const& exec, Matrix const& A, bool const&) { return csr_to_coo(exec, A); });
  add(
      "csr by length", false, true,
      +[](Exec const& exec, Matrix const& A, bool const&) { return sort_rows_by_length(exec, A); });
  for (bool const sort : {false, true})
    add(
        sort ? "ell by length" : "ell", false, sort, +[](Exec const& exec, Matrix const& A, bool const& sort_rows) {
          return csr_to_ell(exec, A, {.sort_rows = sort_rows});
        });
  for (bool const keep : {false, true})
    add(
        keep ? "csc with its source" : "csc", true, CscOptions{.keep_source = keep},
        +[](Exec const& exec, Matrix const& A, CscOptions const& o) { return csr_to_csc(exec, A, o); });
  for (std::int64_t const width : {-1, 0, 2})
    add(
        "hyb " + std::to_string(width), false, HybOptions{.width = width},
        +[](Exec const& exec, Matrix const& A, HybOptions const& o) { return csr_to_hyb(exec, A, o); });
  for (auto const& options : sell_storages()) {
    if (!options.stored_mask) continue;  // fill is then told from stored zeros by nothing
    add(
        "sell " + printed(options), fills(options), options,
        +[](Exec const& exec, Matrix const& A, SellOptions const& o) { return csr_to_sell(exec, A, o); });
  }
  for (auto const& [r, c] : std::vector<std::pair<int, int>>{{1, 1}, {2, 2}, {3, 3}, {2, 5}})
    add(
        "bsr " + std::to_string(r) + " x " + std::to_string(c), true,
        BsrOptions{.block_rows = r, .block_cols = c, .keep_stored_mask = true},
        +[](Exec const& exec, Matrix const& A, BsrOptions const& o) { return csr_to_bsr(exec, A, o); });
  for (auto const& [name, options] : all_bcsc_options()) {
    add(
        "bcsc " + name, !options.keep_gather, options,
        +[](Exec const& exec, Matrix const& A, BcscOptions const& o) { return csr_to_bcsc(exec, A, o); });
    if (options.block_height > 65536) continue;
    add(
        "bcsc+compact " + name, !options.keep_gather, options,
        +[](Exec const& exec, Matrix const& A, BcscOptions const& o) {
          return csr_to_bcsc_compact<std::uint16_t>(exec, A, o);
        });
  }
  return all;
}

/// The zoo as far as its indices fit, with what makes comparison hard: stored zeros, values of every kind.
inline std::vector<TestMatrix> round_trip_zoo(std::int64_t largest_index, std::int64_t largest_offset) {
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
    if (m.rows <= largest_index && m.cols <= largest_index && m.nnz() <= largest_offset)
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
  static std::vector<Storage<Matrix> const*> of(Storages<Matrix> const& all) {
    std::vector<Storage<Matrix> const*> part;
    for (std::size_t i = GetParam(); i < all.size(); i += parts) part.push_back(all[i].get());
    return part;
  }
};
inline auto every_storage_part() { return testing::Range(std::size_t{0}, StoragePart::parts); }

/// A -> X -> file -> X -> A for every X of the part: each time the same entries bit for bit, and the same file.
template <class Scalar, class Ordinal, class Offset, class Exec>
void check_every_storage() {
  Exec const exec;
  auto const all = every_storage<Scalar, Ordinal, Offset, Exec>();
  auto const storages = StoragePart::of(all);
  for (auto const& m : round_trip_zoo(std::numeric_limits<Ordinal>::max(), std::numeric_limits<Offset>::max()))
    for (bool const values : {true, false}) {
      auto A = device_csr_of<Scalar, Ordinal, Offset, Exec>(m);
      if (!values) A.values = {};
      std::string const expected = container_bytes(to_container(exec, A));
      for (auto const* const storage : storages) {
        if (!takes(*storage, m)) continue;
        SCOPED_TRACE(m.name + (values ? "" : ", pattern") + ", " + storage->name);
        try {
          std::string const file = container_bytes(storage->store(A));
          auto const B = storage->back(parse_container(file, "file"));
          EXPECT_TRUE(container_bytes(to_container(exec, B)) == expected);
          EXPECT_TRUE(container_bytes(storage->store(B)) == file);
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
    for (auto const* const x : StoragePart::of(storages)) {
      if (!takes(*x, m)) continue;
      auto const stored = x->store(A);
      std::string const expected = container_bytes(stored);
      auto const from_x = x->back(stored);
      for (auto const& y : storages) {
        if (!takes(*y, m)) continue;
        EXPECT_TRUE(container_bytes(x->store(y->back(y->store(from_x)))) == expected)
            << m.name << ": " << x->name << " -> " << y->name << " -> " << x->name;
      }
    }
  }
}

}  // namespace araia::test
