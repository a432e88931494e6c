// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/formats/csr_to_sell.hpp>

namespace araia::detail {

template <class Exec, class A>
Sell<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_sell_ready(Exec const& exec,
                                                                                  ReadySource<Exec, A> const& source,
                                                                                  SellOptions const& options) {
  return csr_to_sell_here<std::int32_t>(exec, source, options);
}

#define ARAIA_WRITE_OUT(SPACE, A)                                                               \
  template Sell<A, std::int32_t, std::int32_t, SPACE::device_type> csr_to_sell_ready<SPACE, A>( \
      SPACE const&, ReadySource<SPACE, A> const&, SellOptions const&);
ARAIA_WRITE_OUT_READY(ARAIA_WRITE_OUT)
#undef ARAIA_WRITE_OUT

}  // namespace araia::detail
