// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files to matrices: values for those without any, and the exit code of every refusal.
#include <fmt/ranges.h>
#include <charconv>
#include <chrono>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

#include <araia/formats/container_entries.hpp>
#include <araia/io/escape.hpp>
#include <araia/io/matrix_market.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

constexpr std::string_view random_prefix = "random:";

/// Runs a reader: whatever it refuses about the file is bad input, memory and devices apart.
template <class Read>
auto as_input(Read const& read) {
  try {
    return read();
  } catch (Error const& e) {
    bool const resource = e.kind() == ErrorKind::resource_limit || e.kind() == ErrorKind::device;
    throw Failure(resource ? Exit::resource : Exit::input, e.what());
  }
}

std::string field_of(HostCoo const& coo) {
  constexpr char const* names[] = {"pattern", "real", "complex", "integer"};
  return names[coo.values.index()];
}

std::uint64_t seed_of(std::string const& values) {
  std::uint64_t seed = 0;
  char const* const first = values.data() + random_prefix.size();
  char const* const last = values.data() + values.size();
  auto const [end, error] = std::from_chars(first, last, seed);
  if (error != std::errc{} || end != last || first == last)
    throw Failure(Exit::usage, "--values is '" + values + "', expected ones or random:SEED with an unsigned integer");
  return seed;
}

/// Uniform in [-1, 1) by splitmix64: the same for a seed on every machine.
std::vector<double> random_values(std::size_t count, std::uint64_t seed) {
  std::vector<double> values(count);
  std::uint64_t state = seed;
  for (double& value : values) {
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t bits = state;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    constexpr double scale = 1.0 / 4503599627370496.0;  // 2^-52
    value = static_cast<double>(bits >> 11) * scale - 1.0;
  }
  return values;
}

bool names_smtx(std::string path) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return path.ends_with(".smtx");
}

void give_values(Input& input, Settings const& s) {
  std::string wanted = s.values;
  if (input.field != "pattern") {
    if (!wanted.empty())
      throw Failure(Exit::usage,
                    "--values is for files without values; " + input.name + " has " + input.field + " ones");
    input.values = "file";
    return;
  }
  if (wanted.empty()) wanted = names_smtx(s.file) ? "random:1" : "ones";
  if (wanted != "ones" && !wanted.starts_with(random_prefix))
    throw Failure(Exit::usage, "--values is '" + wanted + "', expected ones or random:SEED");
  if (wanted != "ones") input.coo.values = random_values(static_cast<std::size_t>(input.coo.stored()), seed_of(wanted));
  input.values = wanted;
}

}  // namespace

Input load(Settings const& s) {
  auto const start = std::chrono::steady_clock::now();
  Input input;
  input.name = escape(s.file);
  input.coo = as_input([&] { return read_entries(s.file); });
  input.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  input.field = field_of(input.coo);
  give_values(input, s);
  return input;
}

HostDense load_dense(std::string const& path) {
  return as_input([&] { return read_matrix_market_dense(path); });
}

ScalarTypes scalar_types(Settings const& s, HostCoo const& coo) {
  bool const complex_file = std::holds_alternative<std::vector<std::complex<double>>>(coo.values);
  for (auto const types : {ScalarTypes::f64, ScalarTypes::f32, ScalarTypes::f32_f64, ScalarTypes::c64}) {
    if (s.type != to_string(types)) continue;
    if (complex_file && types != ScalarTypes::c64)
      throw Failure(Exit::usage, "--type is " + s.type + ", but the file's values are complex: expected c64");
    return types;
  }
  return complex_file ? ScalarTypes::c64 : ScalarTypes::f64;
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (Precision const known : all_precisions) names.emplace_back(precision_name(known));
  return names;
}

Precision precision(Settings const& s) {
  for (Precision const known : all_precisions)
    if (s.precision == precision_name(known)) return known;
  throw Failure(Exit::usage,
                fmt::format("--precision is {}, expected one of {}", s.precision, fmt::join(precision_names(), ", ")));
}

std::string space(Settings const& s) { return s.device.empty() ? default_space() : s.device; }

char const* to_string(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::general: return "general";
    case Symmetry::symmetric: return "symmetric";
    case Symmetry::skew_symmetric: return "skew-symmetric";
    case Symmetry::hermitian: return "hermitian";
  }
  return "unknown";
}

}  // namespace araia::cli
