// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/formats/csr_to_bcsc.hpp>

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

[[gnu::used]] static void write_out_conversions_bcsc() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() {
    write_out(csr_to_bcsc_ready<Exec, A>);
    write_out(csr_to_bcsc_compact_ready<Exec, A>);
  });
}

}  // namespace araia::detail
