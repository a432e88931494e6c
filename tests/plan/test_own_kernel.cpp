// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that an application registers: listed, verified, measured and run beside the library's; and csr/reference,
// which the library binds in the same way.
#include <memory>
#include <string>
#include <string_view>

#include <araia/extend/kernel.hpp>
#include "plan/plan_checks.hpp"
#include "src/engine/kernels.hpp"

namespace araia::test {
namespace {

constexpr std::int64_t own_rows = 777;  // of the matrices that these kernels are proposed for

using OwnBound = Bound<Device, SpmvDesc, double, double, double, std::int32_t>;

/// A copy of the matrix, a thread a row; y is `error` off.
class RowsOfOwn final : public OwnBound {
 public:
  RowsOfOwn(Device const& exec, Source const& source, double error) : error_(error) { take(exec, source); }
  void run(Device const& exec, double alpha, Operand const& x, double beta, Result const& y) const override {
    multiply(exec, matrix_.pointers(), error_, alpha, x, beta, y);
  }
  void update_values(Device const& exec, Source const& source) override { take(exec, source); }
  [[nodiscard]] std::uint64_t bytes() const override { return matrix_.bytes(); }

  static void multiply(Device const& exec, CsrPointers<double, std::int32_t, std::int32_t> const& a, double error,
                       double alpha, Operand const& x, double beta, Result const& y) {
    Kokkos::parallel_for(
        "own", Kokkos::RangePolicy<Device>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t i) {
          double sum = error;
          for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
            sum += (a.values ? a.values[k] : 1) * x.data[a.col_indices[k] * x.stride];
          double& out = y.data[i * y.stride];
          out = alpha * sum + (beta == 0 ? 0 : beta * out);
        });
  }

 private:
  void take(Device const& exec, Source const& source) {
    Kokkos::View<double*, Device::device_type> const values("own::values", source.values.extent(0));
    Kokkos::deep_copy(exec, values, source.values);
    Kokkos::View<std::int32_t*, Device::device_type> const offsets("own::row_offsets", source.row_offsets.extent(0));
    Kokkos::View<std::int32_t*, Device::device_type> const columns("own::col_indices", source.col_indices.extent(0));
    Kokkos::deep_copy(exec, offsets, source.row_offsets);
    Kokkos::deep_copy(exec, columns, source.col_indices);
    matrix_ = source;
    matrix_.row_offsets = offsets;
    matrix_.col_indices = columns;
    matrix_.values = values;
  }
  Source matrix_;
  double error_;
};

/// The descriptor's part that the kernels share.
template <class Derived>
struct OwnKernel {
  static std::string refuse(Problem const& p, Choice const&) {
    return p.source_permuted ? std::string(Derived::info.name) + ": rows in another order" : "";
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (p.stats.rows == own_rows) list.add({.format = "csr", .kernel = std::string(Derived::info.name)});
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    return {.bytes = static_cast<std::uint64_t>(p.stats.nnz) * sizeof(double), .slots = p.stats.nnz, .exact = true};
  }
  static double seconds(Pricing const& a) { return Derived::factor * roofline_seconds(a); }
};

constexpr KernelInfo own_info(std::string_view name, std::string_view packing, Sums sums = Sums::ordered) {
  return {.operation = OpId::spmv,
          .storage = "csr",
          .name = name,
          .runs = Runs::where_bound,
          .sums = sums,
          .own_row_order = true,
          .packing = packing};
}

struct Right : OwnKernel<Right> {
  static constexpr double factor = 0.5;  // ahead of all others by its own model
  static constexpr KernelInfo info = own_info("own_right", " of test_own_kernel");
};
struct Wrong : OwnKernel<Wrong> {
  static constexpr double factor = 0.6;
  static constexpr KernelInfo info = own_info("own_wrong", " wrong, of test_own_kernel", Sums::scattered);
};
struct WrongFirst : OwnKernel<WrongFirst> {
  static constexpr double factor = 0.45;  // ahead of own_right
  static constexpr KernelInfo info = own_info("own_wrong_first", " wrong and first, of test_own_kernel");
};
struct Failing : OwnKernel<Failing> {
  static constexpr double factor = 0.4;
  static constexpr KernelInfo info = own_info("own_failing", " failing, of test_own_kernel");
};

struct Builtin : OwnKernel<Builtin> {
  static constexpr double factor = 1;
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "thread_per_row", .runs = Runs::where_bound};
};
struct OfNoStorage : OwnKernel<OfNoStorage> {
  static constexpr double factor = 1;
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "dia", .name = "own_dia", .runs = Runs::where_bound};
};
struct Unnamable : OwnKernel<Unnamable> {
  static constexpr double factor = 1;
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "Own kernel", .runs = Runs::where_bound};
};
struct OfReservedParameter : OwnKernel<OfReservedParameter> {
  static constexpr double factor = 1;
  static constexpr ParameterInfo parameters[] = {{"split", "1 or 2"}};  // as Choice::split
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "own_split",
                                   .runs = Runs::where_bound,
                                   .parameters = parameters};
};
struct SameName : OwnKernel<SameName> {
  static constexpr double factor = 1;
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "own_right", .runs = Runs::where_bound};
};
struct Everywhere : OwnKernel<Everywhere> {
  static constexpr double factor = 1;
  static constexpr KernelInfo info{.operation = OpId::spmv, .storage = "csr", .name = "own_everywhere"};
};

std::shared_ptr<OwnBound> bind_right(Device const& exec, OwnBound::Source const& source, Choice const&,
                                     BindOptions const& options) {
  if (options.op != Op::none) throw Error(ErrorKind::unsupported, "own_right: transposed");
  return std::make_shared<RowsOfOwn>(exec, source, 0.0);
}
std::shared_ptr<OwnBound> bind_wrong(Device const& exec, OwnBound::Source const& source, Choice const&,
                                     BindOptions const&) {
  return std::make_shared<RowsOfOwn>(exec, source, 0.5);
}
std::shared_ptr<OwnBound> bind_failing(Device const&, OwnBound::Source const&, Choice const&, BindOptions const&) {
  throw Error(ErrorKind::unsupported, "own_failing: not such a structure");
}

template <class D>
void add(Bind<Device, SpmvDesc, double, double, double, std::int32_t> bind) {
  register_kernel<D, Device, SpmvDesc, double, double, double, std::int32_t>(bind);
}

void add_all() {
  static bool const once = [] {
    add<Right>(bind_right);
    add<Wrong>(bind_wrong);
    add<WrongFirst>(bind_wrong);
    add<Failing>(bind_failing);
    return true;
  }();
  (void)once;
}

auto own_matrix() { return device_csr<double, std::int32_t, Device>(random_matrix("own", own_rows, own_rows, 6)); }

CandidateReport const* candidate(TuneReport const& report, std::string const& kernel) {
  for (auto const& c : report.candidates)
    if (c.choice.kernel == kernel) return &c;
  return nullptr;
}

TEST(OwnKernel, IsTakenWhereItsModelIsAhead) {
  add_all();
  Device const exec;
  auto const A = own_matrix();
  auto plan = make_plan(exec, SpmvDesc{}, A);
  EXPECT_EQ(plan.choice().kernel, "own_right") << plan.explain();
  // The one that its bind refused is left out with the reason.
  auto const* const failing = candidate(plan.report(), "own_failing");
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->status, CandidateStatus::pruned);
  EXPECT_NE(failing->reason.find("not such a structure"), std::string::npos) << failing->reason;
  EXPECT_EQ(plan.bytes(), A.bytes());
  EXPECT_FALSE(plan.shares_values());
  EXPECT_TRUE(plan.verify(exec).ok);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  check_execute<Types>(plan, host_copy(A), 1, false, "own");
  auto other = random_matrix("own", own_rows, own_rows, 6);
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  plan.update_values(exec, B.values);
  check_execute<Types>(plan, host_copy(B), 1, false, "own, new values");
  plan.release_source();
  check_execute<Types>(plan, host_copy(B), 1, false, "own, released");
}

TEST(OwnKernel, IsVerifiedWhereNothingIsMeasured) {
  add_all();
  Device const exec;
  auto const plan = make_plan(exec, SpmvDesc{}, own_matrix(), {.formats = {"csr"}});
  auto const* const wrong = candidate(plan.report(), "own_wrong_first");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->status, CandidateStatus::wrong);
  EXPECT_EQ(kind_of([&] {
              (void)make_plan(exec, SpmvDesc{}, own_matrix(),
                              {.choice = Choice{.format = "csr", .kernel = "own_wrong"}});
            }),
            ErrorKind::internal);
}

TEST(OwnKernel, KeepsToTheMemoryLimit) {
  add_all();
  Device const exec;
  auto const A = own_matrix();
  Choice const choice{.format = "csr", .kernel = "own_right"};
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.memory_limit = A.bytes() - 1, .choice = choice}); }),
            ErrorKind::resource_limit);
}

TEST(OwnKernel, ThatAddsInPartsIsNotDeterministic) {
  add_all();
  Device const exec;
  Choice const choice{.format = "csr", .kernel = "own_wrong"};
  auto const kind =
      kind_of([&] { (void)make_plan(exec, SpmvDesc{}, own_matrix(), {.deterministic = true, .choice = choice}); });
  bool const one_thread = std::string(Device::name()) == "Serial";
  EXPECT_EQ(kind, one_thread ? ErrorKind::internal : ErrorKind::unsupported);
}

TEST(OwnKernel, IsVerifiedAndLeftOutWhereItIsWrong) {
  add_all();
  Device const exec;
  auto const plan = make_plan(exec, SpmvDesc{}, own_matrix(), {.measure = true, .budget = 5});
  auto const* const wrong = candidate(plan.report(), "own_wrong");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->status, CandidateStatus::wrong) << plan.explain();
  EXPECT_NE(plan.choice().kernel, "own_wrong");
  auto const* const right = candidate(plan.report(), "own_right");
  ASSERT_TRUE(right);
  EXPECT_TRUE(right->verified.ok) << right->reason;
}

TEST(OwnKernel, IsPinnedByName) {
  add_all();
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("other", 300, 200, 5));  // not proposed
  Choice const choice{.format = "csr", .kernel = "own_right"};
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.choice = choice});
  EXPECT_EQ(plan.choice(), choice);
  EXPECT_EQ(choice_from_json(to_json(plan.choice())), choice);
  EXPECT_EQ(storage_label(choice), "csr of test_own_kernel");
  EXPECT_TRUE(plan.verify(exec).ok);
  auto const names = kernel_names("csr", OpId::spmv, Op::none);
  EXPECT_NE(std::find(names.begin(), names.end(), "own_right"), names.end());
}

TEST(OwnKernel, OfOtherTypesAndOperationsIsRefused) {
  add_all();
  Device const exec;
  auto const A = own_matrix();
  auto const kind = [&](auto const& desc, Choice const& choice) {
    return kind_of([&] { (void)make_plan(exec, desc, A, {.choice = choice}); });
  };
  EXPECT_EQ(kind(SpmvDesc{.op = Op::transpose}, {.format = "csr", .kernel = "own_right"}), ErrorKind::unsupported);
  EXPECT_EQ(kind(SpmmDesc{.columns = 4}, {.format = "csr", .kernel = "own_right"}), ErrorKind::unsupported);
  EXPECT_EQ(kind(SpmvDesc{}, {.format = "csr", .rows_by_length = true, .kernel = "own_right"}), ErrorKind::unsupported);
  // Nothing is bound for plans of an application that registers for other types.
  Problem p;
  p.stats.rows = own_rows;
  EXPECT_NE(why_illegal(p, {.format = "csr", .kernel = "own_right"}, {}), "");
}

TEST(OwnKernel, RegistrationsThatClashAreRefused) {
  add_all();
  auto const refuses = [](auto const& register_it) { EXPECT_EQ(kind_of(register_it), ErrorKind::invalid_argument); };
  std::size_t const before = detail::kernels().size();
  refuses([] { add<Builtin>(bind_right); });
  refuses([] { add<OfNoStorage>(bind_right); });
  refuses([] { add<Everywhere>(bind_right); });
  refuses([] { add<Unnamable>(bind_right); });
  refuses([] { add<OfReservedParameter>(bind_right); });
  refuses([] { add<SameName>(bind_right); });
  refuses([] { add<Right>(bind_right); });  // for the same types again
  refuses([] { add<Right>(nullptr); });
  EXPECT_EQ(detail::kernels().size(), before);
}

TEST(ReferenceKernel, RunsByNameOnHosts) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("120 x 90", 120, 90, 7));
  Choice const reference{.format = "csr", .kernel = "reference"};
  for (Op const op : {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate}) {
    auto const spmv = make_plan(exec, SpmvDesc{.op = op, .strided = true}, A, {.choice = reference});
    EXPECT_TRUE(spmv.verify(exec).ok) << to_string(op);
    EXPECT_TRUE(spmv.shares_values());
    auto const spmm =
        make_plan(exec, SpmmDesc{.op = op, .columns = 5, .layout_b = DenseLayout::left}, A, {.choice = reference});
    EXPECT_TRUE(spmm.verify(exec).ok) << to_string(op);
  }
  auto const plan = make_plan(exec, SpmvDesc{}, A);
  for (auto const& c : plan.report().candidates) EXPECT_NE(c.choice.kernel, "reference");
}

}  // namespace
}  // namespace araia::test
