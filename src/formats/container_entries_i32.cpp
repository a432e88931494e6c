// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/formats/container_entries_of.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_container_entries_i32() {
  for_types<EntryScalars>([&]<class Scalar>() { write_out(container_entries_of<Scalar, std::int32_t>); });
}

}  // namespace araia::detail
