// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/first_failure.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "src/io/host_coo_check.hpp"

namespace araia {

std::int64_t most_entries(HostCoo const& coo) {
  std::int64_t const stored = coo.stored();
  if (coo.symmetry == Symmetry::general) return stored;
  return stored > std::numeric_limits<std::int64_t>::max() / 2 ? std::numeric_limits<std::int64_t>::max() : 2 * stored;
}

namespace {

using HostExec = Kokkos::DefaultHostExecutionSpace;

/// run(chunk) for chunks 0 .. count-1, in parallel on the host. Throws what one of them does.
template <class Run>
void for_each_chunk(int count, Run const& run) {
  detail::FirstFailure failure;
  Kokkos::parallel_for("araia::assemble", Kokkos::RangePolicy<HostExec, Kokkos::Schedule<Kokkos::Dynamic>>(0, count),
                       [&](int chunk) { failure.guard([&] { run(chunk); }); });
  failure.rethrow();
}

/// First of the items of chunk `chunk` out of `chunks`.
std::int64_t chunk_first(std::int64_t items, int chunk, int chunks) {
  return items / chunks * chunk + std::min<std::int64_t>(items % chunks, chunk);
}

template <class Scalar>
inline constexpr bool complex_scalar = is_complex_v<Scalar>;

template <class Scalar, class From>
Scalar converted(From const& value) {
  if constexpr (std::is_same_v<From, std::complex<double>>) {
    if constexpr (complex_scalar<Scalar>)
      return Scalar(value.real(), value.imag());
    else
      return static_cast<Scalar>(value.real());  // assemble() has refused complex entries before
  } else if constexpr (complex_scalar<Scalar>) {
    return Scalar(static_cast<typename Scalar::value_type>(value));
  } else {
    return static_cast<Scalar>(value);
  }
}

/// What an entry becomes on the other side of the diagonal.
template <class Scalar>
Scalar mirrored(Symmetry symmetry, Scalar const& value) {
  if (symmetry == Symmetry::skew_symmetric) return -value;
  if constexpr (complex_scalar<Scalar>)
    if (symmetry == Symmetry::hermitian) return Kokkos::conj(value);
  return value;
}

/// emit(row, col, k) for entry k and, where there is symmetry, for its mirror image with `mirror` set.
template <class Index, class Emit>
void for_each_expanded(std::vector<Index> const& rows, std::vector<Index> const& cols, Symmetry symmetry,
                       std::int64_t first, std::int64_t last, Emit const& emit) {
  for (std::int64_t k = first; k < last; ++k) {
    Index const row = rows[static_cast<std::size_t>(k)];
    Index const col = cols[static_cast<std::size_t>(k)];
    emit(row, col, k, false);
    if (symmetry != Symmetry::general && row != col) emit(col, row, k, true);
  }
}

/// Sorts one row by column, equal columns in their order of arrival; true if a column occurs twice.
template <class Ordinal, class Scalar>
bool sort_row(Ordinal* cols, Scalar* values, std::int64_t length, std::vector<std::pair<Ordinal, Scalar>>& buffer) {
  bool sorted = true;
  bool duplicates = false;
  for (std::int64_t j = 1; j < length; ++j) {
    sorted = sorted && cols[j - 1] <= cols[j];
    duplicates = duplicates || cols[j - 1] == cols[j];
  }
  if (sorted) return duplicates;
  auto const value = [&](std::int64_t j) { return values ? values[j] : Scalar{}; };
  buffer.clear();
  for (std::int64_t j = 0; j < length; ++j) buffer.emplace_back(cols[j], value(j));
  std::stable_sort(buffer.begin(), buffer.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  duplicates = false;
  for (std::int64_t j = 0; j < length; ++j) {
    auto const& entry = buffer[static_cast<std::size_t>(j)];
    cols[j] = entry.first;
    if (values) values[j] = entry.second;
    duplicates = duplicates || (j > 0 && cols[j - 1] == cols[j]);
  }
  return duplicates;
}

/// Sums equal columns of sorted rows in place; returns the entries that are left.
template <class Offset, class Ordinal, class Scalar>
std::int64_t sum_duplicates(std::int64_t rows, Offset* row_offsets, Ordinal* cols, Scalar* values) {
  std::int64_t kept = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t const first = static_cast<std::int64_t>(row_offsets[row]);
    std::int64_t const last = static_cast<std::int64_t>(row_offsets[row + 1]);
    std::int64_t const row_first = kept;
    row_offsets[row] = static_cast<Offset>(row_first);
    for (std::int64_t k = first; k < last; ++k) {
      if (kept > row_first && cols[kept - 1] == cols[k]) {
        if (values) values[kept - 1] += values[k];
      } else {
        cols[kept] = cols[k];
        if (values) values[kept] = values[k];
        ++kept;
      }
    }
  }
  row_offsets[rows] = static_cast<Offset>(kept);
  return kept;
}

/// Entries in chunks of arrival, one a thread where that keeps the counts of a row and chunk fewer than the entries,
/// and where the next entry of each row goes for each chunk. The last chunk's end where the next row starts: they are
/// kept in the offsets themselves.
template <class Offset>
struct Places {
  std::int64_t entries;
  int chunks;
  Kokkos::View<Offset*, HostDevice> offsets;                  // (rows + 1)
  std::vector<Kokkos::View<Offset*, HostDevice>> of_earlier;  // chunks: (chunks - 1) times (rows)

  Places(HostCoo const& coo, int most_chunks)
      : entries(coo.stored()),
        chunks(most_chunks),
        offsets(detail::new_array<Offset, HostDevice>(HostExec(), "araia::csr::row_offsets", coo.rows + 1)),
        of_earlier(static_cast<std::size_t>(chunks - 1)) {
    for (auto& places : of_earlier)
      places = detail::new_array<Offset, HostDevice>(HostExec(), "araia::assemble::places", coo.rows);
  }
  [[nodiscard]] std::int64_t first(int chunk) const { return chunk_first(entries, chunk, chunks); }
  /// The next place of each row: counts at first.
  [[nodiscard]] Offset* next_of(int chunk) {
    return chunk + 1 == chunks ? offsets.data() + 1 : of_earlier[static_cast<std::size_t>(chunk)].data();
  }
};

/// Chunks of a Places: as many as there are threads, where memory has room for their counts.
/// \throws Error (resource_limit) where it has none for the result and the counts of one chunk
template <class Scalar, class Ordinal, class Offset>
int chunks_within(HostCoo const& coo, bool pattern) {
  using detail::saturating_product;
  using detail::saturating_sum;
  auto const rows = static_cast<std::uint64_t>(coo.rows);
  auto const entry = sizeof(Ordinal) + (pattern ? 0 : sizeof(Scalar));
  std::uint64_t const limit = default_host_memory_limit();
  std::uint64_t const result = saturating_sum(saturating_product(rows + 1, sizeof(Offset)),
                                              saturating_product(static_cast<std::uint64_t>(most_entries(coo)), entry));
  detail::require_memory("assemble: the matrix", result, limit);
  std::uint64_t const of_chunk = rows * sizeof(Offset);
  auto const useful =
      std::min<std::int64_t>(HostExec().concurrency(), 1 + coo.stored() / std::max<std::int64_t>(1, coo.rows));
  std::uint64_t const affordable = of_chunk == 0 ? ~std::uint64_t{0} : (limit - result) / of_chunk + 1;
  return static_cast<int>(std::min(static_cast<std::uint64_t>(useful), affordable));
}

// The steps of assemble_from depend on few of its types each, so they are functions: of the 48 ways in which scalars,
// offsets and what was read meet, only the loop that places entries is compiled for each.

/// Counts the entries of rows by chunks, turns the counts into places; returns the entries with their mirror images.
template <class Index, class Offset>
std::int64_t count_entries(HostCoo const& coo, std::vector<Index> const& row_indices,
                           std::vector<Index> const& col_indices, Places<Offset>& places) {
  for_each_chunk(places.chunks, [&](int chunk) {
    Offset* const counts = places.next_of(chunk);
    std::fill_n(counts, coo.rows, Offset{0});
    for_each_expanded(row_indices, col_indices, coo.symmetry, places.first(chunk), places.first(chunk + 1),
                      [&](Index row, Index, std::int64_t, bool) { ++counts[row]; });
  });
  std::int64_t total = 0;
  for (std::int64_t row = 0; row < coo.rows; ++row)
    for (int chunk = 0; chunk < places.chunks; ++chunk) {
      Offset& count = places.next_of(chunk)[row];
      auto const here = static_cast<std::int64_t>(count);
      count = static_cast<Offset>(total);
      total += here;
    }
  places.offsets(0) = 0;
  return total;
}

/// Sorts all rows by column, in chunks of equal entries, so that a few long rows do not leave threads idle; true if a
/// column occurs twice in a row. \param values  or null
template <class Ordinal, class Scalar, class Offset>
bool sort_rows(Csr<Scalar, Ordinal, Offset, HostDevice> const& A, Ordinal* cols, Scalar* values) {
  Offset const* const offsets = A.row_offsets.data();
  int const chunks = HostExec().concurrency() * 8;
  std::vector<char> chunk_has_duplicates(static_cast<std::size_t>(chunks), 0);
  for_each_chunk(chunks, [&](int chunk) {
    auto const row_at = [&](int p) {
      auto const target = static_cast<Offset>(chunk_first(A.nnz, p, chunks));
      return p == chunks ? A.rows : std::lower_bound(offsets, offsets + A.rows, target) - offsets;
    };
    std::vector<std::pair<Ordinal, Scalar>> buffer;
    bool duplicates = false;
    for (std::int64_t row = row_at(chunk); row < row_at(chunk + 1); ++row) {
      auto const first = static_cast<std::int64_t>(offsets[row]);
      duplicates |= sort_row(cols + first, values ? values + first : nullptr,
                             static_cast<std::int64_t>(offsets[row + 1]) - first, buffer);
    }
    chunk_has_duplicates[static_cast<std::size_t>(chunk)] = duplicates;
  });
  return std::any_of(chunk_has_duplicates.begin(), chunk_has_duplicates.end(), [](char has) { return has != 0; });
}

/// Rows of entries in any order become a matrix: columns sorted, equal ones summed, of a pattern merged.
/// \param values  without data where the matrix is a pattern or has no entries
template <class Scalar, class Ordinal, class Offset>
Csr<Scalar, Ordinal, Offset, HostDevice> sort_and_sum(HostCoo const& coo, std::int64_t total,
                                                      Kokkos::View<Offset*, HostDevice> const& offsets,
                                                      Kokkos::View<Ordinal*, HostDevice> const& cols,
                                                      Kokkos::View<Scalar*, HostDevice> const& values, bool pattern) {
  Csr<Scalar, Ordinal, Offset, HostDevice> A{.rows = coo.rows, .cols = coo.cols, .nnz = total};
  A.row_offsets = offsets;
  if (sort_rows(A, cols.data(), values.data()))
    A.nnz = sum_duplicates(A.rows, offsets.data(), cols.data(), values.data());
  auto const kept = Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(A.nnz));
  A.col_indices = A.nnz == total ? cols : Kokkos::View<Ordinal*, HostDevice>(Kokkos::subview(cols, kept));
  if (!pattern) A.values = A.nnz == total ? values : Kokkos::View<Scalar*, HostDevice>(Kokkos::subview(values, kept));
  return A;
}

template <class Scalar, class Ordinal, class Offset, class Index, class Values>
Csr<Scalar, Ordinal, Offset, HostDevice> assemble_from(HostCoo const& coo, std::vector<Index> const& row_indices,
                                                       std::vector<Index> const& col_indices, Values const& stored) {
  constexpr bool pattern = std::is_same_v<Values, std::monostate>;
  Places<Offset> places(coo, chunks_within<Scalar, Ordinal, Offset>(coo, pattern));
  std::int64_t const total = count_entries(coo, row_indices, col_indices, places);
  auto const cols = detail::new_array<Ordinal, HostDevice>(HostExec(), "araia::csr::col_indices", total);
  Kokkos::View<Scalar*, HostDevice> values;
  if (!pattern) values = detail::new_array<Scalar, HostDevice>(HostExec(), "araia::csr::values", total);
  for_each_chunk(places.chunks, [&](int chunk) {
    Offset* const next = places.next_of(chunk);
    for_each_expanded(row_indices, col_indices, coo.symmetry, places.first(chunk), places.first(chunk + 1),
                      [&](Index row, Index col, std::int64_t k, bool mirror) {
                        auto const at = static_cast<std::size_t>(next[row]++);
                        cols(at) = static_cast<Ordinal>(col);
                        if constexpr (!pattern) {
                          auto const value = converted<Scalar>(stored[static_cast<std::size_t>(k)]);
                          values(at) = mirror ? mirrored(coo.symmetry, value) : value;
                        }
                      });
  });
  places.of_earlier.clear();
  return sort_and_sum<Scalar>(coo, total, places.offsets, cols, values, pattern);
}

}  // namespace

template <class Scalar, class Ordinal, class Offset>
requires detail::has_assembly<Scalar, Ordinal, Offset> Csr<Scalar, Ordinal, Offset, HostDevice> assemble(
    HostCoo const& coo) {
  detail::check_host_coo(coo);  // an application may have filled it
  detail::require_fits<Ordinal>("assemble: rows", coo.rows);
  detail::require_fits<Ordinal>("assemble: cols", coo.cols);
  detail::require_fits<Offset>("assemble: most entries", most_entries(coo));
  if (!complex_scalar<Scalar> && std::holds_alternative<std::vector<std::complex<double>>>(coo.values))
    throw Error(ErrorKind::invalid_argument, "assemble: the entries are complex, expected real ones for a real matrix");
  return std::visit(
      [&](auto const& rows, auto const& values) {
        auto const& cols = std::get<std::decay_t<decltype(rows)>>(coo.col_indices);
        return assemble_from<Scalar, Ordinal, Offset>(coo, rows, cols, values);
      },
      coo.row_indices, coo.values);
}

[[gnu::used]] static void write_out_assemble() {
  detail::for_types<detail::AllScalars, detail::AllOffsets>(
      [&]<class Scalar, class Offset>() { detail::write_out(assemble<Scalar, std::int32_t, Offset>); });
}

}  // namespace araia
