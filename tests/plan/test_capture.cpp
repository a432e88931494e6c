// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan's product in a CUDA graph: replayed on new operands, with other launches between, it gives what execute gives.
#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <araia/plan/plan.hpp>
#include <string>

#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

void expect_success(cudaError_t status, char const* what) {
  ASSERT_EQ(status, cudaSuccess) << what << ": " << cudaGetErrorString(status);
}

template <class Desc, class X, class Y>
void check_replay(Desc const& desc, Csr<double, std::int32_t, std::int32_t, Kokkos::Cuda::device_type> const& A,
                  Choice const& choice, X const& x, Y const& y) {
  SCOPED_TRACE(label(choice));
  Kokkos::Cuda const exec;
  auto const plan = make_plan(exec, desc, A, {.choice = choice});
  ASSERT_TRUE(plan.capturable());
  Y const once("once", y.layout());
  cudaStream_t stream = nullptr;
  expect_success(cudaStreamCreate(&stream), "stream");
  Kokkos::fence("test: the operands are ready");
  {
    Kokkos::Cuda const captured(stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    plan.execute(captured, 2.0, x, 0.0, once);  // whatever happens on a first launch happens outside the graph
    captured.fence("test: the first launch");
    expect_success(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin");
    plan.execute(captured, 2.0, x, 0.0, y);
    expect_success(cudaStreamEndCapture(stream, &graph), "end");
    expect_success(cudaGraphInstantiate(&replay, graph, 0), "instantiate");
    for (double const scale : {1.0, -3.0, 0.5}) {
      Kokkos::parallel_for(
          "araia::test::other_work", Kokkos::RangePolicy<Kokkos::Cuda>(captured, 0, x.size()),
          KOKKOS_LAMBDA(std::size_t i) { x.data()[i] = scale * static_cast<double>(i % 7); });
      Kokkos::deep_copy(captured, y, -1.0);
      expect_success(cudaGraphLaunch(replay, stream), "launch");
      plan.execute(captured, 2.0, x, 0.0, once);
      captured.fence("test: both products");
      auto const got = download<double>(y);
      auto const expected = download<double>(once);
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-9) << "element " << i;
    }
    expect_success(cudaGraphExecDestroy(replay), "destroy");
    expect_success(cudaGraphDestroy(graph), "destroy");
  }
  expect_success(cudaStreamDestroy(stream), "destroy");
}

static void check_every_choice(Op op) {
  Kokkos::Cuda const exec;
  auto const A = device_csr<double, std::int32_t, Kokkos::Cuda>(random_matrix("capture", 700, 500, 9));
  std::size_t const rows = transposes(op) ? 500 : 700;
  std::size_t const cols = transposes(op) ? 700 : 500;
  Kokkos::View<double*, Kokkos::Cuda::device_type> const x("x", cols);
  Kokkos::View<double*, Kokkos::Cuda::device_type> const y("y", rows);
  SpmvDesc const spmv{.op = op};
  auto const spmv_report = make_plan(exec, spmv, A).report();
  for (auto const& candidate : spmv_report.candidates) check_replay(spmv, A, candidate.choice, x, y);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Cuda::device_type> const B("B", cols, 6);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Cuda::device_type> const C("C", rows, 6);
  SpmmDesc const spmm{.op = op, .columns = 6, .layout_b = DenseLayout::right, .layout_c = DenseLayout::right};
  auto const spmm_report = make_plan(exec, spmm, A).report();
  for (auto const& candidate : spmm_report.candidates) check_replay(spmm, A, candidate.choice, B, C);
}

TEST(PlanCapture, EveryChoiceReplaysInAGraph) { check_every_choice(Op::none); }

TEST(PlanCapture, TransposedProductsReplayInAGraph) { check_every_choice(Op::transpose); }

}  // namespace
}  // namespace araia::test
#endif
