// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The formats that a plan can hold, made from its source by a Choice, and what the tuner needs on the execution space.
// A plan sees a format as a StoredMatrix: pointers for the kernels, bytes, new values. What makes one is written out in
// a file of its own for each format.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/csc_pointers.hpp>
#include <araia/detail/formats/hyb_pointers.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/choice.hpp>

namespace araia::detail {

/// What holds for every conversion of a plan.
struct StoreOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: half of the free memory of the space
  bool keep_maps = false;          ///< keep what makes update_values one gather
};

/// The caller's matrix as plans take it.
template <class Exec, class A, class Offset>
using PlanSource = ReadySource<Exec, A, Offset>;

template <class List>
struct VariantOfList;
template <class... T>
struct VariantOfList<ListOf<T...>> {
  using type = std::variant<T...>;
};
template <class List>
using VariantOf = typename VariantOfList<List>::type;

/// Any of the formats as kernels take it. Offsets of 64 bits are csr's alone: of the other formats a plan holds those
/// of 2^31 - 1 entries at most.
template <class A>
using StoredPointers =
    VariantOf<Joined<CsrForms<A>,
                     ListOf<CooPointers<A, std::int32_t>, EllPointers<A, std::int32_t>,
                            CscPointers<A, std::int32_t, std::int32_t>, HybPointers<A, std::int32_t>,
                            SellPointers<A, std::int32_t, std::int32_t>, BsrPointers<A, std::int32_t, std::int32_t>>,
                     ListOf<BcscPointers<A, std::int32_t, std::int32_t>,
                            BcscCompactPointers<A, std::int32_t, std::int32_t, std::uint8_t>>>>;

/// Values of a format in exec's memory, some where they lie in several arrays.
struct StoredValues {
  void* data = nullptr;
  std::uint64_t bytes = 0;
};

/// A matrix in some format.
template <class Exec, class A, class Offset>
class StoredMatrix {
 public:
  virtual ~StoredMatrix() = default;
  /// Valid until update_values, and while this lives.
  [[nodiscard]] virtual StoredPointers<A> pointers() const = 0;
  /// As counted after the conversion: exact.
  [[nodiscard]] virtual Footprint footprint() const = 0;
  [[nodiscard]] virtual StoredValues values() const = 0;
  /// The Bound that holds the matrix, of which there are then no pointers; null: there are.
  [[nodiscard]] virtual void const* own() const { return nullptr; }
  /// Takes the values of a source of the same structure.
  virtual void update_values(Exec const& exec, PlanSource<Exec, A, Offset> const& source) = 0;
};
template <class Exec, class A, class Offset>
using StoredPtr = std::shared_ptr<StoredMatrix<Exec, A, Offset>>;

// What each format needs to be held: convert(exec, source, choice, options) and count(...), its symbolic half. Complete
// in the units that write them out, src/plan/store_<format>.cpp.
struct CscStore;
struct HybStore;
struct SellStore;
struct BsrStore;
struct BcscStore;

/// The source in a format; from sources of 32-bit offsets alone.
/// \throws araia::Error resource_limit; unsupported where the structure does not allow the format
template <class Store, class Exec, class A>
StoredPtr<Exec, A, std::int32_t> store_as(Exec const& exec, PlanSource<Exec, A, std::int32_t> const& source,
                                          Choice const& choice, StoreOptions const& options);

/// What that would take. Fences exec.
template <class Store, class Exec, class A>
Footprint count_as(Exec const& exec, PlanSource<Exec, A, std::int32_t> const& source, Choice const& choice,
                   StoreOptions const& options);

/// The source as the choice wants it; without a conversion where the choice is its own format.
/// \throws araia::Error resource_limit; unsupported where the structure does not allow the format
template <class Exec, class A, class Offset>
StoredPtr<Exec, A, Offset> make_stored(Exec const& exec, PlanSource<Exec, A, Offset> const& source,
                                       Choice const& choice, StoreOptions const& options);

/// Exact footprint of what make_stored would make. Fences exec.
template <class Exec, class A, class Offset>
Footprint count_footprint(Exec const& exec, PlanSource<Exec, A, Offset> const& source, Choice const& choice,
                          StoreOptions const& options);

/// Features for the model: without the count of diagonals, which has no use there, unless asked for.
template <class Exec, class A, class Offset>
RowStats plan_features(Exec const& exec, PlanSource<Exec, A, Offset> const& source, RowStatsOptions const& options);

/// Slots of blocks over entries, for some shapes, from about `most_entries` entries of rows spread over the matrix;
/// from all where that is 0. Columns are taken to ascend: where they do not, blocks are counted more than once. Fences
/// exec.
template <class Exec, class A, class Offset>
std::vector<BlockFill> block_fill(Exec const& exec, PlanSource<Exec, A, Offset> const& source,
                                  std::int64_t most_entries);

/// Uniform values in [-1, 1), the same for an index on every machine.
template <class Exec, class T>
void fill_random(Exec const& exec, Kokkos::View<T*, typename Exec::device_type> const& array, std::uint64_t seed);

/// What src/plan/store_<format>.cpp writes out; the rest is in stored.cpp.
template <class Store>
void write_out_store() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() {
    write_out(store_as<Store, Exec, A>);
    write_out(count_as<Store, Exec, A>);
  });
}

}  // namespace araia::detail
