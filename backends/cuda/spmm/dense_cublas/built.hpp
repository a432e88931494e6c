// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whether the build has cuBLAS.

namespace araia::cuda {

/// Built with Araia_ENABLE_CUBLAS?
[[nodiscard]] bool has_cublas();

}  // namespace araia::cuda
