// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [OPTIONS] and [TIMES].
#include <araia/io/epanet.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include "epanet_parser.hpp"

namespace araia::detail {
namespace {

constexpr double most_integer = 1e9;

}  // namespace

void EpanetParser::read_units() {
  struct Known {
    std::string_view name;
    FlowUnits units;
  };
  static constexpr Known known[] = {{"cfs", FlowUnits::cfs}, {"gpm", FlowUnits::gpm},   {"afd", FlowUnits::afd},
                                    {"mgd", FlowUnits::mgd}, {"imgd", FlowUnits::imgd}, {"lps", FlowUnits::lps},
                                    {"lpm", FlowUnits::lpm}, {"cmh", FlowUnits::cmh},   {"cmd", FlowUnits::cmd},
                                    {"mld", FlowUnits::mld}, {"si", FlowUnits::lps}};
  auto const* const one =
      std::find_if(std::begin(known), std::end(known), [&](Known const& k) { return is(1, k.name); });
  if (one == std::end(known)) refuse_word(1, "CFS, GPM, MGD, IMGD, AFD, LPS, LPM, MLD, CMH or CMD");
  network_.options.flow = one->units;
}

bool EpanetParser::read_choice() {
  auto& options = network_.options;
  bool const has_value = words_.size() > 1;
  if (is(0, "unit")) {
    if (has_value) read_units();
  } else if (is(0, "pres")) {
    if (is(1, "exp")) return false;
    if (is(1, "psi"))
      options.pressure = PressureUnits::psi;
    else if (is(1, "kpa"))
      options.pressure = PressureUnits::kpa;
    else if (is(1, "met"))
      options.pressure = PressureUnits::metres;
    else if (has_value)
      refuse_word(1, "PSI, KPA or METERS");
  } else if (is(0, "headl")) {
    if (is(1, "h-w"))
      options.formula = HeadLossFormula::hazen_williams;
    else if (is(1, "d-w"))
      options.formula = HeadLossFormula::darcy_weisbach;
    else if (is(1, "c-m"))
      options.formula = HeadLossFormula::chezy_manning;
    else if (has_value)
      refuse_word(1, "H-W, D-W or C-M");
  } else if (is(0, "hydr")) {
    if (is(1, "use")) unsupported(0, "HYDRAULICS USE, results from a file,");
  } else if (is(0, "unba")) {
    if (is(1, "stop")) {
      options.extra_trials = -1;
    } else if (is(1, "cont")) {
      options.extra_trials = 0;
      if (words_.size() > 2)
        options.extra_trials =
            static_cast<std::int32_t>(std::min(most_integer, not_negative(2, "the number of further trials")));
    } else if (has_value) {
      refuse_word(1, "STOP or CONTINUE");
    }
  } else if (is(0, "patt")) {
    if (has_value) default_pattern_ = words_[1].text;
  } else if (is(0, "dema")) {
    if (!is(1, "mode")) return false;
    if (is(2, "pda")) unsupported(2, "pressure dependent demand (DEMAND MODEL PDA)");
    if (words_.size() > 2 && !is(2, "dda")) refuse_word(2, "DDA");
  } else if (is(0, "back")) {
    if (is(2, "no")) unsupported(0, "BACKFLOW ALLOWED NO (of EPANET 2.3)");
  } else {
    // Of water quality and of files of others.
    return is(0, "qual") || is(0, "map") || is(0, "veri") || is(0, "segm");
  }
  return true;
}

void EpanetParser::read_option() {
  if (read_choice()) return;
  auto& options = network_.options;
  bool const two_words =
      is(0, "spec") || is(0, "emit") || is(0, "dema") || is(0, "mini") || is(0, "req") || is(0, "pres");
  std::size_t const at = two_words ? 2 : 1;
  if (words_.size() <= at) return;
  if (is(0, "toler") || is(0, "diff") || is(0, "mini") || is(0, "req") || is(0, "pres")) {
    (void)number(at, "the option's value");  // of water quality and PDA
    return;
  }
  auto const integer = [&](char const* what) {
    double const value = number(at, what);
    if (value < 1) refuse_word(at, std::string(what) + ", a number of at least 1");
    return static_cast<std::int32_t>(std::min(value, most_integer));
  };
  if (is(0, "damplimit"))
    options.damp_limit = number(at, "the limit of damping");
  else if (is(0, "flowchange"))
    options.flow_change = not_negative(at, "the largest change of flow");
  else if (is(0, "headerror"))
    options.head_error = not_negative(at, "the largest error of head");
  else if (is(0, "visc"))
    viscosity_ = positive(at, "the viscosity");
  else if (is(0, "spec"))
    options.specific_gravity = positive(at, "the specific gravity");
  else if (is(0, "trial"))
    options.trials = integer("the number of trials");
  else if (is(0, "accu"))
    options.accuracy = std::clamp(positive(at, "the accuracy"), 1e-5, 1e-1);
  else if (is(0, "htol"))
    options.head_tolerance = positive(at, "the tolerance of heads");
  else if (is(0, "qtol"))
    options.flow_tolerance = positive(at, "the tolerance of flows");
  else if (is(0, "rqtol")) {
    options.least_gradient = positive(at, "the least gradient");
    if (options.least_gradient >= 1) refuse_word(at, "the least gradient, a number below 1");
  } else if (is(0, "checkfreq"))
    options.check_frequency = integer("the trials between checks of status");
  else if (is(0, "maxcheck"))
    options.max_check = integer("the last trial that checks statuses");
  else if (is(0, "emit"))
    options.emitter_exponent = positive(at, "the exponent of emitters");
  else if (is(0, "dema"))
    options.demand_multiplier = positive(at, "the multiplier of demands");
  else
    refuse_word(0, "an option of EPANET 2.2, such as UNITS or HEADLOSS");
}

double EpanetParser::hours(std::string_view time, std::string_view units) const {
  std::array<double, 3> parts{};
  std::size_t count = 0;
  for (std::string_view rest = time;;) {
    std::size_t const colon = std::min(rest.find(':'), rest.size());
    if (count == parts.size() || !is_number(rest.substr(0, colon), parts[count])) return -1;
    ++count;
    if (colon == rest.size()) break;
    rest.remove_prefix(colon + 1);
  }
  if (count == 1) {
    if (units.empty()) return parts[0];
    if (begins_with(units, "sec")) return parts[0] / 3600;
    if (begins_with(units, "min")) return parts[0] / 60;
    if (begins_with(units, "hou")) return parts[0];
    if (begins_with(units, "day")) return parts[0] * 24;
  }
  double const clock = parts[0] + parts[1] / 60 + parts[2] / 3600;
  if (units.empty()) return clock;
  bool const afternoon = begins_with(units, "pm");
  if ((!afternoon && !begins_with(units, "am")) || clock >= 13) return -1;
  bool const twelve = clock >= 12;
  return afternoon ? (twelve ? clock : clock + 12) : (twelve ? clock - 12 : clock);
}

std::int64_t EpanetParser::seconds_at(std::size_t first, std::size_t end) const {
  double value = -1;
  if (end == first + 1) value = hours(words_[first].text, {});
  if (end == first + 2) value = hours(words_[first].text, words_[first + 1].text);
  constexpr double most_hours = 1e9;
  if (!(value >= 0 && value <= most_hours))
    refuse_word(first, "a time: hours as 1.5 or 1:30:00, with AM or PM, or a number with SEC, MIN, HOURS or DAYS");
  return static_cast<std::int64_t>(3600 * value + 0.5);
}

void EpanetParser::read_time() {
  require_words(2, "a time's name and value");
  if (is(0, "stat") || is(0, "mini")) return;
  bool const known = is(0, "dura") || is(0, "hydr") || is(0, "qual") || is(0, "rule") || is(0, "patt") ||
                     is(0, "repo") || is(0, "star");
  if (!known) refuse_word(0, "a time of EPANET 2.2, such as DURATION or PATTERN TIMESTEP");
  // The last word alone where it is a time, else with its units.
  std::size_t const last = words_.size() - 1;
  bool const alone = hours(words_[last].text, {}) >= 0;
  std::int64_t const seconds = seconds_at(alone ? last : last - 1, last + 1);
  auto& times = network_.times;
  if (is(0, "dura"))
    times.duration = seconds;
  else if (is(0, "patt") && is(1, "time"))
    times.pattern_step = seconds;
  else if (is(0, "patt") && is(1, "star"))
    times.pattern_start = seconds;
  else if (is(0, "patt"))
    refuse_word(1, "TIMESTEP or START");
  else if (is(0, "star"))
    times.start_clock = seconds % 86400;
}

}  // namespace araia::detail
