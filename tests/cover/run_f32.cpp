// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cover/runner.hpp"

namespace araia::test::cover {

std::unique_ptr<Runner> make_runner_f32(Cases const& cases, Levels const& row) {
  return runner_of<float, float, float>(cases, row);
}

}  // namespace araia::test::cover
