// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/formats/csr_to_hyb.hpp>

namespace araia::detail {

template <class Exec, class A>
Hyb<A, std::int32_t, typename Exec::device_type> csr_to_hyb_ready(Exec const& exec, ReadySource<Exec, A> const& source,
                                                                  HybOptions const& options) {
  return csr_to_hyb_here<typename Exec::device_type>(exec, source, options);
}

[[gnu::used]] static void write_out_conversions_hyb() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() { write_out(csr_to_hyb_ready<Exec, A>); });
}

}  // namespace araia::detail
