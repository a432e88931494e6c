// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/ops/csr_partition.hpp>

ARAIA_WRITE_OUT_CSR_PARTITION()
