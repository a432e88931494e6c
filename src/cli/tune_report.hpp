// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What commands that tune print of a report.

#include <string>

#include <araia/plan/report.hpp>

namespace araia::cli {

/// A table of the candidates that were timed, fastest first, and a line for each of the others.
std::string ranking(TuneReport const& report);

/// The winner, why it is that, and what finding it took.
std::string why(TuneReport const& report);

/// What Plan::verify found, or that it was left out.
std::string verified_line(TuneReport const& report, VerifyReport const& v);

}  // namespace araia::cli
