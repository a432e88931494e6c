// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A block of eigenpairs of A x = lambda x or A x = lambda B x at one end of the spectrum, A and B symmetric, B positive
// definite, by LOBPCG [Knyazev2001] with a basis that stays orthonormal [DuerschShaoYangGu2018], in double or float.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/formats/csr.hpp>
#include <araia/formats/ready_made.hpp>
#include <araia/ops/diagonal.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/plan/plan.hpp>
#include <araia/solvers/lobpcg_options.hpp>

namespace araia {

namespace detail {

/// Blocks as operators of the caller see them: rows contiguous, at any distance from each other.
template <class Exec, class T>
using LobpcgView = Kokkos::View<T**, Kokkos::LayoutStride, typename Exec::device_type, Kokkos::MemoryUnmanaged>;

template <class Exec, class T>
LobpcgView<Exec, T> lobpcg_view(T* data, std::int64_t rows, std::int64_t ld, int columns) {
  auto const extent = [](std::int64_t of) { return static_cast<std::size_t>(of); };
  return LobpcgView<Exec, T>(data, Kokkos::LayoutStride(extent(rows), extent(ld), extent(columns), 1));
}

}  // namespace detail

/// A caller's own linear operator on blocks of vectors: apply(exec, X, Y) writes Y = A X, on exec, without waiting.
/// X and Y are Views of rank 2, (rows, columns), of equal columns, any number of them; rows are contiguous.
template <class Operator, class Exec, class T>
concept BlockOperator = requires(Operator& a, Exec const& exec, detail::LobpcgView<Exec, T const> x,
                                 detail::LobpcgView<Exec, T> y) {
  a.apply(exec, x, y);
};

namespace detail {

/// A product with a square matrix, as the iteration needs it.
template <class Exec, class T>
class LobpcgOperator {
 public:
  virtual ~LobpcgOperator() = default;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  /// Y = A X: x, y of rows() rows, `columns` of which ld elements lie from one to the next; elements of a row from
  /// `columns` to ld are nobody's. On exec, without waiting.
  virtual void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) = 0;
  /// For people: what multiplies.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// A plan for a block's width, run on all of it: columns that are not active are nobody's.
template <class Exec, class T, class Plan, class Matrix>
class LobpcgPlan final : public LobpcgOperator<Exec, T> {
 public:
  /// \param A  what fewer columns than three quarters of the plan's are multiplied by
  LobpcgPlan(Plan plan, Matrix A) : plan_(std::move(plan)), a_(std::move(A)) {}
  [[nodiscard]] std::int64_t rows() const override { return a_.rows; }
  void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) override {
    auto const planned = static_cast<int>(plan_.description().columns);
    bool const by_plan = columns <= planned && planned <= ld && 4 * columns >= 3 * planned;
    int const width = by_plan ? planned : columns;
    auto const from = lobpcg_view<Exec, T const>(x, a_.rows, ld, width);
    auto const to = lobpcg_view<Exec, T>(y, a_.rows, ld, width);
    if (by_plan)
      plan_.execute(exec, T(1), from, T(0), to);
    else
      spmm(exec, Op::none, T(1), a_, from, T(0), to);
  }
  [[nodiscard]] std::string name() const override { return label(plan_.choice()); }

 private:
  Plan plan_;
  Matrix a_;
};

/// A matrix as it lies.
template <class Exec, class T, class Matrix>
class LobpcgMatrix final : public LobpcgOperator<Exec, T> {
 public:
  explicit LobpcgMatrix(Matrix A) : a_(std::move(A)) {}
  [[nodiscard]] std::int64_t rows() const override { return a_.rows; }
  void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) override {
    spmm(exec, Op::none, T(1), a_, lobpcg_view<Exec, T const>(x, a_.rows, ld, columns), T(0),
         lobpcg_view<Exec, T>(y, a_.rows, ld, columns));
  }
  [[nodiscard]] std::string name() const override { return Matrix::format_name; }

 private:
  Matrix a_;
};

template <class Exec, class T, class Operator>
class LobpcgUserOperator final : public LobpcgOperator<Exec, T> {
 public:
  LobpcgUserOperator(Operator a, std::int64_t rows) : a_(std::move(a)), rows_(rows) {}
  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) override {
    a_.apply(exec, lobpcg_view<Exec, T const>(x, rows_, ld, columns), lobpcg_view<Exec, T>(y, rows_, ld, columns));
  }
  [[nodiscard]] std::string name() const override { return "operator"; }

 private:
  Operator a_;
  std::int64_t rows_;
};

/// Columns of the caller's: any strides.
template <class T>
using LobpcgVectors = DenseMatrix<T>;

/// What a solver is made of; b and m may be null.
template <class Exec, class T>
struct LobpcgParts {
  std::shared_ptr<LobpcgOperator<Exec, T>> a;
  std::shared_ptr<LobpcgOperator<Exec, T>> b;
  std::shared_ptr<LobpcgOperator<Exec, T>> m;
  Kokkos::View<T*, typename Exec::device_type> diagonal;  ///< of A, where the preconditioner is jacobi; ours
};

/// All that a Lobpcg is: implemented in src/solvers for double and float on the spaces that the library brings.
template <class Exec, class T>
class LobpcgBody {
 public:
  virtual ~LobpcgBody() = default;
  virtual LobpcgResult solve(Exec const& exec, LobpcgVectors<T> const& x, LobpcgVectors<T const> const& y) = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual LobpcgOptions const& options() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

template <class Exec, class T>
std::unique_ptr<LobpcgBody<Exec, T>> make_lobpcg_body(Exec const& exec, LobpcgParts<Exec, T> parts,
                                                      LobpcgOptions const& options);

/// \throws araia::Error invalid_argument naming the option that is out of range
void require_lobpcg_options(LobpcgOptions const& options);
/// \throws araia::Error dimension_mismatch
void require_lobpcg_square(char const* matrix, std::int64_t rows, std::int64_t cols);
void require_lobpcg_same(std::int64_t rows_of_a, std::int64_t rows_of_b);
[[noreturn]] void throw_no_diagonal();

template <class Exec, class T>
constexpr void require_lobpcg() {
  static_assert(std::is_same_v<T, double> || (has_all_types && std::is_same_v<T, float>),
                "araia::make_lobpcg: solvers exist for double and float; with Araia_TYPES=minimal for double alone");
  static_assert(is_written_out_space<Exec>,
                "araia::make_lobpcg: this build holds no solvers for exec; Araia_SPACES=all adds Serial beside OpenMP");
}

}  // namespace detail

/// A solver with its blocks, made once, for any number of solves. Copies are the same solver. One solve at a time.
template <class Exec, class T>
class Lobpcg {
 public:
  using execution_space = Exec;
  using value_type = T;
  using body_type = detail::LobpcgBody<Exec, T>;

  explicit Lobpcg(std::shared_ptr<body_type> body) : body_(std::move(body)) {}

  /// The pairs asked for.
  /// \param exec  queue of the work; waits for it in every iteration, as the small problem is solved on the host
  /// \param X     (rows, pairs), any strides, in memory that exec reaches: takes the vectors, x'B x = 1; with
  ///              options.start it holds those to begin with
  /// \param Y     (rows, constraints), likewise: vectors that all x stay B-orthogonal to, as the constant one of a
  ///              graph's Laplacian. Need not be orthonormal; columns that depend on others do not count
  /// \return      how it ended, and every pair with its residual; see LobpcgStatus
  /// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument where X and Y overlap, or where rows
  ///         less constraints are fewer than the pairs; resource_limit where there is no memory for constraints
  /// Cost     an iteration: a product with A (and B) of the columns not yet converged, and 15 passes over blocks of
  /// rows x
  ///          lobpcg_block(options), 21 where B is there, less where columns have converged; O(block^3) on the host.
  ///          Nothing of the size of vectors is allocated without constraints
  /// Rounding sums are formed in double, in parts that depend on sizes alone: the same bits in every run, on hosts with
  ///          any number of threads, where the product has that
  template <class XView, class YView>
  [[nodiscard]] LobpcgResult solve(Exec const& exec, XView const& X, YView const& Y) {
    static_assert(MatrixView<XView, Exec> && MatrixView<YView, Exec>,
                  "araia::Lobpcg::solve: X and Y must be Views of rank 2 in memory that exec reaches");
    static_assert(
        std::is_same_v<typename XView::value_type, T> && std::is_same_v<typename YView::non_const_value_type, T>,
        "araia::Lobpcg::solve: X and Y must have the solver's scalar, and X must not be const");
    auto const xs = detail::dense_matrix(X);
    auto const ys = detail::as_const(detail::dense_matrix(Y));
    check(xs);
    detail::require_extent_equal("araia::Lobpcg::solve", "number of rows of Y", ys.rows, rows());
    detail::require_disjoint("araia::Lobpcg::solve", "Y", ys, "X", xs);
    return body_->solve(exec, xs, ys);
  }

  /// The same without constraints.
  template <class XView>
  [[nodiscard]] LobpcgResult solve(Exec const& exec, XView const& X) {
    static_assert(MatrixView<XView, Exec>,
                  "araia::Lobpcg::solve: X must be a View of rank 2 in memory that exec reaches");
    static_assert(std::is_same_v<typename XView::value_type, T>,
                  "araia::Lobpcg::solve: X must have the solver's scalar, and not be const");
    auto const xs = detail::dense_matrix(X);
    check(xs);
    return body_->solve(exec, xs, {.data = nullptr, .rows = rows(), .columns = 0, .row_stride = 0, .column_stride = 1});
  }

  [[nodiscard]] std::int64_t rows() const { return body_->rows(); }
  [[nodiscard]] LobpcgOptions const& options() const { return body_->options(); }
  /// Of the solver's blocks and workspace, without the matrices.
  [[nodiscard]] std::uint64_t bytes() const { return body_->bytes(); }

 private:
  void check(detail::LobpcgVectors<T> const& xs) const {
    detail::require_extent_equal("araia::Lobpcg::solve", "number of rows of X", xs.rows, rows());
    detail::require_extent_equal("araia::Lobpcg::solve", "number of columns of X", xs.columns, options().pairs);
  }

  std::shared_ptr<body_type> body_;
};

namespace detail {

/// No preconditioner of the caller's: options.preconditioner decides.
struct NoBlockPreconditioner {};
struct NoMass {};

template <class Matrix>
concept HasPointers = requires(Matrix const& A) {
  A.pointers();
};

template <class Exec, class T, class Operator>
std::shared_ptr<LobpcgOperator<Exec, T>> lobpcg_user_operator(Operator&& a, std::int64_t rows) {
  using Plain = std::remove_cvref_t<Operator>;
  if constexpr (std::is_same_v<Plain, NoBlockPreconditioner> || std::is_same_v<Plain, NoMass>) {
    return nullptr;
  } else {
    static_assert(BlockOperator<Plain, Exec, T>,
                  "araia::make_lobpcg: an operator has apply(exec, X, Y), on Views of rank 2 in exec's memory");
    return std::make_shared<LobpcgUserOperator<Exec, T, Plain>>(std::forward<Operator>(a), rows);
  }
}

/// Of a matrix: a Csr by a plan, others as they lie. None for NoMass.
template <class T, class Exec, class Matrix>
std::shared_ptr<LobpcgOperator<Exec, T>> lobpcg_matrix(Exec const& exec, Matrix const& A,
                                                       [[maybe_unused]] int columns) {
  if constexpr (std::is_same_v<Matrix, NoMass>) {
    return nullptr;
  } else {
    static_assert(std::is_same_v<typename Matrix::value_type, T>,
                  "araia::make_lobpcg: A and B must have one scalar, that of the vectors");
    static_assert(std::is_same_v<typename Matrix::memory_space, typename Exec::memory_space>,
                  "araia::make_lobpcg: A and B must be in exec's own memory space; copy_to brings them there");
    if constexpr (is_ready_source<Exec, Matrix>) {
      auto const source = ready_source<Exec>(A);
      auto plan = make_plan(exec, SpmmDesc{.columns = columns}, source);
      return std::make_shared<LobpcgPlan<Exec, T, decltype(plan), decltype(source)>>(std::move(plan), source);
    } else {
      return std::make_shared<LobpcgMatrix<Exec, T, Matrix>>(A);
    }
  }
}

template <class T, class Exec, class Matrix, class Mass, class M>
auto lobpcg_of_matrices(Exec const& exec, Matrix const& A, Mass const& B, LobpcgOptions const& options, M&& m) {
  require_lobpcg<Exec, T>();
  require_lobpcg_options(options);
  require_lobpcg_square("A", A.rows, A.cols);
  if constexpr (!std::is_same_v<Mass, NoMass>) {
    require_lobpcg_square("B", B.rows, B.cols);
    require_lobpcg_same(A.rows, B.rows);
  }
  LobpcgParts<Exec, T> parts;
  int const block = lobpcg_block(options);
  parts.a = lobpcg_matrix<T>(exec, A, block);
  parts.b = lobpcg_matrix<T>(exec, B, block);
  parts.m = lobpcg_user_operator<Exec, T>(std::forward<M>(m), A.rows);
  if (!parts.m && options.preconditioner == LobpcgPreconditioner::jacobi) {
    if constexpr (requires { diagonal(exec, A); })
      parts.diagonal = diagonal(exec, A);
    else
      throw_no_diagonal();
  }
  return Lobpcg<Exec, T>(
      std::shared_ptr<LobpcgBody<Exec, T>>(make_lobpcg_body<Exec, T>(exec, std::move(parts), options)));
}

}  // namespace detail

/// A solver for A x = lambda x.
/// \param A        square and symmetric, of which only squareness is checked; shared, its values must stay. A Csr of
///                 32-bit indices is multiplied by a plan for the block's width, other formats as they lie
/// \param options  see LobpcgOptions
/// \param M        the caller's preconditioner in place of options.preconditioner: symmetric positive definite,
///                 M.apply(exec, R, Z) writes Z = M^-1 R; copied
/// \throws araia::Error dimension_mismatch where A is not square; invalid_argument for an option out of range;
///         unsupported for jacobi on a format other than Csr; else as make_plan
/// Cost     as make_plan; six blocks of rows x lobpcg_block(options), nine where B is there, and workspace
template <class Exec, class Matrix, class Preconditioner = detail::NoBlockPreconditioner>
requires detail::HasPointers<Matrix>
auto make_lobpcg(Exec const& exec, Matrix const& A, LobpcgOptions const& options, Preconditioner M = {}) {
  return detail::lobpcg_of_matrices<typename Matrix::value_type>(exec, A, detail::NoMass{}, options, std::move(M));
}

/// A solver for A x = lambda B x.
/// \param B  symmetric positive definite, of A's rows, of which only squareness is checked
template <class Exec, class Matrix, class Mass, class Preconditioner = detail::NoBlockPreconditioner>
requires(detail::HasPointers<Matrix>&& detail::HasPointers<Mass>) auto make_lobpcg(Exec const& exec, Matrix const& A,
                                                                                   Mass const& B,
                                                                                   LobpcgOptions const& options,
                                                                                   Preconditioner M = {}) {
  return detail::lobpcg_of_matrices<typename Matrix::value_type>(exec, A, B, options, std::move(M));
}

/// A solver on operators of the caller's.
/// \tparam T    double or float, of the vectors
/// \param rows  of the operators
/// \param A     symmetric; A.apply(exec, X, Y) writes Y = A X on exec, without waiting; copied
/// \throws araia::Error unsupported for jacobi: the diagonal is not known
template <class T, class Exec, class Operator, class Preconditioner = detail::NoBlockPreconditioner>
requires(!detail::HasPointers<Operator>) auto make_lobpcg(Exec const& exec, std::int64_t rows, Operator A,
                                                          LobpcgOptions const& options, Preconditioner M = {}) {
  return make_lobpcg<T>(exec, rows, std::move(A), detail::NoMass{}, options, std::move(M));
}

/// The same for A x = lambda B x.
template <class T, class Exec, class Operator, class Mass, class Preconditioner = detail::NoBlockPreconditioner>
requires(!std::is_same_v<Mass, LobpcgOptions>) auto make_lobpcg(Exec const& exec, std::int64_t rows, Operator A, Mass B,
                                                                LobpcgOptions const& options, Preconditioner M = {}) {
  detail::require_lobpcg<Exec, T>();
  detail::require_lobpcg_options(options);
  detail::require_lobpcg_square("A", rows, rows);
  detail::LobpcgParts<Exec, T> parts;
  parts.a = detail::lobpcg_user_operator<Exec, T>(std::move(A), rows);
  parts.b = detail::lobpcg_user_operator<Exec, T>(std::move(B), rows);
  parts.m = detail::lobpcg_user_operator<Exec, T>(std::move(M), rows);
  if (!parts.m && options.preconditioner == LobpcgPreconditioner::jacobi) detail::throw_no_diagonal();
  return Lobpcg<Exec, T>(
      std::shared_ptr<detail::LobpcgBody<Exec, T>>(detail::make_lobpcg_body<Exec, T>(exec, std::move(parts), options)));
}

}  // namespace araia
