// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What stored.hpp declares of csr, coo and ell, and of the source: the part that every plan needs.

#include <algorithm>
#include <string>

#include <araia/detail/formats/bsr_structure.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include "src/mixed_bits.hpp"
#include "src/plan/converted.hpp"
#include "src/plan/narrowed.hpp"

namespace araia::detail {

/// The source itself, shared.
template <class Exec, class A, class Offset>
class StoredSource final : public StoredMatrix<Exec, A, Offset> {
 public:
  explicit StoredSource(PlanSource<Exec, A, Offset> source) : source_(std::move(source)) {}
  [[nodiscard]] StoredPointers<A> pointers() const override { return source_.pointers(); }
  [[nodiscard]] Footprint footprint() const override {
    return {.bytes = bytes_in_use(), .slots = source_.nnz, .exact = true};
  }
  [[nodiscard]] StoredValues values() const override { return {}; }
  void update_values(Exec const&, PlanSource<Exec, A, Offset> const& source) override { source_ = source; }

 private:
  /// Of what products read: an application's Views may be longer than the matrix.
  [[nodiscard]] std::uint64_t bytes_in_use() const {
    auto const rows = static_cast<std::uint64_t>(source_.rows);
    auto const nnz = static_cast<std::uint64_t>(source_.nnz);
    return (rows + 1) * sizeof(Offset) + nnz * (sizeof(std::int32_t) + (source_.has_values() ? sizeof(A) : 0)) +
           (source_.row_permutation.extent(0) != 0 ? rows * sizeof(std::int32_t) : 0);
  }

  PlanSource<Exec, A, Offset> source_;
};

/// A format made from the narrowed source; new values go through one.
template <class Exec, class A>
class StoredNarrow final : public StoredMatrix<Exec, A, std::int64_t> {
 public:
  explicit StoredNarrow(StoredPtr<Exec, A, std::int32_t> stored) : stored_(std::move(stored)) {}
  [[nodiscard]] StoredPointers<A> pointers() const override { return stored_->pointers(); }
  [[nodiscard]] Footprint footprint() const override { return stored_->footprint(); }
  [[nodiscard]] StoredValues values() const override { return stored_->values(); }
  void update_values(Exec const& exec, PlanSource<Exec, A, std::int64_t> const& source) override {
    stored_->update_values(exec, narrowed<Exec, A>(exec, source));
    exec.fence("araia::plan: the narrowed offsets are released");
  }

 private:
  StoredPtr<Exec, A, std::int32_t> stored_;
};

/// A csr as its arrays lie, no packing of a kernel.
inline bool is_plain_csr(Choice const& choice) { return choice.format == "csr"; }

/// use(Store()) for the format of the choice.
template <class Use>
auto with_store(Choice const& choice, Use const& use) {
  if (choice.format == "csc") return use.template operator()<CscStore>();
  if (choice.format == "hyb") return use.template operator()<HybStore>();
  if (choice.format == "bsr") return use.template operator()<BsrStore>();
  if (choice.format == "bcsc") return use.template operator()<BcscStore>();
  if (choice.format != "sell")
    throw Error(ErrorKind::unsupported, "araia::make_plan: no conversion to " + choice.format);
  return use.template operator()<SellStore>();
}

template <class Exec, class A, class Offset>
StoredPtr<Exec, A, Offset> make_stored(Exec const& exec, PlanSource<Exec, A, Offset> const& source,
                                       Choice const& choice, StoreOptions const& options) {
  auto const held = [](auto matrix) -> StoredPtr<Exec, A, Offset> {
    return std::make_shared<Converted<Exec, A, Offset, decltype(matrix)>>(std::move(matrix));
  };
  if (is_plain_csr(choice))
    return choice.rows_by_length ? held(sort_rows_by_length(exec, source))
                                 : std::make_shared<StoredSource<Exec, A, Offset>>(source);
  if (choice.format == "coo") return held(csr_to_coo(exec, source, {.validate = false}));
  if (choice.format == "ell")
    return held(csr_to_ell(
        exec, source, {.sort_rows = choice.rows_by_length, .memory_limit = options.memory_limit, .validate = false}));
  return with_store(choice, [&]<class Store>() -> StoredPtr<Exec, A, Offset> {
    if constexpr (std::is_same_v<Offset, std::int32_t>)
      return store_as<Store, Exec, A>(exec, source, choice, options);
    else
      return std::make_shared<StoredNarrow<Exec, A>>(
          store_as<Store, Exec, A>(exec, narrowed<Exec, A>(exec, source), choice, options));
  });
}

template <class Exec, class A, class Offset>
Footprint count_footprint(Exec const& exec, PlanSource<Exec, A, Offset> const& source, Choice const& choice,
                          StoreOptions const& options) {
  if (is_plain_csr(choice) || choice.format == "coo" || choice.format == "ell") {
    // The row lengths say it all.
    Problem p;
    p.stats = row_stats(exec, source, {.diagonals = false, .block_heights = {}});
    p.value_bytes = source.has_values() ? static_cast<int>(sizeof(A)) : 0;
    p.offset_bytes = static_cast<int>(sizeof(Offset));
    p.source_permuted = source.row_permutation.extent(0) != 0;
    return predicted_footprint(p, choice);
  }
  return with_store(choice, [&]<class Store>() {
    if constexpr (std::is_same_v<Offset, std::int32_t>)
      return count_as<Store, Exec, A>(exec, source, choice, options);
    else
      return count_as<Store, Exec, A>(exec, narrowed<Exec, A>(exec, source), choice, options);
  });
}

template <class Exec, class A, class Offset>
RowStats plan_features(Exec const& exec, PlanSource<Exec, A, Offset> const& source, RowStatsOptions const& options) {
  return row_stats(exec, source, options);
}

/// Blocks of one shape and entries, in every `step`-th run of rows.
template <class Exec, class Pointers>
static double fill_of(Exec const& exec, Pointers const& a, int block_rows, int block_cols, std::int64_t step) {
  std::int64_t const block_row_count = blocks_along(a.rows, block_rows);
  std::int64_t const blocks = count_blocks(exec, a, block_rows, block_cols, 0, block_row_count, step);
  std::int64_t entries = 0;
  reduce_indices(
      "araia::plan::block_fill", IndexRange<Exec>(exec, 0, (block_row_count + step - 1) / step),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        std::int64_t const first = i * step * block_rows;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + block_rows, a.rows);
        sum += static_cast<std::int64_t>(a.row_offsets[last]) - static_cast<std::int64_t>(a.row_offsets[first]);
      },
      entries);
  exec.fence("araia::plan::block_fill");
  return entries > 0 ? static_cast<double>(blocks) * block_rows * block_cols / static_cast<double>(entries) : 1;
}

template <class Exec, class A, class Offset>
std::vector<BlockFill> block_fill(Exec const& exec, PlanSource<Exec, A, Offset> const& source,
                                  std::int64_t most_entries) {
  std::vector<BlockFill> shapes{{1, 2}, {1, 4}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {8, 8}};
  if (source.nnz == 0 || source.row_permutation.extent(0) != 0) return {};
  auto const a = source.pointers();
  for (auto& shape : shapes) {
    SampledBlocks const sample(a.rows, a.nnz, shape.block_rows, most_entries);
    shape.fill = fill_of(exec, a, shape.block_rows, shape.block_cols, sample.step);
  }
  return shapes;
}

/// Uniform in [-1, 1), the same for an index on every machine.
KOKKOS_INLINE_FUNCTION double random_at(std::uint64_t index, std::uint64_t seed) {
  std::uint64_t const bits = mixed_bits(index + (seed - 1) * mixing_step);
  constexpr double scale = 1.0 / 4503599627370496.0;  // 2^-52
  return static_cast<double>(bits >> 11) * scale - 1.0;
}

template <class T>
KOKKOS_INLINE_FUNCTION T random_scalar(std::uint64_t index, std::uint64_t seed) {
  if constexpr (is_complex_v<T>)
    return T(random_at(2 * index, seed), random_at(2 * index + 1, seed));
  else
    return static_cast<T>(random_at(index, seed));
}

template <class Exec, class T>
void fill_random(Exec const& exec, Kokkos::View<T*, typename Exec::device_type> const& array, std::uint64_t seed) {
  for_each_index(
      "araia::fill_random", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(array.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { array(i) = random_scalar<T>(static_cast<std::uint64_t>(i), seed); });
}

}  // namespace araia::detail
