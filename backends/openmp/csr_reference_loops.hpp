// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The textbook's loops over a Csr, for plans that ask for csr/reference by name.

#include <cstdint>
#include <memory>
#include <utility>

#include <araia/detail/extend/pricing.hpp>
#include <araia/detail/formats/pointers.hpp>

namespace araia::host {

/// The number, or its conjugate where numbers have one.
template <class T>
T conjugated_if(bool wanted, T value) {
  if constexpr (requires { value.imag(); }) return wanted ? T(value.real(), -value.imag()) : value;
  return value;
}

/// Element (i, j) of a vector, which has one column, or of a matrix.
template <class T>
T& element(DenseVector<T> const& v, std::int64_t i, std::int64_t) {
  return v.data[i * v.stride];
}
template <class T>
T& element(DenseMatrix<T> const& m, std::int64_t i, std::int64_t j) {
  return m.data[i * m.row_stride + j * m.column_stride];
}
template <class T>
std::int64_t rows_in(DenseVector<T> const& v) {
  return v.size;
}
template <class T>
std::int64_t rows_in(DenseMatrix<T> const& m) {
  return m.rows;
}
template <class T>
std::int64_t columns_in(DenseVector<T> const&) {
  return 1;
}
template <class T>
std::int64_t columns_in(DenseMatrix<T> const& m) {
  return m.columns;
}

/// C = alpha op(A) B + beta C, vectors as matrices of one column. A pattern's entries are one.
template <class Sum, class A, class B, class C>
void csr_reference(Op op, Sum alpha, A const& a, B const& b, Sum beta, C const& c) {
  bool const transposed = op == Op::transpose || op == Op::conjugate_transpose;
  bool const conjugate = op == Op::conjugate_transpose || op == Op::conjugate;
  std::int64_t const columns = columns_in(c);
  auto const entry = [&](std::int64_t k) { return a.values ? conjugated_if(conjugate, Sum(a.values[k])) : Sum(1); };
  auto const row_of = [&](std::int64_t stored) -> std::int64_t {
    return a.row_permutation ? a.row_permutation[stored] : stored;
  };
  if (transposed)
    for (std::int64_t i = 0; i < rows_in(c); ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        auto& element_of_c = element(c, i, j);
        element_of_c = beta == Sum{} ? Sum{} : beta * Sum(element_of_c);
      }
  for (std::int64_t stored = 0; stored < a.rows; ++stored) {
    std::int64_t const row = row_of(stored);
    auto const begin = static_cast<std::int64_t>(a.row_offsets[stored]);
    auto const end = static_cast<std::int64_t>(a.row_offsets[stored + 1]);
    for (std::int64_t j = 0; j < columns; ++j) {
      if (transposed) {
        auto const x = Sum(element(b, row, j));
        for (std::int64_t k = begin; k < end; ++k) {
          auto& element_of_c = element(c, static_cast<std::int64_t>(a.col_indices[k]), j);
          element_of_c = Sum(element_of_c) + alpha * (entry(k) * x);  // alpha last: it may be at an end of the range
        }
      } else {
        Sum sum{};
        for (std::int64_t k = begin; k < end; ++k)
          sum += entry(k) * Sum(element(b, static_cast<std::int64_t>(a.col_indices[k]), j));
        auto& element_of_c = element(c, row, j);
        element_of_c = beta == Sum{} ? alpha * sum : alpha * sum + beta * Sum(element_of_c);
      }
    }
  }
}

/// \tparam Bound  of extend/kernel.hpp, for a Csr and vectors or matrices
template <class Bound, class Exec, class Source>
class CsrReference final : public Bound {
 public:
  CsrReference(Source source, Op op) : source_(std::move(source)), op_(op) {}
  void run(Exec const& exec, typename Bound::Sum alpha, typename Bound::Operand const& x, typename Bound::Sum beta,
           typename Bound::Result const& y) const override {
    exec.fence("araia::csr::reference: host kernels run in the caller's thread");
    csr_reference(op_, alpha, source_.pointers(), x, beta, y);
  }
  void update_values(Exec const&, Source const& source) override { source_ = source; }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  Source source_;
  Op op_;
};

/// What both descriptors of csr/reference answer.
struct CsrReferenceKernel {
  /// One thread at work.
  static double seconds(Pricing const& a) {
    constexpr double entry = 2e-9;
    return a.machine.launch_seconds + a.nnz() * a.columns() * entry;
  }
  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const&, Source const& source, Choice const&, Options const& options) {
    return std::make_shared<CsrReference<Bound, Exec, Source>>(source, options.op);
  }
};

}  // namespace araia::host
