// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Containers from any source of bytes.

#include <araia/io/container.hpp>

#include "byte_source.hpp"

namespace araia::detail {

Container read_container(ByteSource& source, ReadOptions const& options);

/// Whether bytes start like a container, of any version.
bool has_container_magic(std::string_view start);

}  // namespace araia::detail
