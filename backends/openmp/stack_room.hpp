// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Room on the calling thread's stack: workers may have far less of it than the main thread (OMP_STACKSIZE).

#include <cstdint>

namespace araia::host {

/// Does the stack hold so many bytes more, beside what kernels take? False where that is not known: it is on Linux, for
/// stacks that the system made. Asked once a thread: the first call may take a millisecond, others some nanoseconds.
bool stack_holds(std::int64_t bytes);

}  // namespace araia::host
