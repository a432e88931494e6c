// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entries of a Matrix Market file behind its header: what coordinate and array files share.

#include <araia/io/host_coo.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "matrix_market_header.hpp"
#include "scan.hpp"

namespace araia::detail {

HostCoo read_coordinate_body(MatrixMarketHeader const& header, LineBlocks& blocks, int threads, Departures& departures);

/// The values of an array file in its order: one triangle where there is symmetry.
HostCoo::Values read_array_body(MatrixMarketHeader const& header, LineBlocks& blocks, int threads,
                                Departures& departures);

/// What is wrong with a line; `at` is null where nothing is.
struct Fault {
  enum class Part { row, column, value, large_value, rest };
  Part part = Part::rest;
  std::uint64_t lines_before = 0;  // in its block
  char const* line = nullptr;
  char const* at = nullptr;
};

/// Lines of a block that depart from the standard in the one way that their field knows: a value behind an entry of a
/// pattern, an integer written as a decimal number.
struct Unusual {
  std::int64_t count = 0;
  std::uint64_t lines_before = 0;  // of the first, in its block
  char const* line = nullptr;
  char const* at = nullptr;

  // Seldom called, so that the loops over good lines stay small.
  void note(std::uint64_t before, char const* of_line, char const* here);
};

/// Counts what the blocks held, in their order, and throws what is wrong first.
class BodyProgress {
 public:
  explicit BodyProgress(MatrixMarketHeader const& header) : header_(header), lines_(header.lines) {}

  /// Of the next block: good entries, lines, those that are unusual, and the fault that ended them. Call with what a
  /// worker found.
  void take(LineBlock const& block, std::int64_t entries, std::uint64_t lines, Unusual const& unusual,
            Fault const& fault);
  /// for_each_block, whose workers' commit calls take. \throws LongLine with its number
  void walk(LineBlocks& blocks, int threads, std::function<BlockWorker()> const& make_worker) const;
  /// \throws Error unless all promised entries came
  void finish(Departures& departures) const;
  /// \throws Error at entry `index` of `block`, which has not been taken
  [[noreturn]] void refuse_entry(LineBlock const& block, std::int64_t index, std::string const& message) const;

 private:
  [[noreturn]] void refuse(Fault const& fault) const;

  MatrixMarketHeader const& header_;
  std::uint64_t lines_;
  std::int64_t entries_ = 0;
  std::int64_t unusual_ = 0;
  FilePlace first_unusual_{};
  std::string unusual_text_;
};

// How an entry's value is written, a struct a field. numbers: tokens a line.
struct RealField {
  using value_type = double;
  static constexpr int numbers = 1;
  static Scanned scan(char const* p, char const* end, double& value) { return scan_value(p, end, value); }
};
struct IntegerField {
  using value_type = std::int64_t;
  static constexpr int numbers = 1;
  static Scanned scan(char const* p, char const* end, std::int64_t& value) {
    Scanned const found = scan_value(p, end, value);
    return found.result == Scan::bad ? scan_whole_decimal(p, value) : found;
  }
};
struct UnsignedField {
  using value_type = std::int64_t;
  static constexpr int numbers = 1;
  static Scanned scan(char const* p, char const* end, std::int64_t& value) {
    return *p == '-' ? Scanned{p, Scan::bad} : IntegerField::scan(p, end, value);
  }
};
struct ComplexField {
  using value_type = std::complex<double>;
  static constexpr int numbers = 2;
  static Scanned scan(char const* p, char const* end, std::complex<double>& value) {
    double re = 0;
    double im = 0;
    Scanned found = scan_value(p, end, re);
    if (found.result == Scan::good) found = scan_value(skip_blanks(found.p), end, im);
    value = {re, im};
    return found;
  }
};
struct PatternField {
  using value_type = std::monostate;
  static constexpr int numbers = 0;
  static Scanned scan(char const* p, char const*, std::monostate&) { return {p, Scan::good}; }
};

/// Behind a decimal number at p that ends its line, but for blanks; p where something else stands there.
char const* skip_last_number(char const* p, char const* end);

/// Calls f(Field) with the field struct of the header.
template <class F>
auto with_field(Field field, F&& f) {
  switch (field) {
    case Field::real: return f(RealField{});
    case Field::integer: return f(IntegerField{});
    case Field::unsigned_integer: return f(UnsignedField{});
    case Field::complex: return f(ComplexField{});
    case Field::pattern: break;
  }
  return f(PatternField{});
}

/// Room that is grown for `more` elements: geometrically, but never beyond `most`.
template <class Vector>
void make_room(Vector& vector, std::size_t more, std::size_t most) {
  std::size_t const need = vector.size() + more;
  if (need > vector.capacity()) vector.reserve(std::max(need, std::min(most, 2 * vector.capacity())));
}

/// Elements that can be reserved at once: the promised ones where the file has the text for them.
inline std::size_t first_room(MatrixMarketHeader const& header, LineBlocks const& blocks) {
  return blocks.remaining().exact && !header.unfilled ? static_cast<std::size_t>(header.entries) : 0;
}

}  // namespace araia::detail
