// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command: arguments, Kokkos, errors to exit codes.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>

#include <araia/Araia_Config.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/generate/matrix.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/choice.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/number_option.hpp"

namespace araia::cli {
namespace {

constexpr char const* exit_codes =
    "Exit codes: 0 done, 1 verification failed or not converged, 2 bad usage, 3 bad input, 4 resource or device.";
constexpr char const* known_files =
    "Matrix Market (.mtx), SMTX, Rutherford-Boeing (.rb, .rua, ...) or native (.araia) file, gzip or not, names in any "
    "case; Matrix Market and native ones under any name, others too with --kind; - is standard input";
constexpr std::size_t longest_message = 1000;  // bytes of an error line

Exit exit_of(Error const& error) {
  switch (error.kind()) {
    case ErrorKind::invalid_argument:
    case ErrorKind::unsupported: return Exit::usage;
    case ErrorKind::dimension_mismatch:
    case ErrorKind::invalid_structure:
    case ErrorKind::parse: return Exit::input;
    case ErrorKind::resource_limit:
    case ErrorKind::device: return Exit::resource;
    case ErrorKind::internal: return Exit::wrong;  // no candidate passed verification
  }
  return Exit::resource;
}

int complain(std::string const& message, Exit code) {
  std::fputs(("araia: " + escape(shortened(message, longest_message), longest_message) + '\n').c_str(), stderr);
  return static_cast<int>(code);
}

void add_json(CLI::App* command, Settings& s) {
  command->add_flag("--json", s.json,
                    "Print JSON instead of text; of names of files, bytes that are no UTF-8 are written \\xNN");
}

void add_memory(CLI::App* command, Settings& s) {
  command
      ->add_option_function<std::string>(
          "--memory", [&s](std::string const& text) { s.memory = bytes_of_option("--memory", text); },
          "Host memory that the command may take: bytes, or a number with kB, MB, GiB, ..., as 1.5GB (default: half of "
          "the "
          "physical memory, or of what the cgroup or RLIMIT_AS leaves of it)")
      ->type_name("SIZE");
}

/// Names that --help offers. Known ones that are not in this build pass: require_choices says why they are not there.
CLI::Validator one_of(std::vector<std::string> const& offered, std::vector<std::string> const& known) {
  return {[known, offered](std::string const& text) {
            bool const is_known = std::find(known.begin(), known.end(), text) != known.end();
            return is_known ? std::string() : formatted("is {}, expected one of {}", in_quotes(text), joined(offered));
          },
          '{' + CLI::detail::join(offered) + '}'};
}
CLI::Validator one_of(std::vector<std::string> const& names) { return one_of(names, names); }

/// What is read, and how. \param kind_of  what --kind is about: "FILE is"
void add_file(CLI::App* command, Settings& s, char const* name = "FILE", char const* kind_of = "FILE is") {
  command->add_option(name, s.file, known_files)->required();
  std::string const list = '{' + CLI::detail::join(kind_names()) + '}';
  command
      ->add_option("--kind", s.kind,
                   std::string("What ") + kind_of +
                       ", whatever name and content say: mtx, smtx, rb or hb (Rutherford-Boeing and Harwell-Boeing "
                       "alike), araia")
      ->check(one_of(kind_names()))
      ->type_name(list);
  command->add_flag("--strict", s.strict,
                    "Refuse files that depart from their standard and are read with a warning otherwise");
  add_memory(command, s);
}

void add_values(CLI::App* command, Settings& s) {
  command->add_option(
      "--values", s.values,
      "Values for a file without any: ones, one for a place however often it is named, or random:SEED in "
      "[-1, 1), one for each entry, summed where a place has several (default: random:1 for SMTX, ones "
      "for other patterns)");
}

bool has_device(std::string_view name) {
  auto const devices = any_spaces();
  return std::find(devices.begin(), devices.end(), name) != devices.end();
}

void add_type(CLI::App* command, Settings& s, std::vector<std::string> const& known, std::string const& help) {
  constexpr char const* alone =
      "Scalars: f64, which this build has alone (Araia_TYPES is minimal); integers that it rounds, beyond 2^53, are "
      "warned of";
  command->add_option("--type", s.type, araia::detail::has_all_types ? help : alone)
      ->check(one_of(araia::detail::has_all_types ? known : std::vector<std::string>{"f64"}, known));
}

void add_device(CLI::App* command, Settings& s, std::string const& help) {
  command->add_option("--device", s.device, help + " (default: " + default_space() + ')')
      ->check(one_of(any_spaces(), {"openmp", "cuda", "serial"}));
}

void add_types(CLI::App* command, Settings& s) {
  add_type(command, s, {"f64", "f32", "f32_f64", "c64"},
           "Scalars: f64, f32, f32_f64 (matrix in f32, vectors in f64), c64 (complex) (default: a native file's own, "
           "f32 of halves; f64 of all others, c64 of complex values); a finite value beyond the type's range is "
           "refused, integers that it rounds (beyond 2^53 in f64) are warned of");
  add_device(command, s, "Where it runs");
}

std::string format_names() {
  return "csr, coo, csc, ell, hyb, sell, bsr or bcsc; csr, ell and sell also with +by_length, sell with +diagonals and "
         "+narrow, bcsc with +compact and +split, each once and together as wanted: sell+diagonals+narrow";
}

/// Those with types or devices that are not in this build are left out.
void add_examples(CLI::App* command, std::vector<std::string> const& examples) {
  std::string text = "Examples:\n";
  for (auto const& example : examples) {
    bool const narrow = example.find("--type f32") != example.npos;
    bool const cuda = example.find("--device cuda") != example.npos;
    if ((araia::detail::has_all_types || !narrow) && (!cuda || has_device("cuda"))) text += "  " + example + '\n';
  }
  command->footer(text + exit_codes);
}

CLI::App* add_info(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("info", "Describe a matrix: shape, rows, blocks, diagonals, bytes in each format");
  add_file(command, s);
  add_values(command, s);
  add_types(command, s);
  add_json(command, s);
  add_examples(command,
               {"araia info bcsstk17.mtx.gz", "araia info layer.smtx --json", "araia info - --kind rb < matrix"});
  return command;
}

CLI::App* add_tune(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("tune", "Time formats and kernels on a matrix, verify them, rank them");
  add_file(command, s);
  command->add_option("--op", s.op, "spmv or spmm (default: spmm where --columns is given)")
      ->check(one_of({"spmv", "spmm"}));
  add_number(command, "--columns", s.columns, std::int64_t{1}, std::int64_t{1} << 30,
             "an integer from 1 to 1073741824 (2^30)", "Columns of B and C (default for spmm: 16)");
  command->add_flag("--transpose", s.transpose, "Tune products with the transpose");
  command->add_flag("--deterministic", s.deterministic, "Only kernels whose bits do not vary from run to run");
  command
      ->add_option(
          "--precision", s.precision,
          "What spmm in f32 may round: native (default), fp32_3xtf32 (float from three TF32 products), tf32, fp16 or "
          "bf16")
      ->check(one_of(precision_names()));
  command->add_flag("--allow-dense", s.allow_dense,
                    "spmm on device cuda: try cuBLAS on the dense matrix too, which multiplies zeros");
  command->add_option("--format", s.format, "Only this format: " + format_names());
  add_number(
      command, "--budget", s.budget, 0.0, 86400.0, "a number of seconds from 0 to 86400",
      "Seconds of tuning, 0 to 86400 (default 3); reading the file and measuring the bandwidth come on top. 0: the "
      "model alone, as multiply takes it");
  add_number(command, "--products", s.products, 0.0, 1e18, "a number from 0 to 1e18",
             "How many products will follow: the conversion and the tuning must pay within them (default 0: unknown)");
  command->add_flag("--cold", s.cold, "Time products whose matrix and operands are not in cache from the one before");
  command->add_flag("--assume-bandwidth", s.assume,
                    "Take the copy bandwidth as the system describes it, instead of measuring it for a second");
  add_values(command, s);
  add_types(command, s);
  add_json(command, s);
  add_examples(command, {"araia tune bcsstk17.mtx.gz", "araia tune layer.smtx --columns 128 --type f32",
                         "araia tune layer.smtx --columns 512 --type f32 --precision tf32 --device cuda --allow-dense",
                         "araia tune stencil.mtx --format sell+diagonals",
                         "OMP_NUM_THREADS=8 araia tune mesh.mtx --op spmm --columns 32 --budget 10 --json"});
  return command;
}

CLI::App* add_multiply(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("multiply", "Y = alpha op(A) X + beta Y0, written as a Matrix Market array");
  add_file(command, s);
  command->add_option(
      "--rhs", s.rhs,
      "X, a Matrix Market file; integers that the vectors' type rounds (beyond 2^53 in f64) are warned of "
      "(default: one column of ones)");
  command->add_option("--initial", s.initial, "Y0, a Matrix Market file, likewise (default: zeros)");
  command->add_option("--format", s.format,
                      format_names() +
                          " (default: by the model, whatever a native file is stored in); bsr multiplies the zeros "
                          "that fill its blocks, so that "
                          "an infinity or NaN in X reaches rows without an entry there");
  command->add_option("--kernel", s.kernel,
                      "A kernel as tune prints it, with its format and parameters or without: balanced, csr/balanced, "
                      "thread_per_row{rows_per_team 128} (default: by the model)");
  command->add_flag("--transpose", s.transpose, "op(A) is the transpose");
  command->add_flag("--conjugate-transpose", s.conjugate_transpose, "op(A) is the conjugate transpose")
      ->excludes("--transpose");
  command->add_flag("--conjugate", s.conjugate, "op(A) is the conjugate, A itself where it is real")
      ->excludes("--transpose")
      ->excludes("--conjugate-transpose");
  add_real(command, "--alpha", s.alpha, "alpha, a finite number that the vectors' type holds (default 1)");
  add_real(command, "--beta", s.beta, "beta, likewise (default 0)");
  command
      ->add_option("-o,--output", s.output,
                   "Y, NAME.mtx or NAME.mtx.gz, whole or not at all; or a pipe, a device or an open descriptor "
                   "(/dev/stdout, /dev/fd/3): with standard output the closing line goes to standard error, and --json "
                   "is refused; none of the inputs")
      ->required();
  command->add_flag("--verify", s.verify,
                    "Hold the kernel to the reference first, with finite random vectors in place of X and Y0");
  add_values(command, s);
  add_types(command, s);
  add_json(command, s);
  add_examples(command,
               {"araia multiply A.mtx --rhs X.mtx -o Y.mtx",
                "araia multiply A.mtx --transpose --format ell --alpha 2 --beta -1 --initial Y0.mtx -o Y.mtx"});
  return command;
}

void add_kernel_budget(CLI::App* command, Settings& s) {
  add_number(command, "--budget", s.kernel_budget, 0.0, 86400.0, "a number of seconds from 0 to 86400",
             "Seconds of timing kernels, 0 to 86400 (default 0: the model alone)");
}

CLI::App* add_spgemm(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("spgemm", "C = A B of sparse matrices, written as Matrix Market or .araia");
  add_file(command, s, "A", "A and B are");
  auto* const second = command->add_option("B", s.second, "B, a file likewise (default: A itself)");
  auto* const with_transpose =
      command->add_flag("--aat", s.with_transpose, "B is the transpose of A")->excludes(second);
  command->add_flag("--ata", s.transpose_first, "The transpose of A times A")
      ->excludes(second)
      ->excludes(with_transpose);
  command->add_flag("--pattern", s.pattern, "Where C has entries alone, without their values");
  command->add_flag("--unsorted", s.unsorted, "Columns of a row of C may come in any order");
  command->add_option("--kernel", s.kernel,
                      formatted("How C is formed: {} (default: automatic, by the model, or what is fastest within "
                                "--budget)",
                                joined(kernel_names("csr", OpId::spgemm, Op::none))));
  add_kernel_budget(command, s);
  auto* const explain =
      command->add_flag("--explain", s.explain,
                        "Print what each kernel would take, and why it was not chosen; --json has it in any case");
  command->add_option(
      "-o,--output", s.output,
      "C: NAME.mtx (coordinates, general, by rows, sums that cancel to zero kept) or NAME.araia, or that "
      "and .gz, whole or not at all; or a pipe, a device or an open descriptor (/dev/stdout); neither A "
      "nor B (default: C is not written)");
  add_values(command, s);
  add_type(command, s, {"f64", "f32", "c64"},
           "Scalars: f64, f32, c64 (default: those of A and B where they are native, f32 of halves; f64 of all others, "
           "c64 where one has complex values); a finite value beyond the range of f32 is refused, integers that the "
           "type rounds (beyond 2^53 in f64) are warned of");
  add_device(command, s, "Where it runs");
  add_json(command, s);
  explain->excludes("--json");
  add_examples(command, {"araia spgemm A.mtx -o C.mtx", "araia spgemm A.mtx B.mtx --json",
                         "araia spgemm A.mtx --budget 5 --explain", "araia spgemm A.mtx --aat --pattern -o C.araia",
                         "araia spgemm A.mtx --memory 2GiB --type f32"});
  return command;
}

CLI::App* add_sddmm(CLI::App& app, Settings& s) {
  auto* command =
      app.add_subcommand("sddmm", "D = alpha A .* (X Y'), the product of two dense matrices at the entries of A");
  add_file(command, s);
  add_number(command, "--columns", s.columns, std::int64_t{1}, std::int64_t{1} << 30,
             "an integer from 1 to 1073741824 (2^30)", "Columns of X and Y (default: those of --x and --y, else 32)");
  command->add_option("--x", s.sddmm.x, "X, a Matrix Market file with A's number of rows (default: ones)");
  command->add_option("--y", s.sddmm.y, "Y, a Matrix Market file with a row for each column of A (default: ones)");
  command->add_flag("--pattern", s.pattern, "Of A only where it has entries: D = alpha X Y' there");
  add_real(command, "--alpha", s.alpha, "alpha, a finite number that the operands' type holds (default 1)");
  command->add_option("--kernel", s.kernel,
                      "A kernel as this command prints it, with its parameters or without: host_simd, "
                      "csr/equal_chunks{entries 64} (default: by the model, or what is fastest within --budget)");
  command->add_flag("--deterministic", s.deterministic, "Only kernels whose bits do not vary from run to run");
  add_kernel_budget(command, s);
  command->add_option("-o,--output", s.output,
                      "D, NAME.mtx or NAME.mtx.gz (coordinates, general, by rows), whole or not at all; or a pipe, a "
                      "device or an open descriptor (/dev/stdout); none of the inputs (default: D is not written)");
  command->add_flag("--verify", s.verify,
                    "Hold the kernel to the reference first, with finite random matrices in place of X and Y");
  add_values(command, s);
  add_types(command, s);
  add_json(command, s);
  add_examples(command, {"araia sddmm graph.mtx --columns 64 --budget 2 --verify",
                         "araia sddmm A.mtx --x X.mtx --y Y.mtx --pattern -o D.mtx",
                         "araia sddmm layer.smtx --columns 128 --type f32 --kernel host_simd --json"});
  return command;
}

CLI::App* add_convert(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("convert", "Write a matrix as Matrix Market, or as .araia in any format");
  add_file(command, s, "IN", "IN is");
  command
      ->add_option("OUT", s.output,
                   "NAME.mtx or NAME.araia, or that and .gz, whole or not at all; or a pipe, a device or an open "
                   "descriptor (/dev/stdout), which take Matrix Market, or native bytes where --format or --type is "
                   "given or they are called NAME.araia; not IN")
      ->required();
  command->add_option("--format", s.format,
                      "Format in .araia: " + format_names() +
                          " (default: csr). An .araia file holds assembled entries: symmetry is expanded, duplicates "
                          "are summed (of a pattern of ones they are one entry), integers are f64");
  add_type(command, s, {"f64", "f32", "c64"},
           "Scalars in .araia: f64, f32, c64 (default: those of IN where it is native, f32 of halves; f64 of all "
           "others, c64 of complex values); a finite value beyond the range of f32 is refused, integers that the type "
           "rounds (beyond 2^53 in f64) are warned of");
  add_values(command, s);
  add_json(command, s);
  add_examples(command, {"araia convert layer.smtx layer.mtx --values random:7", "araia convert A.mtx A.mtx.gz",
                         "araia convert A.mtx A.araia --format sell", "araia convert A.mtx A.araia.gz --type f32"});
  return command;
}

CLI::App* add_generate(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("generate", "Make a matrix of a class, or one like a published one, of any size");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  constexpr char const* size = "an integer from 1 to 2147483647 (2^31 - 1)";
  command->add_option("KIND", s.pattern_kind, "What it is: " + joined(generate::kinds()))->required();
  add_number(
      command, "--rows", s.rows, std::int64_t{1}, most, size,
      "Rows at least: the next size that the kind has, a cube of grid points or a whole number of nodes (default: "
      "by the kind; of look-alikes the original's)");
  add_number(command, "--cols", s.cols, std::int64_t{1}, most, size,
             "Columns of uniform, lp, pruned and row_lengths (default: the rows; of lp 50 times as many)");
  auto* const fill =
      add_number(command, "--fill", s.fill, std::numeric_limits<double>::min(), 1.0, "a number above 0, 1 at most",
                 "Share of the places that hold an entry, of banded, uniform, power_law, pruned and "
                 "row_lengths (default: by the kind)");
  add_number(command, "--entries-per-row", s.entries_per_row, std::int64_t{1}, most, size,
             "Mean entries of a row in place of --fill (default: by the kind)")
      ->excludes(fill);
  add_number(command, "--seed", s.seed, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(),
             "an unsigned integer below 2^64", "Of values, and of patterns that chance has a part in (default 0)");
  command
      ->add_option("-o,--output", s.output,
                   "NAME.mtx (real, general, coordinates by rows) or NAME.araia (csr, f64), or that and .gz, whole or "
                   "not at all; or a pipe, a device or an open descriptor (/dev/stdout)")
      ->required();
  add_memory(command, s);
  add_json(command, s);
  add_examples(command, {"araia generate stencil7 --rows 1000000 -o A.mtx",
                         "araia generate pruned --rows 2048 --fill 0.15 --seed 7 -o layer.mtx.gz",
                         "araia generate like:cant -o cant.araia --json"});
  return command;
}

CLI::App* add_solve(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand(
      "solve", "A x = b by conjugate gradients, or heads and flows of a water network (EPANET's .inp)");
  add_file(command, s);
  command->add_option("--rhs", s.rhs, "Of matrices: b, a Matrix Market file of one column (default: A times ones)");
  command->add_option(
      "-o,--output", s.output,
      "x, NAME.mtx or NAME.mtx.gz; of a network heads and pressures, NAME.csv; whole or not at all; or a "
      "pipe, a device or an open descriptor, as multiply has it");
  add_number(command, "--tolerance", s.tolerance, std::numeric_limits<double>::min(), 0.5,
             "a number above 0, 0.5 at most", "Of matrices: the residual's norm over that of b (default 1e-10)");
  command->add_option("--precondition", s.precondition, "Of matrices: none or jacobi (default: jacobi)")
      ->check(one_of({"none", "jacobi"}));
  command->add_option("--format", s.format, "Of matrices: " + format_names() + " (default: by the model)");
  add_device(command, s, "Of matrices: where it runs");
  add_number(command, "--max-iterations", s.max_iterations, std::int64_t{1}, std::int64_t{1} << 40,
             "an integer from 1 to 2^40",
             "Of matrices: iterations at most (default: 10 times the rows, 1000 at least)");
  command
      ->add_option("--method", s.method,
                   "Of networks: cg, or direct (Eigen's sparse Cholesky, where the build has it) (default: cg)")
      ->check(one_of({"cg", "direct"}));
  add_json(command, s);
  add_examples(command, {"araia solve A.mtx --rhs b.mtx -o x.mtx", "araia solve Net3.inp -o heads.csv",
                         "araia solve Net3.inp --method direct --json"});
  return command;
}

CLI::App* add_eig(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("eig", "Smallest or largest eigenpairs of A x = lambda x or A x = lambda B x");
  add_file(command, s, "FILE", "FILE and that of --mass are");
  add_number(command, "-k,--pairs", s.pairs, std::int64_t{1}, std::int64_t{64}, "an integer from 1 to 64",
             "Pairs, 1 to 64 (default 1)");
  command->add_flag("--largest", s.largest, "The largest values, descending, in place of the smallest, ascending");
  command->add_option("--mass", s.mass, "B, symmetric positive definite, a file likewise (default: the identity)");
  add_number(command, "--tolerance", s.tolerance, std::numeric_limits<double>::min(), 0.5,
             "a number above 0, 0.5 at most",
             "The norm of A x - lambda B x over that of A, or as the page has it with --mass (default 1e-8)");
  command->add_option("--precondition", s.precondition, "none or jacobi (default: none)")
      ->check(one_of({"none", "jacobi"}));
  add_number(command, "--max-iterations", s.max_iterations, std::int64_t{1}, std::int64_t{1} << 40,
             "an integer from 1 to 2^40", "Iterations at most (default 2000)");
  add_number(command, "--seed", s.start_seed, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(),
             "an integer from 0 to 2^64 - 1", "Of the random start (default 1)");
  command->add_option("-o,--output", s.output,
                      "The vectors as columns, NAME.mtx or NAME.mtx.gz, whole or not at all; or a pipe, a device or an "
                      "open descriptor, as multiply has it");
  add_device(command, s, "Where it runs");
  add_json(command, s);
  add_examples(command, {"araia eig A.mtx -k 8 -o vectors.mtx", "araia eig A.mtx -k 4 --largest --json",
                         "araia eig stiffness.mtx --mass mass.mtx -k 6 --precondition jacobi"});
  return command;
}

CLI::App* add_closeness(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand(
      "closeness", "Closeness, harmonic centrality or reach of the nodes of a graph, the pattern of a square matrix");
  add_file(command, s);
  command
      ->add_option_function<std::string>(
          "--sources",
          [&s](std::string const& text) {
            s.sources = text == "all" ? 0
                                      : number_of("--sources", text, std::int64_t{1}, std::int64_t{1} << 31,
                                                  "all or an integer from 1 to 2147483648 (2^31)");
          },
          "Nodes that distances are taken from: all, which is exact, or so many drawn at random, which gives "
          "estimates with a bound of their error (default: all)")
      ->type_name("{all,INT}");
  command
      ->add_option_function<std::string>(
          "--seed",
          [&s](std::string const& text) {
            s.draw_seed = number_of("--seed", text, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(),
                                    "an integer from 0 to 2^64 - 1");
          },
          "Of --sources INT: the draw (default 1)")
      ->type_name("INT");
  auto* const harmonic =
      command->add_flag("--harmonic", s.harmonic, "The score is the sum of 1 / distance, in place of the closeness");
  command->add_flag("--reach", s.reach, "The score is the number of nodes with a path to the node")->excludes(harmonic);
  command->add_flag("--undirected", s.undirected, "Every edge leads both ways");
  command->add_flag("--outgoing", s.outgoing,
                    "Distances from a node, in place of those to it; with --undirected they are the same");
  command->add_flag("--unscaled", s.unscaled,
                    "Closeness is one over the mean distance, without the factor of Wasserman and Faust: the share of "
                    "nodes that have a path; neither with --harmonic nor with --reach");
  command
      ->add_option("--method", s.method,
                   "How: bit_packed or portable (a bit a source), spmm (a column of a dense matrix a source) (default: "
                   "bit_packed where there is room)")
      ->check(one_of({"bit_packed", "portable", "spmm"}));
  command->add_option("--batch", s.batch, "Sources at once: 64, 128, 256 or 512 (default: what suits)")
      ->check(one_of({"64", "128", "256", "512"}));
  command->add_option(
      "-o,--output", s.output,
      "The scores, NAME.csv or NAME.csv.gz with lines node,score, nodes from 1, whole or not at all; or a pipe, a "
      "device or an open descriptor, as multiply has it");
  add_device(command, s, "Where it runs");
  add_json(command, s);
  add_examples(command, {"araia closeness roads.mtx --undirected -o scores.csv",
                         "araia closeness web.mtx --harmonic --sources 4096 --json",
                         "araia closeness web.mtx --method spmm --device cuda"});
  return command;
}

CLI::App* add_conv(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("conv", "A pruned convolution, or a net of them: sparse or dense, timed, checked");
  ConvSettings& c = s.conv;
  command->add_option("--layer", c.layer,
                      "C,H,W,K,R,S[,stride,pad,dilation,groups]: channels, height and width of the input, filters, "
                      "height and width of the kernel; stride, pad and dilation may differ by axis, as 1x2 (default "
                      "1,0,1,1)");
  command->add_option("--net", c.net, "A net's layers in order, a JSON file; instead of --layer");
  add_number(command, "--sparsity", c.sparsity, 0.0, 1.0, "a number from 0 to 1",
             "Of --layer: weights are pruned by magnitude to this share of zeros (default 0.9; those of a file as they "
             "are)");
  command->add_option("--weights", c.weights,
                      "Of --layer: a matrix file of K rows and C / groups R S columns in the order channel, r, s; a "
                      "pattern gets normal values by --seed (default: normal values)");
  command->add_flag("--bias", c.bias, "Of --layer: a bias of normal values");
  command->add_flag("--relu", c.relu, "Of --layer: y = max(y, 0)");
  add_number(command, "--seed", c.seed, std::int64_t{0}, std::int64_t{1} << 53, "an integer from 0 to 2^53",
             "Of random weights, biases and input (default 1, or the net's)");
  add_number(command, "--batch", c.batch, std::int64_t{1}, std::int64_t{1} << 20, "an integer from 1 to 2^20",
             "Images at a time (default: those of --input, else 1)");
  command->add_option("--layout", c.layout, "Of the tensors: nchw or nhwc (default nchw)")
      ->check(one_of({"nchw", "nhwc"}));
  command
      ->add_option("--method", c.method,
                   "How a layer is computed (default: the fastest); a net must be able to have all layers so")
      ->check(one_of({"shifted_columns", "im2col", "in_place", "dense", "depthwise"}));
  command->add_flag("--no-dense", c.no_dense, "Methods that multiply zeros are not tried: dense and depthwise");
  command->add_option("--precision", s.precision, "What products may round, of f32 alone (default native)")
      ->check(one_of(precision_names()));
  add_number(command, "--budget", c.budget, 0.0, 3600.0, "a number of seconds from 0 to 3600",
             "Seconds that timing a layer may take, at each sparsity that is timed (default 0.3); 0: a rule chooses");
  command->add_option("--input", c.input,
                      "x, NAME.npy of float32 or float64 in C order, in --layout (default: random)");
  command->add_option("-o,--output", s.output,
                      "y, NAME.npy or NAME.npy.gz, whole or not at all; or a pipe, a device or an open "
                      "descriptor, as multiply has it");
  add_type(command, s, {"f32", "f64"}, "Scalars: f32, f64 (default f32)");
  add_device(command, s, "Where it runs");
  add_json(command, s);
  add_examples(command, {"araia conv --layer 64,56,56,64,3,3,1,1 --sparsity 0.9",
                         "araia conv --layer 512,28,28,128,1,1 --weights layer.smtx --relu --batch 8 --json",
                         "araia conv --net resnet50.json --input image.npy -o logits.npy"});
  return command;
}

CLI::App* add_devices(CLI::App& app, Settings& s) {
  auto* command = app.add_subcommand("devices", "List the execution spaces of this build");
  command->add_flag("--measure", s.measure, "Measure read, copy and triad bandwidth, about a second each");
  add_json(command, s);
  add_examples(command, {"araia devices", "araia devices --measure --json"});
  return command;
}

/// What the parser says of an option's values, in the words of the other refusals.
std::string said_of_option(std::string text) {
  constexpr std::string_view values = ": is '";  // of one_of
  constexpr std::string_view twice = ": At Most 1 required but received ";
  constexpr std::string_view none = ": 1 required ";  // "INT missing"
  auto at = text.find(values);
  if (at != text.npos) return text.erase(at, 1);
  at = text.find(twice);
  if (at != text.npos)
    return formatted("{} is given {} times, expected once", text.substr(0, at), text.substr(at + twice.size()));
  at = text.find(none);
  return at == text.npos ? text : text.substr(0, at) + " lacks its value";
}

/// What the arguments lack or have too much of. What is unknown comes first: it may be what is missing, misspelt.
std::string usage_error(CLI::App const& app, CLI::ParseError const& error) {
  bool const extra = dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr;
  bool const missing = dynamic_cast<CLI::RequiredError const*>(&error) != nullptr;
  if (!extra && !missing) return said_of_option(error.what());
  auto const chosen = app.get_subcommands();
  std::vector<std::string> unknown;
  for (auto const& text : app.remaining(true))
    if (text != "--") unknown.push_back(in_quotes(text));
  if (chosen.empty()) {
    std::vector<std::string> names;
    for (auto const* command : app.get_subcommands({})) names.push_back(command->get_name());
    auto const known = formatted("expected a subcommand: {}", joined(names));
    return unknown.empty() ? known : formatted("unknown argument {}, {}", unknown.front(), known);
  }
  if (unknown.empty()) return error.what();
  return formatted("unknown argument{} {}; 'araia {} --help' shows what there is", unknown.size() == 1 ? "" : "s",
                   joined(unknown), chosen.front()->get_name());
}

/// \throws Failure with Exit::usage for an argument that is given, but empty
void refuse_empty(CLI::App const& command) {
  for (auto const* option : command.get_options())
    for (auto const& text : option->results())
      if (text.empty())
        throw Failure(Exit::usage, option->get_name(false, true) + " is empty, expected " +
                                       (option->get_positional() ? "a path" : "a value"));
}

int run(int argc, char** argv) {
  Settings s;
  CLI::App app("araia: find, prove and use the fastest sparse product for a matrix", "araia");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("araia ") + ARAIA_VERSION_STRING);
  app.footer("'araia COMMAND --help' shows its options with examples.\n" + std::string(exit_codes));
  struct Command {
    CLI::App* app;
    Exit (*run)(Settings const&);
  };
  Command const commands[] = {
      {add_info(app, s), run_info},
      {add_tune(app, s), run_tune},
      {add_multiply(app, s), run_multiply},
      {add_spgemm(app, s), run_spgemm},
      {add_sddmm(app, s), run_sddmm},
      {add_convert(app, s), run_convert},
      {add_generate(app, s), run_generate},
      {add_solve(app, s), run_solve},
      {add_eig(app, s), run_eig},
      {add_conv(app, s), run_conv},
      {add_closeness(app, s), run_closeness},
      {add_devices(app, s), run_devices},
  };
  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    auto const chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen.front()->help(app.get_name()));
    return 0;
  } catch (CLI::CallForVersion const&) {
    print(app.version() + "\n");
    return 0;
  } catch (CLI::ParseError const& e) {
    return complain(usage_error(app, e), Exit::usage);
  }
  for (auto const* command : app.get_subcommands()) refuse_empty(*command);
  for (std::string* const path :
       {&s.file, &s.second, &s.rhs, &s.initial, &s.conv.input, &s.conv.weights, &s.conv.net, &s.sddmm.x, &s.sddmm.y})
    if (*path == "-") *path = "/dev/stdin";
  if (s.memory != 0) set_default_host_memory_limit(s.memory);
  check_environment();
  require_threads();
  Kokkos::InitializationSettings kokkos;
  kokkos.set_disable_warnings(true);      // its advice on binding threads is for programs that run alone
  kokkos.set_print_configuration(false);  // standard output is the report's
  if (auto const threads = number_of_threads()) kokkos.set_num_threads(*threads);
  Kokkos::ScopeGuard const guard(kokkos);
  for (auto const& command : commands)
    if (command.app->parsed()) return static_cast<int>(command.run(s));
  return static_cast<int>(Exit::usage);
}

int guarded_run(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (Failure const& e) {
    return complain(e.what(), e.code());
  } catch (Error const& e) {
    return complain(said(e), exit_of(e));
  } catch (std::bad_alloc const&) {
    return complain("out of memory", Exit::resource);
  } catch (std::exception const& e) {
    return complain(e.what(), Exit::resource);
  }
}

}  // namespace
}  // namespace araia::cli

int main(int argc, char** argv) {
  araia::cli::catch_signals();
  return araia::cli::guarded_run(argc, argv);
}
