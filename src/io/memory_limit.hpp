// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The limits of a cgroup, as the kernel's files have them.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace araia::detail {

/// The least limit of the cgroups of a process and of those around them; the largest number where there is none.
/// \param membership  /proc/self/cgroup
/// \param root        where the hierarchies are mounted: /sys/fs/cgroup
std::uint64_t cgroup_memory(std::string_view membership, std::filesystem::path const& root);

}  // namespace araia::detail
