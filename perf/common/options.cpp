// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <araia/generate/matrix.hpp>

namespace araia::perf {
namespace {

constexpr char const* help_text =
    "Flags of this suite (--flag=value):\n"
    "  --classes=LIST       generators: stencil7,stencil27,fem,lattice4,banded,uniform,power_law,circuit,lp,pruned,"
    "\n                       orbitals,power_grid, all (default) or none\n"
    "  --size-mb=LIST       CSR size of generated matrices in double, 1e6 bytes (default 16)\n"
    "  --matrix=FILE        a Matrix Market or SMTX file; may be repeated\n"
    "  --data=DIR           every .mtx, .smtx and their .gz in DIR; may be repeated. The folder's name is the class\n"
    "  --types=LIST         f64,f32 (default both)\n"
    "  --columns=LIST       columns of the dense operand, spmm only (default 16,64)\n"
    "  --steps              spmm only: times every number of columns N (--columns; default 1 to 130) beside N + 1, in\n"
    "                       one call and through a plan, and tells where that takes longer than it must; on three\n"
    "                       matrices of its own unless some are named\n"
    "  --regimes=LIST       cold,warm (default both)\n"
    "  --contenders=LIST    araia,kokkos_kernels,mkl,eigen,cusparse (default all present),bcsc\n"
    "  --samples=N          rounds over all contenders (default 21)\n"
    "  --batch-ms=T         least time of one sample (default 1)\n"
    "  --cache-mb=N         last-level cache to exceed (default: the machine's)\n"
    "  --most-copies=N      leave cold runs out that need more copies (default 2048)\n"
    "  --bandwidth-mb=N     array size of the bandwidth measurement (default: beyond the cache, on a device 4 GB "
    "where\n"
    "                       an eighth of its free memory allows)\n"
    "  --memory-mb=N        most that matrices, operands and formats take together where the products run (default:\n"
    "                       half of what is free at the start). Contenders that do not fit beside each other are "
    "timed\n"
    "                       in sets, those that do not fit at all are left out\n"
    "  --most-padding=R     leave formats out that store more than R entries a nonzero, or take more than R times the\n"
    "                       bytes of the CSR (default 2)\n"
    "  --measured-plan=S    adds the contender plan/measured: a plan that may time kernels for S seconds a matrix\n"
    "  --between            an ordinary kernel follows every product, and its time is taken off\n"
    "bench_convert and --steps have none of Google Benchmark's flags. bench_convert measures in f64 and goes by those "
    "of\n"
    "matrices and --samples alone, --steps by those, --types, --columns and --batch-ms.\n\n";

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

[[noreturn]] void refuse(std::string const& flag, std::string const& expected, std::string const& text) {
  throw std::invalid_argument(flag + ": expected " + expected + ", got '" + text + '\'');
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

double number(std::string const& flag, std::string const& text, double least, double most) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (std::logic_error const&) {
    used = 0;
  }
  if (used != text.size() || text.empty() || !(value >= least && value <= most))
    refuse(flag, "a number from " + shown(least) + " to " + shown(most), text);
  return value;
}

int count(std::string const& flag, std::string const& text) {
  constexpr double most = 1 << 30;
  double const value = number(flag, text, 1, most);
  if (value != std::floor(value)) refuse(flag, "a whole number from 1 to " + shown(most), text);
  return static_cast<int>(value);
}

/// At least one: without any the flag would stand for its default.
std::vector<std::string> items(std::string const& flag, std::string const& text) {
  auto parts = split(text);
  if (parts.empty()) refuse(flag, "a list with commas between", text);
  return parts;
}

void add_folder(std::vector<std::string>& files, std::string const& folder) {
  if (!std::filesystem::is_directory(folder)) throw std::invalid_argument("--data: no folder '" + folder + '\'');
  std::vector<std::string> found;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    std::string const name = entry.path().filename().string();
    if (name.ends_with("mtx") || name.ends_with("mtx.gz")) found.push_back(entry.path().string());
  }
  if (found.empty()) throw std::invalid_argument("--data: no .mtx, .smtx or their .gz in '" + folder + '\'');
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

void require_known(std::string const& flag, std::vector<std::string> const& given,
                   std::vector<std::string> const& known) {
  for (auto const& item : given)
    if (std::find(known.begin(), known.end(), item) == known.end()) {
      std::string message = flag + ": unknown '" + item + "', expected one of";
      for (auto const& name : known) message += ' ' + name;
      throw std::invalid_argument(message);
    }
}

}  // namespace

bool Options::wants(std::vector<std::string> const& list, std::string const& item) const {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

Options parse_options(int& argc, char** argv) {
  Options options;
  bool classes_given = false;
  constexpr double megabyte = 1e6;
  constexpr double most_megabytes = 1e6;
  constexpr double most_milliseconds = 1e6;
  constexpr double most_seconds = 1e4;
  auto const bytes = [&](std::string const& flag, std::string const& text) {
    return static_cast<std::int64_t>(number(flag, text, 0, most_megabytes) * megabyte);
  };
  using Handler = std::function<void(std::string const& flag, std::string const& value)>;
  std::map<std::string, Handler> const handlers{
      {"--classes",
       [&](auto const& flag, auto const& value) {
         classes_given = true;
         options.generators = value == "all"    ? generate::suite_kinds()
                              : value == "none" ? std::vector<std::string>{}
                                                : items(flag, value);
         require_known(flag, options.generators, generate::suite_kinds());
       }},
      {"--size-mb",
       [&](auto const& flag, auto const& value) {
         options.sizes_mb.clear();
         for (auto const& part : items(flag, value))
           options.sizes_mb.push_back(number(flag, part, 1e-3, most_megabytes));
       }},
      {"--matrix",
       [&](auto const& flag, auto const& value) {
         if (value.empty()) refuse(flag, "a file", value);
         options.files.push_back(value);
       }},
      {"--data", [&](auto const&, auto const& value) { add_folder(options.files, value); }},
      {"--types",
       [&](auto const& flag, auto const& value) {
         options.types = items(flag, value);
         require_known(flag, options.types, {"f64", "f32"});
       }},
      {"--columns",
       [&](auto const& flag, auto const& value) {
         options.columns.clear();
         for (auto const& part : items(flag, value)) options.columns.push_back(count(flag, part));
       }},
      {"--regimes",
       [&](auto const& flag, auto const& value) {
         options.regimes = items(flag, value);
         require_known(flag, options.regimes, {"cold", "warm"});
       }},
      {"--contenders",
       [&](auto const& flag, auto const& value) {
         options.contenders = items(flag, value);
         require_known(flag, options.contenders, {"araia", "kokkos_kernels", "mkl", "eigen", "cusparse", "bcsc"});
       }},
      {"--samples", [&](auto const& flag, auto const& value) { options.samples = count(flag, value); }},
      {"--batch-ms",
       [&](auto const& flag, auto const& value) {
         options.batch_seconds = number(flag, value, 0, most_milliseconds) * 1e-3;
       }},
      {"--cache-mb", [&](auto const& flag, auto const& value) { options.cache_bytes = bytes(flag, value); }},
      {"--most-copies", [&](auto const& flag, auto const& value) { options.most_copies = count(flag, value); }},
      {"--bandwidth-mb", [&](auto const& flag, auto const& value) { options.bandwidth_bytes = bytes(flag, value); }},
      {"--memory-mb",
       [&](auto const& flag, auto const& value) {
         options.memory_bytes = static_cast<std::int64_t>(number(flag, value, 1e-3, most_megabytes) * megabyte);
       }},
      {"--measured-plan",
       [&](auto const& flag, auto const& value) { options.plan_seconds = number(flag, value, 1e-3, most_seconds); }},
      {"--most-padding",
       [&](auto const& flag, auto const& value) {
         options.most_padding = number(flag, value, 1, std::numeric_limits<double>::infinity());
       }},
  };
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    std::size_t const equals = argument.find('=');
    std::string const flag = argument.substr(0, equals);
    auto const handler = handlers.find(flag);
    if (argument == "--help") {
      options.help = true;
      std::fputs(help_text, stdout);
    }
    if (argument == "--steps") {
      options.steps = true;
    } else if (argument == "--between") {
      options.between = true;
    } else if (handler == handlers.end()) {
      argv[kept++] = argv[i];
    } else {
      if (equals == std::string::npos) throw std::invalid_argument(flag + ": expected " + flag + "=value");
      handler->second(flag, argument.substr(equals + 1));
    }
  }
  argc = kept;
  if (!classes_given && options.files.empty() && !options.steps) options.generators = generate::suite_kinds();
  if (options.columns.empty()) {
    options.columns = {16, 64};
    if (options.steps) {
      constexpr int most_columns = 130;
      options.columns.resize(most_columns);
      std::iota(options.columns.begin(), options.columns.end(), 1);
    }
  }
  return options;
}

void refuse_others(int argc, char** argv) {
  if (argc > 1) throw std::invalid_argument(std::string("unknown argument '") + argv[1] + "'; --help lists the flags");
}

}  // namespace araia::perf
