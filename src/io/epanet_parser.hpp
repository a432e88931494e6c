// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A network out of the lines of an EPANET file, one after another.

#include <araia/error.hpp>
#include <araia/io/epanet.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace araia::detail {

/// Does `text` begin with `word`, which is written small? EPANET knows its keywords so.
bool begins_with(std::string_view text, std::string_view word);

class EpanetParser {
 public:
  /// \param limit  bytes that the network may take
  EpanetParser(std::string file, std::uint64_t limit);

  /// Takes the next line, without its end; false once nothing more is read.
  /// \throws araia::Error as read_epanet
  bool take(std::string_view line);
  /// What was read, its references resolved.
  WaterNetwork finish();

 private:
  struct Word {
    std::string_view text;
    std::size_t column;  // from 1
  };
  enum class Section {
    none,
    title,
    junctions,
    reservoirs_and_tanks,
    pipes,
    pumps,
    valves,
    demands,
    emitters,
    patterns,
    curves,
    controls,
    rules,
    status,
    options,
    times,
    coordinates,
    skipped,
    end
  };
  using Names = std::unordered_map<std::string, std::int32_t>;
  /// Of [STATUS]: one link's, or that of all in a range among those read before it.
  struct StatusLine {
    WaterLinkStatus status = WaterLinkStatus::active;
    double setting = 0;
    std::int32_t link = no_index;           // no_index: a range
    std::size_t links = 0;                  // that were read before the range
    std::array<std::int64_t, 2> numbers{};  // least and most; 0: it is one of names
    std::array<std::string, 2> names{};
  };
  /// (links) 1 + the index of a line of status_lines_; 0: none.
  using LastLines = std::vector<std::size_t>;
  /// Names that lines may use before they are defined.
  struct Mention {
    FilePlace place;
    bool defined = false;
  };

  // Lines and words, in epanet.cpp.
  void split(std::string_view line);
  Section section_of(Word const& word) const;
  void dispatch(std::string_view line);
  [[nodiscard]] FilePlace place(std::size_t word) const;
  [[noreturn]] void refuse(std::size_t word, std::string const& message) const;
  [[noreturn]] void refuse_word(std::size_t word, std::string const& expected) const;
  [[noreturn]] void unsupported(std::size_t word, std::string const& message) const;
  void require_words(std::size_t least, char const* expected) const;
  [[nodiscard]] bool is(std::size_t word, std::string_view keyword) const {
    return word < words_.size() && begins_with(words_[word].text, keyword);
  }
  [[nodiscard]] static bool is_number(std::string_view text, double& value);
  [[nodiscard]] double number(std::size_t word, char const* what) const;
  [[nodiscard]] double positive(std::size_t word, char const* what) const;
  [[nodiscard]] double not_negative(std::size_t word, char const* what) const;
  /// \param bytes  that the network grows by, with what vectors have in reserve
  void hold(std::uint64_t bytes);

  // Sections, in epanet_sections.cpp.
  void read_junction();
  void read_reservoir_or_tank();
  void read_pipe();
  void read_pump();
  void read_old_pump(WaterLink& pump);
  void read_valve();
  void check_valve_places(WaterLink const& valve);
  void read_demand();
  void read_emitter();
  void read_pattern();
  void read_curve();
  void read_control();
  void read_rule();
  void read_coordinates();
  WaterNode& add_node(WaterNodeKind kind);
  WaterLink begin_link(WaterLinkKind kind, char const* what) const;
  WaterLink& add_link(WaterLink link);
  [[nodiscard]] std::int32_t node(std::size_t word) const;
  [[nodiscard]] std::int32_t link(std::size_t word) const;
  std::int32_t pattern(std::size_t word);
  std::int32_t curve(std::size_t word);
  std::int32_t pattern_named(std::string_view id, FilePlace const& place);
  std::int32_t curve_named(std::string_view id, FilePlace const& place);

  // Statuses, in epanet_status.cpp.
  void read_status();
  void set_status(WaterLink& link, WaterLinkStatus status, double setting) const;
  void resolve_statuses();
  [[nodiscard]] LastLines last_lines(bool with_setting) const;

  // Options and times, in epanet_options.cpp.
  void read_option();
  bool read_choice();
  void read_units();
  void read_time();
  [[nodiscard]] double hours(std::string_view time, std::string_view units) const;  // negative where it is none
  [[nodiscard]] std::int64_t seconds_at(std::size_t first, std::size_t end) const;

  // The end, in epanet.cpp.
  void resolve_patterns();
  void check_curves() const;
  void check_tanks() const;

  std::uint64_t limit_;
  std::uint64_t held_ = 0;
  std::uint64_t line_ = 0;  // from 1
  Section section_ = Section::none;
  std::vector<Word> words_;
  WaterNetwork network_;
  Names nodes_;
  Names links_;
  Names patterns_;
  Names curves_;
  std::vector<Mention> pattern_mentions_;
  std::vector<Mention> curve_mentions_;
  std::vector<char> demands_replaced_;  // (nodes) by [DEMANDS]
  // By node: the last PRV, PSV and FCV that begins there, and that ends there.
  std::unordered_map<std::int32_t, std::array<std::int32_t, 6>> valve_ends_;
  // From the first range on: ranges are resolved together at the end, so that many cost no pass over all links each.
  std::vector<StatusLine> status_lines_;
  std::string default_pattern_ = "1";
  double viscosity_ = 0;  // as the file has it; 0: not at all
};

}  // namespace araia::detail
