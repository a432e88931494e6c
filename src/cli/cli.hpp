// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the subcommands share: their settings, reading of matrices, progress, output.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <araia/error.hpp>
#include <araia/io/container.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/host_dense.hpp>
#include <araia/plan/any_matrix.hpp>

#include "src/formatted.hpp"

namespace araia::cli {

using araia::detail::formatted;
using araia::detail::joined;

/// Exit codes, as every --help says.
enum class Exit : int { done = 0, wrong = 1, usage = 2, input = 3, resource = 4 };

/// A failure with the exit code that its place gives it.
class Failure : public std::runtime_error {
 public:
  Failure(Exit code, std::string const& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] Exit code() const noexcept { return code_; }

 private:
  Exit code_;
};

/// Of conv alone.
struct ConvSettings {
  std::string layer;  ///< C,H,W,K,R,S[,stride,pad,dilation,groups]
  std::string net;    ///< a file; one of the two is empty
  std::string weights;
  double sparsity = -1;    ///< negative: not given
  std::int64_t seed = -1;  ///< likewise
  std::int64_t batch = 0;  ///< 0: of the input, else one
  bool bias = false;
  bool relu = false;
  bool no_dense = false;
  std::string layout = "nchw";
  std::string method;   ///< as to_string(ConvMethod) has it, or empty: the fastest
  double budget = 0.3;  ///< seconds of a layer
  std::string input;    ///< x, NAME.npy
};

/// Of sddmm alone.
struct SddmmSettings {
  std::string x;  ///< empty: ones, as y
  std::string y;
};

struct Settings {
  std::string file;
  std::string second;        ///< spgemm: B; empty: A or its transpose
  std::string kind;          ///< of the file, empty: by content and name
  bool strict = false;       ///< refuse files that are read with a warning
  std::uint64_t memory = 0;  ///< bytes of host memory, 0: by the machine
  std::string output;
  std::string op;            ///< "spmv", "spmm", or empty: by columns
  std::int64_t columns = 0;  ///< 0: one for spmv, 16 for spmm
  std::string type;          ///< empty: by the file
  std::string device;        ///< empty: the build's default
  std::string values;        ///< empty: by the file
  double budget = 3;         ///< seconds
  double kernel_budget = 0;  ///< sddmm, spgemm: seconds of timing kernels; 0: the model alone
  double products = 0;       ///< that will follow the tuning; 0: unknown
  bool cold = false;         ///< products whose matrix is not in cache
  bool transpose = false;
  bool conjugate_transpose = false;
  bool conjugate = false;
  bool deterministic = false;
  std::string precision = "native";  ///< as precision_name() has it
  bool allow_dense = false;
  std::string rhs;
  std::string initial;  ///< Y before the product
  std::string format;
  std::string kernel;
  double alpha = 1;
  double beta = 0;
  bool verify = false;
  bool assume = false;  ///< tune: bandwidths as the system describes them
  bool measure = false;
  bool with_transpose = false;   ///< spgemm: A A'
  bool transpose_first = false;  ///< spgemm: A' A
  bool pattern = false;
  bool unsorted = false;
  bool explain = false;  ///< spgemm
  bool json = false;
  std::string method;        ///< solve, of networks: "cg", "direct", or empty: cg; closeness: empty for automatic
  double tolerance = 0;      ///< solve, of matrices; 0: not given, as those below
  std::string precondition;  ///< "none" or "jacobi"
  std::int64_t max_iterations = 0;
  std::int64_t sources = 0;                  ///< closeness: 0 for all
  std::optional<std::uint64_t> draw_seed{};  ///< closeness
  std::int64_t batch = 0;
  bool harmonic = false;
  bool reach = false;
  bool undirected = false;
  bool outgoing = false;
  bool unscaled = false;
  ConvSettings conv{};
  SddmmSettings sddmm{};
  std::string pattern_kind;  ///< generate
  std::int64_t rows = 0;     ///< generate; 0: not given, as those below
  std::int64_t cols = 0;
  double fill = 0;
  std::int64_t entries_per_row = 0;
  std::uint64_t seed = 0;
  std::int64_t pairs = 1;  ///< eig
  bool largest = false;
  std::string mass;  ///< eig: B; empty: the identity
  std::uint64_t start_seed = 1;
};

Exit run_info(Settings const& settings);
Exit run_tune(Settings const& settings);
Exit run_multiply(Settings const& settings);
Exit run_spgemm(Settings const& settings);
Exit run_sddmm(Settings const& settings);
Exit run_convert(Settings const& settings);
Exit run_generate(Settings const& settings);
Exit run_solve(Settings const& settings);
Exit run_eig(Settings const& settings);
Exit run_closeness(Settings const& settings);
Exit run_conv(Settings const& settings);
Exit run_devices(Settings const& settings);

/// Before Kokkos starts, which aborts or crashes on numbers of threads that it cannot have.
/// \throws Failure with Exit::usage naming the variable
void check_environment();
/// That Kokkos must be told: the most it can have, where OpenMP by itself would take more of a large host.
std::optional<int> number_of_threads();
/// \throws Failure with Exit::resource where the threads that Kokkos will start cannot be made
void require_threads();

/// A signal that ends the command leaves no part of a file behind.
void catch_signals();

/// While it lives the first interrupt (Ctrl-C) is noted alone, and the second one ends the command.
class FirstInterruptStops {
 public:
  FirstInterruptStops();
  FirstInterruptStops(FirstInterruptStops const&) = delete;
  FirstInterruptStops& operator=(FirstInterruptStops const&) = delete;
  ~FirstInterruptStops();
  [[nodiscard]] bool came() const;

 private:
  bool installed_ = false;
};

/// The text, or its ends with "..." between where escaped it is longer than `most` bytes.
std::string shortened(std::string_view text, std::size_t most);
/// For messages: short enough that two of them fit.
std::string in_quotes(std::string_view path);

/// A path and the argument that names it.
struct PathArgument {
  char const* argument;
  std::string const& path;
};

/// The name, without .gz, must be one of something before one of the suffixes; a pipe, a device and an open descriptor
/// (/dev/stdout) may have any name.
/// \throws Failure with Exit::usage
void require_suffix(PathArgument const& out, std::initializer_list<std::string_view> known);
/// Is it written without a file of its own: a pipe, a device or an open descriptor?
bool is_written_directly(std::string const& path);
/// Does writing the path write to standard output? /dev/null keeps nothing that could mix.
bool is_standard_output(std::string const& path);
/// Before anything is read: the file can be made where it is to be, and JSON goes elsewhere.
/// \throws Failure with Exit::usage; araia::Error as AtomicFile
void require_writable(PathArgument const& out, bool json);
/// The output must not replace what is read.
/// \throws Failure with Exit::usage naming both arguments
void require_other_file(PathArgument const& out, std::initializer_list<PathArgument> inputs);
/// Before anything is read: whoever reads a pipe second finds nothing in it. Empty paths are no inputs.
/// \throws Failure with Exit::usage naming both arguments
void require_streams_once(std::initializer_list<PathArgument> inputs);

/// A matrix file with what was done to it.
struct Input {
  HostCoo coo;
  std::string name;                     ///< the path
  std::string field;                    ///< "real", "integer", "complex" or "pattern"
  std::string values;                   ///< "file", "ones" or "random:SEED"
  double seconds = 0;                   ///< of reading
  std::optional<ElementType> scalar{};  ///< that a native file names
  std::string stored_format{};          ///< of a native file; empty of text
};

/// Reads any file that read_entries knows. A file without values gets those that --values asks for: random:1 for SMTX,
/// ones (not stored) for other patterns.
/// \param option  that names the file; empty for the command's first
/// \throws Failure with Exit::input, or Exit::resource; Exit::usage for --values where the file has values
Input load(Settings const& settings, std::string const& option = {});

/// What was written, and what it takes.
struct Written {
  std::string format;
  std::string type;              ///< empty for text
  std::int64_t entries = 0;      ///< of the file
  std::uint64_t bytes = 0;       ///< of the arrays; 0 for text
  std::uint64_t file_bytes = 0;  ///< 0 where it is no file
};

class Progress;
/// Writes a matrix to --output: native in --format and --type, or csr and its own type, or as Matrix Market.
/// \param comment  of Matrix Market; without a newline
/// 	hrows as container_of, write_container and write_matrix_market
Written write_matrix(Settings const& settings, Input const& input, bool container, Progress& progress,
                     std::string const& comment = {});

/// The assembled matrix of a file in the memory of a device.
/// \throws araia::Error as make_any_matrix
std::unique_ptr<AnyMatrix> make_matrix(AnySpace const& exec, Input const& input, ScalarTypes types);

/// Takes bytes of host memory, which the command holds to its end, from what its next steps may take:
/// default_host_memory_limit() is what is left.
void hold(std::uint64_t bytes);
/// Takes what a plan on the host keeps beside its matrix.
void hold_plan(AnyTunedPlan const& plan, AnyMatrix const& matrix);

/// What --kind takes.
std::vector<std::string> kind_names();

/// Before anything is read: --values can be given, --device and --type are in this build.
/// \throws Failure with Exit::usage; Exit::resource for the device
void require_choices(Settings const& settings);

/// What an error says, without the name of the function that refused ("araia::make_plan: "): to a reader of the command
/// that says nothing.
std::string said(Error const& error);
/// The error with what it is about: "A.mtx: with --format ell --deterministic: no kernel ...".
/// \param options  those given that can have brought it about
Error about(Input const& input, std::vector<std::string> const& options, Error const& error);

/// An operand, whose elements the scalars of operands must hold. Warns of integers that are rounded, and where the file
/// departs from its standard.
/// \param types  becomes c64 where it is f64, elements are complex and `widens`
/// \throws Failure with Exit::input, or Exit::resource; Exit::usage for complex elements of a product that stays real
HostDense load_operand(Settings const& settings, PathArgument const& file, ScalarTypes& types, bool widens);

/// Of --type, or else the fewest bytes that hold what a native file names, f64 or c64 of all others; and of the file's
/// values, which the type must hold: a finite one beyond its range is refused; warns of numbers that become zero, and
/// of integers that are rounded. \throws Failure with Exit::usage for complex values in a real type, Exit::input for a
/// value beyond the type's range
ScalarTypes scalar_types(Settings const& settings, Input const& input);
/// Both parts of a complex number.
template <class Scalar>
bool finite(Scalar const& value) {
  if constexpr (requires { value.imag(); })
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  else
    return std::isfinite(static_cast<double>(value));
}

/// Of a HostCoo or HostDense; a pattern's ones are.
template <class... Values>
bool all_finite(std::variant<Values...> const& of) {
  return std::visit(
      [](auto const& values) {
        if constexpr (requires { values.begin(); })
          return std::all_of(values.begin(), values.end(), [](auto const& value) { return finite(value); });
        else
          return true;
      },
      of);
}
/// Finite, and infinity once it is rounded to float.
[[nodiscard]] bool beyond_f32(double value);
/// Of numbers of `what` that are taken to f32: a finite one beyond its range is refused, those that become zero are
/// warned of. \param place  row and column of number k, from 0; empty: k alone tells
/// \throws Failure with Exit::input
void require_f32_range(std::string const& what, std::span<double const> values,
                       std::function<std::pair<std::int64_t, std::int64_t>(std::size_t)> const& place);
/// A number of the command line, in the type that it is taken to.
/// \throws Failure with Exit::usage where f32 holds it as infinity or zero, and it is neither
void require_held(char const* option, double number, ScalarTypes types);
/// A format that an option names.
/// \throws Failure with Exit::usage where there is none of that name
Choice named_format(char const* option, std::string const& name);
/// Of --format; empty for none.
/// \throws Failure with Exit::usage where it is no format, or names a part twice
std::optional<Choice> format_choice(Settings const& settings);
/// What --precision takes.
std::vector<std::string> precision_names();
/// Of --precision.
Precision precision(Settings const& settings);
/// Of --device.
std::string space(Settings const& settings);

char const* to_string(Symmetry symmetry);

/// One line that tells what goes on, on standard error where that is a terminal; wiped at the end.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;
  void show(std::string_view step, double share = -1);

 private:
  bool terminal_;
  bool shown_ = false;
};

/// A line on standard error, which changes no exit code.
void warn(std::string_view message);

/// Writes to standard output, whole.
/// \throws Failure with Exit::resource where it is closed or full
void print(std::string_view text);
std::string json_text(nlohmann::ordered_json const& json);
void print_json(nlohmann::ordered_json const& json);
/// The report of a command that wrote `output`: on standard error where the output has standard output.
/// \throws Failure as print, which says that the output is there
void print_written(std::string const& output, std::string const& text);

/// Columns of text, the first `left` of them left-aligned, as wide as their widest cell.
std::string table(std::vector<std::vector<std::string>> const& rows, std::size_t left);

/// JSON of reports, the same in every subcommand. Names of files are as they are, where that is UTF-8.
nlohmann::ordered_json to_json(Input const& input);
/// The number; null where it is infinite or none.
nlohmann::ordered_json known(double value);
nlohmann::ordered_json to_json(RowStats const& stats);
nlohmann::ordered_json to_json(Machine const& machine);
nlohmann::ordered_json to_json(VerifyReport const& report);
/// Null where they are but a bound.
nlohmann::ordered_json bytes_of(Footprint const& footprint);
nlohmann::ordered_json to_json(TuneReport const& report);

}  // namespace araia::cli
