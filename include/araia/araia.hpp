// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Everything, in the order of the data: file -> assembly -> format -> one-shot product -> plan -> what stands on
// products. Not here: interop/kokkos_kernels.hpp, which needs Kokkos Kernels, and ops/spgemm_impl.hpp, SpGEMM's bodies
// for scalars that the library does not bring. A program that wants one operation compiles faster with that operation's
// header alone. These are the headers that programs include by name; those of araia/detail come with them and may
// change from one version to the next.

#include <araia/Araia_Config.hpp>
#include <araia/error.hpp>
#include <araia/precision.hpp>

#include <araia/io/container.hpp>
#include <araia/io/epanet.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/host_dense.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/io/npy.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/io/rutherford_boeing.hpp>
#include <araia/io/smtx.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/assembly/huge_pages.hpp>
#include <araia/assembly/row_stats.hpp>

#include <araia/generate/matrix.hpp>

#include <araia/formats/bcsc.hpp>
#include <araia/formats/bsr.hpp>
#include <araia/formats/container.hpp>
#include <araia/formats/convert.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csc.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>
#include <araia/formats/hyb.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/formats/sell.hpp>

#include <araia/ops/add.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include <araia/ops/diagonal.hpp>
#include <araia/ops/drop.hpp>
#include <araia/ops/fused.hpp>
#include <araia/ops/permute.hpp>
#include <araia/ops/sddmm.hpp>
#include <araia/ops/sort_columns.hpp>
#include <araia/ops/spgemm.hpp>
#include <araia/ops/split_product.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmm_epilogue.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/ops/sum_duplicates.hpp>
#include <araia/ops/transpose.hpp>

#include <araia/interop/wrap.hpp>

#include <araia/plan/any_dense.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/any_space.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/machine.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/plan.hpp>
#include <araia/plan/plan_from.hpp>
#include <araia/plan/report.hpp>
#include <araia/plan/spgemm_plan.hpp>

#include <araia/extend/kernel.hpp>

#include <araia/solvers/block_jacobi.hpp>
#include <araia/solvers/cg.hpp>
#include <araia/solvers/cg_batch.hpp>
#include <araia/solvers/cg_options.hpp>
#include <araia/solvers/hydraulics.hpp>
#include <araia/solvers/lobpcg.hpp>
#include <araia/solvers/lobpcg_options.hpp>

#include <araia/nn/conv_check.hpp>
#include <araia/nn/conv_layer.hpp>
#include <araia/nn/conv_net.hpp>
#include <araia/nn/conv_options.hpp>
#include <araia/nn/net.hpp>

#include <araia/graph/closeness.hpp>
#include <araia/graph/closeness_options.hpp>
