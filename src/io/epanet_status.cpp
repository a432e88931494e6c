// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [STATUS]: of one link, or of all in a range of numbers or names.
#include <araia/io/epanet.hpp>

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "epanet_parser.hpp"

namespace araia::detail {
namespace {

// The number that a name begins with, 0 where it is none: EPANET's ranges of [STATUS] compare those.
std::int64_t leading_number(std::string_view id) {
  std::int64_t value = 0;
  constexpr std::int64_t most = std::int64_t{1} << 40;
  for (char const c : id) {
    if (c < '0' || c > '9') break;
    value = std::min(most, 10 * value + (c - '0'));
  }
  return value;
}

// Tells for each of the links whose key lies within some of the ranges which of these comes last.
// key(link); range(line): the least key and the most; found(link, line).
// Cost  (links + lines) log(links + lines): a pass over the links by key, with the ranges that have begun in a heap.
template <class Key, class Range, class Found>
void for_last_ranges(std::size_t links, std::vector<std::size_t> lines, Key const& key, Range const& range,
                     Found const& found) {
  std::vector<std::size_t> order(links);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  std::sort(lines.begin(), lines.end(), [&](std::size_t i, std::size_t j) { return range(i)[0] < range(j)[0]; });
  std::priority_queue<std::size_t> begun;
  auto next = lines.begin();
  for (std::size_t const link : order) {
    for (; next != lines.end() && range(*next)[0] <= key(link); ++next) begun.push(*next);
    while (!begun.empty() && range(begun.top())[1] < key(link)) begun.pop();
    if (!begun.empty()) found(link, begun.top());
  }
}

}  // namespace

void EpanetParser::set_status(WaterLink& link, WaterLinkStatus status, double setting) const {
  switch (link.kind) {
    case WaterLinkKind::check_valve: return;
    case WaterLinkKind::pipe:
    case WaterLinkKind::gpv:
      if (status != WaterLinkStatus::active) link.status = status;
      return;
    case WaterLinkKind::pump:
      link.setting = status == WaterLinkStatus::active ? setting : status == WaterLinkStatus::open ? 1.0 : 0.0;
      link.status = link.setting == 0 ? WaterLinkStatus::closed : WaterLinkStatus::open;
      return;
    default:
      link.status = status;
      if (status == WaterLinkStatus::active) link.setting = setting;
      return;
  }
}

void EpanetParser::read_status() {
  require_words(2, "a link, or the first and last of several, and OPEN, CLOSED or a setting");
  std::size_t const last = words_.size() - 1;
  auto status = WaterLinkStatus::active;
  double setting = 0;
  if (is(last, "open"))
    status = WaterLinkStatus::open;
  else if (is(last, "clos"))
    status = WaterLinkStatus::closed;
  else
    setting = not_negative(last, "OPEN, CLOSED or a setting");
  if (last == 1) {
    std::int32_t const index = link(0);
    WaterLink& one = network_.links[static_cast<std::size_t>(index)];
    if (one.kind == WaterLinkKind::check_valve)
      refuse_word(0, "a link without a check valve, which has its own status");
    if (one.kind == WaterLinkKind::gpv && status == WaterLinkStatus::active)
      refuse_word(0, "a link that has a setting: a GPV is OPEN or CLOSED");
    if (status_lines_.empty()) return set_status(one, status, setting);
    hold(2 * sizeof(StatusLine));  // behind those of ranges, which are not applied yet
    status_lines_.push_back({.status = status, .setting = setting, .link = index});
    return;
  }
  std::int64_t const from = leading_number(words_[0].text);
  std::int64_t const to = leading_number(words_[1].text);
  StatusLine range{.status = status, .setting = setting, .links = network_.links.size()};
  if (from > 0 && to > 0) {
    range.numbers = {from, to};
  } else {
    range.names = {std::string(words_[0].text), std::string(words_[1].text)};
    hold(words_[0].text.size() + words_[1].text.size());
  }
  hold(2 * sizeof(StatusLine));
  status_lines_.push_back(std::move(range));
}

void EpanetParser::resolve_statuses() {
  if (status_lines_.empty()) return;
  std::size_t const links = network_.links.size();
  hold(links * (sizeof(std::int64_t) + 3 * sizeof(std::size_t)) + status_lines_.size() * 3 * sizeof(std::size_t));
  // What a link has is that of the last of its lines; but a line with a setting leaves a pipe as it is, and one without
  // leaves a valve its setting. So the last of either kind count, in the order of the file.
  LastLines const with_setting = last_lines(true);
  LastLines const without = last_lines(false);
  for (std::size_t k = 0; k < links; ++k) {
    auto const [first, second] = std::minmax(with_setting[k], without[k]);
    for (std::size_t const line : {first, second})
      if (line > 0) set_status(network_.links[k], status_lines_[line - 1].status, status_lines_[line - 1].setting);
  }
}

EpanetParser::LastLines EpanetParser::last_lines(bool with_setting) const {
  auto const& lines = status_lines_;
  auto const& links = network_.links;
  LastLines last(links.size(), 0);
  std::vector<std::size_t> by_number;
  std::vector<std::size_t> by_name;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if ((lines[i].status == WaterLinkStatus::active) != with_setting) continue;
    if (lines[i].link != no_index)
      last[static_cast<std::size_t>(lines[i].link)] = i + 1;
    else
      (lines[i].numbers[0] > 0 ? by_number : by_name).push_back(i);
  }
  auto const take = [&](std::size_t link, std::size_t line) {
    if (link < lines[line].links) last[link] = std::max(last[link], line + 1);
  };
  if (!by_number.empty()) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(links.size());
    for (auto const& link : links) numbers.push_back(leading_number(link.id));
    for_last_ranges(
        links.size(), std::move(by_number), [&](std::size_t link) { return numbers[link]; },
        [&](std::size_t line) { return lines[line].numbers; }, take);
  }
  if (!by_name.empty())
    for_last_ranges(
        links.size(), std::move(by_name), [&](std::size_t link) { return std::string_view(links[link].id); },
        [&](std::size_t line) {
          return std::array<std::string_view, 2>{lines[line].names[0], lines[line].names[1]};
        },
        take);
  return last;
}

}  // namespace araia::detail
