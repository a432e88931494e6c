// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan that measures, and one that runs what the first has chosen, as a later run of the program or another rank
// would, without measuring again: 13_measured_plan FILE
#include <Kokkos_Core.hpp>
#include <araia/araia.hpp>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  try {
    auto const on_host = araia::assemble<double>(araia::read_matrix(argc > 1 ? argv[1] : ""));
    auto const A = araia::copy_to<araia::DefaultDevice>(exec, on_host);

    araia::SpmmDesc const desc{.columns = 16};  // C = alpha A B + beta C; rows of B and C are contiguous
    auto const measured = araia::make_plan(exec, desc, A, {.measure = true, .budget = 0.5});
    std::fputs(measured.explain().c_str(), stdout);
    std::string const json = to_json(measured.choice());  // one line: store it, or send it to other ranks

    auto const pinned = araia::make_plan(exec, desc, A, {.choice = araia::choice_from_json(json)});
    auto const check = pinned.verify(exec);  // random operands, the reference in a wider type
    std::printf("%s: %lld entries checked, %lld wrong\n", json.c_str(), static_cast<long long>(check.entries_checked),
                static_cast<long long>(check.violations));
    return check.ok && pinned.choice() == measured.choice() ? 0 : 1;
  } catch (araia::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
