// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conjugate gradients for several systems of one pattern: other values, other right-hand sides, or both. On CUDA in one
// launch of thread-block clusters where the matrix fits them; else one after the other.

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <araia/solvers/cg.hpp>

namespace araia {

namespace detail {

/// Systems one behind the other in memory.
template <class T>
struct CgSystems {
  std::int64_t count = 0;
  T const* values = nullptr;  ///< (count, nnz), or (nnz) that all share
  bool own_values = false;
  T const* b = nullptr;  ///< (count, rows), or (rows) that all share
  bool own_b = false;
  T* x = nullptr;  ///< (count, rows)
};

template <class Exec, class T>
class CgBatchBody {
 public:
  virtual ~CgBatchBody() = default;
  virtual std::vector<CgResult> solve(Exec const& exec, CgSystems<T> const& systems) = 0;
};

/// \param one  a solver for one system, told of values by `update`
template <class Exec, class T>
std::unique_ptr<CgBatchBody<Exec, T>> make_cg_batch_body(Exec const& exec, CgSource<Exec, T> const& source,
                                                         std::int64_t systems, CgOptions const& options,
                                                         Cg<Exec, T> one);

/// A View of rank 1, of one row that all systems share, or of rank 2, of a row a system: (its data, is it of rank 2?).
/// \throws araia::Error dimension_mismatch; invalid_argument for rows that are not one behind the other
template <class View>
auto rows_of_systems(char const* name, View const& view, std::int64_t systems, std::int64_t columns) {
  static_assert(View::rank() == 1 || View::rank() == 2, "araia::CgBatch::solve: Views of rank 1 or 2");
  std::string const what = std::string("araia::CgBatch::solve: ") + name;
  constexpr bool own = View::rank() == 2;
  constexpr std::size_t last = View::rank() - 1;
  if (own) require_extent_equal(what.c_str(), "number of rows", static_cast<std::int64_t>(view.extent(0)), systems);
  require_extent_equal(what.c_str(), "length of a row", static_cast<std::int64_t>(view.extent(last)), columns);
  bool const contiguous = (view.extent(last) < 2 || view.stride(last) == 1) &&
                          (!own || view.extent(0) < 2 || view.stride(0) == view.extent(last));
  if (!contiguous)
    throw Error(ErrorKind::invalid_argument, what + " is not contiguous by rows, expected LayoutRight without gaps");
  return std::pair(view.data(), own);
}

}  // namespace detail

/// Solvers for systems of one pattern, made once. Copies are the same solver. One solve at a time.
template <class Exec, class T>
class CgBatch {
 public:
  using execution_space = Exec;
  using value_type = T;

  CgBatch(std::shared_ptr<detail::CgBatchBody<Exec, T>> body, std::int64_t systems, std::int64_t rows, std::int64_t nnz)
      : body_(std::move(body)), systems_(systems), rows_(rows), nnz_(nnz) {}

  /// Solves A_s x_s = b_s for each system s, from the x given.
  /// \param values  (systems, nnz), or (nnz) where all share them, in the order of the Csr's entries
  /// \param b       (systems, rows), or (rows) where all share it
  /// \param x       (systems, rows): the start, then the solution; disjoint from the others
  /// \return        of each system, as Cg::solve
  /// \throws araia::Error dimension_mismatch; invalid_argument for Views with gaps
  /// Cost     on clusters a launch, and one pass for the residuals; a system that is not solved then goes on alone,
  /// with
  ///          max_iterations of its own. Else as Cg::solve of each system, one after the other
  template <class Values, class B, class X>
  [[nodiscard]] std::vector<CgResult> solve(Exec const& exec, Values const& values, B const& b, X const& x) {
    static_assert(std::is_same_v<typename Values::non_const_value_type, T> &&
                      std::is_same_v<typename B::non_const_value_type, T> && std::is_same_v<typename X::value_type, T>,
                  "araia::CgBatch::solve: values, b and x must have the solver's scalar, and x must not be const");
    static_assert(Kokkos::SpaceAccessibility<Exec, typename Values::memory_space>::accessible &&
                      Kokkos::SpaceAccessibility<Exec, typename B::memory_space>::accessible &&
                      Kokkos::SpaceAccessibility<Exec, typename X::memory_space>::accessible,
                  "araia::CgBatch::solve: values, b and x must be in memory that exec reaches");
    static_assert(X::rank() == 2, "araia::CgBatch::solve: x must be a View of rank 2, a row a system");
    detail::CgSystems<T> at{.count = systems_};
    std::tie(at.values, at.own_values) = detail::rows_of_systems("values", values, systems_, nnz_);
    std::tie(at.b, at.own_b) = detail::rows_of_systems("b", b, systems_, rows_);
    at.x = detail::rows_of_systems("x", x, systems_, rows_).first;
    return body_->solve(exec, at);
  }

  [[nodiscard]] std::int64_t systems() const { return systems_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }

 private:
  std::shared_ptr<detail::CgBatchBody<Exec, T>> body_;
  std::int64_t systems_;
  std::int64_t rows_;
  std::int64_t nnz_;
};

/// \param A        the pattern, with values of one of the systems; shared
/// \param systems  that every solve has, at least 1
/// \param options  as make_cg; history is not kept
/// \throws araia::Error as make_cg; invalid_argument unless there is a system
/// Cost     as make_cg, and some 60 bytes a system; on clusters a packing of the pattern for them
template <class Exec, class Scalar, class Device>
auto make_cg_batch(Exec const& exec, Csr<Scalar, std::int32_t, std::int32_t, Device> const& A, std::int64_t systems,
                   CgOptions options = {}) {
  using T = std::remove_const_t<Scalar>;
  constexpr std::int64_t most = 1 << 20;
  if (systems < 1 || systems > most)
    throw Error(ErrorKind::invalid_argument,
                "araia::make_cg_batch: systems is " + std::to_string(systems) + ", expected 1 to 2^20");
  options.history = false;
  auto one = make_cg(exec, A, options);
  std::shared_ptr<detail::CgBatchBody<Exec, T>> body =
      detail::make_cg_batch_body<Exec, T>(exec, detail::source_of<Exec>(A, true), systems, options, std::move(one));
  return CgBatch<Exec, T>(std::move(body), systems, A.rows, A.nnz);
}

}  // namespace araia
