// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A block of eigenpairs of A x = lambda x or A x = lambda B x at one end of the spectrum, A and B symmetric, B positive
// definite, by LOBPCG [Knyazev2001] with a basis that stays orthonormal [DuerschShaoYangGu2018], in double or float.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/ready_made.hpp>
#include <araia/formats/csr.hpp>
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
  /// Y = A X: x, y of rows() rows, `columns` of which ld elements lie from one to the next. Elements of a row from
  /// `columns` to ld are initialised and nobody's: they may be multiplied and overwritten. On exec, without waiting.
  virtual void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) = 0;
  /// What ld must be at least, beside `columns`.
  [[nodiscard]] virtual int least_ld() const { return 0; }
  /// For people: what multiplies.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// A plan of ours for a block's width, run on all of it: columns that are not active are nobody's.
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

/// A plan of the caller's, run on all of its columns, as often as a block is wide: columns that are not active are
/// nobody's.
template <class Exec, class T, class Plan>
class LobpcgGivenPlan final : public LobpcgOperator<Exec, T> {
 public:
  explicit LobpcgGivenPlan(Plan plan) : plan_(std::move(plan)), columns_(plan_.description().columns) {}
  [[nodiscard]] std::int64_t rows() const override { return plan_.report().problem.stats.rows; }
  void multiply(Exec const& exec, T const* x, T* y, std::int64_t ld, int columns) override {
    auto const width = static_cast<int>(columns_);
    for (std::int64_t first = 0; first < columns; first += width) {
      std::int64_t const at = std::min(first, ld - width);  // the last panel ends within the row
      plan_.execute(exec, T(1), lobpcg_view<Exec, T const>(x + at, rows(), ld, width), T(0),
                    lobpcg_view<Exec, T>(y + at, rows(), ld, width));
    }
  }
  [[nodiscard]] int least_ld() const override { return static_cast<int>(columns_); }
  [[nodiscard]] std::string name() const override { return label(plan_.choice()); }

 private:
  Plan plan_;
  std::int64_t columns_;
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
/// \param name  of the argument: A, B or M
/// \throws araia::Error dimension_mismatch
void require_lobpcg_square(char const* name, std::int64_t rows, std::int64_t cols);
void require_lobpcg_same(char const* name, std::int64_t rows, std::int64_t rows_of_a);
/// What a caller's plan must be for.
/// \param block  of the solver
/// \throws araia::Error dimension_mismatch for other columns than 1 to block; unsupported for what else does not fit
void require_lobpcg_plan(char const* name, SpmmDesc const& desc, int block);
/// \throws araia::Error unsupported for less than native
void require_lobpcg_precision(char const* name, Precision precision);
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
  /// Cost     an iteration: a product with A (and B) of the columns not yet converged, and 15 passes over blocks,
  ///          (rows, lobpcg_block(options)), 21 where B is there, less where columns have converged; O(block^3) on the
  ///          host. Nothing of the size of vectors is allocated without constraints. With them, for every 64 columns of
  ///          Y an array of as many columns, two where B is there; no narrower than a plan for B
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

template <class Given>
inline constexpr bool lobpcg_left_out = std::is_same_v<Given, NoBlockPreconditioner> || std::is_same_v<Given, NoMass>;

template <class Matrix>
concept HasPointers = requires(Matrix const& A) {
  A.pointers();
};

/// Of a plan that is given to make_lobpcg.
template <class Given>
struct LobpcgPlanTypes {
  static constexpr bool is_plan = false;
};
template <class Exec, class Desc, class A, class X, class Y>
struct LobpcgPlanTypes<Plan<Exec, Desc, A, X, Y>> {
  static constexpr bool is_plan = true;
  static constexpr bool is_of_blocks = std::is_same_v<Desc, SpmmDesc> && std::is_same_v<X, Y>;
  using execution_space = Exec;
  using value_type = X;
};
template <class Given>
concept LobpcgPlanned = LobpcgPlanTypes<Given>::is_plan;

/// What knows its rows and the scalar of its vectors: a matrix or a plan.
template <class Given>
concept LobpcgSized = HasPointers<Given> || LobpcgPlanned<Given>;

template <LobpcgSized Given>
struct LobpcgScalar {
  using type = typename Given::value_type;
};
template <LobpcgPlanned Given>
struct LobpcgScalar<Given> {
  using type = typename LobpcgPlanTypes<Given>::value_type;
};

template <LobpcgSized Given>
std::int64_t lobpcg_rows(Given const& given) {
  if constexpr (LobpcgPlanned<Given>)
    return given.report().problem.stats.rows;
  else
    return given.rows;
}

/// \param name  of the argument: A, B or M
/// \param rows  of A
template <class T, class Exec, class Given>
void require_lobpcg_operand(char const* name, Given const& given, [[maybe_unused]] std::int64_t rows,
                            [[maybe_unused]] int block) {
  if constexpr (LobpcgPlanned<Given>) {
    using Types = LobpcgPlanTypes<Given>;
    static_assert(Types::is_of_blocks,
                  "araia::make_lobpcg: a plan must be for blocks, made with SpmmDesc, and its operands of one scalar");
    static_assert(std::is_same_v<typename Types::execution_space, Exec>,
                  "araia::make_lobpcg: a plan must be for exec's own space");
    static_assert(std::is_same_v<typename Types::value_type, T>,
                  "araia::make_lobpcg: a plan's operands must have the scalar of the vectors");
    auto const& stats = given.report().problem.stats;
    require_lobpcg_square(name, stats.rows, stats.cols);
    require_lobpcg_plan(name, given.description(), block);
  } else if constexpr (HasPointers<Given>) {
    static_assert(std::is_same_v<typename Given::value_type, T>,
                  "araia::make_lobpcg: A and B must have one scalar, that of the vectors");
    static_assert(std::is_same_v<typename Given::memory_space, typename Exec::memory_space>,
                  "araia::make_lobpcg: A and B must be in exec's own memory space; copy_to brings them there");
    require_lobpcg_square(name, given.rows, given.cols);
  } else if constexpr (!lobpcg_left_out<Given>) {
    static_assert(BlockOperator<Given, Exec, T>,
                  "araia::make_lobpcg: an operator has apply(exec, X, Y), on Views of rank 2 in exec's memory");
  }
  if constexpr (LobpcgSized<Given>) require_lobpcg_same(name, lobpcg_rows(given), rows);
}

/// A plan as it is, of a Csr a plan for the block, other matrices as they lie, an operator of the caller's; null for
/// what is left out.
template <class T, class Exec, class Given>
std::shared_ptr<LobpcgOperator<Exec, T>> lobpcg_operand([[maybe_unused]] Exec const& exec, Given given,
                                                        [[maybe_unused]] std::int64_t rows,
                                                        [[maybe_unused]] int block) {
  if constexpr (lobpcg_left_out<Given>) {
    return nullptr;
  } else if constexpr (LobpcgPlanned<Given>) {
    return std::make_shared<LobpcgGivenPlan<Exec, T, Given>>(std::move(given));
  } else if constexpr (!HasPointers<Given>) {
    return std::make_shared<LobpcgUserOperator<Exec, T, Given>>(std::move(given), rows);
  } else if constexpr (is_ready_source<Exec, Given>) {
    auto const source = ready_source<Exec>(given);
    auto plan = make_plan(exec, SpmmDesc{.columns = block}, source);
    return std::make_shared<LobpcgPlan<Exec, T, decltype(plan), decltype(source)>>(std::move(plan), source);
  } else {
    return std::make_shared<LobpcgMatrix<Exec, T, Given>>(std::move(given));
  }
}

template <class T, class Exec, class Given, class Mass, class M>
auto lobpcg_of(Exec const& exec, std::int64_t rows, Given A, Mass B, LobpcgOptions const& options, M m) {
  static_assert(
      !HasPointers<M>,
      "araia::make_lobpcg: a preconditioner is a plan, or has apply(exec, R, Z); of a matrix that approximates "
      "the inverse make a plan");
  require_lobpcg<Exec, T>();
  require_lobpcg_options(options);
  require_lobpcg_square("A", rows, rows);
  int const block = lobpcg_block(options);
  require_lobpcg_operand<T, Exec>("A", A, rows, block);
  require_lobpcg_operand<T, Exec>("B", B, rows, block);
  require_lobpcg_operand<T, Exec>("M", m, rows, block);
  if constexpr (std::is_same_v<T, float>) {  // double has native kernels alone
    if constexpr (LobpcgPlanned<Given>) require_lobpcg_precision("A", A.description().precision);
    if constexpr (LobpcgPlanned<Mass>) require_lobpcg_precision("B", B.description().precision);
  }
  LobpcgParts<Exec, T> parts;
  if (lobpcg_left_out<M> && options.preconditioner == LobpcgPreconditioner::jacobi) {
    if constexpr (requires { diagonal(exec, A); })
      parts.diagonal = diagonal(exec, A);
    else
      throw_no_diagonal();
  }
  parts.a = lobpcg_operand<T>(exec, std::move(A), rows, block);
  parts.b = lobpcg_operand<T>(exec, std::move(B), rows, block);
  parts.m = lobpcg_operand<T>(exec, std::move(m), rows, block);
  return Lobpcg<Exec, T>(
      std::shared_ptr<LobpcgBody<Exec, T>>(make_lobpcg_body<Exec, T>(exec, std::move(parts), options)));
}

}  // namespace detail

/// A solver for A x = lambda x.
/// \param A        square and symmetric, of which only squareness is checked: a matrix, or a plan for one. A matrix is
///                 shared, its values must stay; a Csr of 32-bit indices is multiplied by a plan for the block's width,
///                 other formats as they lie
/// \param options  see LobpcgOptions
/// \param M        the caller's preconditioner in place of options.preconditioner, symmetric positive definite: an
///                 operator, of which M.apply(exec, R, Z) writes Z = M^-1 R on exec, without waiting, moved or copied
///                 into the solver; or a plan for products with a matrix near the inverse of A
/// \throws araia::Error naming the argument: dimension_mismatch where A or a plan is not square, a plan's rows are not
///         those of A, or its columns not 1 to lobpcg_block(options); unsupported for a plan of another op, layout or
///         precision than below, and for jacobi on anything but a Csr; invalid_argument for an option out of range;
///         else as make_plan
/// Cost     as make_plan for a Csr, nothing for a plan; six blocks of rows x lobpcg_block(options), nine where B is
///          there, and workspace
///
/// A plan that is given, for A, B or M, was made with SpmmDesc on exec's space, and its operands have the scalar of the
/// vectors; its matrix may have another one. Its description has Op::none, 1 to lobpcg_block(options) columns, layouts
/// right or strided, and for A and B of float vectors Precision::native, as residuals are formed from their products.
/// - Products. What the plan chose, or was pinned to, runs, and always on all of its columns: c active ones take
///   ceil(c / columns) products. Columns of the last product that are not active hold any numbers; nothing reads what
///   becomes of them. A plan of the whole block's columns so costs the same in every iteration, one of fewer columns
///   less as columns converge.
/// - Ownership. The solver is one more copy of the plan: it keeps the plan, shares its arrays and copies none of them.
///   Values that update_values brings between two solves count in the second. Errors of the plan's products, as of
///   values that changed under PlanOptions::check_values, come from solve.
template <class Exec, detail::LobpcgSized Given, class Preconditioner = detail::NoBlockPreconditioner>
auto make_lobpcg(Exec const& exec, Given const& A, LobpcgOptions const& options, Preconditioner M = {}) {
  return detail::lobpcg_of<typename detail::LobpcgScalar<Given>::type>(exec, detail::lobpcg_rows(A), A,
                                                                       detail::NoMass{}, options, std::move(M));
}

/// A solver for A x = lambda B x.
/// \param B  symmetric positive definite, of A's rows, of which only squareness is checked: a matrix, a plan, or an
///           operator whose B.apply(exec, X, Y) writes Y = B X on exec, without waiting
template <class Exec, detail::LobpcgSized Given, class Mass, class Preconditioner = detail::NoBlockPreconditioner>
requires(!std::is_same_v<Mass, LobpcgOptions>) auto make_lobpcg(Exec const& exec, Given const& A, Mass B,
                                                                LobpcgOptions const& options, Preconditioner M = {}) {
  return detail::lobpcg_of<typename detail::LobpcgScalar<Given>::type>(exec, detail::lobpcg_rows(A), A, std::move(B),
                                                                       options, std::move(M));
}

/// A solver on an operator of the caller's.
/// \tparam T    double or float, of the vectors
/// \param rows  of the operator
/// \param A     symmetric; A.apply(exec, X, Y) writes Y = A X on exec, without waiting; moved or copied into the solver
/// \throws araia::Error unsupported for jacobi: the diagonal is not known
template <class T, class Exec, class Operator, class Preconditioner = detail::NoBlockPreconditioner>
requires(!detail::LobpcgSized<Operator>) auto make_lobpcg(Exec const& exec, std::int64_t rows, Operator A,
                                                          LobpcgOptions const& options, Preconditioner M = {}) {
  return detail::lobpcg_of<T>(exec, rows, std::move(A), detail::NoMass{}, options, std::move(M));
}

/// The same for A x = lambda B x. \param B  an operator, a matrix or a plan
template <class T, class Exec, class Operator, class Mass, class Preconditioner = detail::NoBlockPreconditioner>
requires(!detail::LobpcgSized<Operator> &&
         !std::is_same_v<Mass, LobpcgOptions>) auto make_lobpcg(Exec const& exec, std::int64_t rows, Operator A, Mass B,
                                                                LobpcgOptions const& options, Preconditioner M = {}) {
  return detail::lobpcg_of<T>(exec, rows, std::move(A), std::move(B), options, std::move(M));
}

}  // namespace araia
