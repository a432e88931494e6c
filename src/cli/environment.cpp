// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What surrounds the command: variables of threads, and signals that end it.
#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <Kokkos_Macros.hpp>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "src/io/atomic_file.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

/// Kokkos 4.7 keeps so many on OpenMP and writes past the end of its list where there are more; far beyond it, OpenMP
/// cannot create them and ends the process.
constexpr int most_threads = 512;

std::string_view trimmed(std::string_view text) {
  constexpr char const* spaces = " \t";
  auto const first = text.find_first_not_of(spaces);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

bool is_thread_count(std::string_view text) {
  int count = 0;
  auto const digits = trimmed(text);
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return error == std::errc{} && end == digits.data() + digits.size() && count >= 1 && count <= most_threads;
}

/// OMP_NUM_THREADS has a number for each level of nesting, with commas between.
bool are_thread_counts(std::string_view text) {
  for (auto comma = text.find(','); comma != text.npos; comma = text.find(',')) {
    if (!is_thread_count(text.substr(0, comma))) return false;
    text.remove_prefix(comma + 1);
  }
  return is_thread_count(text);
}

bool is_device_number(std::string_view text) {
  int number = 0;
  auto const digits = trimmed(text);
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() && number >= 0;
}

bool is_device_mapping(std::string_view text) { return text == "random" || text == "mpi_rank"; }

void require(char const* variable, bool (*holds)(std::string_view), std::string_view expected) {
  char const* const text = ::getenv(variable);
  if (text && !holds(text))
    throw Failure(Exit::usage, formatted("{} is '{}' in the environment, expected {}", variable, text, expected));
}

std::atomic<bool> interruption = false;  // the handler runs on any thread
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

/// The number of threads that Kokkos is going to start, 1 where it starts none.
int threads_to_start() {
#ifdef KOKKOS_ENABLE_OPENMP
  if (char const* const text = ::getenv("KOKKOS_NUM_THREADS")) {
    int count = 1;
    auto const digits = trimmed(text);
    (void)std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return count;
  }
  return number_of_threads().value_or(::omp_get_max_threads());
#else
  return 1;
#endif
}

void end_by(int signal) {
  remove_unfinished_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // comes when this handler returns
}

}  // namespace

void check_environment() {
  auto const threads = formatted("a number of threads from 1 to {}", most_threads);
  require("KOKKOS_NUM_THREADS", is_thread_count, threads);
  require("OMP_NUM_THREADS", are_thread_counts, threads);
  require("KOKKOS_DEVICE_ID", is_device_number, "the number of a device, 0 or more");
  require("KOKKOS_MAP_DEVICE_ID_BY", is_device_mapping, "random or mpi_rank");
  // The command decides these itself; Kokkos would abort where they hold no boolean.
  for (char const* const decided : {"KOKKOS_PRINT_CONFIGURATION", "KOKKOS_DISABLE_WARNINGS", "KOKKOS_TUNE_INTERNALS"})
    ::unsetenv(decided);
}

void require_threads() {
  int const count = threads_to_start();
  std::mutex mutex;
  std::condition_variable released;
  bool release = false;
  std::vector<std::thread> others;
  int made = 1;
  try {
    for (; made < count; ++made)  // all at once, as OpenMP has them
      others.emplace_back([&] {
        std::unique_lock lock(mutex);
        released.wait(lock, [&] { return release; });
      });
  } catch (std::exception const&) {  // the run time of OpenMP would end the process, with an exit code of its own
  }
  {
    std::lock_guard const lock(mutex);
    release = true;
  }
  released.notify_all();
  for (auto& thread : others) thread.join();
  if (made < count)
    throw Failure(Exit::resource,
                  formatted("{} threads cannot be made, {} can: expected a smaller OMP_NUM_THREADS, or more memory for "
                            "their stacks",
                            count, made));
}

FirstInterruptStops::FirstInterruptStops() {
  interruption = false;
  struct sigaction noting {};
  noting.sa_handler = [](int) { interruption = true; };
  noting.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one is handled as any program's
  ::sigemptyset(&noting.sa_mask);
  struct sigaction before {};
  ::sigaction(SIGINT, nullptr, &before);
  installed_ = before.sa_handler == end_by;  // nohup's choice stays
  if (installed_) ::sigaction(SIGINT, &noting, nullptr);
}

FirstInterruptStops::~FirstInterruptStops() {
  struct sigaction ending {};
  ending.sa_handler = end_by;
  ::sigemptyset(&ending.sa_mask);
  if (installed_) ::sigaction(SIGINT, &ending, nullptr);
}

bool FirstInterruptStops::came() const { return interruption; }

std::optional<int> number_of_threads() {
#ifdef KOKKOS_ENABLE_OPENMP
  if (!::getenv("KOKKOS_NUM_THREADS") && ::omp_get_max_threads() > most_threads) return most_threads;
#endif
  return {};
}

void catch_signals() {
  ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of write, which is reported
  ::signal(SIGXFSZ, SIG_IGN);  // likewise a file beyond the limit of its size
  struct sigaction ending {};
  ending.sa_handler = end_by;
  // All that end a process by default, but SIGKILL. A stack that overflows leaves no room for a handler.
  std::vector<int> endings{SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
                           SIGXCPU, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,    SIGSYS,  SIGTRAP};
#ifdef SIGPOLL
  endings.push_back(SIGPOLL);
#endif
#ifdef SIGPWR
  endings.push_back(SIGPWR);
#endif
#ifdef SIGSTKFLT
  endings.push_back(SIGSTKFLT);
#endif
#ifdef __linux__
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) endings.push_back(signal);
#endif
  for (int const signal : endings) ::sigaddset(&ending.sa_mask, signal);
  for (int const signal : endings) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    bool const unset = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
    if (unset) ::sigaction(signal, &ending, nullptr);  // nohup's choice stays, and a sanitizer's
  }
}

}  // namespace araia::cli
