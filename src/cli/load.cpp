// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files to matrices: values for those without any, and the exit code of every refusal.
#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include "src/formats/container_entries.hpp"

#include "src/cli/cli.hpp"
#include "src/engine/names.hpp"
#include "src/io/matrix_market_source.hpp"
#include "src/mixed_bits.hpp"
#include "src/reason.hpp"

namespace araia::cli {
namespace {

constexpr std::string_view random_prefix = "random:";

std::string counted(std::ptrdiff_t count, char const* what) {
  return formatted("{} {}{}", count, what, count == 1 ? "" : "s");
}

struct KindName {
  char const* name;
  FileKind kind;
};
constexpr KindName kinds[] = {{"mtx", FileKind::matrix_market},
                              {"smtx", FileKind::smtx},
                              {"rb", FileKind::rutherford_boeing},
                              {"hb", FileKind::rutherford_boeing},
                              {"araia", FileKind::native}};

/// Of matrices and operands; the latter have one kind.
ReadOptions read_options(Settings const& s) {
  ReadOptions options;
  options.strict = s.strict;
  options.warn = [](std::string_view text) { warn(text); };
  return options;
}

/// Runs a reader: whatever it refuses about the file is bad input, memory and devices apart.
/// \param option  that names the file; empty for the command's first
template <class Read>
auto as_input(Settings const& s, std::string const& option, Read const& read) {
  try {
    return read();
  } catch (Error const& e) {
    std::string const text = (option.empty() ? option : option + ' ') + said(e);
    bool const of_memory = e.kind() == ErrorKind::resource_limit && e.place().line == 0;  // not of a line's length
    if (of_memory)
      throw Failure(Exit::resource,
                    text + (s.memory != 0 ? formatted("; --memory is {}", s.memory)
                                          : "; limits follow from the memory of this machine, --memory sets another"));
    bool const of_surroundings = e.kind() == ErrorKind::resource_limit || e.kind() == ErrorKind::device;
    throw Failure(of_surroundings ? Exit::resource : Exit::input, text);
  }
}

std::string field_of(HostCoo const& coo) {
  constexpr char const* names[] = {"pattern", "real", "complex", "integer"};
  return names[coo.values.index()];
}

/// \throws Failure with Exit::usage where they are not random:SEED
std::uint64_t seed_of(std::string const& values) {
  std::uint64_t seed = 0;
  if (!values.starts_with(random_prefix))
    throw Failure(Exit::usage, "--values is " + in_quotes(values) + ", expected ones or random:SEED");
  char const* const first = values.data() + random_prefix.size();
  char const* const last = values.data() + values.size();
  auto const [end, error] = std::from_chars(first, last, seed);
  if (error != std::errc{} || end != last || first == last)
    throw Failure(Exit::usage, "--values is " + in_quotes(values) +
                                   ", expected ones or random:SEED with an unsigned integer below 2^64");
  return seed;
}

/// Uniform in [-1, 1) by splitmix64: the same for a seed on every machine.
std::vector<double> random_values(std::size_t count, std::uint64_t seed) {
  std::vector<double> values(count);
  std::uint64_t state = seed;
  for (double& value : values) {
    std::uint64_t const bits = araia::detail::mixed_bits(state);
    state += araia::detail::mixing_step;
    constexpr double scale = 1.0 / 4503599627370496.0;  // 2^-52
    value = static_cast<double>(bits >> 11) * scale - 1.0;
  }
  return values;
}

/// Of the arrays.
std::uint64_t stored_bytes(HostCoo const& coo) {
  return std::visit(
      [](auto const& indices, auto const& values) -> std::uint64_t {
        std::uint64_t const bytes = 2 * indices.size() * sizeof(indices[0]);
        if constexpr (requires { values.size(); })
          return bytes + values.size() * sizeof(values[0]);
        else
          return bytes;
      },
      coo.row_indices, coo.values);
}

void give_values(Input& input, Settings const& s, FileKind kind) {
  std::string wanted = s.values;
  if (input.field != "pattern") {
    if (!wanted.empty())
      throw Failure(Exit::usage,
                    "--values is for files without values; " + input.name + " has " + input.field + " ones");
    input.values = "file";
    return;
  }
  if (wanted.empty()) wanted = kind == FileKind::smtx ? "random:1" : "ones";
  input.values = wanted;
  if (wanted == "ones") return;
  auto const count = static_cast<std::size_t>(input.coo.stored());
  araia::detail::require_memory((input.name + ": values").c_str(), count * sizeof(double), default_host_memory_limit());
  input.coo.values = random_values(count, seed_of(wanted));
  hold(count * sizeof(double));
}

/// The fewest bytes that hold what a native file names, whether it has values or not.
ScalarTypes native_types(ElementType scalar) {
  auto types = ScalarTypes::f64;
  for (auto const narrow : {ElementType::float16, ElementType::bfloat16, ElementType::float32})
    if (scalar == narrow) types = ScalarTypes::f32;
  for (auto const pair : {ElementType::complex_float32, ElementType::complex_float64})
    if (scalar == pair) types = ScalarTypes::c64;
  return araia::detail::has_all_types ? types : ScalarTypes::f64;
}

/// \throws Failure with Exit::input where no type of this build holds complex values, as reading a native file does
void require_complex(std::string const& file) {
  if (!araia::detail::has_all_types)
    throw Failure(
        Exit::input,
        file + ": the values are complex, which this build does not have: its Araia_TYPES is minimal, full has them");
}

ScalarTypes named_types(Settings const& s, Input const& input) {
  bool const complex_file = std::holds_alternative<std::vector<std::complex<double>>>(input.coo.values);
  if (complex_file) require_complex(input.name);
  for (auto const types : {ScalarTypes::f64, ScalarTypes::f32, ScalarTypes::f32_f64, ScalarTypes::c64}) {
    if (s.type != to_string(types)) continue;
    if (complex_file && types != ScalarTypes::c64)
      throw Failure(Exit::usage, "--type is " + s.type + ", but the file's values are complex: expected c64");
    return types;
  }
  return complex_file ? ScalarTypes::c64 : input.scalar ? native_types(*input.scalar) : ScalarTypes::f64;
}

/// Not zero, but zero once it is rounded to float.
bool zero_in_f32(double value) {
  constexpr double most = 0x1p-150;  // half the smallest float
  return value != 0 && std::abs(value) <= most;
}

/// Integers that a type of so many binary digits rounds.
class RoundedIntegers {
 public:
  explicit RoundedIntegers(bool in_float)
      : digits_(in_float ? std::numeric_limits<float>::digits : std::numeric_limits<double>::digits) {}

  void see(std::int64_t value, std::int64_t row, std::int64_t col) {
    auto const size = value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    if (size == 0 || static_cast<int>(std::bit_width(size)) - std::countr_zero(size) <= digits_) return;
    if (count_++ == 0) first_ = formatted("{} at ({}, {})", value, row + 1, col + 1);
  }
  void warn_of(std::string const& file, ScalarTypes types) const {
    if (count_ == 0) return;
    warn(formatted("{}: {} beyond 2^{} rounded to {}, the first {}", file, counted(count_, "integer"), digits_,
                   to_string(types), first_));
  }

 private:
  int digits_;
  std::ptrdiff_t count_ = 0;
  std::string first_;
};

template <class Values, class Indices>
void require_values(Input const& input, ScalarTypes types, Values const& values, Indices const& rows) {
  bool const in_float = types == ScalarTypes::f32 || types == ScalarTypes::f32_f64;
  auto const& cols = std::get<Indices>(input.coo.col_indices);
  if constexpr (std::is_same_v<Values, std::vector<double>>) {
    if (in_float) require_f32_range(input.name, values, [&](std::size_t k) { return std::pair(rows[k], cols[k]); });
  } else if constexpr (std::is_same_v<Values, std::vector<std::int64_t>>) {
    RoundedIntegers rounded(in_float);
    for (std::size_t k = 0; k < values.size(); ++k) rounded.see(values[k], rows[k], cols[k]);
    rounded.warn_of(input.name, types);
  }
}

}  // namespace

bool beyond_f32(double value) {
  constexpr double least = 0x1.ffffffp127;  // halfway from the largest float to where the next would be
  return std::abs(value) >= least && std::isfinite(value);
}

void require_f32_range(std::string const& what, std::span<double const> values,
                       std::function<std::pair<std::int64_t, std::int64_t>(std::size_t)> const& place) {
  auto const at = [&](auto const found) {
    auto const k = static_cast<std::size_t>(found - values.begin());
    if (!place) return formatted("place {}", k + 1);
    auto const [row, col] = place(k);
    return formatted("({}, {})", row + 1, col + 1);
  };
  if (auto const found = std::find_if(values.begin(), values.end(), beyond_f32); found != values.end())
    throw Failure(Exit::input,
                  formatted("{}: the value at {} is {}, beyond the range of f32, up to {}; --type f64 holds it", what,
                            at(found), *found, std::numeric_limits<float>::max()));
  if (auto const found = std::find_if(values.begin(), values.end(), zero_in_f32); found != values.end())
    warn(formatted("{}: {} turned into 0 by f32, the first {} at {}; --type f64 holds more", what,
                   counted(std::count_if(found, values.end(), zero_in_f32), "value"), *found, at(found)));
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (auto const& known : kinds) names.emplace_back(known.name);
  return names;
}

void hold(std::uint64_t bytes) {
  std::uint64_t const left = default_host_memory_limit();
  set_default_host_memory_limit(left > bytes ? left - bytes : 1);  // 0 means no limit to some
}

void hold_plan(AnyTunedPlan const& plan, AnyMatrix const& matrix) {
  if (!matrix.space().reaches(MemorySpace::host)) return;
  Choice const& choice = plan.report().winner().choice;
  bool const shares = araia::detail::shares_source(plan.report().problem.operation, choice);
  hold(plan.bytes() - (shares ? std::min(plan.bytes(), matrix.bytes()) : 0));
}

std::unique_ptr<AnyMatrix> make_matrix(AnySpace const& exec, Input const& input, ScalarTypes types) try {
  auto matrix = make_any_matrix(exec, input.coo, types);
  if (exec.reaches(MemorySpace::host)) hold(matrix->bytes());
  return matrix;
} catch (Error const& e) {
  if (e.kind() != ErrorKind::resource_limit) throw;
  throw about(input, {}, e);
}

Input load(Settings const& s, std::string const& option) {
  auto const start = std::chrono::steady_clock::now();
  Input input;
  input.name = s.file;
  ReadOptions options = read_options(s);
  for (auto const& known : kinds)
    if (s.kind == known.name) options.kind = known.kind;
  auto read = as_input(s, option, [&] { return read_typed_entries(s.file, options); });
  hold(stored_bytes(read.entries));
  input.coo = std::move(read.entries);
  input.scalar = read.scalar;
  input.stored_format = std::move(read.format);
  input.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  input.field = field_of(input.coo);
  give_values(input, s, read.kind);
  return input;
}

HostDense load_operand(Settings const& s, PathArgument const& file, ScalarTypes& types, bool widens) {
  RoundedIntegers rounded(types == ScalarTypes::f32);  // f32_f64 has vectors in f64
  ReadOptions const options = read_options(s);
  HostDense dense = as_input(s, file.argument, [&] {
    return araia::detail::read_matrix_market_dense(
        *araia::detail::open_source(file.path, options), options,
        [&](std::int64_t value, std::int64_t row, std::int64_t col) { rounded.see(value, row, col); });
  });
  std::visit([](auto const& values) { hold(values.size() * sizeof(values[0])); }, dense.values);
  bool const complex_file = dense.values.index() == 1;
  if (complex_file) require_complex(file.path);
  if (complex_file && widens && types == ScalarTypes::f64) types = ScalarTypes::c64;  // which holds every f64
  if (complex_file && types != ScalarTypes::c64)
    throw Failure(Exit::usage, formatted("{} {} has complex values, which {} does not hold; --type c64 does",
                                         file.argument, in_quotes(file.path), to_string(types)));
  if (auto const* const values = std::get_if<std::vector<double>>(&dense.values); values && types == ScalarTypes::f32)
    require_f32_range(formatted("{} {}", file.argument, file.path), *values, [&](std::size_t k) {
      auto const at = static_cast<std::int64_t>(k);
      return std::pair(at % dense.rows, at / dense.rows);
    });
  rounded.warn_of(file.path, types == ScalarTypes::f32_f64 ? ScalarTypes::f64 : types);
  return dense;
}

void require_held(char const* option, double number, ScalarTypes types) {
  if (types == ScalarTypes::f32 && (beyond_f32(number) || zero_in_f32(number)))
    throw Failure(Exit::usage, formatted("{} is {}, outside the range of f32, 1.4e-45 to {}; --type f64 takes it",
                                         option, number, std::numeric_limits<float>::max()));
}

void require_choices(Settings const& s) {
  if (!s.values.empty() && s.values != "ones") (void)seed_of(s.values);
  auto const devices = any_spaces();
  if (!s.device.empty() && std::find(devices.begin(), devices.end(), s.device) == devices.end())
    throw Failure(Exit::resource,
                  formatted("--device is {}, which is not in this build; it has {}", s.device, joined(devices)));
  if (!araia::detail::has_all_types && !s.type.empty() && s.type != to_string(ScalarTypes::f64))
    throw Failure(Exit::usage, formatted("--type is {}, which is not in this build: Araia_TYPES is minimal", s.type));
}

std::string said(Error const& error) {
  std::string text = error.what();
  if (!error.place().file.empty()) return text;  // which may be called "araia: a.mtx"
  constexpr std::string_view library = "araia: ";
  return text.starts_with(library) ? text.substr(library.size()) : araia::detail::without_function(std::move(text));
}

Error about(Input const& input, std::vector<std::string> const& options, Error const& error) {
  std::string with;
  for (auto const& option : options) with += ' ' + option;
  return {error.kind(), FilePlace{.file = input.name}, (with.empty() ? with : "with" + with + ": ") + said(error)};
}

ScalarTypes scalar_types(Settings const& s, Input const& input) {
  ScalarTypes const types = named_types(s, input);
  std::visit([&](auto const& values, auto const& rows) { require_values(input, types, values, rows); },
             input.coo.values, input.coo.row_indices);
  return types;
}

Choice named_format(char const* option, std::string const& name) try {
  return choice_of_format(name);
} catch (Error const& e) {
  throw Failure(Exit::usage, formatted("{}: {}", option, said(e)));
}

std::optional<Choice> format_choice(Settings const& s) {
  if (s.format.empty()) return {};
  Choice const choice = named_format("--format", s.format);
  if (std::string const once = format_label(choice); once.size() != s.format.size())
    throw Failure(Exit::usage,
                  formatted("--format is {}, which names a part twice; expected {}", in_quotes(s.format), once));
  return choice;
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
                formatted("--precision is {}, expected one of {}", s.precision, joined(precision_names())));
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
