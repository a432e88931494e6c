// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Room on the calling thread's stack: workers may have far less of it than the main thread (OMP_STACKSIZE).

#include <cstdint>

namespace araia::host {

/// Does the stack hold so many bytes more, beside what kernels take? False where that is not known: it is on Linux, for
/// stacks that the system made. Found once a thread: the first call may take a millisecond, others some nanoseconds.
bool stack_holds(std::int64_t bytes);

/// The calling thread's own memory in place of its stack: `bytes` from a line of cache on, until its next call. Kept
/// until the thread ends, so that the first call alone allocates. Null where no memory is left.
void* memory_of_this_thread(std::int64_t bytes) noexcept;

}  // namespace araia::host
