// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dynamic shared memory beyond the 48 KB that every launch may ask for.

#include <cstddef>

namespace araia::cuda {

/// Lets `kernel` be launched with so many bytes on the current device. What a kernel is allowed belongs to the device's
/// context, so it is only ever raised: launches of other threads and graphs made before keep what they asked for.
/// Cost    a microsecond of the host; thread-safe
/// \throws araia::Error (device) where the device has less
void allow_shared_memory(void const* kernel, std::size_t bytes, char const* what);

template <class... Arguments>
void allow_shared_memory(void (*kernel)(Arguments...), std::size_t bytes, char const* what) {
  allow_shared_memory(reinterpret_cast<void const*>(kernel), bytes, what);
}

}  // namespace araia::cuda
