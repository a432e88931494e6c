// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Everything, in the order of the data: file -> assembly -> format -> one-shot product -> plan.
// A program that wants one operation compiles faster with that operation's header alone.

#include <araia/Araia_Config.hpp>
#include <araia/error.hpp>

#include <araia/io/matrix_market.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/io/rutherford_boeing.hpp>
#include <araia/io/smtx.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/assembly/huge_pages.hpp>
#include <araia/assembly/row_stats.hpp>

#include <araia/formats/convert.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>

#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>

#include <araia/plan/plan.hpp>
