// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/epanet.hpp>
#include "src/io/escape.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "byte_source.hpp"
#include "epanet_parser.hpp"
#include "line_blocks.hpp"
#include "scan.hpp"

namespace araia {
namespace detail {
namespace {

constexpr std::size_t quoted_bytes = 60;

std::string in_quotation_marks(std::string_view text) { return '\'' + escape(text, quoted_bytes) + '\''; }

WaterNetwork read_network(ByteSource& source, ReadOptions const& options) {
  EpanetParser parser(source.name(), memory_limit(options));
  LineBlocks blocks(source, options.block_bytes);
  LineBlock block;
  std::uint64_t lines = 0;
  try {
    while (blocks.next(block)) {
      for (char const* p = block.begin(); p != block.end();) {
        char const* const last = std::min(line_end(p), block.end());
        ++lines;
        if (!parser.take({p, static_cast<std::size_t>(last - p)})) return parser.finish();
        p = next_line(last, block.end());
      }
    }
  } catch (LongLine const& error) {
    throw LongLine(error.place().file, lines + 1);
  }
  return parser.finish();
}

}  // namespace

bool begins_with(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin(), [](char small, char c) {
    return (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == small;
  });
}

EpanetParser::EpanetParser(std::string file, std::uint64_t limit) : limit_(limit) { network_.file = std::move(file); }

bool EpanetParser::take(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (line.find('\0') != line.npos)
    throw Error(ErrorKind::parse, {network_.file, line_, line.find('\0') + 1},
                "a zero byte, expected the text of an EPANET input file");
  split(line);
  if (words_.empty()) return true;
  if (words_[0].text.starts_with('[')) {
    section_ = section_of(words_[0]);
    return section_ != Section::end;
  }
  dispatch(line);
  return true;
}

void EpanetParser::split(std::string_view line) {
  words_.clear();
  std::string_view const text = line.substr(0, std::min(line.find(';'), line.size()));
  auto const parts = [](char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; };
  for (std::size_t at = 0; at < text.size();) {
    if (parts(text[at])) {
      ++at;
      continue;
    }
    bool const quoted = text[at] == '"';
    std::size_t const first = at + (quoted ? 1 : 0);
    std::size_t last = first;
    while (last < text.size() && (quoted ? text[last] != '"' : !parts(text[last]))) ++last;
    words_.push_back({text.substr(first, last - first), first + 1});
    at = last + (quoted ? 1 : 0);
  }
}

EpanetParser::Section EpanetParser::section_of(Word const& word) const {
  struct Known {
    std::string_view name;
    Section section;
  };
  static constexpr Known known[] = {{"[titl", Section::title},
                                    {"[junc", Section::junctions},
                                    {"[rese", Section::reservoirs_and_tanks},
                                    {"[tank", Section::reservoirs_and_tanks},
                                    {"[pipe", Section::pipes},
                                    {"[pump", Section::pumps},
                                    {"[valv", Section::valves},
                                    {"[dema", Section::demands},
                                    {"[emit", Section::emitters},
                                    {"[patt", Section::patterns},
                                    {"[curv", Section::curves},
                                    {"[cont", Section::controls},
                                    {"[rule", Section::rules},
                                    {"[stat", Section::status},
                                    {"[opti", Section::options},
                                    {"[time", Section::times},
                                    {"[coor", Section::coordinates},
                                    {"[sour", Section::skipped},
                                    {"[qual", Section::skipped},
                                    {"[reac", Section::skipped},
                                    {"[mixi", Section::skipped},
                                    {"[ener", Section::skipped},
                                    {"[repo", Section::skipped},
                                    {"[labe", Section::skipped},
                                    {"[back", Section::skipped},
                                    {"[tags", Section::skipped},
                                    {"[vert", Section::skipped},
                                    {"[roug", Section::skipped},
                                    {"[end", Section::end}};
  for (auto const& one : known)
    if (begins_with(word.text, one.name)) return one.section;
  if (begins_with(word.text, "[leak")) unsupported(0, "leakage ([LEAKAGE], of EPANET 2.3)");
  refuse_word(0, "a section of EPANET 2.2, such as [JUNCTIONS] or [PIPES]");
}

void EpanetParser::dispatch(std::string_view line) {
  switch (section_) {
    case Section::none:
      if (words_[0].text.starts_with('<'))
        refuse(
            0,
            "the file is a web page, expected an EPANET input file: save the file itself, not the page that shows it");
      refuse_word(0, "the name of a section, such as [TITLE] or [JUNCTIONS]");
    case Section::title:
      if (network_.title.size() < 3) {
        hold(line.size());
        network_.title.emplace_back(line);
      }
      return;
    case Section::junctions: return read_junction();
    case Section::reservoirs_and_tanks: return read_reservoir_or_tank();
    case Section::pipes: return read_pipe();
    case Section::pumps: return read_pump();
    case Section::valves: return read_valve();
    case Section::demands: return read_demand();
    case Section::emitters: return read_emitter();
    case Section::patterns: return read_pattern();
    case Section::curves: return read_curve();
    case Section::controls: return read_control();
    case Section::rules: return read_rule();
    case Section::status: return read_status();
    case Section::options: return read_option();
    case Section::times: return read_time();
    case Section::coordinates: return read_coordinates();
    case Section::skipped:
    case Section::end: return;
  }
}

FilePlace EpanetParser::place(std::size_t word) const {
  return {network_.file, line_, word < words_.size() ? words_[word].column : 0};
}

void EpanetParser::refuse(std::size_t word, std::string const& message) const {
  throw Error(ErrorKind::parse, place(word), message);
}

void EpanetParser::refuse_word(std::size_t word, std::string const& expected) const {
  refuse(word, (word < words_.size() ? in_quotation_marks(words_[word].text) : std::string("the line ends")) +
                   ", expected " + expected);
}

void EpanetParser::unsupported(std::size_t word, std::string const& message) const {
  throw Error(ErrorKind::unsupported, place(word),
              message +
                  " is not supported, expected what EPANET 2.2 calculates "
                  "from demands (DDA)");
}

void EpanetParser::require_words(std::size_t least, char const* expected) const {
  if (words_.size() >= least) return;
  refuse(words_.size(), "the line has " + std::to_string(words_.size()) + " of " + std::to_string(least) +
                            " words, expected " + expected);
}

bool EpanetParser::is_number(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  auto const found = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return found.ec == std::errc{} && found.ptr == text.data() + text.size() && std::isfinite(value);
}

double EpanetParser::number(std::size_t word, char const* what) const {
  double value = 0;
  if (word >= words_.size() || !is_number(words_[word].text, value))
    refuse_word(word, std::string(what) + ", a finite number");
  return value;
}

double EpanetParser::positive(std::size_t word, char const* what) const {
  double const value = number(word, what);
  if (value <= 0) refuse_word(word, std::string(what) + ", a number above 0");
  return value;
}

double EpanetParser::not_negative(std::size_t word, char const* what) const {
  double const value = number(word, what);
  if (value < 0) refuse_word(word, std::string(what) + ", a number of at least 0");
  return value;
}

void EpanetParser::hold(std::uint64_t bytes) {
  held_ += bytes;
  if (held_ <= limit_) return;
  throw Error(
      ErrorKind::resource_limit, {network_.file, line_},
      "the network up to here needs " + std::to_string(held_) + " bytes, the limit is " + std::to_string(limit_));
}

WaterNetwork EpanetParser::finish() {
  if (section_ == Section::none)
    throw Error(ErrorKind::parse, {network_.file, std::max<std::uint64_t>(1, line_)},
                "the file ends before its first section, expected an EPANET input file");
  auto const is_junction = [](WaterNode const& node) { return node.kind == WaterNodeKind::junction; };
  auto const junctions = std::count_if(network_.nodes.begin(), network_.nodes.end(), is_junction);
  if (junctions == 0)
    throw Error(ErrorKind::parse, {network_.file, line_}, "the file has no junctions, expected one at least");
  if (static_cast<std::size_t>(junctions) == network_.nodes.size())
    throw Error(ErrorKind::parse, {network_.file, line_},
                "the file has neither a reservoir nor a tank, expected one at least: no head would be known");
  resolve_statuses();
  resolve_patterns();
  check_curves();
  check_tanks();
  auto& options = network_.options;
  bool const metric = is_metric(options.flow);
  if (!metric)
    options.pressure = PressureUnits::psi;
  else if (options.pressure == PressureUnits::psi)
    options.pressure = PressureUnits::metres;
  // A large number is a multiple of water's viscosity, a small one is in ft^2/s or m^2/s.
  constexpr double of_water = 1.1e-5;
  constexpr double square_metre = 0.3048 * 0.3048;
  if (viscosity_ > 1e-3)
    options.viscosity = viscosity_ * of_water;
  else if (viscosity_ > 0)
    options.viscosity = metric ? viscosity_ / square_metre : viscosity_;
  else
    options.viscosity = of_water;
  if (network_.times.pattern_step <= 0) network_.times.pattern_step = 3600;
  return std::move(network_);
}

void EpanetParser::resolve_patterns() {
  for (auto const& mention : pattern_mentions_) {
    if (mention.defined) continue;
    auto const index = static_cast<std::size_t>(&mention - pattern_mentions_.data());
    throw Error(ErrorKind::parse, mention.place,
                "pattern " + in_quotation_marks(network_.patterns[index].id) +
                    " is not in the file, expected one of [PATTERNS]");
  }
  auto const found = patterns_.find(default_pattern_);
  if (found == patterns_.end()) return;
  for (auto& node : network_.nodes)
    for (auto& demand : node.demands)
      if (demand.pattern == no_index) demand.pattern = found->second;
}

void EpanetParser::check_curves() const {
  for (auto const& mention : curve_mentions_) {
    auto const& curve = network_.curves[static_cast<std::size_t>(&mention - curve_mentions_.data())];
    if (!mention.defined)
      throw Error(ErrorKind::parse, mention.place,
                  "curve " + in_quotation_marks(curve.id) + " is not in the file, expected one of [CURVES]");
  }
}

void EpanetParser::check_tanks() const {
  for (auto const& node : network_.nodes) {
    if (node.kind != WaterNodeKind::tank) continue;
    auto const& tank = node.tank;
    bool wrong = tank.initial_level > tank.maximum_level || tank.minimum_level > tank.maximum_level ||
                 tank.initial_level < tank.minimum_level;
    if (tank.volume_curve != no_index) {
      auto const& points = network_.curves[static_cast<std::size_t>(tank.volume_curve)].points;
      wrong = wrong || tank.minimum_level < points.front()[0] || tank.maximum_level > points.back()[0];
    }
    if (wrong)
      throw Error(ErrorKind::parse, {network_.file, node.line},
                  "the levels of tank " + in_quotation_marks(node.id) +
                      " contradict each other, expected minimum <= initial <= maximum, within its volume curve");
  }
}

}  // namespace detail

std::string_view to_string(FlowUnits units) noexcept {
  switch (units) {
    case FlowUnits::cfs: return "CFS";
    case FlowUnits::gpm: return "GPM";
    case FlowUnits::mgd: return "MGD";
    case FlowUnits::imgd: return "IMGD";
    case FlowUnits::afd: return "AFD";
    case FlowUnits::lps: return "LPS";
    case FlowUnits::lpm: return "LPM";
    case FlowUnits::mld: return "MLD";
    case FlowUnits::cmh: return "CMH";
    case FlowUnits::cmd: return "CMD";
  }
  return "unknown";
}

std::string_view to_string(WaterLinkKind kind) noexcept {
  switch (kind) {
    case WaterLinkKind::pipe: return "pipe";
    case WaterLinkKind::check_valve: return "CV";
    case WaterLinkKind::pump: return "pump";
    case WaterLinkKind::prv: return "PRV";
    case WaterLinkKind::psv: return "PSV";
    case WaterLinkKind::pbv: return "PBV";
    case WaterLinkKind::fcv: return "FCV";
    case WaterLinkKind::tcv: return "TCV";
    case WaterLinkKind::gpv: return "GPV";
  }
  return "unknown";
}

WaterNetwork read_epanet(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_network(*detail::open_source(path, options), options);
}

WaterNetwork parse_epanet(std::string_view text, std::string name, ReadOptions const& options) {
  return detail::read_network(*detail::memory_source(text, std::move(name)), options);
}

}  // namespace araia
