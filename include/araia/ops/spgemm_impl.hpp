// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What araia/ops/spgemm.hpp declares: for types that the library does not bring, and for the library itself.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/row_order.hpp>
#include <araia/detail/formats/transposition.hpp>
#include <araia/detail/kernels/csr_spgemm_expansion.hpp>
#include <araia/detail/kernels/csr_spgemm_team_rows.hpp>
#include <araia/error.hpp>
#include <araia/ops/spgemm.hpp>

namespace araia {

namespace detail {

/// The kernels that form products of these types, the first of them by default. Of its own types the library has the
/// descriptors of its list in place of these (src/spgemm/kernels.hpp).
template <class Exec, class Scalar, class Ordinal, class Offset>
struct SpgemmKernelsOf {
  using Kernel = SpgemmKernelOf<Exec, Scalar, Ordinal, Offset>;
  static std::vector<Kernel> all() {
    return {spgemm_team_rows_kernel<SpgemmColumns::table, Exec, Scalar, Ordinal, Offset>("hash"),
            spgemm_team_rows_kernel<SpgemmColumns::marks, Exec, Scalar, Ordinal, Offset>("dense_window"),
            spgemm_expanded_kernel<SpgemmExpansionBy::rows, Exec, Scalar, Ordinal, Offset>("expand_sort_merge"),
            spgemm_expanded_kernel<SpgemmExpansionBy::sheets, Exec, Scalar, Ordinal, Offset>("outer_product")};
  }
};

template <class Exec, class Scalar, class Ordinal, class Offset>
requires(is_device_space<Exec>) static SpgemmFacts
    spgemm_facts(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of) {
  SpgemmFacts facts;
  IndexRange<Exec> const rows(exec, 0, of.a.rows);
  std::int64_t products = 0;
  reduce_indices(
      "araia::spgemm::products", rows,
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) { sum += spgemm_products(of, row); }, products);
  reduce_indices(
      "araia::spgemm::most_products", rows,
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & most) { most = Kokkos::max(most, spgemm_products(of, row)); },
      Kokkos::Max<std::int64_t>(facts.most_products));
  facts.products = static_cast<std::uint64_t>(products);
  if (of.a.rows == 0) facts.most_products = 0;
  return facts;
}

/// Hosts: both in one look at A.
template <class Exec, class Scalar, class Ordinal, class Offset>
requires(!is_device_space<Exec>) static SpgemmFacts
    spgemm_facts(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of) {
  SpgemmFacts facts;
  std::mutex adding;
  deal_rows(exec, "araia::spgemm::products", of.a.rows, std::max<std::int64_t>(1, exec.concurrency()),
            [&](std::int64_t, std::int64_t first, std::int64_t last) {
              SpgemmFacts part;
              for (std::int64_t row = first; row < last; ++row) {
                std::int64_t const products = spgemm_products(of, row);
                part.products += static_cast<std::uint64_t>(products);
                part.most_products = std::max(part.most_products, products);
              }
              std::lock_guard const lock(adding);
              facts.products += part.products;
              facts.most_products = std::max(facts.most_products, part.most_products);
            });
  return facts;
}

/// values(i) = from(source(i)), or from(i) where nothing is moved; conjugated where asked for.
template <class Exec, class Values, class From, class Source>
static void gather_values(Exec const& exec, Values const& values, From const& from, Source const& source, bool moved,
                          bool conjugate) {
  for_each_index(
      "araia::spgemm::own_values", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(values.size())),
      KOKKOS_LAMBDA(std::int64_t i) { values(i) = conjugate_if(conjugate, from(moved ? source.at(i) : i)); });
}

template <class Exec, class Values>
static void zero_values(Exec const& exec, Values const& values) {
  using Scalar = typename Values::non_const_value_type;
  for_each_index(
      "araia::spgemm::zero_values", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(values.size())),
      KOKKOS_LAMBDA(std::int64_t i) { values(i) = Scalar{}; });
}

/// Counts become offsets, in 64 bits.
template <class Exec, class Offsets>
static void spgemm_sum_counts(Exec const& exec, Offsets const& counts, Offsets const& offsets, std::int64_t rows) {
  for_each_index(
      "araia::spgemm::first_offset", IndexRange<Exec>(exec, 0, 1), KOKKOS_LAMBDA(std::int64_t) { counts.set(0, 0); });
  scan_indices<std::int64_t>(
      "araia::spgemm::offsets", IndexRange<Exec>(exec, 0, rows + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool final) {
        sum += counts.at(i);
        if (final) offsets.set(i, sum);
      });
}

template <class Exec, class Offsets>
static std::int64_t spgemm_entries(Exec const& exec, Offsets const& counts, std::int64_t rows) {
  std::int64_t entries = 0;
  reduce_indices(
      "araia::spgemm::entries", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += counts.at(i + 1); }, entries);
  return entries;
}

/// The way of the kernel that options name, or else of the first that forms the product. \param name  becomes its name
template <class Exec, class Scalar, class Ordinal, class Offset>
static std::unique_ptr<SpgemmWay<Exec, Scalar, Ordinal, Offset>> make_spgemm_way(
    std::vector<SpgemmKernelOf<Exec, Scalar, Ordinal, Offset>> const& kernels, Exec const& exec,
    SpgemmOperands<Scalar, Ordinal, Offset> const& of, SpgemmFacts const& facts, SpgemmOptions const& options,
    std::string& name) {
  bool const any = options.kernel == "automatic";
  std::string refusal;
  for (auto const& kernel : kernels) {
    if (!any && kernel.name != options.kernel) continue;
    name = kernel.name;
    if (auto way = kernel.make(exec, of, facts, options, refusal)) return way;
  }
  if (name.empty()) {
    std::vector<std::string> names;
    for (auto const& kernel : kernels) names.emplace_back(kernel.name);
    refuse_spgemm_kernel(options.kernel, names);
  }
  throw Error(ErrorKind::unsupported,
              "araia::make_spgemm: the kernel " + name + " is refused: " + refusal + ", expected another kernel");
}

/// What the kernels that need no look at the structure would have taken.
template <class Exec, class Scalar, class Ordinal, class Offset>
static std::vector<SpgemmAlternative> spgemm_alternatives(
    std::vector<SpgemmKernelOf<Exec, Scalar, Ordinal, Offset>> const& kernels, Exec const& exec,
    SpgemmOperands<Scalar, Ordinal, Offset> const& of, SpgemmFacts const& facts, bool values) {
  std::vector<SpgemmAlternative> all;
  for (auto const& kernel : kernels)
    if (kernel.workspace_bytes)
      all.push_back({std::string(kernel.name), kernel.workspace_bytes(exec, of, facts, values)});
  return all;
}

template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmInputs<Exec, Scalar, Ordinal, Offset>::SpgemmInputs(Exec const& exec, Operand const& A, Operand const& B,
                                                          SpgemmOptions const& options)
    : exec_(exec),
      op_a_(options.op_a),
      op_b_(options.op_b),
      pattern_only_(options.pattern_only),
      memory_limit_(options.memory_limit),
      a_(A),
      b_(B) {
  Kokkos::Profiling::ScopedRegion const region("araia::make_spgemm");
  if (options.offset_bits != 0 && options.offset_bits != 32 && options.offset_bits != 64)
    throw Error(ErrorKind::invalid_argument, "araia::make_spgemm: options.offset_bits is " +
                                                 std::to_string(options.offset_bits) + ", expected 0, 32 or 64");
  for (auto const& [matrix, op, name] : {std::tuple{&A, op_a_, "A"}, std::tuple{&B, op_b_, "B"}}) {
    if (options.validate) validate(exec, *matrix);
    if (!transposes(op) && matrix->row_permutation.extent(0) != 0)
      throw Error(ErrorKind::unsupported, std::string("araia::make_spgemm: the rows of ") + name +
                                              " are permuted, expected matrix order: to_csr(exec, " + name + ") first");
  }
  auto const shape = [](Operand const& of, Op op) {
    return transposes(op) ? std::pair{of.cols, of.rows} : std::pair{of.rows, of.cols};
  };
  auto const [a_rows, a_cols] = shape(A, op_a_);
  auto const [b_rows, b_cols] = shape(B, op_b_);
  if (a_cols != b_rows)
    throw Error(ErrorKind::dimension_mismatch, "araia::make_spgemm: op(A) is " + std::to_string(a_rows) + " x " +
                                                   std::to_string(a_cols) + ", op(B) is " + std::to_string(b_rows) +
                                                   " x " + std::to_string(b_cols) +
                                                   ", expected as many rows of op(B) as columns of op(A)");
  apply(a_, op_a_, a_own_);
  apply(b_, op_b_, b_own_);
  operands_.a = a_.pointers();
  operands_.b = b_.pointers();
  if (pattern_only_) operands_.a.values = operands_.b.values = nullptr;
  operands_.ascending = rows_ascend(exec_, operands_.b);
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void SpgemmInputs<Exec, Scalar, Ordinal, Offset>::apply(Operand& of, Op op, Own& own) {
  bool const values = of.has_values() && !pattern_only_;
  if (!transposes(op) && !(is_complex_v<Scalar> && conjugates(op) && values)) return;
  // What is made here at least, before it is allocated.
  std::uint64_t const nnz = static_cast<std::uint64_t>(of.nnz);
  std::uint64_t bytes = values ? nnz * sizeof(Scalar) : 0;
  if (transposes(op))
    bytes +=
        (static_cast<std::uint64_t>(of.cols) + 1) * sizeof(Offset) + nnz * sizeof(Ordinal) + gather_map_bytes(of.nnz);
  require_memory("araia::make_spgemm: a transposed operand", bytes,
                 memory_limit_or_default<typename Exec::memory_space>(memory_limit_));
  if (values) {
    own.given = of.values;
    own.values = new_array<Scalar, Device>(exec_, "araia::spgemm::own_values", of.nnz);
  }
  if (!transposes(op)) {
    of.values = own.values;
    return;
  }
  auto const pattern = of.pattern().pointers();
  own.source = new_gather_map<Device>(exec_, "araia::spgemm::source", of.nnz);
  auto const by_columns = transposition<Offset, Device>(
      exec_, pattern, PlaceEntry<char, char>{nullptr, nullptr, own.source.pointers(), false});
  own.row_offsets = by_columns.col_offsets;
  own.col_indices = by_columns.row_indices;
  of = Operand{.rows = of.cols,
               .cols = of.rows,
               .nnz = of.nnz,
               .row_offsets = own.row_offsets,
               .col_indices = own.col_indices,
               .values = own.values};
}

template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmFacts const& SpgemmInputs<Exec, Scalar, Ordinal, Offset>::facts() const {
  if (!facts_) facts_ = spgemm_facts(exec_, operands_);
  return *facts_;
}

template <class Exec, class Scalar, class Ordinal, class Offset>
std::uint64_t SpgemmInputs<Exec, Scalar, Ordinal, Offset>::bytes() const {
  std::uint64_t all = 0;
  for (auto const* const kept : {&a_own_, &b_own_})
    all += kept->row_offsets.size() * sizeof(Offset) + kept->col_indices.size() * sizeof(Ordinal) +
           kept->values.size() * sizeof(Scalar) + kept->source.bytes();
  return all;
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void SpgemmInputs<Exec, Scalar, Ordinal, Offset>::gather() const {
  for (auto const& [op, own] : {std::tuple{op_a_, &a_own_}, std::tuple{op_b_, &b_own_}})
    if (own->given.extent(0) != 0)
      gather_values(exec_, own->values, own->given, own->source.pointers(), transposes(op), conjugates(op));
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void SpgemmInputs<Exec, Scalar, Ordinal, Offset>::require_same(Operand const& mine, Operand const& from, Op op,
                                                               char const* name) const {
  bool const same = mine.nnz == from.nnz && (transposes(op) ? mine.rows == from.cols && mine.cols == from.rows
                                                            : mine.rows == from.rows && mine.cols == from.cols);
  if (!same)
    throw Error(ErrorKind::dimension_mismatch, std::string("araia::spgemm: update_values: ") + name + " is " +
                                                   std::to_string(from.rows) + " x " + std::to_string(from.cols) +
                                                   " with " + std::to_string(from.nnz) +
                                                   " entries, expected those of make_spgemm");
  if (!pattern_only_ && from.has_values() != mine.has_values() && mine.nnz > 0)
    throw Error(ErrorKind::invalid_argument,
                std::string("araia::spgemm: update_values: ") + name +
                    (from.has_values() ? " has values, expected none" : " has no values, expected them"));
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void SpgemmInputs<Exec, Scalar, Ordinal, Offset>::take_values(Operand const& A, Operand const& B) {
  require_same(a_, A, op_a_, "A");
  require_same(b_, B, op_b_, "B");
  if (pattern_only_) return;
  auto const take = [](Operand& mine, Operand const& from, Own& own) {
    if (own.given.extent(0) != 0)
      own.given = from.values;
    else if (from.has_values())
      mine.values = from.values;
  };
  take(a_, A, a_own_);
  take(b_, B, b_own_);
  operands_.a = a_.pointers();
  operands_.b = b_.pointers();
}

}  // namespace detail

template <class Exec, class Scalar, class Ordinal, class Offset>
Spgemm<Exec, Scalar, Ordinal, Offset>::Spgemm(Exec const& exec, Inputs inputs, SpgemmOptions const& options)
    : exec_(exec), options_(options), inputs_(std::move(inputs)) {
  Kokkos::Profiling::ScopedRegion const region("araia::make_spgemm");
  auto const& operands = inputs_.pointers();
  auto const& facts = inputs_.facts();
  auto const kernels = detail::SpgemmKernelsOf<Exec, Scalar, Ordinal, Offset>::all();
  way_ = detail::make_spgemm_way(kernels, exec_, operands, facts, options_, report_.kernel);
  report_.rows = operands.a.rows;
  report_.cols = operands.b.cols;
  report_.products = facts.products;
  report_bytes();
  way_->allocate(exec_);
  count();
  report_.bins = way_->bins();
  if (report_.bins.empty()) report_.bins = {{report_.kernel, report_.rows, facts.products}};
  report_.alternatives = detail::spgemm_alternatives(kernels, exec_, operands, facts, !options_.pattern_only);
}

template <class Exec, class Scalar, class Ordinal, class Offset>
Spgemm<Exec, Scalar, Ordinal, Offset>::Spgemm(Spgemm&&) noexcept = default;
template <class Exec, class Scalar, class Ordinal, class Offset>
Spgemm<Exec, Scalar, Ordinal, Offset>& Spgemm<Exec, Scalar, Ordinal, Offset>::operator=(Spgemm&&) noexcept = default;
template <class Exec, class Scalar, class Ordinal, class Offset>
Spgemm<Exec, Scalar, Ordinal, Offset>::~Spgemm() = default;

template <class Exec, class Scalar, class Ordinal, class Offset>
void Spgemm<Exec, Scalar, Ordinal, Offset>::report_bytes() {
  report_.workspace_bytes = inputs_.bytes() + way_->workspace_bytes();
  report_.bytes =
      (static_cast<std::uint64_t>(report_.rows) + 1) *
          (report_.offset_bits == 64 ? sizeof(std::int64_t) : sizeof(detail::spgemm_narrow_t<Offset>)) +
      static_cast<std::uint64_t>(report_.nnz) * (sizeof(Ordinal) + (options_.pattern_only ? 0 : sizeof(Scalar)));
  report_.peak_bytes = report_.workspace_bytes + report_.bytes;
  detail::require_memory("araia::make_spgemm: C and the workspace", report_.peak_bytes,
                         detail::memory_limit_or_default<typename Exec::memory_space>(options_.memory_limit));
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void Spgemm<Exec, Scalar, Ordinal, Offset>::count() {
  using NarrowOffset = detail::spgemm_narrow_t<Offset>;
  constexpr std::int64_t most = std::numeric_limits<NarrowOffset>::max();
  std::int64_t const rows = report_.rows;
  // A row's entries fit narrow offsets where its columns do.
  bool const counted_wide = options_.offset_bits == 64 || report_.cols > most;
  if (counted_wide)
    wide_ = detail::new_array<std::int64_t, Device>(exec_, "araia::csr::row_offsets", rows + 1);
  else
    narrow_ = detail::new_array<NarrowOffset, Device>(exec_, "araia::csr::row_offsets", rows + 1);
  using Offsets = typename Way::Offsets;
  Offsets const counts{narrow_.data(), wide_.data()};
  way_->count(exec_, inputs_.pointers(), counts);
  report_.nnz = detail::spgemm_entries(exec_, counts, rows);
  bool const wide = options_.offset_bits == 64 || report_.nnz > most;
  if (wide && options_.offset_bits == 32)
    detail::require_fits<NarrowOffset>("araia::make_spgemm: entries of C", report_.nnz);
  report_.offset_bits = wide ? 64 : 8 * static_cast<int>(sizeof(NarrowOffset));
  report_bytes();
  Offsets offsets = counts;
  if (wide != counted_wide) {  // both for a moment
    report_.peak_bytes =
        std::max(report_.peak_bytes, report_.workspace_bytes + static_cast<std::uint64_t>(rows + 1) *
                                                                   (sizeof(std::int64_t) + sizeof(NarrowOffset)));
    if (wide)
      wide_ = detail::new_array<std::int64_t, Device>(exec_, "araia::csr::row_offsets", rows + 1);
    else
      narrow_ = detail::new_array<NarrowOffset, Device>(exec_, "araia::csr::row_offsets", rows + 1);
    offsets = wide ? Offsets{nullptr, wide_.data()} : Offsets{narrow_.data(), nullptr};
  }
  detail::spgemm_sum_counts(exec_, counts, offsets, rows);
  exec_.fence("araia::make_spgemm: offsets are summed");
  if (wide)
    narrow_ = {};
  else
    wide_ = {};
}

template <class Exec, class Scalar, class Ordinal, class Offset>
void Spgemm<Exec, Scalar, Ordinal, Offset>::execute(Scalar const& alpha) {
  Kokkos::Profiling::ScopedRegion const region("araia::spgemm");
  typename Way::Offsets const offsets{narrow_.data(), wide_.data()};
  bool const was_empty = !filled_;
  bool const none = alpha == Scalar(0) && !options_.pattern_only;
  auto const& operands = inputs_.pointers();
  if (!none) inputs_.gather();
  if (filled_) {
    if (!options_.pattern_only && !none)
      way_->refresh(exec_, operands, alpha, options_.add, offsets, cols_.data(), values_.data());
  } else {
    cols_ = detail::new_array<Ordinal, Device>(exec_, "araia::csr::col_indices", report_.nnz);
    if (!options_.pattern_only) values_ = detail::new_array<Scalar, Device>(exec_, "araia::csr::values", report_.nnz);
    ask_for_huge_pages(cols_);
    ask_for_huge_pages(values_);
    way_->fill(exec_, operands, alpha, offsets, cols_.data(), options_.pattern_only ? nullptr : values_.data());
    filled_ = true;
  }
  if (none && (was_empty || !options_.add)) detail::zero_values(exec_, values_);
  exec_.fence("araia::spgemm: C is complete");
}

template <class Exec, class Scalar, class Ordinal, class Offset>
std::variant<typename Spgemm<Exec, Scalar, Ordinal, Offset>::Narrow,
             typename Spgemm<Exec, Scalar, Ordinal, Offset>::Wide>
Spgemm<Exec, Scalar, Ordinal, Offset>::c() const {
  if (!filled_)
    throw Error(ErrorKind::invalid_argument, "araia::spgemm: C is asked for before execute(), expected after it");
  auto const made = [&](auto result, auto const& offsets) {
    result.rows = report_.rows;
    result.cols = report_.cols;
    result.nnz = report_.nnz;
    result.row_offsets = offsets;
    result.col_indices = cols_;
    result.values = values_;
    return result;
  };
  if (report_.offset_bits == 64) return made(Wide{}, wide_);
  return made(Narrow{}, narrow_);
}

}  // namespace araia
