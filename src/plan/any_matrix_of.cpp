// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/any_matrix_of.hpp"

namespace araia::detail {

template <class A, class X>
std::unique_ptr<AnyMatrix> AnyMatrices<A, X>::assembled(AnySpace const& space, HostCoo const& coo, ScalarTypes types) {
  return space.visit([&](auto const& exec) {
    if constexpr (has_all_types)
      if (most_entries(coo) > std::numeric_limits<std::int32_t>::max())
        return assembled_on<std::int64_t, A, X>(exec, space, coo, types);
    return assembled_on<std::int32_t, A, X>(exec, space, coo, types);
  });
}

template <class A, class X>
std::unique_ptr<AnyMatrix> AnyMatrices<A, X>::over(AnySpace const& space, AnyCsr const& csr, ScalarTypes types) {
  return space.visit([&](auto const& exec) {
    if constexpr (has_all_types)
      if (csr.row_offsets.scalar == ElementType::int64) return over_on<std::int64_t, A, X>(exec, space, csr, types);
    return over_on<std::int32_t, A, X>(exec, space, csr, types);
  });
}

[[gnu::used]] static void write_out_any_matrices() {
  for_types<PlainProducts>([&]<class A, class X, class Y>() {
    write_out(AnyMatrices<A, X>::assembled);
    write_out(AnyMatrices<A, X>::over);
  });
}

}  // namespace araia::detail
