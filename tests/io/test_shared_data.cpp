// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every Matrix Market and SMTX file of the shared data set reads with the sizes that its README lists.
#include <araia/io/matrix_market.hpp>
#include <araia/io/read_matrix.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "io_test.hpp"
#include "support/data.hpp"

namespace {

namespace fs = std::filesystem;

struct Sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;  // symmetry expanded, duplicates once
  bool operator==(Sizes const&) const = default;
};

std::ostream& operator<<(std::ostream& out, Sizes const& s) {
  return out << s.rows << " x " << s.cols << ", " << s.nnz;
}

Sizes sizes_of(araia::HostCoo const& A) {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  std::visit(
      [&](auto const& rows) {
        auto const& cols = std::get<std::decay_t<decltype(rows)>>(A.col_indices);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          places.emplace_back(rows[k], cols[k]);
          if (A.symmetry != araia::Symmetry::general) places.emplace_back(cols[k], rows[k]);
        }
      },
      A.row_indices);
  std::sort(places.begin(), places.end());
  auto const last = std::unique(places.begin(), places.end());
  return {A.rows, A.cols, last - places.begin()};
}

std::vector<std::string> cells(std::string const& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '|');) {
    std::size_t const first = cell.find_first_not_of(" `");
    out.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(" `") + 1 - first));
  }
  return out;
}

// Rows of the README's tables: a file and its sizes; "-" where it must be refused. Other tables have other columns.
std::map<std::string, Sizes> listed_sizes(fs::path const& readme, std::vector<std::string>& refused) {
  std::map<std::string, Sizes> listed;
  std::ifstream in(readme);
  std::string folder;
  bool headers = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("## ", 0) == 0) {
      folder = line.substr(3, line.find('/') - 3) + '/';
      headers = folder == "headers/";
    }
    std::vector<std::string> const row = cells(line);
    if (row.size() < 5 || row[1].find(".mtx") == row[1].find(".smtx")) continue;
    Sizes sizes;
    if (!headers) {
      sizes = {std::stoll(row.at(4)), std::stoll(row.at(5)), std::stoll(row.at(6))};
    } else if (row.at(4) == "-") {
      refused.push_back(folder + row[1]);
      continue;
    } else if (std::sscanf(row[4].c_str(), "%ld x %ld, %ld", &sizes.rows, &sizes.cols, &sizes.nnz) != 3) {
      continue;
    }
    listed[folder + row[1]] = sizes;
  }
  return listed;
}

class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(data / "README.md"))
      GTEST_SKIP() << "no data at " << data << "; ARAIA_TEST_DATA names another place";
    listed = listed_sizes(data / "README.md", refused);
  }
  fs::path const data = araia::test::data_directory();
  std::map<std::string, Sizes> listed;
  std::vector<std::string> refused;
};

// Listed with sizes, as other readers take it, but not readable here, and why.
std::map<std::string, std::string> const refused_here = {
    {"headers/matrix_coordinate_real_general.mtx.bz2", "unsupported"},
    {"headers/invalid/overflow_value_gt_float64.mtx", "parse 4:5"},
};

TEST_F(SharedData, EveryMatrixReadsWithItsListedSizes) {
  int read = 0;
  for (auto const& [file, sizes] : listed) {
    if (refused_here.count(file) != 0) continue;
    try {
      EXPECT_EQ(sizes_of(araia::read_matrix(data / file)), sizes) << file;
      ++read;
    } catch (araia::Error const& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(read, 90);
}

TEST_F(SharedData, InvalidFilesAreRefusedAtTheRightPlace) {
  std::map<std::string, std::string> places = refused_here;
  for (auto const& [name, place] : std::map<std::string, std::string>{
           {"invalid_bad_banner", "parse 1:1"},
           {"invalid_bad_field", "parse 1:34"},
           {"invalid_bad_format", "parse 1:23"},
           {"invalid_bad_object", "parse 1:16"},
           {"invalid_bad_symmetry", "parse 1:39"},
           {"invalid_bad_value", "parse 3:5"},
           {"invalid_indices_out_of_range_1", "parse 5:1"},
           {"invalid_indices_out_of_range_2", "parse 6:3"},
           {"invalid_indices_out_of_range_3", "parse 5:1"},
           {"invalid_dimensions_out_of_range_1", "parse 3:1"},
           {"invalid_truncated_header_1", "parse 3:1"},
           {"invalid_truncated_line_1", "parse 5:4"},
           {"invalid_truncated_lines", "parse 2:5"},
           {"invalid_matrix_coord_too_long", "parse 7:1"},
           {"overflow_index_gt_int64", "parse 6:1"},
           {"overflow_dim_gt_int64", "parse 2:1"},
       }) {
    places["headers/invalid/" + name + ".mtx"] = place;
  }
  places["headers/vector_array.mtx"] = "4x1 g i32 f64; 1 1 101; 2 1 202; 4 1 404";  // other readers refuse vectors
  for (std::string const& file : refused) EXPECT_EQ(places.count(file), 1U) << file;
  for (auto const& [file, place] : places) {
    fs::path const path = data / file;
    EXPECT_EQ(araia::test::outcome([&] { return araia::read_matrix(path); }), place) << file;
  }
}

TEST_F(SharedData, EveryMatrixIsWrittenAndReadBackAlike) {
  for (auto const& [file, sizes] : listed) {
    if (refused_here.count(file) != 0 || sizes.nnz > 200000) continue;
    araia::HostCoo const A = araia::read_matrix(data / file);
    std::ostringstream out;
    araia::write_matrix_market(out, A);
    araia::HostCoo const B = araia::parse_matrix_market(out.str(), file);
    EXPECT_EQ(A.row_indices, B.row_indices) << file;
    EXPECT_EQ(A.col_indices, B.col_indices) << file;
    EXPECT_EQ(A.values, B.values) << file;
    EXPECT_EQ(A.symmetry, B.symmetry) << file;
  }
}

}  // namespace
