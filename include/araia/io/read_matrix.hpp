// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Any matrix file the library knows.

#include <araia/detail/io/read_options.hpp>
#include <araia/io/host_coo.hpp>

#include <filesystem>

namespace araia {

/// Of the kind that the options name; else Matrix Market by its banner or the name .mtx, SMTX by the name .smtx,
/// Rutherford-Boeing and Harwell-Boeing by .rb, .hb or their matrix type (.rua, .rsa, .pua, ...), names in any case;
/// each plain or gzip, which is seen in the content. Native files, known by theirs, are left to read_entries.
/// \throws araia::Error: unsupported naming the known kinds; what the kind's own reader throws
[[nodiscard]] HostCoo read_matrix(std::filesystem::path const& path, ReadOptions const& options = {});

}  // namespace araia
