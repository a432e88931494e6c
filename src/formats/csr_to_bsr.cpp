// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/formats/csr_to_bsr.hpp>

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

[[gnu::used]] static void write_out_conversions_bsr() {
  for_types<Spaces, Scalars>([&]<class Exec, class A>() {
    write_out(detect_block_size_ready<Exec, A>);
    write_out(csr_to_bsr_ready<Exec, A>);
  });
}

}  // namespace araia::detail
