// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Banner, comments and size line of a Matrix Market file.

#include <araia/error.hpp>
#include <araia/io/host_coo.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "departures.hpp"
#include "line_blocks.hpp"

namespace araia::detail {

__extension__ using Wide = unsigned __int128;  // products of sizes fit

enum class Field { real, integer, unsigned_integer, complex, pattern };

struct MatrixMarketHeader {
  std::string name;
  bool array = false;
  bool vector = false;  // an array of one column, whose number is left out
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;  // lines of the body: as declared, or as many as an array of this size has
  std::uint64_t lines = 0;   // up to and including the size line
  // What the header promises beyond what the rest of the file can hold. Nothing is sized by it then; the body throws it
  // at its end: a line on the way there that is none of an entry says more.
  std::optional<Error> unfilled{};
};

/// Reads up to the size line and leaves what follows in `blocks`. What is beyond `memory` bytes is refused here, before
/// anything is allocated; what the rest of the file cannot fill is noted.
MatrixMarketHeader read_header(LineBlocks& blocks, std::uint64_t memory, Departures& departures);

/// Bytes of a value, and of an entry with its indices, once they are read.
std::uint64_t value_bytes(MatrixMarketHeader const& header);
std::uint64_t entry_bytes(MatrixMarketHeader const& header);

/// Refuses a result of more than `limit` bytes.
void require_memory(std::string const& name, std::string const& what, Wide need, std::uint64_t limit);
/// The same of the header's matrix, by what it promises falsely where it does.
void require_room(MatrixMarketHeader const& header, std::string const& what, Wide need, std::uint64_t limit);

}  // namespace araia::detail
