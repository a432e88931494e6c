// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix Market text to HostCoo and on to Csr: bytes of text a second, and the peak memory of a process that does both.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/generate/matrix.hpp>
#include <araia/io/matrix_market.hpp>
#include "src/io/atomic_file.hpp"

namespace araia::perf {
namespace {

constexpr char const* help_text =
    "Flags of this benchmark (--flag=value):\n"
    "  --size-mb=N          text of the generated matrix, 1e6 bytes, roughly (default 100)\n"
    "  --generator=NAME     its class (default uniform)\n"
    "  --matrix=FILE        a Matrix Market file instead; one that is compressed is read without a rate\n\n";

struct Options {
  double size_mb = 100;
  std::string generator = "uniform";
  std::string file;
  std::string peak_of;  // set in the process whose memory is measured
};

/// Takes our flags out of argv and leaves Google Benchmark's.
Options parse_options(int& argc, char** argv) {
  Options options;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value_of = [&](std::string_view flag) { return std::string(argument.substr(flag.size())); };
    if (argument == "--help") std::fputs(help_text, stdout);
    if (argument.starts_with("--size-mb=")) {
      std::string const text = value_of("--size-mb=");
      char* end = nullptr;
      options.size_mb = std::strtod(text.c_str(), &end);
      if (end == text.c_str() || *end != '\0' || !(options.size_mb > 0 && options.size_mb < 1e6))
        throw std::invalid_argument("--size-mb: expected a number above 0 and below 1e6, got '" + text + '\'');
    } else if (argument.starts_with("--generator=")) {
      options.generator = value_of("--generator=");
    } else if (argument.starts_with("--matrix=")) {
      options.file = value_of("--matrix=");
      if (options.file.empty()) throw std::invalid_argument("--matrix: expected a file, got ''");
    } else if (argument.starts_with("--peak-of=")) {
      options.peak_of = value_of("--peak-of=");
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return options;
}

using Assembled = Csr<double, std::int32_t, std::int32_t, HostDevice>;

Assembled read_and_assemble(std::string const& path) {
  return assemble<double, std::int32_t, std::int32_t>(read_matrix_market(path));
}

struct Memory {
  double peak = 0;       // bytes, all of the process
  double assembled = 0;  // bytes of the matrix
};

/// Most bytes that were resident since the program started. getrusage would count what ran before exec, too.
std::int64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stoll(line.substr(6));
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

/// In a process of its own: reads, assembles, and says on stdout how much memory that took.
int print_peak(std::string const& path) {
  Assembled const A = read_and_assemble(path);
  std::printf("%lld %lld\n", static_cast<long long>(peak_resident_bytes()), static_cast<long long>(A.bytes()));
  return 0;
}

/// Runs this program again with --peak-of=path.
Memory measure_peak(std::string const& path) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  std::string flag = "--peak-of=" + path;
  std::string name = "bench_io";
  std::array<char*, 3> const arguments{name.data(), flag.data(), nullptr};
  pid_t const child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 256> buffer{};
  for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Memory memory;
  if (status != 0 || std::sscanf(text.c_str(), "%lf %lf", &memory.peak, &memory.assembled) != 2)
    throw std::runtime_error("the process whose memory is measured failed with status " + std::to_string(status));
  return memory;
}

/// Of the file that was made here, for the handler of signals too.
char const* volatile temporary_path = nullptr;

void remove_temporary() {
  if (temporary_path) unlink(temporary_path);
  temporary_path = nullptr;
}

void end_by(int signal) {
  remove_unfinished_files();
  remove_temporary();
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // comes when this handler returns
}

/// The file that is read, taken away with the object where it was made here.
class TextFile {
 public:
  explicit TextFile(Options const& options) : path_(options.file) {
    if (!path_.empty()) return;
    constexpr double bytes_of_an_entry = 33;  // two indices of 6 digits, 17 digits of a value and its exponent or sign
    auto const nnz = std::llround(options.size_mb * 1e6 / bytes_of_an_entry);
    GeneratedMatrix const A = generate::of_entries(options.generator, std::max<std::int64_t>(nnz, 1));
    path_ = (std::filesystem::temp_directory_path() / ("araia_bench_io_" + std::to_string(getpid()) + ".mtx")).string();
    temporary_path = path_.c_str();
    for (int const ending : {SIGINT, SIGTERM, SIGHUP})
      if (std::signal(ending, end_by) == SIG_IGN) std::signal(ending, SIG_IGN);  // nohup's choice stays
    write_matrix_market(path_, to_host_coo(A));
    check(A);
  }
  TextFile(TextFile const&) = delete;
  TextFile& operator=(TextFile const&) = delete;

  [[nodiscard]] std::string const& path() const { return path_; }
  [[nodiscard]] bool is_text() const {  // or compressed, of which gzip's first byte tells: its bytes give no rate
    return std::ifstream(path_, std::ios::binary).get() != 0x1f;
  }
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(std::filesystem::file_size(path_)); }

 private:
  /// \throws unless what is read and assembled has the bits that were written
  void check(GeneratedMatrix const& expected) const {
    Assembled const A = read_and_assemble(path_);
    if (A.rows != expected.rows || A.cols != expected.cols || A.nnz != expected.nnz() ||
        !std::equal(expected.row_offsets.begin(), expected.row_offsets.end(), A.row_offsets.data()) ||
        !std::equal(expected.col_indices.begin(), expected.col_indices.end(), A.col_indices.data()) ||
        !std::equal(expected.values.begin(), expected.values.end(), A.values.data()))
      throw std::runtime_error("the matrix that was read is not the one that was written");
  }

  std::string path_;
  struct Removal {
    ~Removal() { remove_temporary(); }
  } removal_;  // also where check() throws
};

void read_text(benchmark::State& state, TextFile const& file, int threads) {
  for ([[maybe_unused]] auto _ : state) {
    HostCoo const coo = read_matrix_market(file.path(), {.threads = threads});
    benchmark::DoNotOptimize(coo.stored());
  }
  if (file.is_text()) state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * file.bytes());
}

void assemble_entries(benchmark::State& state, TextFile const& file) {
  HostCoo const coo = read_matrix_market(file.path());
  std::int64_t bytes = 0;
  for ([[maybe_unused]] auto _ : state)
    bytes = static_cast<std::int64_t>(assemble<double, std::int32_t, std::int32_t>(coo).bytes());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);  // of the assembled matrix
}

void report_memory(benchmark::State& state, TextFile const& file) {
  Memory memory;
  for ([[maybe_unused]] auto _ : state) memory = measure_peak(file.path());
  state.counters["peak_bytes"] = memory.peak;
  state.counters["assembled_bytes"] = memory.assembled;
  state.counters["peak_ratio"] = memory.peak / memory.assembled;
}

int run(int argc, char** argv) {
  Options const options = parse_options(argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  if (!options.peak_of.empty()) return print_peak(options.peak_of);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  TextFile const file(options);
  benchmark::AddCustomContext(file.is_text() ? "text_bytes" : "compressed_bytes", std::to_string(file.bytes()));
  auto const add = [](std::string const& name, auto const& body) {
    benchmark::RegisterBenchmark(("io/matrix_market/" + name).c_str(), body)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("read/threads:1", [&](benchmark::State& state) { read_text(state, file, 1); });
  add("read/threads:all", [&](benchmark::State& state) { read_text(state, file, 0); });
  add("assemble", [&](benchmark::State& state) { assemble_entries(state, file); });
  add("read_and_assemble/peak_memory", [&](benchmark::State& state) { report_memory(state, file); });
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  try {
    return araia::perf::run(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
