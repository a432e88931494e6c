// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/formats/csr_to_bcsc.hpp>

namespace araia::detail {

template <class Exec, class A>
Bcsc<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bcsc_ready(Exec const& exec,
                                                                                  ReadySource<Exec, A> const& source,
                                                                                  BcscOptions const& options) {
  return csr_to_bcsc_here(exec, source, options);
}

template <class Exec, class A>
BcscCompact<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bcsc_compact_ready(
    Exec const& exec, ReadySource<Exec, A> const& source, BcscOptions const& options) {
  return csr_to_bcsc_compact_here<std::uint8_t>(exec, source, options);
}

#define ARAIA_WRITE_OUT(SPACE, A)                                                                              \
  template Bcsc<A, std::int32_t, std::int32_t, SPACE::device_type> csr_to_bcsc_ready<SPACE, A>(                \
      SPACE const&, ReadySource<SPACE, A> const&, BcscOptions const&);                                         \
  template BcscCompact<A, std::int32_t, std::int32_t, SPACE::device_type> csr_to_bcsc_compact_ready<SPACE, A>( \
      SPACE const&, ReadySource<SPACE, A> const&, BcscOptions const&);
ARAIA_WRITE_OUT_READY(ARAIA_WRITE_OUT)
#undef ARAIA_WRITE_OUT

}  // namespace araia::detail
