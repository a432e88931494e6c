// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coo, Ell, Csr with its rows by length, Csc and Hyb.
#include <araia/formats/convert.hpp>
#include <araia/formats/csr_to_csc.hpp>
#include <araia/formats/csr_to_hyb.hpp>

namespace araia::detail {

template <class Exec, class A>
Coo<A, std::int32_t, typename Exec::device_type> ready_coo(Exec const& exec, ReadySource<Exec, A> const& source) {
  return make_coo(exec, source);
}

template <class Exec, class A>
Ell<A, std::int32_t, typename Exec::device_type> ready_ell(Exec const& exec, ReadySource<Exec, A> const& source,
                                                           EllOptions const& options) {
  return make_ell(exec, source, options);
}

template <class Exec, class A>
Csr<A, std::int32_t, std::int32_t, typename Exec::device_type> ready_sorted_rows(Exec const& exec,
                                                                                 ReadySource<Exec, A> const& source,
                                                                                 bool ascending) {
  return make_sorted_rows(exec, source, ascending);
}

template <class Exec, class A>
Csc<A, std::int32_t, std::int32_t, typename Exec::device_type> ready_csc(Exec const& exec,
                                                                         ReadySource<Exec, A> const& source,
                                                                         CscOptions const& options) {
  return make_csc(exec, source, options);
}

template <class Exec, class A>
Hyb<A, std::int32_t, typename Exec::device_type> ready_hyb(Exec const& exec, ReadySource<Exec, A> const& source,
                                                           HybOptions const& options) {
  return make_hyb<typename Exec::device_type>(exec, source, options);
}

#define ARAIA_WRITE_OUT(SPACE, A)                                                                                    \
  template Coo<A, std::int32_t, SPACE::device_type> ready_coo<SPACE, A>(SPACE const&, ReadySource<SPACE, A> const&); \
  template Ell<A, std::int32_t, SPACE::device_type> ready_ell<SPACE, A>(SPACE const&, ReadySource<SPACE, A> const&,  \
                                                                        EllOptions const&);                          \
  template Csr<A, std::int32_t, std::int32_t, SPACE::device_type> ready_sorted_rows<SPACE, A>(                       \
      SPACE const&, ReadySource<SPACE, A> const&, bool);                                                             \
  template Csc<A, std::int32_t, std::int32_t, SPACE::device_type> ready_csc<SPACE, A>(                               \
      SPACE const&, ReadySource<SPACE, A> const&, CscOptions const&);                                                \
  template Hyb<A, std::int32_t, SPACE::device_type> ready_hyb<SPACE, A>(SPACE const&, ReadySource<SPACE, A> const&,  \
                                                                        HybOptions const&);
ARAIA_WRITE_OUT_READY(ARAIA_WRITE_OUT)
#undef ARAIA_WRITE_OUT

}  // namespace araia::detail
