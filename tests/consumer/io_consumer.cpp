// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that reads files, makes matrices and knows no Kokkos.

#include <araia/Araia_Config.hpp>
#include <araia/error.hpp>
#include <araia/generate/matrix.hpp>
#include <araia/io/host_coo.hpp>

static_assert(ARAIA_VERSION >= 100, "0.1.0 is 100");

int main() {
  araia::HostCoo const empty;
  araia::Error const error(araia::ErrorKind::parse, {"matrix.mtx", 3, 7}, "expected a number");
  bool const placed = std::string(error.what()) == "matrix.mtx:3:7: expected a number";
  araia::HostCoo const cube = araia::to_host_coo(araia::generate::matrix("stencil7", {.rows = 8}));
  return empty.stored() == 0 && placed && cube.stored() == 8 * 4 ? 0 : 1;
}
