// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenpairs of a symmetric matrix, or of a pair of them, by LOBPCG.
#include <Kokkos_Core.hpp>
#include <chrono>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/solvers/lobpcg.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/on_space.hpp"
#include "src/cli/symmetry.hpp"

namespace araia::cli {
namespace {

constexpr char const* for_symmetric = "eigenpairs are of symmetric matrices";

LobpcgOptions lobpcg_options_of(Settings const& s) {
  LobpcgOptions options;
  options.pairs = static_cast<int>(s.pairs);
  options.end = s.largest ? LobpcgEnd::largest : LobpcgEnd::smallest;
  options.tolerance = s.tolerance != 0 ? s.tolerance : 1e-8;
  options.max_iterations = s.max_iterations;
  options.preconditioner = s.precondition == "jacobi" ? LobpcgPreconditioner::jacobi : LobpcgPreconditioner::none;
  options.seed = s.start_seed;
  return options;
}

/// The matrix, its transpose and what a plan makes of it, and the solver's blocks with the result.
void require_eig_room(Input const& input, int block) try {
  constexpr std::uint64_t blocks = 11;
  constexpr std::uint64_t copies = 3;
  auto const columns = static_cast<std::uint64_t>(block + 3);
  auto const rows = araia::detail::saturating_product(static_cast<std::uint64_t>(input.coo.rows),
                                                      blocks * columns * sizeof(double) + sizeof(std::int32_t));
  auto const entries = araia::detail::saturating_product(static_cast<std::uint64_t>(most_entries(input.coo)),
                                                         sizeof(double) + sizeof(std::int32_t));
  araia::detail::require_memory("the eigensolver",
                                araia::detail::saturating_sum(rows, araia::detail::saturating_product(entries, copies)),
                                default_host_memory_limit());
} catch (Error const& e) {
  throw about(input, {}, e);
}

struct Eigenpairs {
  LobpcgResult result;
  std::vector<double> vectors;  ///< (rows, pairs), columns one after another
  double seconds = 0;
};

template <class Exec>
Eigenpairs eigenpairs_on(Exec const& exec, HostMatrix const& on_host, HostMatrix const* mass,
                         LobpcgOptions const& options) {
  using Device = typename Exec::device_type;
  auto const A = copy_to<Device>(exec, on_host);
  auto const vectors = araia::detail::new_array<double, Device>(exec, "araia::eig::vectors", A.rows * options.pairs);
  Kokkos::View<double**, Kokkos::LayoutLeft, Device, Kokkos::MemoryUnmanaged> const X(
      vectors.data(), static_cast<std::size_t>(A.rows), static_cast<std::size_t>(options.pairs));
  araia::detail::fill_array(exec, vectors, 0.0);
  std::optional<std::remove_const_t<decltype(A)>> B;
  if (mass) B = copy_to<Device>(exec, *mass);
  exec.fence("araia: the matrices are there");
  auto const start = std::chrono::steady_clock::now();
  Eigenpairs found;
  found.result = B ? make_lobpcg(exec, A, *B, options).solve(exec, X) : make_lobpcg(exec, A, options).solve(exec, X);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  found.vectors.resize(vectors.size());
  araia::detail::copy_bytes<Kokkos::HostSpace, Device>(found.vectors.data(), vectors.data(),
                                                       vectors.size() * sizeof(double));
  return found;
}

HostMatrix symmetric_matrix(Input const& input, LobpcgOptions const& options) {
  require_real(input);
  require_eig_room(input, lobpcg_block(options));
  HostMatrix const A = assemble<double>(input.coo);
  require_symmetric(input, A, for_symmetric);
  return A;
}

}  // namespace

Exit run_eig(Settings const& s) {
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".mtx"});
    require_other_file({"-o", s.output}, {{"FILE", s.file}, {"--mass", s.mass}});
  }
  require_streams_once({{"FILE", s.file}, {"--mass", s.mass}});
  require_choices(s);
  if (!s.output.empty()) require_writable({"-o", s.output}, s.json);
  LobpcgOptions const options = lobpcg_options_of(s);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  progress.show("assembling");
  HostMatrix const A = symmetric_matrix(input, options);
  Input of_mass;
  std::optional<HostMatrix> mass;
  if (!s.mass.empty()) {
    progress.show("reading " + s.mass);
    Settings second = s;
    second.file = s.mass;
    of_mass = load(second, "--mass");
    mass = symmetric_matrix(of_mass, options);
    if (mass->rows != A.rows)
      throw Failure(Exit::input, formatted("--mass {} has {} rows, expected those of FILE, {}", in_quotes(s.mass),
                                           mass->rows, A.rows));
  }
  if (A.rows == 0)
    throw Failure(Exit::input,
                  formatted("{} is 0 x 0, expected a row at least, which a pair needs", in_quotes(s.file)));
  if (s.pairs > A.rows)
    throw Failure(Exit::usage,
                  formatted("--pairs is {}, expected at most the rows of {}, {}", s.pairs, in_quotes(s.file), A.rows));
  progress.show("solving");
  Eigenpairs found;
  try {
    found = on_space(s, [&](auto const& exec) { return eigenpairs_on(exec, A, mass ? &*mass : nullptr, options); });
  } catch (Error const& e) {
    throw about(input, {}, e);
  }
  LobpcgResult const& r = found.result;
  // After a breakdown there are no vectors to keep.
  std::string const output = r.status == LobpcgStatus::breakdown ? "" : s.output;
  std::string const report_beside = is_standard_output(s.output) ? s.output : output;
  if (!output.empty()) {
    progress.show("writing " + output);
    write_matrix_market_dense(output, HostDense{.rows = A.rows, .columns = s.pairs, .values = found.vectors});
  }
  progress.show("");
  if (s.json) {
    auto pairs = nlohmann::ordered_json::array();
    for (auto const& pair : r.pairs)
      pairs.push_back({{"value", known(pair.value)},
                       {"residual", known(pair.residual)},
                       {"relative_residual", known(pair.relative_residual)}});
    nlohmann::ordered_json json{
        {"command", "eig"},
        {"matrix", to_json(input)},
        {"mass", mass ? to_json(of_mass) : nlohmann::ordered_json(nullptr)},
        {"device", space(s)},
        {"end", to_string(options.end)},
        {"tolerance", options.tolerance},
        {"precondition", to_string(options.preconditioner)},
        {"seed", s.start_seed},
        {"status", to_string(r.status)},
        {"iterations", r.iterations},
        {"products", r.products},
        {"norm", known(r.norm)},
        {"orthogonality", known(r.orthogonality)},
        {"form", r.form},
        {"product", r.product},
        {"seconds", found.seconds},
        {"pairs", pairs},
        {"output", output.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(valid_utf8(output))}};
    print_written(report_beside, json_text(json));
  } else {
    std::vector<std::vector<std::string>> rows{{"value", "residual", "relative"}};
    for (auto const& pair : r.pairs)
      rows.push_back({formatted("{:.15g}", pair.value), formatted("{:.2e}", pair.residual),
                      formatted("{:.2e}", pair.relative_residual)});
    print_written(report_beside,
                  formatted("{} in {} iterations, {:.3g} s, {} values first{}\n{}", to_string(r.status), r.iterations,
                            found.seconds, to_string(options.end),
                            output.empty() ? "" : "; vectors written to " + escape(output), table(rows, 0)));
  }
  return r.status == LobpcgStatus::converged ? Exit::done : Exit::wrong;
}

}  // namespace araia::cli
