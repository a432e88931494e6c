// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work of a subcommand on the space that --device names.

#include "src/cli/cli.hpp"

namespace araia::cli {

/// work(exec) on the default instance of the space, of one type whatever the space.
/// \throws araia::Error device where the build has no such space
template <class Work>
auto on_space(Settings const& s, Work const& work) {
  return AnySpace(space(s)).visit(work);
}

}  // namespace araia::cli
