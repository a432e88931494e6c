// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of one plan on two instances of a device, the first one late: those that share a workspace wait, others run.
#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <araia/plan/plan.hpp>
#include <array>
#include <string>

#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Device = Kokkos::Cuda::device_type;
using Vector = Kokkos::View<double*, Device>;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Device>;

void expect_success(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

struct Streams {
  std::array<cudaStream_t, 2> of{};
  Streams() {
    for (auto& stream : of) expect_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Streams() {
    for (auto& stream : of) expect_success(cudaStreamDestroy(stream));
  }
};

/// Keeps an instance busy for some 20 ms.
void delay(Kokkos::Cuda const& exec) {
  Kokkos::parallel_for(
      "araia::test::delay", Kokkos::RangePolicy<Kokkos::Cuda>(exec, 0, 1), KOKKOS_LAMBDA(int) {
        KOKKOS_IF_ON_DEVICE((long long const start = clock64(); while (clock64() - start < 40'000'000){}))
      });
}

/// execute(exec, y) late on one instance, then on the other.
/// \return whether the second one ended after the first
template <class Execute>
bool second_waits(Kokkos::Cuda const& first, Kokkos::Cuda const& second, Execute const& execute) {
  delay(first);
  execute(first, 0);
  execute(second, 1);
  expect_success(cudaStreamSynchronize(second.cuda_stream()));
  bool const waited = cudaStreamQuery(first.cuda_stream()) == cudaSuccess;
  expect_success(cudaStreamSynchronize(first.cuda_stream()));
  return waited;
}

/// Do kernels of two instances run side by side? Under a sanitizer they do not.
bool side_by_side(Kokkos::Cuda const& first, Kokkos::Cuda const& second) {
  auto const nothing = [](Kokkos::Cuda const& on, std::size_t) {
    Kokkos::parallel_for("araia::test::nothing", Kokkos::RangePolicy<Kokkos::Cuda>(on, 0, 1), KOKKOS_LAMBDA(int){});
  };
  nothing(second, 1);  // a kernel's first launch loads it, which waits for the device
  second.fence("test: nothing alone");
  return !second_waits(first, second, nothing);
}

template <class Plan, class X, class Y>
void check(Plan const& plan, X const& x, std::array<Y, 2> const& y) {
  SCOPED_TRACE(label(plan.choice()));
  Streams const streams;
  {
    std::array const exec{Kokkos::Cuda(streams.of[0]), Kokkos::Cuda(streams.of[1])};
    Y const expected("expected", y[0].layout());
    plan.execute(exec[0], 2.0, x, 0.0, expected);
    exec[0].fence("test: a product alone");
    bool const overlap = side_by_side(exec[0], exec[1]);
    for (int turn = 0; turn < 3; ++turn) {  // a fence orders the first, events the others
      for (auto const& result : y) Kokkos::deep_copy(result, -1.0);
      auto const at = static_cast<std::size_t>(turn % 2);
      bool const waited = second_waits(exec[at], exec[1 - at], [&](Kokkos::Cuda const& on, std::size_t which) {
        plan.execute(on, 2.0, x, 0.0, y[which]);
      });
      EXPECT_EQ(waited, writes_workspace(plan.report().problem, plan.choice()) || !overlap) << turn;
      for (auto const& result : y) EXPECT_EQ(download<double>(result), download<double>(expected)) << turn;
    }
  }
}

TEST(PlanInstances, WaitForEachOtherWhereTheyShareAWorkspace) {
  Kokkos::Cuda const exec;
  auto const A = device_csr<double, std::int32_t, Kokkos::Cuda>(random_matrix("instances", 700, 500, 9));
  Vector const x("x", 500);
  Matrix const b("b", 500, 6);
  Kokkos::deep_copy(x, 3.0);
  Kokkos::deep_copy(b, 3.0);
  for (char const* kernel : {"balanced", "equal_chunks", "column_panels", "vector_per_row"})
    check(make_plan(exec, SpmvDesc{}, A, {.choice = Choice{.format = "csr", .kernel = kernel}}), x,
          std::array{Vector("y", 700), Vector("y", 700)});
  SpmmDesc const spmm{.columns = 6, .layout_b = DenseLayout::right, .layout_c = DenseLayout::right};
  for (char const* kernel : {"merge_split", "row_groups", "row_per_warp"})
    check(make_plan(exec, spmm, A, {.choice = Choice{.format = "csr", .kernel = kernel}}), b,
          std::array{Matrix("c", 700, 6), Matrix("c", 700, 6)});
}

TEST(PlanInstances, ResidualsWaitForEachOthersSums) {
  Kokkos::Cuda const exec;
  auto const A = device_csr<double, std::int32_t, Kokkos::Cuda>(random_matrix("instances", 500, 500, 9));
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.choice = Choice{.format = "csr", .kernel = "vector_per_row"}});
  ASSERT_FALSE(writes_workspace(plan.report().problem, plan.choice()));
  Vector const x("x", 500), b("b", 500);
  Kokkos::deep_copy(x, 3.0);
  std::array const r{Vector("r", 500), Vector("r", 500)};
  std::array const norm{Kokkos::View<double, Device>("norm"), Kokkos::View<double, Device>("norm")};
  Streams const streams;
  {
    std::array const on{Kokkos::Cuda(streams.of[0]), Kokkos::Cuda(streams.of[1])};
    plan.residual(on[0], b, x, r[0]);  // loads the kernel
    on[0].fence("test: a residual alone");
    bool const overlap = side_by_side(on[0], on[1]);
    EXPECT_NE(second_waits(on[0], on[1],
                           [&](Kokkos::Cuda const& where, std::size_t which) { plan.residual(where, b, x, r[which]); }),
              overlap)
        << "without a sum";
    for (int turn = 0; turn < 3; ++turn) {
      EXPECT_TRUE(second_waits(on[0], on[1], [&](Kokkos::Cuda const& where, std::size_t which) {
        plan.residual(where, b, x, r[which], norm[which]);
      })) << turn;
      double first = 0, second = 0;
      Kokkos::deep_copy(first, norm[0]);
      Kokkos::deep_copy(second, norm[1]);
      EXPECT_EQ(first, second);
      EXPECT_GT(first, 0);
    }
  }
}

}  // namespace
}  // namespace araia::test
#endif
