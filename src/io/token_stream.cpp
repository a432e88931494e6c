// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "token_stream.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

#include <algorithm>

#include "scan.hpp"

namespace araia::detail {
namespace {

constexpr std::size_t longest_token = 1 << 16;  // bytes

}  // namespace

TokenStream::TokenStream(ByteSource& source, std::size_t block_bytes)
    : source_(source),
      block_bytes_(std::clamp<std::size_t>(block_bytes, 1, 1 << 24)),
      text_("\n"),
      p_(text_.data()),
      end_(text_.data()),
      number_at_(text_.data()) {}

bool TokenStream::refill() {
  before_ += whole_;
  text_.erase(0, whole_);
  size_ -= whole_;
  whole_ = 0;
  while (whole_ == 0 && !ended_) {
    Remaining const left = source_.remaining();
    // One byte more than there is finds the end of a small file without room for a block.
    auto const wanted = static_cast<std::size_t>(std::min<std::uint64_t>(
        std::max(block_bytes_, size_), left.exact && left.most != UINT64_MAX ? left.most + 1 : UINT64_MAX));
    text_.resize(size_ + wanted + 1);
    std::size_t const got = source_.read(text_.data() + size_, wanted);
    ended_ = got < wanted;
    auto const first = text_.begin();
    auto const last = first + static_cast<std::ptrdiff_t>(size_ + got);
    auto const cut =
        ended_ ? last
               : std::find_if(std::make_reverse_iterator(last), std::make_reverse_iterator(first), ends_token).base();
    size_ += got;
    whole_ = static_cast<std::size_t>(cut - first);
    if (whole_ == 0 && size_ > longest_token) {
      p_ = text_.data();
      refuse("a number of more than " + std::to_string(longest_token) + " characters");
    }
  }
  text_.resize(size_ + 1);
  text_.back() = '\n';
  p_ = text_.data();
  end_ = p_ + whole_;
  return whole_ != 0;
}

bool TokenStream::to_visible() {
  for (;;) {
    while (p_ != end_ && is_blank(*p_)) ++p_;
    if (p_ != end_) return true;
    if (!refill()) return false;
  }
}

void TokenStream::take_line_end() {
  bool const cr = *p_ == '\r';
  ++p_;
  if (cr && (p_ != end_ || refill()) && *p_ == '\n') ++p_;
  ++line_;
  line_at_ = before_ + static_cast<std::uint64_t>(p_ - text_.data());
}

bool TokenStream::next_line() {
  while (to_visible()) {
    if (is_line_end(*p_)) {
      take_line_end();
    } else if (*p_ == '%') {
      do {
        while (p_ != end_ && !is_line_end(*p_)) ++p_;
      } while (p_ == end_ && refill());
    } else {
      return true;
    }
  }
  return false;
}

bool TokenStream::more_in_line() { return to_visible() && !is_line_end(*p_); }

void TokenStream::skip_separator() {
  if (!more_in_line() || *p_ != ',') return;
  ++p_;
  to_visible();
}

std::int64_t TokenStream::number(char const* what, std::int64_t last, bool comma) {
  std::int64_t value = 0;
  char const* const q = p_ == end_ ? p_ : scan_natural(p_, value);
  if (q == p_ || value > last || !(ends_token(*q) || (comma && *q == ','))) {
    refuse(std::string(what) + " is " + quoted() + ", expected 0 to " + std::to_string(last));
  }
  number_at_ = p_;
  p_ = q;
  return value;
}

FilePlace TokenStream::place_of(char const* p) const {
  std::uint64_t const at = before_ + static_cast<std::uint64_t>(p - text_.data());
  return {source_.name(), line_, at - line_at_ + 1};
}

void TokenStream::refuse(std::string const& message) const { throw Error(ErrorKind::parse, place(), message); }

void TokenStream::refuse_number(std::string const& message) const {
  throw Error(ErrorKind::parse, place_of(number_at_), message);
}

std::string TokenStream::quoted() const {
  std::string_view const token = p_ == end_ ? std::string_view{} : token_at(p_);
  return token.empty() ? "nothing" : '\'' + escape(token) + '\'';
}

Remaining TokenStream::remaining() const {
  Remaining left = source_.remaining();
  std::uint64_t const held = size_ - static_cast<std::uint64_t>(p_ - text_.data());
  if (left.most <= UINT64_MAX - held) left.most += held;
  return left;
}

}  // namespace araia::detail
