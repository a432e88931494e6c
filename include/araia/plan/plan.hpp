// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A product decided once, run often: format, kernel and tuning behind one small interface.

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/dispatch/epilogue_operands.hpp>
#include <araia/detail/dispatch/fused_operands.hpp>
#include <araia/detail/dispatch/rows_of_dots.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/detail/plan/operation.hpp>
#include <araia/detail/plan/plan_life.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>

namespace araia {

namespace detail {

/// What a plan is behind its types' back: implemented once for each type of the source's indices.
template <class Exec, class Desc, class A, class X, class Y>
class PlanBody : public OperationBody<Exec, Desc, X, Y> {
 public:
  using Sum = accumulator_t<Y>;
  virtual ~PlanBody() = default;
  virtual void execute(Exec const& exec, Sum alpha, operand_t<Desc, X const> const& x, Sum beta,
                       result_t<Desc, Y> const& y) const = 0;
  virtual void update_values(Exec const& exec, Kokkos::View<A const*, typename Exec::device_type> const& values) = 0;
  virtual VerifyReport verify(Exec const& exec) const = 0;
  /// Is the source let go of?
  virtual bool release_source() = 0;
  /// The array of values that products read, or null where there is none of one value an entry.
  [[nodiscard]] virtual void const* values_read() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t workspace_bytes() const = 0;
  [[nodiscard]] virtual TuneReport const& report() const = 0;
  [[nodiscard]] virtual Desc const& description() const = 0;
};

template <class Exec, class Desc, class A, class X, class Y>
std::string label_of(PlanBody<Exec, Desc, A, X, Y> const& body) {
  return label(body.report().winner().choice);
}

/// Brings values from the order of a source's entries to that of the Csr made from it.
template <class Exec, class Values>
class ValueOrder {
 public:
  virtual ~ValueOrder() = default;
  /// The values in the Csr's order, in an array that the last accepted ones are not in. Where it throws, a later call
  /// does all of it.
  virtual Values ordered(Exec const& exec, Values const& values) = 0;
  /// The plan has taken them.
  virtual void accept() noexcept = 0;
  /// Of its own arrays.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Tunes and converts; the whole of make_plan, written out in src/plan for the usual types.
template <class Desc, class X, class Y, class Exec, class A, class Ordinal, class Offset, class Memory>
std::unique_ptr<PlanBody<Exec, Desc, A, X, Y>> build_plan(
    Exec const& exec, Desc const& desc, Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>> const& source,
    PlanOptions const& options);

/// Types for which the library holds plans.
template <class A, class X, class Y, class Ordinal, class Offset>
inline constexpr bool has_plans = ((is_written_out_scalar<A> && std::is_same_v<X, A>) ||
                                   (has_all_types && std::is_same_v<A, float> && std::is_same_v<X, double>)) &&
                                  std::is_same_v<Y, X>&& std::is_same_v<Ordinal, std::int32_t> &&
                                  (std::is_same_v<Offset, std::int32_t> ||
                                   (has_all_types && std::is_same_v<Offset, std::int64_t>));

inline bool fits(DenseLayout layout, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                 std::int64_t column_stride) {
  if (layout == DenseLayout::right) return column_stride == 1 || columns <= 1;
  if (layout == DenseLayout::left) return row_stride == 1 || rows <= 1;
  return true;
}

[[noreturn]] void throw_not_described(std::string const& what);

template <class X, class Y>
void require_described(SpmvDesc const& desc, DenseVector<X> const& x, DenseVector<Y> const& y) {
  if (!desc.strided && (x.stride != 1 || y.stride != 1))
    throw_not_described("strides of x and y are " + std::to_string(x.stride) + " and " + std::to_string(y.stride) +
                        ", described without .strided");
}

template <class X, class Y>
void require_described(SpmmDesc const& desc, DenseMatrix<X> const& b, DenseMatrix<Y> const& c) {
  if (b.columns != desc.columns || c.columns != desc.columns)
    throw_not_described("B and C have " + std::to_string(b.columns) + " and " + std::to_string(c.columns) +
                        " columns, described were " + std::to_string(desc.columns));
  if (!fits(desc.layout_b, b.rows, b.columns, b.row_stride, b.column_stride))
    throw_not_described(std::string("the layout of B is not ") + to_string(desc.layout_b) + " as described");
  if (!fits(desc.layout_c, c.rows, c.columns, c.row_stride, c.column_stride))
    throw_not_described(std::string("the layout of C is not ") + to_string(desc.layout_c) + " as described");
}

/// \param y  as it is given
template <class X, class Y>
void require_described(SddmmDesc const& desc, DenseMatrix<X> const& x, DenseMatrix<Y> const& y) {
  if (x.columns != desc.columns)
    throw_not_described("X has " + std::to_string(x.columns) + " columns, described were " +
                        std::to_string(desc.columns));
  if (!fits(desc.layout_x, x.rows, x.columns, x.row_stride, x.column_stride))
    throw_not_described(std::string("the layout of X is not ") + to_string(desc.layout_x) + " as described");
  if (!fits(desc.layout_y, y.rows, y.columns, y.row_stride, y.column_stride))
    throw_not_described(std::string("the layout of Y is not ") + to_string(desc.layout_y) + " as described");
}

}  // namespace detail

/// A tuned product. Shares the source matrix, whose structure must stay as it is. After its values changed, call
/// update_values: whether products read the source's values or a copy in another format depends on what was chosen, and
/// shares_values() tells. Copies of a plan are the same plan: what one is told, all know.
/// Thread safety: const members may run concurrently on one plan with different operands, but for what shares the
/// plan's workspace, one at a time: products that form a sum, those of kernels that write a workspace
/// (docs/embedding.md has the table), and residual and multiply_dot of formats that multiply first.
/// On a device these wait for each other whatever instances they are called with: by events, after
/// a fence at the first change of instance; captured ones as their graphs say. update_values and release_source alone
/// on it. Destroy every plan before Kokkos::finalize: one that still exists, as a static one does, lets go of its
/// memory there, which a line on stderr says, and every use of it after that is an Error.
template <class Exec, class Desc, class AScalar, class XScalar = AScalar, class YScalar = XScalar>
class Plan {
 public:
  using execution_space = Exec;
  using accumulator_type = accumulator_t<YScalar>;
  using body_type = detail::PlanBody<Exec, Desc, AScalar, XScalar, YScalar>;

  using values_type = Kokkos::View<AScalar const*, typename Exec::device_type>;

  using order_type = detail::ValueOrder<Exec, values_type>;

  using state_type = detail::PlanState<Exec, body_type, order_type>;

  explicit Plan(std::shared_ptr<state_type> state) : state_(std::move(state)) {}

  /// y = alpha op(A) x + beta y, or C = alpha op(A) B + beta C.
  /// \param exec  queue of the work; a device's may return before completion, host kernels run in the caller's thread
  /// \param x, y  as described; not overlapping; beta == 0 overwrites y, NaN included
  /// \throws araia::Error dimension_mismatch naming both sizes; unsupported for other columns, layouts or strides than
  ///         described; invalid_argument where x and y overlap
  /// Cost     report().winner().traffic; no allocation
  template <class XView, class YView>
  void execute(Exec const& exec, accumulator_type alpha, XView const& x, accumulator_type beta, YView const& y) const {
    static_assert(!std::is_same_v<Desc, SddmmDesc>,
                  "araia::Plan::execute: plans of SddmmDesc take X, Y and D: execute(exec, alpha, X, Y, beta, D)");
    static_assert(
        std::is_same_v<typename XView::non_const_value_type, XScalar> &&
            std::is_same_v<typename YView::value_type, YScalar>,
        "araia::Plan::execute: operands must have the scalars that the plan was made for, and the result must "
        "not be const");
    auto const& desc = body().description();
    auto const [rows, cols] = shape();
    if constexpr (std::is_same_v<Desc, SpmvDesc>) {
      static_assert(VectorView<XView, Exec> && VectorView<YView, Exec>,
                    "araia::Plan::execute: x and y must be Views of rank 1 in memory that exec reaches");
      auto const xs = detail::as_const(detail::dense_vector(x));
      auto const ys = detail::dense_vector(y);
      detail::require_extent_equal("araia::Plan::execute", "length of x", xs.size, cols);
      detail::require_extent_equal("araia::Plan::execute", "length of y", ys.size, rows);
      detail::require_described(desc, xs, ys);
      detail::require_disjoint("araia::Plan::execute", "x", detail::as_matrix(xs), "y", detail::as_matrix(ys));
      to_run(exec, "araia::Plan::execute").execute(exec, alpha, xs, beta, ys);
    } else {
      static_assert(MatrixView<XView, Exec> && MatrixView<YView, Exec>,
                    "araia::Plan::execute: B and C must be Views of rank 2 in memory that exec reaches");
      auto const bs = detail::as_const(detail::dense_matrix(x));
      auto const cs = detail::dense_matrix(y);
      detail::require_extent_equal("araia::Plan::execute", "number of rows of B", bs.rows, cols);
      detail::require_extent_equal("araia::Plan::execute", "number of rows of C", cs.rows, rows);
      detail::require_described(desc, bs, cs);
      detail::require_disjoint("araia::Plan::execute", "B", bs, "C", cs);
      to_run(exec, "araia::Plan::execute").execute(exec, alpha, bs, beta, cs);
    }
  }

  /// C = act(alpha op(A) B + beta C + bias + R), and for Views of rank 3 the same of each item of a batch.
  /// \param B, C      as described; in a batch (items, rows, columns), each item as described
  /// \param epilogue  as for the one-shot spmm, e.g. epilogue_t<C>{.row_bias = bias, .relu = true}
  /// \throws araia::Error as execute does, and as the one-shot spmm with an epilogue
  /// Cost     as execute, and the epilogue's operands once, where fuses_epilogue() says so; else a pass over C more. No
  ///          allocation. A batch is one launch or parallel region with some kernels, else a launch an item, without a
  ///          fence: docs/embedding.md has the table
  template <class B, class C, class Scalar, class Device, int rank>
  void execute(Exec const& exec, accumulator_type alpha, B const& b, accumulator_type beta, C const& c,
               Epilogue<Scalar, Device, rank> const& epilogue) const requires std::is_same_v<Desc, SpmmDesc> {
    static_assert(
        std::is_same_v<typename B::non_const_value_type, XScalar> && std::is_same_v<typename C::value_type, YScalar> &&
            std::is_same_v<Scalar, YScalar>,
        "araia::Plan::execute: operands must have the scalars that the plan was made for, and the result must "
        "not be const");
    static_assert(
        (MatrixView<B, Exec> && MatrixView<C, Exec> && rank == 2) ||
            (BatchView<B, Exec> && BatchView<C, Exec> && rank == 3),
        "araia::Plan::execute: B, C and the epilogue must be of rank 2, or all of rank 3, in memory that exec "
        "reaches");
    auto const bs = detail::as_const(detail::dense_batch(b));
    auto const cs = detail::dense_batch(c);
    detail::require_batch("araia::Plan::execute", shape(), bs, cs);
    detail::require_described(body().description(), bs.first, cs.first);
    to_run(exec, "araia::Plan::execute")
        .epilogue(exec, alpha, bs, beta, cs, detail::epilogue_operands<Exec>("araia::Plan::execute", epilogue, cs));
  }

  /// C_i = alpha op(A) B_i + beta C_i for each item of a batch.
  template <class B, class C>
  requires(std::is_same_v<Desc, SpmmDesc>&& BatchView<B, Exec>&& BatchView<C, Exec>) void execute(
      Exec const& exec, accumulator_type alpha, B const& b, accumulator_type beta, C const& c) const {
    execute(exec, alpha, b, beta, c, epilogue_t<C>{});
  }

  /// D = alpha A .* (X op(Y)) + beta D at the entries of A; with SddmmDesc::pattern D = alpha spy(A) .* (X op(Y)) +
  /// beta D.
  /// \param X, Y  (rows, k), and (k, cols) or (cols, k) as desc.op says; as described, not overlapping D
  /// \param D     (nnz) of the plan's scalar, contiguous: a value an entry, in the order of A's entries, or for a plan
  ///              from another format than Csr in that of to_csr(exec, A). beta == 0 overwrites it, NaN included;
  ///              alpha == 0 and k == 0 read neither X nor Y. It may be the array of A's values where shares_values()
  ///              says that products read it, which they then multiply by what they found there
  /// \throws araia::Error dimension_mismatch naming both sizes; unsupported for other columns or layouts than
  ///         described; invalid_argument where D overlaps X or Y, or is not contiguous
  /// Cost     report().winner().traffic; no allocation
  /// Rounding |error_p| <= gamma(k + 3) (|alpha| |A| .* |X| |op(Y)| + |beta| |D|)_p in the accumulator of D's scalar
  template <class XView, class YView, class DView>
  requires(std::is_same_v<Desc, SddmmDesc>) void execute(Exec const& exec, accumulator_type alpha, XView const& X,
                                                         YView const& Y, accumulator_type beta, DView const& D) const {
    static_assert(std::is_same_v<typename XView::non_const_value_type, XScalar> &&
                      std::is_same_v<typename YView::non_const_value_type, XScalar> &&
                      std::is_same_v<typename DView::value_type, YScalar>,
                  "araia::Plan::execute: operands must have the scalars that the plan was made for, and D must not be "
                  "const");
    static_assert(MatrixView<XView, Exec> && MatrixView<YView, Exec> && VectorView<DView, Exec>,
                  "araia::Plan::execute: X and Y must be Views of rank 2, and D one of rank 1, in memory that exec "
                  "reaches");
    constexpr char const* what = "araia::Plan::execute";
    auto const& desc = body().description();
    auto const& stats = body().report().problem.stats;
    auto const xs = detail::as_const(detail::dense_matrix(X));
    auto const given = detail::as_const(detail::dense_matrix(Y));
    auto const ys = detail::rows_of_dots(desc.op, given);
    auto const ds = detail::dense_vector(D);
    bool const by_rows = transposes(desc.op);
    detail::require_extent_equal(what, "number of rows of X", xs.rows, stats.rows);
    detail::require_extent_equal(what, by_rows ? "number of rows of Y" : "number of columns of Y", ys.rows, stats.cols);
    detail::require_extent_equal(what, by_rows ? "number of columns of Y" : "number of rows of Y", ys.columns,
                                 xs.columns);
    detail::require_extent_equal(what, "length of D", ds.size, stats.nnz);
    if (ds.stride != 1 && ds.size > 1)
      throw Error(ErrorKind::invalid_argument,
                  "araia::Plan::execute: D has stride " + std::to_string(ds.stride) + ", expected 1");
    detail::require_described(desc, xs, given);
    detail::require_disjoint(what, "X", xs, "D", detail::as_matrix(ds));
    detail::require_disjoint(what, "Y", given, "D", detail::as_matrix(ds));
    to_run(exec, what).execute(exec, alpha, {xs, ys}, beta, ds);
  }

  /// Does execute with an epilogue do it where the plan's kernel stores C? Else it is a pass over C after the product.
  [[nodiscard]] bool fuses_epilogue() const requires std::is_same_v<Desc, SpmmDesc> { return body().fuses_epilogue(); }

  /// r = b - op(A) x, as execute and in its kernel.
  /// \param b, x, r  as described; neither b nor x overlaps r
  /// \throws araia::Error as execute does
  /// Cost     one pass over memory where the plan runs csr or sell in a backend's kernel; else execute, and then twice
  ///          over r and once over b. No allocation
  template <class B, class XView, class R>
  void residual(Exec const& exec, B const& b, XView const& x,
                R const& r) const requires std::is_same_v<Desc, SpmvDesc> {
    run_fused(exec, x, detail::residual_operands<Exec>("araia::Plan::residual", shape(), b, x, r));
  }

  /// r = b - op(A) x and norm_squared = sum of |r_i|^2 over r as stored.
  /// \param norm_squared  View of rank 0 in memory that exec reaches, of r's (real) scalar; written by exec, nothing
  ///                      waits. Sums are formed in double, with the same bits wherever r has them
  template <class B, class XView, class R, class Norm>
  void residual(Exec const& exec, B const& b, XView const& x, R const& r,
                Norm const& norm_squared) const requires std::is_same_v<Desc, SpmvDesc> {
    auto f = detail::residual_operands<Exec>("araia::Plan::residual", shape(), b, x, r);
    f.norm_squared = detail::sum_target<Exec, typename decltype(f)::Real>(norm_squared);
    run_fused(exec, x, f);
  }

  /// y = op(A) x and dot = x'y, the sum of conj(x_i) y_i over y as stored; op(A) is square.
  /// \param dot  View of rank 0 in memory that exec reaches, of y's accumulator; as norm_squared of residual
  /// \throws araia::Error as execute does; dimension_mismatch where A is not square
  /// Cost     one pass over memory where the plan runs csr or sell in a backend's kernel; else execute, and then once
  ///          over x and y. No allocation
  template <class XView, class YView, class Dot>
  void multiply_dot(Exec const& exec, XView const& x, YView const& y,
                    Dot const& dot) const requires std::is_same_v<Desc, SpmvDesc> {
    auto f = detail::multiply_dot_operands<Exec>("araia::Plan::multiply_dot", shape(), x, y);
    f.dot = detail::sum_target<Exec, typename decltype(f)::Sum>(dot);
    run_fused(exec, x, f);
  }

  /// Takes the values of a matrix of the same structure, in the order of the source's entries.
  /// \param values  (nnz); shared as the source is, and so not to be changed before the next call: the plan runs on it
  ///                in the source's own format, verify reads it in others. release_source lets go of it
  /// \throws araia::Error dimension_mismatch; invalid_argument where values are not contiguous; unsupported after
  ///         release_source or for a pattern. Products are then those of before, as for lack of memory
  /// Cost     O(nnz); one to three kernels, no allocation, asynchronous on exec, but where docs/embedding.md says
  ///          otherwise of a format or kernel. A source of 64-bit offsets in another format takes 4 bytes a row, and
  ///          waits. Unless options.keep_maps was set, values whose order does not follow from the structure are
  ///          ordered or packed again
  template <class View>
  void update_values(Exec const& exec, View const& values) {
    static_assert(VectorView<View, Exec>, "araia::Plan::update_values: values must be a View of rank 1");
    if (values.stride(0) != 1)  // Kokkos would end the program
      throw Error(ErrorKind::invalid_argument, "araia::Plan::update_values: values have stride " +
                                                   std::to_string(values.stride(0)) + ", expected 1");
    auto& mine = body();
    if (auto const& order = state_->order) {
      mine.update_values(exec, order->ordered(exec, values));
      order->accept();
    } else {
      mine.update_values(exec, values);
    }
    state_->values = values.data();
    if (state_->watch.on())
      state_->watch.start(exec, {{values.data(), values.extent(0) * sizeof(AScalar)}},
                          std::make_shared<values_type>(values));
  }

  /// Runs the plan on random operands and holds every entry, or on large problems sampled rows with those of extreme
  /// length, to the reference in a wider type. Allocates operands; fences exec.
  /// \throws araia::Error unsupported after release_source; resource_limit for operands beyond half of the memory
  [[nodiscard]] VerifyReport verify(Exec const& exec) const { return to_run(exec, "araia::Plan::verify").verify(exec); }

  /// Lets go of the source matrix where the plan runs a format of its own; csr and csr/copied_columns run on the
  /// source. Arrays that the application holds behind unmanaged Views, and indices of another type than plans have, may
  /// be read as long as the plan lives: packed kernels of SpMM look up rows and columns there.
  void release_source() {
    if (!body().release_source()) return;
    state_->order.reset();
    state_->watch.stop();
    // Not state_->source: a packed kernel may still read the structure of indices that plans read where they are.
  }

  /// Do products read the very array of values that make_plan or update_values was given? Then one that changes in
  /// place is right in the next product, without update_values. That is so where the plan runs csr as it lies, and not
  /// in others: a program that relies on it asks here, and else calls update_values.
  [[nodiscard]] bool shares_values() const {
    auto const* const read = body().values_read();
    return read && read == state_->values;
  }

  [[nodiscard]] Choice const& choice() const { return report().winner().choice; }
  [[nodiscard]] TuneReport const& report() const { return body().report(); }
  [[nodiscard]] std::string explain() const { return araia::explain(report()); }
  [[nodiscard]] Desc const& description() const { return body().description(); }
  /// Of the format's arrays, shared ones included, of what the kernel keeps beside them, and of what update_values has
  /// made to bring values to the Csr's order.
  [[nodiscard]] std::uint64_t bytes() const {
    auto const own = body().bytes();  // first: it throws where there is no state
    return own + (state_->order ? state_->order->bytes() : 0);
  }
  /// Of the partial sums of residual and multiply_dot; what kernels of execute write besides their results is in
  /// bytes().
  [[nodiscard]] std::uint64_t workspace_bytes() const { return body().workspace_bytes(); }
  /// May execute, residual and multiply_dot be captured into a CUDA graph?
  [[nodiscard]] bool capturable() const { return report().machine.device; }

 private:
  /// Of op(A).
  [[nodiscard]] detail::OpShape shape() const {
    auto const& stats = body().report().problem.stats;
    return transposes(body().report().problem.op) ? detail::OpShape{stats.cols, stats.rows}
                                                  : detail::OpShape{stats.rows, stats.cols};
  }

  template <class XView>
  void run_fused(Exec const& exec, XView const& x, detail::FusedOperands<YScalar> const& f) const {
    static_assert(std::is_same_v<typename XView::non_const_value_type, XScalar>,
                  "araia::Plan: operands must have the scalars that the plan was made for");
    auto const xs = detail::as_const(detail::dense_vector(x));
    detail::require_described(body().description(), xs, f.y);
    if (f.b.data) detail::require_described(body().description(), f.b, f.y);
    detail::require_sum_apart("araia::Plan", xs, f);
    to_run(exec, "araia::Plan").fused(exec, xs, f);
  }

  [[nodiscard]] body_type& body() const {
    if (!state_ || !state_->body) detail::throw_ended();
    return *state_->body;
  }

  /// For a product.
  [[nodiscard]] body_type const& to_run(Exec const& exec, char const* what) const {
    body_type const& mine = body();
    state_->watch.require_unchanged(exec, what);
    return mine;
  }

  std::shared_ptr<state_type> state_;
};

namespace detail {

/// Plans take indices of 32 bits, and offsets of 64 where the build has such plans.
template <class Offset>
using plan_offset_t = std::conditional_t<has_all_types && sizeof(Offset) == 8, std::int64_t, std::int32_t>;

template <class Exec, class To, class From>
static void copy_indices(Exec const& exec, To const& to, From const& from) {
  using Index = typename To::value_type;
  for_each_index(
      "araia::plan::indices", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(to.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { to(i) = static_cast<Index>(from(i)); });
}

/// The first `count` indices as Index: the same memory where that is as wide, else a copy.
template <class Index, class Exec, class View>
Kokkos::View<Index const*, typename Exec::device_type> plan_indices(Exec const& exec, View const& indices,
                                                                    std::int64_t count) {
  using Given = typename View::non_const_value_type;
  if constexpr (std::is_same_v<Given, Index>) {
    return indices;
  } else if constexpr (sizeof(Given) == sizeof(Index)) {
    return {reinterpret_cast<Index const*>(indices.data()), indices.extent(0)};
  } else {
    if (indices.extent(0) == 0) return {};
    auto const copy = new_array<Index, typename Exec::device_type>(exec, "araia::plan::indices", count);
    copy_indices(exec, copy, indices);
    return copy;
  }
}

/// A plan's parts, of a source as plans take it.
/// \param A      the caller's matrix, of any format
/// \param order  of its entries
/// \param owner  of arrays that the source reads without a share in them, or null
template <class Result, class Desc, class X, class Y, class Exec, class Source, class Matrix>
Result plan_of(Exec const& exec, Desc const& desc, Source const& source, Matrix const& A,
               std::unique_ptr<typename Result::order_type> order, std::shared_ptr<void const> owner,
               PlanOptions const& options) {
  auto state = std::make_shared<typename Result::state_type>();
  state->body = build_plan<Desc, X, Y>(exec, desc, source, options);
  state->order = std::move(order);
  state->source = std::move(owner);
  state->values = values_of(A).front().data;
  if (options.check_values) state->watch.start(exec, values_of(A), std::make_shared<Matrix>(A));
  return Result(std::move(state));
}

}  // namespace detail

/// A plan for products with A on exec; plan_from.hpp has one for every other format. By default the model decides:
/// nothing is timed and nothing is written.
///
/// \tparam XScalar, YScalar  of the operands; A's scalar by default
/// \param desc  SpmvDesc, SpmmDesc or SddmmDesc
/// \param A     Csr in exec's memory space; shared by the plan. Indices of other types than plans take are read as
/// these
///              where they are as wide, as std::size_t offsets are, and else copied: columns of 64 bits, and in builds
///              of minimal types such offsets
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit; unsupported where no kernel is left or options.choice cannot run; invalid_argument for an
///         option out of range
/// Cost     O(rows + nnz) of checks and features, a conversion at most; with options.measure about options.budget
///          seconds
template <class XScalar = void, class YScalar = void, class Exec, class Desc, class Scalar, class Ordinal, class Offset,
          class Device>
auto make_plan(Exec const& exec, Desc const& desc, Csr<Scalar, Ordinal, Offset, Device> const& A,
               PlanOptions const& options = {}) {
  using AScalar = std::remove_const_t<Scalar>;
  using X = std::conditional_t<std::is_void_v<XScalar>, AScalar, XScalar>;
  using Y = std::conditional_t<std::is_void_v<YScalar>, X, YScalar>;
  using Memory = typename Csr<Scalar, Ordinal, Offset, Device>::memory_space;
  using PlanOffset = detail::plan_offset_t<Offset>;
  static_assert(std::is_same_v<Memory, typename Exec::memory_space>,
                "araia::make_plan: A must be in exec's own memory space; copy_to brings it there");
  static_assert(detail::has_plans<AScalar, X, Y, std::int32_t, PlanOffset>,
                "araia::make_plan: plans exist for matrices of double, float (with operands of float or double) and "
                "Kokkos::complex<double>; with Araia_TYPES=minimal for double alone");
  static_assert(detail::is_written_out_space<Exec>,
                "araia::make_plan: this build holds no plans for exec; Araia_SPACES=all adds Serial beside OpenMP");
  using Result = Plan<Exec, Desc, AScalar, X, Y>;
  constexpr bool as_given = std::is_same_v<Ordinal, std::int32_t> && std::is_same_v<Offset, PlanOffset>;
  PlanOptions wanted = options;
  if constexpr (!as_given) {
    if (options.validate) validate(exec, A);  // a copy of what does not fit would hide what is broken
    wanted.validate = false;
    detail::require_fits<std::int32_t>("araia::make_plan: number of columns", A.cols);
    detail::require_fits<PlanOffset>("araia::make_plan: number of entries", A.nnz);
  }
  detail::ReadySource<Exec, AScalar, PlanOffset> source{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  source.row_offsets = detail::plan_indices<PlanOffset>(exec, A.row_offsets, A.rows + 1);
  source.col_indices = detail::plan_indices<std::int32_t>(exec, A.col_indices, A.nnz);
  source.values = A.values;
  source.row_permutation = detail::plan_indices<std::int32_t>(exec, A.row_permutation, A.rows);
  std::shared_ptr<void const> owner;
  if constexpr (!as_given) {  // of the indices that are read where they are
    auto indices = A;
    indices.values = {};
    if (sizeof(Offset) != sizeof(PlanOffset)) indices.row_offsets = {};
    if (sizeof(Ordinal) != sizeof(std::int32_t)) {
      indices.col_indices = {};
      indices.row_permutation = {};
    }
    owner = std::make_shared<decltype(indices)>(std::move(indices));
  }
  return detail::plan_of<Result, Desc, X, Y>(exec, desc, source, A, {}, std::move(owner), wanted);
}

}  // namespace araia
