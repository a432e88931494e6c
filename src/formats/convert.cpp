// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/formats/conversions.hpp>

namespace araia::detail {

template <class Exec, class A>
Coo<A, std::int32_t, typename Exec::device_type> csr_to_coo_ready(Exec const& exec,
                                                                  ReadySource<Exec, A> const& source) {
  return csr_to_coo_here(exec, source);
}

template <class Exec, class A>
Ell<A, std::int32_t, typename Exec::device_type> csr_to_ell_ready(Exec const& exec, ReadySource<Exec, A> const& source,
                                                                  EllOptions const& options) {
  return csr_to_ell_here(exec, source, options);
}

template <class Exec, class A>
Csr<A, std::int32_t, std::int32_t, typename Exec::device_type> sort_rows_by_length_ready(
    Exec const& exec, ReadySource<Exec, A> const& source, bool ascending) {
  return sort_rows_by_length_here(exec, source, ascending);
}

[[gnu::used]] static void write_out_conversions_by_rows() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() {
    write_out(csr_to_coo_ready<Exec, A>);
    write_out(csr_to_ell_ready<Exec, A>);
    write_out(sort_rows_by_length_ready<Exec, A>);
  });
}

}  // namespace araia::detail
