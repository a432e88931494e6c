// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conjugate gradients for A x = b with A symmetric positive definite [HestenesStiefel1952], in double or float.

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/to_csr.hpp>
#include <araia/formats/csr.hpp>
#include <araia/ops/fused.hpp>
#include <araia/plan/plan.hpp>
#include <araia/solvers/cg_options.hpp>

namespace araia {

/// A caller's own linear operator: apply(exec, x, y) writes y = A x, on exec, without waiting.
template <class Operator, class Exec, class T>
concept LinearOperator = requires(Operator& a, Exec const& exec,
                                  Kokkos::View<T const*, typename Exec::device_type, Kokkos::MemoryUnmanaged> x,
                                  Kokkos::View<T*, typename Exec::device_type, Kokkos::MemoryUnmanaged> y) {
  a.apply(exec, x, y);
};

namespace detail {

template <class Exec, class T>
using CgVector = Kokkos::View<T*, typename Exec::device_type, Kokkos::MemoryUnmanaged>;
template <class Exec, class T>
using CgConstVector = Kokkos::View<T const*, typename Exec::device_type, Kokkos::MemoryUnmanaged>;

/// A product with a square matrix, as the iteration needs it. Vectors are of rows() elements in exec's memory; nothing
/// waits and nothing is allocated.
template <class Exec, class T>
class CgOperator {
 public:
  virtual ~CgOperator() = default;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  /// y = A x, and *dot = x'y where the operator has sums of its own. \return whether it has
  virtual bool multiply(Exec const& exec, T const* x, T* y, T* dot) = 0;
  /// May multiply be captured into a CUDA graph?
  [[nodiscard]] virtual bool capturable() const = 0;
  /// For people: what multiplies.
  [[nodiscard]] virtual std::string name() const = 0;
};

template <class Exec, class T>
class CgPreconditioning {
 public:
  virtual ~CgPreconditioning() = default;
  /// z = M^-1 r.
  virtual void apply(Exec const& exec, T const* r, T* z) = 0;
  [[nodiscard]] virtual bool capturable() const = 0;
};

template <class Exec, class T, class Plan>
class CgPlan final : public CgOperator<Exec, T> {
 public:
  CgPlan(Plan plan, std::int64_t rows) : plan_(std::move(plan)), rows_(rows) {}
  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  bool multiply(Exec const& exec, T const* x, T* y, T* dot) override {
    auto const n = static_cast<std::size_t>(rows_);
    plan_.multiply_dot(exec, CgConstVector<Exec, T>(x, n), CgVector<Exec, T>(y, n), CgSum(dot));
    return true;
  }
  [[nodiscard]] bool capturable() const override { return plan_.capturable(); }
  [[nodiscard]] std::string name() const override { return label(plan_.choice()); }
  Plan& plan() { return plan_; }

 private:
  using CgSum = Kokkos::View<T, typename Exec::device_type, Kokkos::MemoryUnmanaged>;
  Plan plan_;
  std::int64_t rows_;
};

template <class Exec, class T, class Matrix>
class CgMatrix final : public CgOperator<Exec, T> {
 public:
  CgMatrix(Exec const& exec, Matrix const& A) : a_(A), sums_(exec, A.rows) {}
  [[nodiscard]] std::int64_t rows() const override { return a_.rows; }
  bool multiply(Exec const& exec, T const* x, T* y, T* dot) override {
    auto const n = static_cast<std::size_t>(a_.rows);
    multiply_dot(exec, a_, CgConstVector<Exec, T>(x, n), CgVector<Exec, T>(y, n), CgSum(dot), sums_);
    return true;
  }
  [[nodiscard]] bool capturable() const override { return true; }
  [[nodiscard]] std::string name() const override { return Matrix::format_name; }
  Matrix& matrix() { return a_; }

 private:
  using CgSum = Kokkos::View<T, typename Exec::device_type, Kokkos::MemoryUnmanaged>;
  Matrix a_;
  PartialSums<Exec, T> sums_;
};

template <class Exec, class T, class Operator>
class CgUserOperator final : public CgOperator<Exec, T> {
 public:
  CgUserOperator(Operator a, std::int64_t rows) : a_(std::move(a)), rows_(rows) {}
  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  bool multiply(Exec const& exec, T const* x, T* y, T*) override {
    auto const n = static_cast<std::size_t>(rows_);
    a_.apply(exec, CgConstVector<Exec, T>(x, n), CgVector<Exec, T>(y, n));
    return false;
  }
  [[nodiscard]] bool capturable() const override { return false; }
  [[nodiscard]] std::string name() const override { return "operator"; }

 private:
  Operator a_;
  std::int64_t rows_;
};

template <class Exec, class T, class M>
class CgUserPreconditioning final : public CgPreconditioning<Exec, T> {
 public:
  CgUserPreconditioning(M m, std::int64_t rows) : m_(std::move(m)), rows_(static_cast<std::size_t>(rows)) {}
  void apply(Exec const& exec, T const* r, T* z) override {
    m_.apply(exec, CgConstVector<Exec, T>(r, rows_), CgVector<Exec, T>(z, rows_));
  }
  [[nodiscard]] bool capturable() const override {
    if constexpr (requires {
                    { m_.capturable() } -> std::convertible_to<bool>;
                  })
      return m_.capturable();
    else
      return false;
  }

 private:
  M m_;
  std::size_t rows_;
};

/// The matrix that a Cg was made from, where it has seen it: its diagonal and norm come from there.
template <class Exec, class T>
struct CgSource {
  using Matrix = ReadySource<Exec, T>;
  Matrix matrix{};
  bool known = false;
  bool stays = false;  ///< may new_values come? Else the matrix is let go of
};

/// All that a Cg is: implemented in src/solvers for double and float on the spaces that the library brings.
template <class Exec, class T>
class CgBody {
 public:
  virtual ~CgBody() = default;
  virtual CgResult solve(Exec const& exec, T const* b, T* x) = 0;
  /// The source's values have changed: `values` where the array is another, else null.
  virtual void new_values(Exec const& exec, T const* values) = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

template <class Exec, class T>
std::unique_ptr<CgBody<Exec, T>> make_cg_body(Exec const& exec, std::shared_ptr<CgOperator<Exec, T>> a,
                                              CgSource<Exec, T> const& source,
                                              std::shared_ptr<CgPreconditioning<Exec, T>> preconditioning,
                                              CgOptions const& options);

template <class T>
inline constexpr bool has_cg = std::is_same_v<T, double> || (has_all_types && std::is_same_v<T, float>);

template <class Exec, class T>
constexpr void require_cg() {
  static_assert(has_cg<T>,
                "araia::make_cg: solvers exist for double and float; with Araia_TYPES=minimal for double alone");
  static_assert(is_written_out_space<Exec>,
                "araia::make_cg: this build holds no solvers for exec; Araia_SPACES=all adds Serial beside OpenMP");
}

[[noreturn]] void throw_not_square(std::int64_t rows, std::int64_t cols);
inline void require_square(std::int64_t rows, std::int64_t cols) {
  if (rows != cols) throw_not_square(rows, cols);
}

/// A vector of the solve: contiguous, of so many elements.
/// \throws araia::Error dimension_mismatch, invalid_argument
template <class View>
auto* solve_vector(char const* name, View const& view, std::int64_t rows) {
  require_extent_equal("araia::Cg::solve", name, static_cast<std::int64_t>(view.extent(0)), rows);
  if (view.extent(0) > 1 && view.stride(0) != 1)
    throw Error(ErrorKind::invalid_argument, std::string("araia::Cg::solve: ") + name + " has stride " +
                                                 std::to_string(view.stride(0)) + ", expected 1");
  return view.data();
}

}  // namespace detail

/// A solver with its vectors, made once, for any number of systems. Copies are the same solver. One solve at a time.
template <class Exec, class T>
class Cg {
 public:
  using execution_space = Exec;
  using value_type = T;
  using body_type = detail::CgBody<Exec, T>;
  using update_type = std::function<void(Exec const&, T const*, std::int64_t, std::shared_ptr<void const>)>;

  Cg(std::shared_ptr<body_type> body, update_type update) : body_(std::move(body)), update_(std::move(update)) {}

  /// Solves A x = b from the x given.
  /// \param exec  queue of the work; waits for it now and then, and at the end
  /// \param b, x  (rows), contiguous, in memory that exec reaches, disjoint. x holds the start and takes the solution
  /// \return      how it ended; see CgStatus. b = 0 has the solution 0 in no iterations, whatever x0 is. Where b, or
  /// else
  ///              x0, has a NaN or infinity: breakdown, and x is as it was
  /// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument for strides and overlaps
  /// Cost     an iteration: a product, and 10 n elements read or written (reductions one: 12 n). Nothing of the size of
  ///          vectors is allocated; on CUDA the first solve after make_cg or update_values may capture a graph, which
  ///          waits for the device
  /// Rounding sums are formed in double, in parts that depend on n alone, on a device on that too: the same bits in
  /// every
  ///          run, on hosts with any number of threads, where the product has that. Squares of norms must lie between
  ///          the least and the largest double, in float p'A p within float
  template <class B, class X>
  [[nodiscard]] CgResult solve(Exec const& exec, B const& b, X const& x) {
    static_assert(VectorView<B, Exec> && VectorView<X, Exec>,
                  "araia::Cg::solve: b and x must be Views of rank 1 in memory that exec reaches");
    static_assert(std::is_same_v<typename B::non_const_value_type, T> && std::is_same_v<typename X::value_type, T>,
                  "araia::Cg::solve: b and x must have the solver's scalar, and x must not be const");
    detail::require_disjoint("araia::Cg::solve", "b", detail::as_matrix(detail::dense_vector(b)), "x",
                             detail::as_matrix(detail::dense_vector(x)));
    T const* const from = detail::solve_vector("length of b", b, rows());
    T* const to = detail::solve_vector("length of x", x, rows());
    return body_->solve(exec, from, to);
  }

  /// Takes the values of a matrix of the same structure, in the order of the Csr's entries, which the solver was made
  /// from; shared as that matrix is, so not to be changed before the next call. Asynchronous on exec: a solve on
  /// another instance comes behind a fence of the caller's. \throws araia::Error dimension_mismatch; invalid_argument
  /// where values are not contiguous; unsupported where the
  ///         solver was not made from a Csr
  /// Cost     as Plan::update_values, and one pass over the matrix for diagonal and norm
  template <class View>
  void update_values(Exec const& exec, View const& values) {
    static_assert(VectorView<View, Exec>,
                  "araia::Cg::update_values: values must be a View of rank 1 that exec reaches");
    if (!update_)
      throw Error(ErrorKind::unsupported,
                  "araia::Cg::update_values: the solver was not made from a Csr, expected one that was");
    if (values.extent(0) > 1 && values.stride(0) != 1)
      throw Error(ErrorKind::invalid_argument,
                  "araia::Cg::update_values: values have stride " + std::to_string(values.stride(0)) + ", expected 1");
    update_(exec, values.data(), static_cast<std::int64_t>(values.extent(0)), std::make_shared<View>(values));
  }

  [[nodiscard]] std::int64_t rows() const { return body_->rows(); }
  /// Of the solver's vectors, without the matrix.
  [[nodiscard]] std::uint64_t bytes() const { return body_->bytes(); }

 private:
  std::shared_ptr<body_type> body_;
  update_type update_;
};

namespace detail {

/// No preconditioner of the caller's: options.preconditioner decides.
struct NoPreconditioner {};

template <class Exec, class T, class M>
std::shared_ptr<CgPreconditioning<Exec, T>> preconditioning(M&& m, std::int64_t rows) {
  if constexpr (std::is_same_v<std::remove_cvref_t<M>, NoPreconditioner>) {
    return nullptr;
  } else {
    static_assert(LinearOperator<std::remove_cvref_t<M>, Exec, T>,
                  "araia::make_cg: a preconditioner has apply(exec, r, z), on Views of rank 1 in exec's memory");
    return std::make_shared<CgUserPreconditioning<Exec, T, std::remove_cvref_t<M>>>(std::forward<M>(m), rows);
  }
}

/// \param A     Csr, of which diagonal and norm are taken
/// \param stays  do values of A change later?
template <class Exec, class Matrix>
auto source_of(Matrix const& A, bool stays) {
  return CgSource<Exec, typename Matrix::value_type>{.matrix = ready_source<Exec>(A), .known = true, .stays = stays};
}

template <class Matrix, class Exec>
constexpr void require_in_memory_of() {
  static_assert(std::is_same_v<typename Matrix::memory_space, typename Exec::memory_space>,
                "araia::make_cg: A must be in exec's own memory space; copy_to brings it there");
}

}  // namespace detail

/// A solver for a Csr of 32-bit indices.
/// \param A        square, symmetric positive definite, of which only squareness is checked; shared
/// \param options  form automatic: on CUDA one thread-block cluster where the matrix fits, else the product of a plan
///                 (options.plan) or of one call
/// \param M        the caller's preconditioner in place of options.preconditioner: symmetric positive definite,
///                 M.apply(exec, r, z) writes z = M^-1 r on exec without waiting; copied. M.capturable(), where there
///                 is such a member, tells whether a CUDA graph may capture it; else no
/// \throws araia::Error dimension_mismatch where A is not square; invalid_argument for an option out of range;
///         unsupported for a form that cannot be had; else as make_plan
/// Cost     as make_plan; three vectors, four with the inverse diagonal, two more where reductions are one, one more on
///          a device; fences exec
template <class Exec, class Scalar, class Device, class Preconditioner = detail::NoPreconditioner>
auto make_cg(Exec const& exec, Csr<Scalar, std::int32_t, std::int32_t, Device> const& A, CgOptions const& options = {},
             Preconditioner M = {}) {
  using Matrix = Csr<Scalar, std::int32_t, std::int32_t, Device>;
  using T = typename Matrix::value_type;
  using Operator = detail::CgOperator<Exec, T>;
  detail::require_cg<Exec, T>();
  detail::require_in_memory_of<Matrix, Exec>();
  detail::require_square(A.rows, A.cols);
  auto const source = detail::source_of<Exec>(A, true);
  std::shared_ptr<Operator> product;
  std::function<void(Exec const&, T const*)> update;
  auto const values_at = [nnz = static_cast<std::size_t>(A.nnz)](T const* values) {
    return detail::CgConstVector<Exec, T>(values, nnz);
  };
  if (options.plan) {
    PlanOptions plan_options;
    plan_options.deterministic = true;
    auto plan = make_plan(exec, SpmvDesc{.fused = true}, A, plan_options);
    auto const held = std::make_shared<detail::CgPlan<Exec, T, decltype(plan)>>(std::move(plan), A.rows);
    update = [held, values_at](Exec const& on, T const* values) { held->plan().update_values(on, values_at(values)); };
    product = held;
  } else {
    auto const held = std::make_shared<detail::CgMatrix<Exec, T, decltype(source.matrix)>>(exec, source.matrix);
    update = [held, values_at](Exec const&, T const* values) { held->matrix().values = values_at(values); };
    product = held;
  }
  std::shared_ptr<detail::CgBody<Exec, T>> body = detail::make_cg_body<Exec, T>(
      exec, std::move(product), source, detail::preconditioning<Exec, T>(std::move(M), A.rows), options);
  auto const nnz = A.nnz;
  auto const owner = std::make_shared<std::shared_ptr<void const>>();  // of the values that products read
  return Cg<Exec, T>(body, [body, update, nnz, owner](Exec const& on, T const* values, std::int64_t count,
                                                      std::shared_ptr<void const> const& of_values) {
    detail::require_extent_equal("araia::Cg::update_values", "number of values", count, nnz);
    update(on, values);
    body->new_values(on, values);
    *owner = of_values;
  });
}

/// A solver for a matrix of any other format with 32-bit column indices, multiplied as it lies; options.plan does not
/// count. Its to_csr must be included. A's values must stay as they are.
/// Cost  as above, and for the time of the call its Csr
template <class Exec, class Matrix, class Preconditioner = detail::NoPreconditioner>
requires requires(Matrix const& A) { A.pointers(); }
auto make_cg(Exec const& exec, Matrix const& A, CgOptions const& options = {}, Preconditioner M = {}) {
  using T = typename Matrix::value_type;
  static_assert(std::is_same_v<typename Matrix::ordinal_type, std::int32_t>,
                "araia::make_cg: column indices must be std::int32_t");
  detail::require_cg<Exec, T>();
  detail::require_in_memory_of<Matrix, Exec>();
  detail::require_square(A.rows, A.cols);
  auto product = std::make_shared<detail::CgMatrix<Exec, T, Matrix>>(exec, A);
  std::shared_ptr<detail::CgBody<Exec, T>> body = detail::make_cg_body<Exec, T>(
      exec, std::move(product), detail::source_of<Exec>(to_csr<std::int32_t>(exec, A), false),
      detail::preconditioning<Exec, T>(std::move(M), A.rows), options);
  return Cg<Exec, T>(std::move(body), {});
}

/// A solver on a plan of the caller's, best made with SpmvDesc{.fused = true}.
/// \param A  the matrix that the plan was made for, of which diagonal and norm are taken; its values must stay
template <class Exec, class AScalar, class T, class Scalar, class Device,
          class Preconditioner = detail::NoPreconditioner>
auto make_cg(Exec const& exec, Plan<Exec, SpmvDesc, AScalar, T, T> const& plan,
             Csr<Scalar, std::int32_t, std::int32_t, Device> const& A, CgOptions const& options = {},
             Preconditioner M = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Scalar>, T>,
                "araia::make_cg: A and the plan's operands must have one scalar");
  detail::require_cg<Exec, T>();
  detail::require_in_memory_of<Csr<Scalar, std::int32_t, std::int32_t, Device>, Exec>();
  detail::require_square(A.rows, A.cols);
  auto product = std::make_shared<detail::CgPlan<Exec, T, Plan<Exec, SpmvDesc, AScalar, T, T>>>(plan, A.rows);
  std::shared_ptr<detail::CgBody<Exec, T>> body =
      detail::make_cg_body<Exec, T>(exec, std::move(product), detail::source_of<Exec>(A, false),
                                    detail::preconditioning<Exec, T>(std::move(M), A.rows), options);
  return Cg<Exec, T>(std::move(body), {});
}

/// A solver on an operator of the caller's.
/// \tparam T    double or float, of the vectors
/// \param rows  of the operator
/// \param A     symmetric positive definite; A.apply(exec, x, y) writes y = A x on exec, without waiting; copied
/// \throws araia::Error unsupported unless options.preconditioner is none or M is given: the diagonal is not known
template <class T, class Exec, class Operator, class Preconditioner = detail::NoPreconditioner>
auto make_cg(Exec const& exec, std::int64_t rows, Operator A, CgOptions const& options = {}, Preconditioner M = {}) {
  if (rows < 0)
    throw Error(ErrorKind::invalid_argument,
                "araia::make_cg: rows is " + std::to_string(rows) + ", expected at least 0");
  static_assert(LinearOperator<Operator, Exec, T>,
                "araia::make_cg: an operator has apply(exec, x, y), on Views of rank 1 in exec's memory");
  detail::require_cg<Exec, T>();
  auto product = std::make_shared<detail::CgUserOperator<Exec, T, Operator>>(std::move(A), rows);
  std::shared_ptr<detail::CgBody<Exec, T>> body = detail::make_cg_body<Exec, T>(
      exec, std::move(product), {}, detail::preconditioning<Exec, T>(std::move(M), rows), options);
  return Cg<Exec, T>(std::move(body), {});
}

}  // namespace araia
