// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y for a range of rows, A in CSR. A row's entries go round the lanes of a vector or two; the
// vectors of as many rows as there are lanes are then added up together, which costs one shuffle tree for all of them.
// The bits of a row depend on its entries, its run and, where x comes by gathers, on the matrix's mean length: not on
// the range or the neighbours it was computed with.
// Traffic double, int32: 12 B per entry (8 B where the columns are shared), 4 B per row of offsets, 8 B of 64-bit ones,
//          8 B of y (16 B if beta != 0), plus x.
// Where gathers are fast, rows come eight at a time, a vector's last entries by a masked gather: no row waits for the
// one before. Of very short ones, as most_mean_length says, the products come first and then a lane a row.

#include "backends/openmp/csr_spmv_rows.hpp"

#include <araia/detail/formats/type_list.hpp>
#include <type_traits>

#include "backends/openmp/csr_spmv_gathered_rows.hpp"
#include "backends/openmp/csr_spmv_grouped_rows.hpp"
#include "backends/openmp/csr_spmv_lanes.hpp"
#include "backends/openmp/csr_spmv_put_together_rows.hpp"
#include "backends/openmp/csr_spmv_run_lanes.hpp"
#include "backends/openmp/prefetch.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// How far ahead the streams of values and columns are prefetched: the hardware's own prefetch stops at each 4 KiB page.
// Into L2, as L1 of most processors has too few buffers for what is then under way, or into L1 where prefetches_into_l1
// of isa.hpp says so. Matrices that stay in cache lose by it.
constexpr std::int64_t bytes_ahead = 8192;
constexpr std::int64_t bytes_ahead_into_l1 = 4096;

// Columns of one run whose x is put together once for all its rows, on the stack.
constexpr std::int64_t most_gathered = 512;

// Rows on their own columns whose offsets are narrowed at once where they have 64 bits, on the stack, unless they have
// more entries: far from what 32 bits hold, so that tests reach it.
constexpr std::int64_t narrowed_rows = 1024;
constexpr std::int64_t narrowed_entries = std::int64_t{1} << 20;

/// Sums wait here until there are as many as lanes; then they are added up, scaled and stored.
template <class A, class X, class Y, class L>
struct Rows {
  using Sum = typename L::Sum;
  static constexpr std::int64_t width = L::width;

  CsrSpmvRows<A, X, Y> const& in;
  Sum sums[width];
  std::int64_t row;          // of sums[0]
  std::int64_t waiting = 0;  // sums

  explicit Rows(CsrSpmvRows<A, X, Y> const& args) : in(args), row(args.first_row) {
    for (auto& sum : sums) sum = L::zero();
  }

  template <Prefetch streams_into>
  [[gnu::always_inline]] static void prefetch(void const* p) {
    if constexpr (streams_into == Prefetch::into_l1) host::prefetch<Into::l1>(p, bytes_ahead_into_l1);
    if constexpr (streams_into == Prefetch::into_l2) host::prefetch<Into::l2>(p, bytes_ahead);
  }

  /// Adds up what waits and stores it.
  void store_waiting() {
    if (waiting == 0) return;
    update<L>(row, waiting, L::sum_up(sums));
    row += waiting;
    waiting = 0;
  }

  /// y = alpha sum + beta y for `count` <= Group::width rows from `first` on. Lanes beyond them hold anything.
  template <class Group>
  [[gnu::always_inline]] void update(std::int64_t first, std::int64_t count, typename Group::Sum const& sum) const {
    Y* const y = in.y + first;
    if (in.a.row_permutation) {
      update_permuted<Group>(first, count, sum);
    } else if (count == Group::width) {
      Group::store(
          y, in.beta == Y(0) ? Group::scaled(in.alpha, sum) : Group::scaled(in.alpha, sum, in.beta, Group::load(y)));
    } else {
      Group::store(
          y,
          in.beta == Y(0) ? Group::scaled(in.alpha, sum) : Group::scaled(in.alpha, sum, in.beta, Group::load(y, count)),
          count);
    }
  }

  template <class Group>
  __attribute__((noinline)) void update_permuted(std::int64_t first, std::int64_t count,
                                                 typename Group::Sum const& sum) const {
    alignas(64) Y out[Group::width];
    if (in.beta == Y(0)) {
      Group::store(out, Group::scaled(in.alpha, sum));
    } else {
      alignas(64) Y before[Group::width] = {};
      for (std::int64_t r = 0; r < count; ++r) before[r] = in.y[place(first + r)];
      Group::store(out, Group::scaled(in.alpha, sum, in.beta, Group::load(before)));
    }
    for (std::int64_t r = 0; r < count; ++r) in.y[place(first + r)] = out[r];
  }

  std::int64_t place(std::int64_t stored_row) const {
    return in.a.row_permutation ? static_cast<std::int64_t>(in.a.row_permutation[stored_row]) : stored_row;
  }

  void put(Sum const& sum) {
    sums[waiting] = sum;
    if (++waiting == width) store_waiting();
  }

  template <bool Ones>
  static Sum add(Sum const& sum, A const* values, Sum const& x) {
    if constexpr (Ones) {
      return L::add_ones(sum, x);
    } else {
      return L::add(sum, values, x);
    }
  }
  template <bool Ones>
  static Sum add(Sum const& sum, A const* values, Sum const& x, std::int64_t n) {
    if constexpr (Ones) {
      return L::add_ones(sum, x);
    } else {
      return L::add(sum, values, x, n);
    }
  }

  /// A row by itself on a list, which is in cache and not prefetched.
  template <bool Ones, Prefetch streams_into>
  Sum dot(A const* values, std::int32_t const* columns, X const* x, std::int64_t length) const {
    Sum sum = L::zero();
    std::int64_t k = 0;
    for (; k + width <= length; k += width) {
      if constexpr (!Ones) prefetch<streams_into>(values + k);
      sum = add<Ones>(sum, values + k, L::load_x(x, columns + k));
    }
    if (k < length) {
      if constexpr (!Ones) prefetch<streams_into>(values + k);
      std::int64_t const n = length - k;
      sum = add<Ones>(sum, values + k, L::load_x(x, columns + k, n), n);
    }
    return sum;
  }

  /// A few rows on the same columns, such as the unknowns of a finite-element node: each vector of x is put together
  /// once for all of them. One loop over the entries of all rows, as the end of each would mispredict where groups
  /// differ in length.
  template <bool Ones, Prefetch streams_into, int Count>
  void rows_of_group(A const* values, std::int32_t const* columns, X const* x, std::int64_t length) {
    Sum group_sums[Count];
    for (auto& sum : group_sums) sum = L::zero();
    std::int64_t k = 0;
    for (; k + width <= length; k += width) {
      prefetch<streams_into>(columns + k);
      Sum const of_x = L::load_x(x, columns + k);
      for (std::int64_t i = 0; i < Count; ++i) {
        if constexpr (!Ones) prefetch<streams_into>(values + Count * k + i * width);
        group_sums[i] = add<Ones>(group_sums[i], values + (Ones ? 0 : i * length + k), of_x);
      }
    }
    if (k < length) {
      // The next run's columns are as good to read as these, by lanes that do not count.
      bool const reads_on = !Ones && !L::gathers && columns + k + width <= in.run_columns_end;
      Sum const of_x = reads_on ? L::load_x(x, columns + k) : L::load_x(x, columns + k, length - k);
      for (std::int64_t i = 0; i < Count; ++i) {
        if constexpr (!Ones) prefetch<streams_into>(values + Count * k + i * width);
        group_sums[i] = add<Ones>(group_sums[i], values + (Ones ? 0 : i * length + k), of_x, length - k);
      }
    }
    for (auto const& sum : group_sums) put(sum);
  }

  /// `count` rows on the same columns: what they read of x is put together once.
  template <bool Ones, Prefetch streams_into>
  void dots(A const* values, std::int32_t const* columns, X const* x, std::int64_t length, std::int64_t count) {
    alignas(64) Y of_x[most_gathered];
    std::int64_t k = 0;
    for (; k + width <= length; k += width) {
      prefetch<streams_into>(columns + k);
      L::store(of_x + k, L::load_x(x, columns + k));
    }
    std::int64_t const whole = k;
    std::int64_t const rest = length - whole;
    if (rest > 0) L::store(of_x + whole, L::load_x(x, columns + whole, rest));
    for (std::int64_t i = 0; i < count; ++i) {
      Sum sum = L::zero();
      for (k = 0; k < whole; k += width) {
        if constexpr (!Ones) prefetch<streams_into>(values + k);
        sum = add<Ones>(sum, values + k, L::load(of_x + k));
      }
      if (rest > 0) {
        if constexpr (!Ones) prefetch<streams_into>(values + whole);
        sum = add<Ones>(sum, values + whole, L::load(of_x + whole), rest);
      }
      put(sum);
      if constexpr (!Ones) values += length;
    }
  }

  template <bool Ones>
  void own_columns(std::int64_t first, std::int64_t last) {
    if (in.wide_offsets) return narrowed<Ones>(first, last);
    own_rows<Ones>({in.a.row_offsets + first, in.a.values, in.a.col_indices, in.a.nnz}, first, last - first);
  }

  /// Offsets of 64 bits, some rows at a time, counted from the first of them: the kernels exist for 32 bits alone.
  template <bool Ones>
  __attribute__((noinline)) void narrowed(std::int64_t first, std::int64_t last) {
    std::int32_t offsets[narrowed_rows + 1];
    while (first < last) {
      std::int64_t const* const wide = in.wide_offsets + first;
      std::int64_t const begin = wide[0];
      std::int64_t count = last - first < narrowed_rows ? last - first : narrowed_rows;
      while (count > 0 && wide[count] - begin > narrowed_entries) count /= 2;
      A const* const values = in.a.values + (Ones ? 0 : begin);
      std::int32_t const* const columns = in.a.col_indices + begin;
      if (count == 0) {
        long_row<Ones>({nullptr, values, columns, in.a.nnz - begin}, first++, wide[1] - begin);
        continue;
      }
      for (std::int64_t r = 0; r <= count; ++r) offsets[r] = static_cast<std::int32_t>(wide[r] - begin);
      own_rows<Ones>({offsets, values, columns, in.a.nnz - begin}, first, count);
      first += count;
    }
  }

  /// Prefetches: such a row comes from memory.
  template <bool Ones>
  void long_row(OwnRows<A> const& own, std::int64_t row_of_it, std::int64_t length) {
#if defined(__AVX512F__)
    if constexpr (L::gathers) {
      GatheredRows<Ones, true, A, X, Y, Rows>::long_row(*this, own, row_of_it, length);
    } else  // as in own_rows
#endif
    {
      PutTogetherRows<Ones, Prefetch::into_l2, A, X, Y, Rows>::long_row(*this, own, row_of_it, length);
    }
  }

  template <bool Ones>
  void own_rows(OwnRows<A> const& own, std::int64_t first, std::int64_t count) {
#if defined(__AVX512F__)
    if constexpr (L::gathers) {
      if (in.far) return GatheredRows<Ones, true, A, X, Y, Rows>::all(*this, own, first, count);
      return GatheredRows<Ones, false, A, X, Y, Rows>::all(*this, own, first, count);
    } else  // other lanes alone have what follows compiled
#endif
    {
#if defined(__AVX2__) || \
    !defined(__x86_64__)  // on x86-64-v2 rows always prefetch, slower in cache, by half the kernels
      if (!in.far) return PutTogetherRows<Ones, Prefetch::never, A, X, Y, Rows>::all(*this, own, first, count);
#endif
#if defined(__AVX512F__)
      if (in.into_l1) return PutTogetherRows<Ones, Prefetch::into_l1, A, X, Y, Rows>::all(*this, own, first, count);
#endif
      return PutTogetherRows<Ones, Prefetch::into_l2, A, X, Y, Rows>::all(*this, own, first, count);
    }
  }

  /// A lane is a row: `count` <= RunLanes::width rows, each one column right of the row before.
  template <bool Ones, Prefetch streams_into, bool Full>
  void shifted_by_one(A const* values, std::int32_t const* columns, X const* x, std::int64_t length, std::int64_t first,
                      std::int64_t count) {
    using R = RunLanes<A, X, Y>;
    auto sum = R::zero();
    auto const add_entry = [&](auto const& v, std::int64_t k) {
      if constexpr (Full) {
        sum = R::add(sum, v, x + columns[k]);
      } else {
        sum = R::add(sum, v, x + columns[k], count);
      }
    };
    if constexpr (Ones) {
      for (std::int64_t k = 0; k < length; ++k) {
        if constexpr (Full) {
          sum = R::add_ones(sum, x + columns[k]);
        } else {
          sum = R::add_ones(sum, x + columns[k], count);
        }
      }
    } else if (!Full && values + R::width * length > in.a.values + in.a.nnz) {
      // Lanes beyond the last row would read beyond the matrix.
      for (std::int64_t k = 0; k < length; ++k) {
        alignas(64) Y entry[R::width] = {};
        for (std::int64_t r = 0; r < count; ++r) entry[r] = Y(values[r * length + k]);
        add_entry(R::load(entry), k);
      }
    } else {
      std::int64_t k = 0;
      decltype(sum) v[4];
      for (; k + 4 <= length; k += 4) {
        for (std::int64_t at = 0; at < 4 * R::width; at += 64 / sizeof(A))
          prefetch<streams_into>(values + k * R::width + at);
        R::template block<4>(values + k, length, v);
        for (int j = 0; j < 4; ++j) add_entry(v[j], k + j);
      }
      if (k < length) {
        for (std::int64_t at = 0; at < 4 * R::width; at += 64 / sizeof(A))
          prefetch<streams_into>(values + k * R::width + at);
        switch (length - k) {
          case 3:
            R::template block<3>(values + k, length, v);
            add_entry(v[0], k);
            add_entry(v[1], k + 1);
            add_entry(v[2], k + 2);
            break;
          case 2:
            R::template block<2>(values + k, length, v);
            add_entry(v[0], k);
            add_entry(v[1], k + 1);
            break;
          default:
            R::template block<1>(values + k, length, v);
            add_entry(v[0], k);
            break;
        }
      }
    }
    update<R>(first, count, sum);
  }

  template <bool Ones, Prefetch streams_into>
  void shared_columns(CsrRowRun const& run, std::int64_t first, std::int64_t last) {
    std::int32_t const* const columns = in.run_columns + run.list;
    std::int64_t const length = run.length;
    A const* values = in.a.values + (Ones ? 0 : run.first_entry + (first - run.first_row) * length);
    std::int64_t i = first;
    if (run.groups != CsrRowRun::no_groups) {
      GroupedRows<Ones, streams_into, A, X, Y, Rows>::all(*this, values, in.run_groups + run.groups, in.x, length,
                                                          first, last);
    } else if (run.shift == 0 && length <= most_gathered && last - first > 1) {
      switch (last - first) {
        case 2: rows_of_group<Ones, streams_into, 2>(values, columns, in.x, length); break;
        case 3: rows_of_group<Ones, streams_into, 3>(values, columns, in.x, length); break;
        default: dots<Ones, streams_into>(values, columns, in.x, length, last - first);
      }
    } else if (run.shift == 1) {
      constexpr std::int64_t group = RunLanes<A, X, Y>::width;
      store_waiting();
      for (; i < last; i += group) {
        X const* const x = in.x + (i - run.first_row);
        if (i + group <= last) {
          shifted_by_one<Ones, streams_into, true>(values, columns, x, length, i, group);
        } else {
          shifted_by_one<Ones, streams_into, false>(values, columns, x, length, i, last - i);
        }
        if constexpr (!Ones) values += group * length;
      }
      row = last;
    } else {
      for (; i < last; ++i) {
        put(dot<Ones, streams_into>(values, columns, in.x + (i - run.first_row) * run.shift, length));
        if constexpr (!Ones) values += length;
      }
    }
  }

  template <bool Ones, Prefetch streams_into>
  void all() {
    if (!in.runs) {
      own_columns<Ones>(in.first_row, in.last_row);
    } else {
      std::int64_t low = 0;  // the run that holds first_row: the last that starts at or before it
      std::int64_t high = in.run_count - 1;
      while (low < high) {
        std::int64_t const middle = low + (high - low + 1) / 2;
        if (in.runs[middle].first_row <= in.first_row) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      std::int64_t i = in.first_row;
      for (std::int64_t r = low; i < in.last_row; ++r) {
        std::int64_t const next = r + 1 < in.run_count ? std::int64_t{in.runs[r + 1].first_row} : in.a.rows;
        std::int64_t const end = next < in.last_row ? next : in.last_row;
        if (in.runs[r].shift == CsrRowRun::own_columns) {
          own_columns<Ones>(i, end);
        } else {
          shared_columns<Ones, streams_into>(in.runs[r], i, end);
        }
        i = end;
      }
    }
    store_waiting();
  }
};

template <class A, class X, class Y>
void rows(CsrSpmvRows<A, X, Y> const& args) {
  if (args.first_row >= args.last_row) return;
  auto const with = [&]<class L, Prefetch streams_into>(L, std::integral_constant<Prefetch, streams_into>) {
    Rows<A, X, Y, L> work(args);
    if (args.a.values) {
      work.template all<false, streams_into>();
    } else {
      work.template all<true, streams_into>();
    }
  };
  constexpr std::integral_constant<Prefetch, Prefetch::into_l2> l2;
#if defined(__AVX512F__)
  if (args.gathers) return with(GatherLanes<A, X, Y>{}, l2);
  if (args.into_l1) return with(Lanes<A, X, Y>{}, std::integral_constant<Prefetch, Prefetch::into_l1>{});
#endif
  with(Lanes<A, X, Y>{}, l2);
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class A, class X, class Y>
void csr_spmv_rows(CsrSpmvRows<A, X, Y> const& args) {
  ARAIA_ISA::rows(args);
}

[[gnu::used]] static void write_out_csr_spmv_rows() {
  using namespace detail;
  for_types<RealProducts>([]<class A, class X, class Y>() { write_out(csr_spmv_rows<Isa::ARAIA_ISA, A, X, Y>); });
}

}  // namespace araia::host
