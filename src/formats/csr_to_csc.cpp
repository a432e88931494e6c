// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/formats/csr_to_csc.hpp>

namespace araia::detail {

template <class Exec, class A>
Csc<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_csc_ready(Exec const& exec,
                                                                                ReadySource<Exec, A> const& source,
                                                                                CscOptions const& options) {
  return csr_to_csc_here(exec, source, options);
}

[[gnu::used]] static void write_out_conversions_csc() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() { write_out(csr_to_csc_ready<Exec, A>); });
}

}  // namespace araia::detail
