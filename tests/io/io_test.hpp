// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the tests of readers share: matrices and errors as short text, files in a directory of their own.

#include <araia/detail/io/read_options.hpp>
#include <araia/error.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/host_dense.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace araia::test {

inline void put(std::ostream& out, double value) { out << ' ' << value; }
inline void put(std::ostream& out, std::int64_t value) { out << ' ' << value; }
inline void put(std::ostream& out, std::complex<double> value) { out << ' ' << value.real() << ' ' << value.imag(); }

/// "2x3 g i32 f64; 1 1 2.5; 2 3 -1": shape, symmetry, widths, then the entries from 1.
inline std::string describe(HostCoo const& A) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << A.rows << 'x' << A.cols << ' ' << "gskh"[static_cast<int>(A.symmetry)];
  out << (A.row_indices.index() == 0 ? " i32" : " i64");
  static constexpr char const* fields[] = {"pattern", "f64", "c64", "int"};
  out << ' ' << fields[A.values.index()];
  std::visit(
      [&](auto const& rows, auto const& values) {
        auto const& cols = std::get<std::decay_t<decltype(rows)>>(A.col_indices);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          out << "; " << rows[k] + 1 << ' ' << cols[k] + 1;
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) put(out, values[k]);
        }
      },
      A.row_indices, A.values);
  return out.str();
}

/// "2x2 f64; 1 2 3 4": shape, then the elements column by column.
inline std::string describe(HostDense const& B) {
  std::ostringstream out;
  out << B.rows << 'x' << B.columns << (B.values.index() == 0 ? " f64;" : " c64;");
  std::visit(
      [&](auto const& values) {
        for (auto const& value : values) put(out, value);
      },
      B.values);
  return out.str();
}

/// What read() returns, described; or the error as "parse 3:5", with the place where it has one.
template <class Read>
std::string outcome(Read&& read) {
  try {
    return describe(read());
  } catch (Error const& error) {
    std::string text(to_string(error.kind()));
    if (error.place().line != 0) text += ' ' + std::to_string(error.place().line);
    if (error.place().column != 0) text += ':' + std::to_string(error.place().column);
    return text;
  }
}

/// What a reader makes of a file that departs from its standard: the outcome, then each warning on a line of its own.
/// \param read  called with options
template <class Read>
std::string outcome_with_warnings(Read&& read, ReadOptions options = {}) {
  std::string said;
  options.warn = [&said](std::string_view text) { (said += '\n') += text; };
  std::string const result = outcome([&] { return read(options); });
  return result + said;
}

/// The outcome where departures are refused.
template <class Read>
std::string strict_outcome(Read&& read) {
  ReadOptions options;
  options.strict = true;
  return outcome_with_warnings(read, options);
}

/// A directory that goes with its object.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "araia-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(TemporaryDirectory const&) = delete;
  TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;

  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string content(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put_content(std::filesystem::path const& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace araia::test
