// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison of the 2019 thesis (chapter 4) on this device, in float: its kernels with the best parameters of
// tables 4.2 to 4.7, ours and cuSPARSE, cell after cell, a line of JSON each. perf/thesis_tables.py makes tables of
// them; docs/lab/thesis_2019.md says how to repeat it.
//
// A cell is a matrix with a number of columns. All its contenders are held to sums in double, then timed in turns,
// launches of each in a graph, operands warm. Of a cell:
//   thesis    naive, warp-centric and tiling with the rows of its tables for so many columns; of tiling also without
//             128-bit loads of B, and with warps that prefetch into one pair of tiles and into two
//   araia     the plan that measuring chooses, and the one that it chooses among all forms of BCSC
//   cusparse  CSR, the algorithms that there are, preprocessed: row-major and column-major; with B transposed as the
//             thesis's calls had it (C column-major), alone and behind the transposition of B by cuBLAS
#include <cublas_v2.h>

#include <algorithm>
#include <araia/error.hpp>
#include <araia/plan/any_matrix.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <common/bench_main.hpp>
#include <common/problem.hpp>
#include <common/program.hpp>
#include <common/timing.hpp>
#include <common/verify.hpp>
#include <peers/cusparse_descriptors.hpp>

#include "perf/thesis/bcsc_spmm_2019.hpp"
#include "perf/thesis/sweep.hpp"

namespace araia::perf {
namespace {

using Scalar = float;
using Indices = Vector<std::int32_t>;

struct Settings {
  std::vector<std::string> tables{};
  thesis::Part part{};
  std::string json{};
  bool resume = false;
  bool grid = false;
  double minutes = 9;
  double budget = 1;
  int rounds = 7;
  double batch_ms = 1;
};

constexpr char const* help_text =
    R"(bench_thesis: the comparison of the 2019 thesis, its kernels beside ours and cuSPARSE
  --table X     a table whose presets are timed, 4.2 to 4.7; may be given several times (default all). 4.2 to 4.4 are of
                pruned layers, 4.5 to 4.7 of look-alikes above 0.99
  --part I/N    every N-th cell, from the I-th on (default 1/1)
  --json FILE   where the cells' lines go (default: standard output)
  --resume      go on behind the cells that FILE has; without it FILE must not be there
  --minutes M   begin no cell after so many (default 9)
  --budget S    seconds of measuring of each of our two plans (default 1)
  --rounds N    samples of each contender, of which the median counts (default 7)
  --batch-ms T  least milliseconds of a sample (default 1)
  --grid        also every possible tiling of tables 4.4 and 4.7 that this build has (Araia_PERF_THESIS_GRID)
)";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    auto const value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::invalid_argument(argument + " has no value");
      return argv[++i];
    };
    if (argument == "--table")
      s.tables.push_back(value());
    else if (argument == "--part")
      s.part = thesis::part_of(value());
    else if (argument == "--json")
      s.json = value();
    else if (argument == "--resume")
      s.resume = true;
    else if (argument == "--grid")
      s.grid = true;
    else if (argument == "--minutes")
      s.minutes = positive_number<double>(argument, value());
    else if (argument == "--budget")
      s.budget = positive_number<double>(argument, value());
    else if (argument == "--rounds")
      s.rounds = positive_number<int>(argument, value());
    else if (argument == "--batch-ms")
      s.batch_ms = positive_number<double>(argument, value());
    else
      throw std::invalid_argument("unknown flag '" + argument + "'\n" + help_text);
  }
  if (s.resume && s.json.empty()) throw std::invalid_argument("--resume goes with --json FILE");
  return s;
}

void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + what + ": " + cublasGetStatusString(status));
}

/// A way to do the cell's product.
struct Entry {
  std::string fields;               ///< of JSON, behind which its seconds stand
  std::function<void(int)> launch;  ///< owns all but the cell's operands
  Scalar const* result = nullptr;   ///< C
  bool column_major = false;        ///< C's
};

/// A BCSC on the device as the thesis's kernels take it.
class DeviceBcsc {
 public:
  explicit DeviceBcsc(thesis::HostBcsc const& host)
      : block_offsets_(to_device<Indices>("block_offsets", host.block_offsets)),
        block_cols_(to_device<Indices>("block_cols", host.block_cols)),
        col_offsets_(to_device<Indices>("col_offsets", host.col_offsets)),
        row_in_block_(to_device<Indices>("row_in_block", host.row_in_block)),
        values_(to_device<Vector<Scalar>>("values", host.values)) {
    pointers_.rows = host.rows;
    pointers_.cols = host.cols;
    pointers_.nnz = static_cast<std::int64_t>(host.values.size());
    pointers_.blocks = static_cast<std::int64_t>(host.block_offsets.size()) - 1;
    pointers_.block_columns = static_cast<std::int64_t>(host.block_cols.size());
    pointers_.block_height = host.block_height;
    pointers_.block_offsets = block_offsets_.data();
    pointers_.block_cols = block_cols_.data();
    pointers_.col_offsets = col_offsets_.data();
    pointers_.row_in_block = row_in_block_.data();
    pointers_.values = values_.data();
  }
  [[nodiscard]] thesis::Bcsc const& pointers() const { return pointers_; }

 private:
  Indices block_offsets_, block_cols_, col_offsets_, row_in_block_;
  Vector<Scalar> values_;
  thesis::Bcsc pointers_{};
};

/// The matrix of a cell in all storages that its contenders need, kept while cells of one matrix follow each other.
struct Matrix {
  std::string name;
  GeneratedMatrix host;
  MatrixCopies<Scalar> csr;
  std::unique_ptr<AnyMatrix> any;
  std::map<int, std::shared_ptr<DeviceBcsc>> bcsc{};  ///< by block height

  Matrix(thesis::SweepMatrix const& which, Exec const& exec)
      : name(which.name()),
        host(which.make()),
        csr(host, exec, 1),
        any(make_any_matrix(AnySpace(exec), to_host_coo(host), ScalarTypes::f32)) {}

  std::shared_ptr<DeviceBcsc> blocks(int height) {
    auto& found = bcsc[height];
    if (!found) found = std::make_shared<DeviceBcsc>(thesis::to_bcsc(host, height));
    return found;
  }
};

/// B and C of a cell in both layouts.
struct Operands {
  std::vector<Scalar> host_b;  ///< (cols, columns) row-major
  RowMajor<Scalar> b, c;
  ColumnMajor<Scalar> b_columns, c_columns;
  RowMajor<Scalar> b_transposed;  ///< what the transposition of b_columns writes

  Operands(GeneratedMatrix const& A, int columns)
      : host_b(static_cast<std::size_t>(A.cols) * static_cast<std::size_t>(columns)),
        b(new_view<RowMajor<Scalar>>("B", A.cols, columns)),
        c(new_view<RowMajor<Scalar>>("C", A.rows, columns)),
        b_columns(new_view<ColumnMajor<Scalar>>("B by columns", A.cols, columns)),
        c_columns(new_view<ColumnMajor<Scalar>>("C by columns", A.rows, columns)),
        b_transposed(new_view<RowMajor<Scalar>>("B transposed", A.cols, columns)) {
    auto const by_rows = Kokkos::create_mirror_view(b);
    auto const by_columns = Kokkos::create_mirror_view(b_columns);
    for (std::int64_t i = 0; i < A.cols; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        auto const row = static_cast<std::size_t>(i);
        auto const column = static_cast<std::size_t>(j);
        auto const value = operand<Scalar>(i, j);
        host_b[row * static_cast<std::size_t>(columns) + column] = value;
        by_rows(row, column) = value;
        by_columns(row, column) = value;
      }
    araia::detail::copy_array(b, by_rows);
    araia::detail::copy_array(b_columns, by_columns);
  }
};

/// \param value  of printable characters
std::string field(char const* name, std::string value) {
  std::replace_if(
      value.begin(), value.end(), [](char c) { return c == '"' || c == '\\'; }, '\'');
  return std::string("\"") + name + "\": \"" + value + "\"";
}

template <class Launch>
void add_thesis(std::vector<Entry>& entries, char const* table, char const* kernel, std::string const& parameters,
                std::string const& further, Operands const& o, Launch const& launch) {
  entries.push_back(Entry{field("owner", "thesis") + ", " + field("table", table) + ", " + field("kernel", kernel) +
                              ", " + field("parameters", parameters) + further,
                          [launch](int) { check(launch(), "a kernel of the thesis"); }, o.c.data()});
}

void add_naive(std::vector<Entry>& entries, char const* table, thesis::NaiveRow const& row, Matrix& m,
               Operands const& o, cudaStream_t stream) {
  auto const a = m.blocks(row.m_tile);
  int const columns = row.columns;
  int const threads = row.threads;
  add_thesis(entries, table, "naive",
             "threads " + std::to_string(threads) + ", block_height " + std::to_string(row.m_tile), "", o,
             [a, &o, columns, threads, stream] {
               return thesis::naive(a->pointers(), o.b.data(), o.c.data(), columns, threads, stream);
             });
}

void add_warp_centric(std::vector<Entry>& entries, char const* table, thesis::WarpRow const& row, Matrix& m,
                      Operands const& o, cudaStream_t stream) {
  auto const a = m.blocks(row.m_tile);
  add_thesis(entries, table, "warp_centric",
             "warps " + std::to_string(row.warps) + ", warp_size " + std::to_string(row.warp_size) + ", block_height " +
                 std::to_string(row.m_tile),
             "", o, [a, &o, row, stream] {
               return thesis::warp_centric(a->pointers(), o.b.data(), o.c.data(), row.columns, row.warps, row.warp_size,
                                           stream);
             });
}

void add_tiling(std::vector<Entry>& entries, char const* table, thesis::TilingRow const& row,
                thesis::TilingOptions const& options, Matrix& m, Operands const& o, cudaStream_t stream) {
  auto const a = m.blocks(row.tiling.m_tile());
  add_thesis(entries, table, "tiling", to_string(row.tiling),
             std::string(", \"wide_loads\": ") + (options.wide_loads ? "true" : "false") + ", " +
                 field("prefetch", to_string(options.prefetch)),
             o, [a, &o, row, options, stream] {
               return thesis::tiled(a->pointers(), o.b.data(), o.c.data(), row.columns, row.tiling, options, stream);
             });
}

/// The rows of a table for so many columns.
template <class Table, class Use>
void for_rows(Table const& table, int columns, Use const& use) {
  for (auto const& row : table)
    if (row.columns == columns) use(row);
}

void add_table(std::vector<Entry>& entries, std::string const& table, thesis::Cell const& cell, bool grid, Matrix& m,
               Operands const& o, cudaStream_t stream) {
  char const* const name = table.c_str();
  auto const naive = [&](auto const& row) { add_naive(entries, name, row, m, o, stream); };
  auto const warp_centric = [&](auto const& row) { add_warp_centric(entries, name, row, m, o, stream); };
  auto const tiling = [&](thesis::TilingRow const& row) {
    for (bool const wide : {true, false})
      for (auto const prefetch :
           {thesis::Prefetch::none, thesis::Prefetch::single_buffer, thesis::Prefetch::double_buffer})
        add_tiling(entries, name, row, {wide, prefetch}, m, o, stream);
  };
  if (table == "4.2") for_rows(thesis::table_4_2, cell.columns, naive);
  if (table == "4.3") for_rows(thesis::table_4_3, cell.columns, warp_centric);
  if (table == "4.4") for_rows(thesis::table_4_4, cell.columns, tiling);
  if (table == "4.5") for_rows(thesis::table_4_5, cell.columns, naive);
  if (table == "4.6") for_rows(thesis::table_4_6, cell.columns, warp_centric);
  if (table == "4.7") for_rows(thesis::table_4_7, cell.columns, tiling);
  if (!grid || (table != "4.4" && table != "4.7")) return;
  for (int const threads_x : {8, 16, 32})
    for (int const threads_y : {8, 16, 32})
      for (int const items_x : {1, 2, 4, 8, 16})
        for (int const items_y : {1, 2, 4, 8, 16})
          for (int const k_tile : {8, 16, 32}) {
            thesis::Tiling const tiling_of_grid{threads_x, threads_y, items_x, items_y, k_tile};
            if (thesis::is_possible(tiling_of_grid) && thesis::is_built(tiling_of_grid, {}))
              add_tiling(entries, "grid", {cell.columns, tiling_of_grid}, {}, m, o, stream);
          }
}

void add_plans(std::vector<Entry>& entries, Matrix const& m, Operands const& o, int columns, double budget,
               Exec const& exec) {
  SpmmDesc desc;
  desc.columns = columns;
  auto const add = [&](char const* kernel, std::vector<std::string> const& formats) {
    PlanOptions options;
    options.measure = true;
    options.budget = budget;
    options.formats = formats;
    std::shared_ptr<AnySpmmPlan const> const plan = m.any->plan(desc, options);
    AnySpace const space(exec);
    AnyConstView const b = any_view(o.b);
    AnyView const c = any_view(o.c);
    entries.push_back(Entry{
        field("owner", "araia") + ", " + field("kernel", kernel) + ", " + field("parameters", label(plan->choice())),
        [plan, space, b, c](int) { plan->execute(space, 1.0, b, 0.0, c); }, o.c.data()});
  };
  add("plan", {});
  add("bcsc", {"bcsc", "bcsc+compact", "bcsc+split", "bcsc+compact+split"});
}

class CusparseEntries {
 public:
  CusparseEntries(std::vector<Entry>& entries, Matrix const& m, Operands const& o, int columns, Exec const& exec)
      : entries_(entries), m_(m), o_(o), columns_(columns), handle_(make_handle(exec)) {
    cublasHandle_t handle = nullptr;
    check(cublasCreate(&handle), "create");
    blas_ = {handle, [](cublasHandle_t h) { cublasDestroy(h); }};
    check(cublasSetStream(handle, exec.cuda_stream()), "set stream");
    constexpr std::pair<char const*, cusparseSpMMAlg_t> algorithms[] = {
        {"alg1", CUSPARSE_SPMM_CSR_ALG1}, {"alg2", CUSPARSE_SPMM_CSR_ALG2}, {"alg3", CUSPARSE_SPMM_CSR_ALG3}};
    for (auto const& [name, algorithm] : algorithms) {
      add("row_major", name, false, [&, algorithm = algorithm] {
        return call(make_dense(o_.b, false), make_dense(o_.c, false), algorithm, CUSPARSE_OPERATION_NON_TRANSPOSE);
      });
      add("column_major", name, true, [&, algorithm = algorithm] {
        return call(make_dense(o_.b_columns, true), make_dense(o_.c_columns, true), algorithm,
                    CUSPARSE_OPERATION_NON_TRANSPOSE);
      });
      add("transposed", name, true, [&, algorithm = algorithm] {
        return call(transposed(o_.b), make_dense(o_.c_columns, true), algorithm, CUSPARSE_OPERATION_TRANSPOSE);
      });
      add("transposition_and_transposed", name, true, [&, algorithm = algorithm]() -> std::function<void(int)> {
        auto const product =
            call(transposed(o_.b_transposed), make_dense(o_.c_columns, true), algorithm, CUSPARSE_OPERATION_TRANSPOSE);
        auto const rows = static_cast<int>(m_.host.cols);
        return [blas = blas_, product, &o = o_, rows, n = columns_](int copy) {
          constexpr Scalar one = 1;
          constexpr Scalar zero = 0;
          check(cublasSgeam(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, rows, &one, o.b_columns.data(), rows, &zero,
                            o.b_transposed.data(), n, o.b_transposed.data(), n),
                "geam");
          product(copy);
        };
      });
    }
  }

 private:
  template <class Make>
  void add(char const* kernel, char const* algorithm, bool column_major, Make const& make) {
    try {
      entries_.push_back(
          Entry{field("owner", "cusparse") + ", " + field("kernel", kernel) + ", " + field("parameters", algorithm),
                make(), column_major ? o_.c_columns.data() : o_.c.data(), column_major});
    } catch (LeftOut const&) {
      // cuSPARSE does not have the algorithm for these layouts.
    } catch (std::runtime_error const& error) {
      entries_.push_back(
          Entry{field("owner", "cusparse") + ", " + field("kernel", kernel) + ", " + field("parameters", algorithm),
                [what = std::string(error.what())](int) { throw std::runtime_error(what); }, o_.c.data()});
    }
  }
  std::function<void(int)> call(DensePointer const& b, DensePointer const& c, cusparseSpMMAlg_t algorithm,
                                cusparseOperation_t op_b) const {
    auto const& A = m_.csr.A.front();
    cusparseSpMatDescr_t a = nullptr;
    perf::check(cusparseCreateCsr(&a, A.rows, A.cols, A.nnz, mutable_data(A.row_offsets.data()),
                                  mutable_data(A.col_indices.data()), A.values.data(), CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, value_type<Scalar>),
                "create csr");
    auto const product = std::make_shared<SpmmCall<Scalar>>(handle_, own(a), b, c, algorithm, op_b);
    return [product](int) { (*product)(); };
  }
  /// B's rows as the columns of its transpose.
  DensePointer transposed(RowMajor<Scalar> const& b) const {
    cusparseDnMatDescr_t descriptor = nullptr;
    perf::check(cusparseCreateDnMat(&descriptor, columns_, m_.host.cols, columns_, b.data(), value_type<Scalar>,
                                    CUSPARSE_ORDER_COL),
                "create dense matrix");
    return DensePointer(descriptor, [](cusparseDnMatDescr_t d) { cusparseDestroyDnMat(d); });
  }

  std::vector<Entry>& entries_;
  Matrix const& m_;
  Operands const& o_;
  int columns_;
  HandlePointer handle_;
  std::shared_ptr<std::remove_pointer_t<cublasHandle_t>> blas_;
};

/// C of an entry, once, on the host.
std::vector<Scalar> result_of(Entry const& entry, Operands const& o, Exec const& exec) {
  std::vector<Scalar> host(o.c.size());
  cudaStream_t const stream = exec.cuda_stream();
  auto* const result = const_cast<Scalar*>(entry.result);
  check(cudaMemsetAsync(result, 0xff, host.size() * sizeof(Scalar), stream), "cudaMemset");  // NaN
  entry.launch(0);
  check(cudaMemcpyAsync(host.data(), result, host.size() * sizeof(Scalar), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpy");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return host;
}

/// A line of JSON: the cell and its contenders, those that are wrong with their error in place of a time.
std::string run_cell(thesis::Cell const& cell, Settings const& s, Matrix& m, Exec const& exec) {
  Operands const o(m.host, cell.columns);
  std::vector<Entry> entries;
  for (auto const& table : cell.tables) add_table(entries, table, cell, s.grid, m, o, exec.cuda_stream());
  add_plans(entries, m, o, cell.columns, s.budget, exec);
  CusparseEntries const cusparse(entries, m, o, cell.columns, exec);

  ExpectedProduct<Scalar> const expected(m.host, o.host_b, cell.columns);
  std::vector<std::string> errors;
  std::vector<std::function<void(int)>> right;
  for (auto const& entry : entries) {
    try {
      auto const c = result_of(entry, o, exec);
      errors.push_back(
          expected.verify(c.data(), entry.column_major ? 1 : cell.columns, entry.column_major ? m.host.rows : 1));
    } catch (std::exception const& error) {
      errors.emplace_back(error.what());
    }
    if (errors.back().empty()) right.push_back(entry.launch);
  }
  auto const samples = measure_interleaved(exec, right, s.rounds, 1e-3 * s.batch_ms, 1);

  std::string line = thesis::line_beginning(cell) + ", " + field("set", cell.is_pruned() ? "pruned" : "sparse") + ", " +
                     field("matrix", m.name) + ", \"rows\": " + std::to_string(m.host.rows) +
                     ", \"cols\": " + std::to_string(m.host.cols) + ", \"entries\": " + std::to_string(m.host.nnz()) +
                     ", \"columns\": " + std::to_string(cell.columns) + ", " +
                     field("device", exec.cuda_device_prop().name) + ", \"results\": [";
  std::size_t timed = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    line += std::string(k == 0 ? "" : ", ") + "{" + entries[k].fields + ", ";
    if (errors[k].empty()) {
      char seconds[64];
      std::snprintf(seconds, sizeof seconds, "\"us\": %.4g}", 1e6 * median(samples[timed++]));
      line += seconds;
    } else {
      line += field("error", errors[k]) + "}";
    }
  }
  return line + "]}\n";
}

int run(Settings const& s) {
  auto const start = std::chrono::steady_clock::now();
  auto const types = any_types();
  if (std::find(types.begin(), types.end(), ScalarTypes::f32) == types.end())
    throw std::invalid_argument("this build has no float: Araia_TYPES=full is needed");
  std::set<std::string> finished;
  if (!s.json.empty()) {
    if (!s.resume && std::ifstream(s.json).good())
      throw std::invalid_argument(s.json + " is there: --resume goes on with it");
    finished = thesis::finished_cells(s.json);
  }
  std::ofstream file;
  if (!s.json.empty()) {
    file.open(s.json, std::ios::app);
    if (!file) throw std::runtime_error(s.json + " cannot be written");
  }
  Exec const exec = make_exec();
  std::unique_ptr<Matrix> matrix;
  std::size_t left = 0;
  bool wrong = false;
  for (auto const& cell : thesis::of_part(thesis::cells(s.tables), s.part)) {
    if (finished.contains(cell.key())) continue;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > 60 * s.minutes) {
      ++left;
      continue;
    }
    if (!matrix || matrix->name != cell.matrix.name()) {
      matrix.reset();
      matrix = std::make_unique<Matrix>(cell.matrix, exec);
    }
    auto const line = run_cell(cell, s, *matrix, exec);
    wrong = wrong || line.find("\"error\"") != std::string::npos;
    if (s.json.empty())
      std::fputs(line.c_str(), stdout);
    else if (!(file << line << std::flush))
      throw std::runtime_error(s.json + ": a line was not written");
    std::fprintf(stderr, "%s\n", cell.key().c_str());
  }
  if (left > 0) std::fprintf(stderr, "%zu cells of this part are left: run it again with --resume\n", left);
  if (wrong) std::fprintf(stderr, "some products are wrong: see \"error\" in the lines\n");
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  using namespace araia::perf;
  try {
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]) == "--help") {
        std::fputs(help_text, stdout);
        return 0;
      }
    auto const settings = parse(argc, argv);
    Kokkos::ScopeGuard const kokkos;
    return run(settings);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
