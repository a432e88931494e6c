// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SMTX from any source of bytes.

#include <araia/io/smtx.hpp>

#include "byte_source.hpp"

namespace araia::detail {

HostCoo read_smtx(ByteSource& source, ReadOptions const& options);

}  // namespace araia::detail
