// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/formats/csr_to_bsr.hpp>

namespace araia::detail {

template <class Exec, class A>
BlockSize detect_block_size_ready(Exec const& exec, ReadySource<Exec, A> const& source) {
  return detect_block_size_here(exec, source);
}

template <class Exec, class A>
Bsr<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bsr_ready(Exec const& exec,
                                                                                ReadySource<Exec, A> const& source,
                                                                                BsrOptions const& options) {
  return csr_to_bsr_here(exec, source, options);
}

#define ARAIA_WRITE_OUT(SPACE, A)                                                                   \
  template BlockSize detect_block_size_ready<SPACE, A>(SPACE const&, ReadySource<SPACE, A> const&); \
  template Bsr<A, std::int32_t, std::int32_t, SPACE::device_type> csr_to_bsr_ready<SPACE, A>(       \
      SPACE const&, ReadySource<SPACE, A> const&, BsrOptions const&);
ARAIA_WRITE_OUT_READY(ARAIA_WRITE_OUT)
#undef ARAIA_WRITE_OUT

}  // namespace araia::detail
