// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fortran_format.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace araia::detail {
namespace {

constexpr int largest_exponent = 99999;  // decides between zero and too large, whatever the digits

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

constexpr std::size_t longest_format = 4096;  // characters: lines in use have 80
constexpr std::int64_t most_steps = 1 << 16;  // descriptors that a line is spelled out to
constexpr int deepest_group = 16;

// The format's characters one by one, without blanks and in capitals, as FORTRAN sees them.
class FormatText {
 public:
  explicit FormatText(std::string_view text) {
    for (char const c : text) {
      if (!is_blank(c)) text_ += upper(c);
    }
  }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Moves over an unsigned number of at most nine digits.
  bool take_number(std::int64_t& value) {
    std::size_t const first = at_;
    std::int64_t sum = 0;
    while (at_ < text_.size() && is_digit(text_[at_]) && at_ - first < 9) sum = 10 * sum + (text_[at_++] - '0');
    if (at_ == first) return false;
    value = sum;
    return true;
  }
  // Moves over kP; stays where there is none.
  bool take_scale(int& scale) {
    std::size_t const start = at_;
    bool const minus = take('-');
    if (!minus) take('+');
    std::int64_t k = 0;
    if (!take_number(k) || !take('P')) {
      at_ = start;
      return false;
    }
    scale = static_cast<int>(std::min<std::int64_t>(k, largest_exponent));
    if (minus) scale = -scale;
    return true;
  }
  [[nodiscard]] bool ended() const { return at_ == text_.size(); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

// An item of a format: fields, columns that are passed over, a setting, or a group of items.
struct Item {
  enum class Kind { fields, skip, scale, blanks, group };
  Kind kind = Kind::fields;
  std::int64_t repeat = 1;  // of fields and groups; of skip, the columns
  bool integer = false;     // of fields
  FortranFields field;      // width, decimals; of scale and blanks, what they set
  std::vector<Item> items;  // of a group
};

bool take_kind(FormatText& text, bool& integer) {
  integer = text.take('I');
  if (integer) return true;
  if (text.take('E')) {
    if (!text.take('S')) text.take('N');
    return true;
  }
  return text.take('D') || text.take('F') || text.take('G');
}

// Behind a repeat count: Iw, Ew.d and their kin.
bool take_fields(FormatText& text, Item& item) {
  FortranFields& field = item.field;
  if (!take_kind(text, item.integer) || !text.take_number(field.width)) return false;
  if (field.width < 1 || field.width > FortranFields::widest) return false;
  std::int64_t number = 0;
  if (!text.take('.')) return true;
  // Of I, the least number of digits written, which means nothing to a reader.
  if (!text.take_number(number) || number > FortranFields::widest) return false;
  if (item.integer) return true;
  field.decimals = static_cast<int>(number);
  return !text.take('E') || text.take_number(number);
}

// Items up to and with the closing parenthesis. A comma parts fields and groups; elsewhere FORTRAN, or the files in
// use, may leave it out.
bool take_items(FormatText& text, std::vector<Item>& items, int depth) {
  bool needs_comma = false;
  for (bool first = true; !text.take(')'); first = false) {
    bool const comma = !first && text.take(',');
    bool const ends_output = text.take(':');  // means nothing to a reader
    if (needs_comma && !comma && !ends_output) return false;
    needs_comma = false;
    if (ends_output) continue;
    Item item;
    if (text.take_scale(item.field.scale)) {
      item.kind = Item::Kind::scale;
    } else if (text.take('B')) {
      item.kind = Item::Kind::blanks;
      item.field.blanks_are_zeros = text.take('Z');
      if (!item.field.blanks_are_zeros && !text.take('N')) return false;
    } else if (text.take('S')) {  // S, SP, SS: signs that are written
      if (!text.take('P')) text.take('S');
      continue;
    } else {
      if (text.take_number(item.repeat) && item.repeat == 0) return false;
      if (text.take('(')) {
        item.kind = Item::Kind::group;
        if (depth == deepest_group || !take_items(text, item.items, depth + 1)) return false;
        needs_comma = true;
      } else if (text.take('X')) {
        item.kind = Item::Kind::skip;
      } else {
        if (!take_fields(text, item)) return false;
        needs_comma = true;
      }
    }
    items.push_back(std::move(item));
  }
  return true;
}

// Spells items out to the fields of a line.
class LineOf {
 public:
  LineOf(int scale, bool blanks_are_zeros) : scale_(scale), blanks_are_zeros_(blanks_are_zeros) {}

  // False where they are too many.
  bool add(std::span<Item const> items) {
    for (Item const& item : items) {
      if (++steps_ > most_steps) return false;
      switch (item.kind) {
        case Item::Kind::skip: column_ += item.repeat; break;
        case Item::Kind::scale: scale_ = item.field.scale; break;
        case Item::Kind::blanks: blanks_are_zeros_ = item.field.blanks_are_zeros; break;
        case Item::Kind::fields: add_fields(item); break;
        case Item::Kind::group:
          for (std::int64_t k = 0; k < item.repeat; ++k) {
            if (++steps_ > most_steps || !add(item.items)) return false;
          }
          break;
      }
    }
    return true;
  }

  [[nodiscard]] FortranLine const& line() const { return line_; }
  [[nodiscard]] bool integer() const { return integer_; }
  [[nodiscard]] int scale() const { return scale_; }
  [[nodiscard]] bool blanks_are_zeros() const { return blanks_are_zeros_; }

 private:
  void add_fields(Item const& item) {
    FortranFields run = item.field;
    run.column = column_;
    run.stride = run.width;
    run.count = item.repeat;
    run.scale = item.integer ? 0 : scale_;
    run.blanks_are_zeros = blanks_are_zeros_;
    column_ += run.count * run.width;
    line_.fields += run.count;
    integer_ = integer_ && item.integer;
    if (!line_.runs.empty() && joins(line_.runs.back(), run)) return;
    line_.runs.push_back(run);
  }

  // Lengthens `last` by `run` where they are alike and as far apart as the fields of `last`.
  static bool joins(FortranFields& last, FortranFields const& run) {
    if (last.width != run.width || last.decimals != run.decimals || last.scale != run.scale ||
        last.blanks_are_zeros != run.blanks_are_zeros) {
      return false;
    }
    std::int64_t const apart = run.column - (last.column + (last.count - 1) * last.stride);
    if ((last.count > 1 && last.stride != apart) || (run.count > 1 && run.stride != apart)) return false;
    last.stride = apart;
    last.count += run.count;
    return true;
  }

  FortranLine line_;
  std::int64_t column_ = 0;
  std::int64_t steps_ = 0;
  int scale_;
  bool blanks_are_zeros_;
  bool integer_ = true;
};

// Copies what is not blank, and zeros for blanks behind that where they stand for them; false where `out` is too small.
bool squeeze(std::string_view field, FortranFields const& format, char*& out, char const* end) {
  char const* const start = out;
  auto const put = [&](char c) {
    if (out == end) return false;
    *out++ = c;
    return true;
  };
  for (char const c : field) {
    if (!is_blank(c) && !put(c)) return false;
    if (is_blank(c) && format.blanks_are_zeros && out != start && !put('0')) return false;
  }
  // A field that the line's end cuts goes on in blanks.
  for (auto at = static_cast<std::int64_t>(field.size()); format.blanks_are_zeros && out != start && at < format.width;
       ++at) {
    if (!put('0')) return false;
  }
  return true;
}

bool same_word(std::string_view text, std::string_view capitals) {
  return std::equal(text.begin(), text.end(), capitals.begin(), capitals.end(),
                    [](char a, char b) { return upper(a) == b; });
}

// Of a mantissa's end: a letter, a sign or both, then digits.
bool take_exponent(char const*& p, char const* end, int& exponent) {
  char const letter = upper(*p);
  bool const lettered = letter == 'E' || letter == 'D' || letter == 'Q';
  if (lettered) ++p;
  bool const signed_exponent = p != end && (*p == '+' || *p == '-');
  bool const minus = signed_exponent && *p == '-';
  if (signed_exponent) ++p;
  if ((!lettered && !signed_exponent) || p == end) return false;
  exponent = 0;
  for (; p != end && is_digit(*p); ++p) exponent = std::min(10 * exponent + (*p - '0'), largest_exponent);
  if (minus) exponent = -exponent;
  return p == end && is_digit(p[-1]);
}

}  // namespace

std::int64_t FortranLine::column_of(std::int64_t field) const {
  for (FortranFields const& run : runs) {
    if (field < run.count) return run.column + field * run.stride;
    field -= run.count;
  }
  return 0;  // callers ask for fields that there are
}

Wide FortranFormat::lines(Wide fields) const {
  auto const on_first = static_cast<Wide>(first.fields);
  auto const on_later = static_cast<Wide>(later.fields);
  if (fields <= on_first) return fields == 0 ? 0 : 1;
  return 1 + (fields - on_first + on_later - 1) / on_later;
}

Wide FortranFormat::least_bytes(Wide fields) const {
  auto const of_line = [](FortranLine const& line, Wide count) -> Wide {
    return count == 0 ? 0 : static_cast<Wide>(line.column_of(static_cast<std::int64_t>(count) - 1)) + 2;
  };
  auto const on_first = static_cast<Wide>(first.fields);
  auto const on_later = static_cast<Wide>(later.fields);
  if (fields <= on_first) return of_line(first, fields);
  Wide const left = fields - on_first;
  return of_line(first, on_first) + left / on_later * of_line(later, on_later) + of_line(later, left % on_later);
}

std::optional<FortranFormat> parse_fortran_format(std::string_view words) {
  if (words.size() > longest_format) return {};
  FormatText text(words);
  std::vector<Item> items;
  if (!text.take('(') || !take_items(text, items, 0) || !text.ended()) return {};
  LineOf whole(0, false);
  if (!whole.add(items)) return {};
  // FORTRAN begins a further line at the last group, or at the start where there is none. What kP, BN and BZ have set
  // stays.
  auto const last_group =
      std::find_if(items.rbegin(), items.rend(), [](Item const& item) { return item.kind == Item::Kind::group; });
  auto const from = last_group == items.rend() ? items.begin() : std::prev(last_group.base());
  LineOf again(whole.scale(), whole.blanks_are_zeros());
  if (!again.add({from, items.end()}) || again.line().fields == 0) return {};
  return FortranFormat{whole.integer(), whole.line(), again.line()};
}

Scan scan_field(std::string_view field, FortranFields const& format, std::int64_t& value) {
  std::array<char, FortranFields::widest> text;
  char* end = text.data();
  if (!squeeze(field, format, end, text.data() + text.size())) return Scan::bad;
  value = 0;
  if (end == text.data()) return Scan::good;
  char const* const first =
      text[0] == '+' && end - text.data() > 1 && is_digit(text[1]) ? text.data() + 1 : text.data();
  auto const found = std::from_chars(first, static_cast<char const*>(end), value);
  if (found.ec == std::errc::invalid_argument || found.ptr != end) return Scan::bad;
  return found.ec == std::errc{} ? Scan::good : Scan::too_large;
}

Scan scan_field(std::string_view field, FortranFields const& format, double& value) {
  std::array<char, FortranFields::widest> text;
  char* last = text.data();
  if (!squeeze(field, format, last, text.data() + text.size())) return Scan::bad;
  char const* const end = last;
  char const* p = text.data();
  value = 0;
  if (p == end) return Scan::good;

  // Sign and digits are copied; point, scale and the exponent's many forms become one exponent.
  std::array<char, FortranFields::widest + 16> plain;
  char* out = plain.data();
  bool const minus = *p == '-';
  if (minus) *out++ = '-';
  if (minus || *p == '+') ++p;
  std::string_view const unsigned_text(p, static_cast<std::size_t>(end - p));
  if (same_word(unsigned_text, "NAN") || same_word(unsigned_text, "INF") || same_word(unsigned_text, "INFINITY")) {
    bool const nan = unsigned_text[0] == 'N' || unsigned_text[0] == 'n';
    double const size = nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    value = minus ? -size : size;
    return Scan::good;
  }
  bool point = false;
  bool digits = false;
  for (; p != end && (is_digit(*p) || (*p == '.' && !point)); ++p) {
    if (*p == '.')
      point = true;
    else
      digits = true;
    *out++ = *p;
  }
  if (!digits) return Scan::bad;
  int exponent = -format.scale;
  if (p != end && !take_exponent(p, end, exponent)) return Scan::bad;
  if (!point) exponent -= format.decimals;
  *out++ = 'e';
  out = std::to_chars(out, plain.data() + plain.size(), exponent).ptr;
  auto const found =
      fast_float::from_chars(static_cast<char const*>(plain.data()), static_cast<char const*>(out), value);
  if (found.ptr != out) return Scan::bad;
  return std::isfinite(value) ? Scan::good : Scan::too_large;
}

}  // namespace araia::detail
