// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Everything, in the order of the data: file -> assembly -> format -> one-shot product -> plan.
// A program that wants one operation compiles faster with that operation's header alone.

#include <araia/Araia_Config.hpp>
#include <araia/error.hpp>

#include <araia/io/container.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/io/memory_limit.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/io/rutherford_boeing.hpp>
#include <araia/io/smtx.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/assembly/huge_pages.hpp>
#include <araia/assembly/row_stats.hpp>

#include <araia/formats/bcsc.hpp>
#include <araia/formats/bsr.hpp>
#include <araia/formats/container.hpp>
#include <araia/formats/container_entries.hpp>
#include <araia/formats/convert.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csc.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/csr_to_bcsc.hpp>
#include <araia/formats/csr_to_bsr.hpp>
#include <araia/formats/csr_to_csc.hpp>
#include <araia/formats/csr_to_hyb.hpp>
#include <araia/formats/csr_to_sell.hpp>
#include <araia/formats/ell.hpp>
#include <araia/formats/hyb.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/formats/sell.hpp>
#include <araia/formats/sell_validate.hpp>

#include <araia/ops/add.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include <araia/ops/csr_partition.hpp>
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
#include <araia/plan/plan.hpp>
#include <araia/plan/plan_from.hpp>

#include <araia/extend/kernel.hpp>
