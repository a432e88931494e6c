// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/formats/csr_to_bsr.hpp>

namespace araia::detail {

template <class Exec, class A>
BlockSize ready_block_size(Exec const& exec, ReadySource<Exec, A> const& source) {
  return find_block_size(exec, source);
}

template <class Exec, class A>
Bsr<A, std::int32_t, std::int32_t, typename Exec::device_type> ready_bsr(Exec const& exec,
                                                                         ReadySource<Exec, A> const& source,
                                                                         BsrOptions const& options) {
  return make_bsr(exec, source, options);
}

#define ARAIA_WRITE_OUT(SPACE, A)                                                            \
  template BlockSize ready_block_size<SPACE, A>(SPACE const&, ReadySource<SPACE, A> const&); \
  template Bsr<A, std::int32_t, std::int32_t, SPACE::device_type> ready_bsr<SPACE, A>(       \
      SPACE const&, ReadySource<SPACE, A> const&, BsrOptions const&);
ARAIA_WRITE_OUT_READY(ARAIA_WRITE_OUT)
#undef ARAIA_WRITE_OUT

}  // namespace araia::detail
