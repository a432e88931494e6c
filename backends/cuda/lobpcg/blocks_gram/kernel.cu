// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// G = S'(A S), H = S'(B S); X'W, W'W. Blocks of vectors are row-major.
// Mapping  grid: a block a multiprocessor, which takes every gridDim.x-th chunk of rows | warps: by product, share of
// its
//          tiles (16 x 8) and depth: every depth-th step of eight rows | lanes: fragments of the tensor cores
// Traffic  every block of vectors once by cp.async; partials: blocks x tiles x 1 KB written and read
// Shared   a ring of up to four chunks; rows an odd multiple of 32 bytes apart, so that the four rows of a fragment are
//          at different banks. A fragment is a column of V over rows, and one of W over rows: neither is transposed.
// Order    a warp's steps ascend, then depths, then every eighth block, then those eight
// Suits    rows in the hundred thousands. At 128 columns and two products the tensor cores take as long as memory;
//          beyond, each product has a launch of its own, as its sums fill the registers.

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <array>
#include <utility>

#include "backends/cuda/lobpcg/blocks_gram/kernel.hpp"
#include "backends/cuda/lobpcg/lib/gram_tiles.cuh"

namespace araia::cuda::lobpcg {
namespace {

using araia::detail::LobpcgCross;
using araia::detail::LobpcgGram;

struct Arguments {
  RowChunks chunks;
  Jobs jobs;
  int below = 1;        // rectangles below each other
  int w_place[2] = {};  // of a product: first column of W in shared memory
  double* partials = nullptr;
};

template <class T, bool is_triangle, int cols, int shares>
__global__ void __launch_bounds__(threads, 1) multiply(Arguments const arguments) {
  constexpr TileSet set{is_triangle, cols, shares};
  T* const ring = reinterpret_cast<T*>(shared_bytes());
  int const warp_id = static_cast<int>(threadIdx.x) / warp_size;
  int const job = warp_id % arguments.jobs.count;
  int const depth = warp_id / arguments.jobs.count;
  int const share = job % shares;
  int const below = job / shares % arguments.below;
  int const v_place = below * set.rows() * tile_rows;
  int const w_place = arguments.w_place[job / shares / arguments.below];
  RowChunks const& chunks = arguments.chunks;
  // A warp without work takes part in copies.
  int const steps = depth < arguments.jobs.depth ? chunks.chunk_rows / chunk_granule : 0;
  TileSums<set.most()> sums;
  sums.clear();
  for_each_chunk(chunks, ring, [&](T const* chunk, std::int64_t) {
    add_share<is_triangle, cols, shares>(share, chunk + v_place, chunk + w_place, chunks.pitch, depth, steps,
                                         arguments.jobs.depth, sums);
  });
  store_partials(sums, arguments.jobs, job, depth, reinterpret_cast<double*>(ring), arguments.partials);
}

/// One launch: products V'W of one V.
template <class T>
struct Products {
  std::int64_t rows = 0;
  Block<T const> v[3];
  int v_blocks = 0;
  Block<T const> w[2][3];  // of a product, blocks side by side; none where W is V, or a block of it
  int w_blocks[2] = {};
  int count = 0;
  bool triangle = false;  // W has the columns of V; else those of block `w_of_v`
  int w_of_v = 0;
  double* to[2] = {};
  int ld = 0;
  double* cross = nullptr;
  int cross_rows = 0;
};

struct Plan {
  Arguments arguments;
  GramOutput output;
  int blocks = 0;
  std::size_t shared = 0;
  std::size_t bytes = 0;  // of partials
};

/// Widths that there are kernels for, in tiles of eight columns.
constexpr std::array triangle_widths{2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24};
constexpr int most_rectangle_width = araia::detail::lobpcg_most_columns / tile_cols;

int tiles_of(int columns) { return std::max(1, (columns + tile_cols - 1) / tile_cols); }

template <class T>
Plan plan_of(Products<T> const& products, Device const& device) {
  Plan plan;
  ChunkLayout<T> layout(products.rows);
  GramOutput& out = plan.output;
  out.v = layout.add(products.v, products.v_blocks);
  int const v_columns = layout.columns();
  Columns of_v = out.v;  // what W is where it has no blocks of its own
  if (!products.triangle) {
    of_v.blocks = 1;
    of_v.place[0] = out.v.place[products.w_of_v];
    of_v.first[0] = out.v.first[products.w_of_v];
    of_v.cols[0] = out.v.cols[products.w_of_v];
  }
  int w_columns = 0;  // from its first place on
  for (int p = 0; p < products.count; ++p) {
    int place = products.triangle ? 0 : of_v.place[0];
    if (products.w_blocks[p] != 0) {
      place = layout.columns();
      layout.add(products.w[p], products.w_blocks[p]);
    }
    plan.arguments.w_place[p] = place;
  }
  out.w = of_v;
  for (int k = 0; k < of_v.blocks; ++k) {
    out.w.place[k] -= of_v.place[0];
    w_columns = out.w.place[k] + out.w.cols[k];
  }
  out.w_first = of_v.first[0];
  for (int k = 0; k < of_v.blocks; ++k) out.w_cols += of_v.cols[k];

  int below = 1;
  if (products.triangle) {
    out.set = triangle(*std::ranges::lower_bound(triangle_widths, tiles_of(v_columns)));
  } else {
    out.set = rectangle(tiles_of(w_columns));
    int const columns = out.set.rows() * tile_rows;
    below = (v_columns + columns - 1) / columns;
  }
  plan.arguments.below = below;
  plan.arguments.jobs = jobs_of(products.count * below * out.set.shares);
  out.jobs = plan.arguments.jobs.count;
  out.rows = below;
  for (int p = 0; p < 2; ++p) out.to[p] = products.to[p];
  out.ld = products.ld;
  out.cross = products.cross;
  out.cross_rows = products.cross_rows;

  // Chunks of a third of shared memory each, and a step at least for every depth where that fits.
  int const granule = chunk_granule * plan.arguments.jobs.depth;
  constexpr int most_rows = 256;
  int rows = most_rows;
  while (rows > granule && layout.finish(rows, device.shared_bytes).stages < good_stages) rows -= granule;
  plan.arguments.chunks = layout.finish(rows, device.shared_bytes);
  RowChunks const& chunks = plan.arguments.chunks;
  if (chunks.stages < 2)
    throw Error(ErrorKind::unsupported, "araia::lobpcg::gram: the device has " + std::to_string(device.shared_bytes) +
                                            " bytes of shared memory a block, too few for rows of " +
                                            std::to_string(layout.columns()) + " columns");
  std::size_t const tiles = static_cast<std::size_t>(out.jobs) * static_cast<std::size_t>(out.set.most());
  plan.shared =
      std::max(static_cast<std::size_t>(chunks.stages) * static_cast<std::size_t>(chunks.elements) * sizeof(T),
               plan.arguments.jobs.depth > 1 ? tiles * tile_size * sizeof(double) : 0);
  plan.blocks = blocks_for(chunks, device);
  plan.bytes = partial_bytes(device.multiprocessors, out.jobs, out.set.most());
  return plan;
}

using Kernel = void (*)(Arguments);

template <class T, std::size_t... k>
Kernel triangle_kernel(int cols, std::index_sequence<k...>) {
  Kernel kernel = nullptr;
  ((cols == triangle_widths[k]
        ? void(kernel = multiply<T, true, triangle_widths[k], triangle(triangle_widths[k]).shares>)
        : void()),
   ...);
  return kernel;
}
template <class T, std::size_t... k>
Kernel rectangle_kernel(int cols, std::index_sequence<k...>) {
  constexpr std::array kernels{multiply<T, false, static_cast<int>(k) + 1, 1>...};
  return kernels[static_cast<std::size_t>(cols) - 1];
}

template <class T>
Kernel kernel_of(TileSet const& set) {
  return set.triangle ? triangle_kernel<T>(set.cols, std::make_index_sequence<triangle_widths.size()>())
                      : rectangle_kernel<T>(set.cols, std::make_index_sequence<most_rectangle_width>());
}

/// Products beyond what the warps can do together take a launch each.
template <class T, class Use>
void for_each_launch(Products<T> const& products, Device const& device, Use const& use) {
  int columns = 0;
  for (int k = 0; k < products.v_blocks; ++k) columns += round_up(products.v[k].cols, 16 / static_cast<int>(sizeof(T)));
  if (columns == 0 || products.count == 0) return;
  constexpr int most_together = 128;  // columns of V
  if (products.count == 1 || columns <= most_together) {
    use(plan_of(products, device));
    return;
  }
  for (int p = 0; p < products.count; ++p) {
    Products<T> one = products;
    one.count = 1;
    one.to[0] = products.to[p];
    one.w_blocks[0] = products.w_blocks[p];
    for (int k = 0; k < 3; ++k) one.w[0][k] = products.w[p][k];
    use(plan_of(one, device));
  }
}

template <class T>
std::size_t bytes_of(Products<T> const& products) {
  std::size_t bytes = 0;
  for_each_launch(products, device_of("araia::lobpcg::workspace_bytes"),
                  [&](Plan const& plan) { bytes = std::max(bytes, plan.bytes); });
  return bytes;
}

template <class T>
void run(char const* label, Products<T> const& products, void* workspace, cudaStream_t stream) {
  for_each_launch(products, device_of(label), [&](Plan plan) {
    if (workspace == nullptr || !is_aligned(workspace, 16))
      throw Error(
          ErrorKind::invalid_argument,
          std::string(label) + ": workspace is null or not aligned, expected an address of 16 bytes' alignment");
    plan.arguments.partials = static_cast<double*>(workspace);
    launch(label, kernel_of<T>(plan.output.set), plan.blocks, threads, plan.shared, stream, plan.arguments);
    launch_sum(label, plan.arguments.partials, plan.blocks, plan.output, stream);
  });
}

constexpr char const* gram_label = "araia::lobpcg::gram";
constexpr char const* cross_label = "araia::lobpcg::cross";

template <class T>
void add(Products<T>& products, Block<T const> const (&w)[3], bool own, int first, int count, double* to) {
  if (to == nullptr) return;
  int const p = products.count++;
  products.to[p] = to;
  if (!own) return;
  products.w_blocks[p] = count;
  for (int k = 0; k < count; ++k) products.w[p][k] = w[first + k];
}

template <class T>
Products<T> products_of(LobpcgGram<T> const& gram) {
  auto const& basis = gram.basis;
  require_rows(basis.rows, gram_label);
  if (basis.blocks < 1 || basis.blocks > 3)
    throw Error(ErrorKind::invalid_argument,
                std::string(gram_label) + ": basis.blocks is " + std::to_string(basis.blocks) + ", expected 1 to 3");
  bool const only_r = gram.only_r && basis.blocks > 1;
  bool has_b = false;
  for (int k = 0; k < basis.blocks; ++k) has_b = has_b || basis.bs[k].data != nullptr;
  auto const require = [&](Block<T const> const& block, int k, char const* name) {
    require_block(block, basis.rows, std::string(gram_label) + ": basis." + name + "[" + std::to_string(k) + "]");
    if (block.cols != basis.s[k].cols)
      throw Error(ErrorKind::dimension_mismatch, std::string(gram_label) + ": basis." + name + "[" + std::to_string(k) +
                                                     "] is of " + std::to_string(block.cols) + " columns, expected " +
                                                     std::to_string(basis.s[k].cols));
  };
  Products<T> products;
  products.rows = basis.rows;
  products.v_blocks = basis.blocks;
  for (int k = 0; k < basis.blocks; ++k) {
    require(basis.s[k], k, "s");
    if (gram.g && (!only_r || k == 1)) require(basis.as[k], k, "as");
    if (gram.h && has_b && (!only_r || k == 1)) require(basis.bs[k], k, "bs");
    products.v[k] = basis.s[k];
    products.ld += basis.s[k].cols;
  }
  products.triangle = !only_r;
  products.w_of_v = only_r ? 1 : 0;
  int const first = only_r ? 1 : 0;
  int const count = only_r ? 1 : basis.blocks;
  if (only_r && basis.s[1].cols == 0) return products;  // nothing is asked for
  add(products, basis.as, true, first, count, gram.g);
  add(products, basis.bs, has_b, first, count, gram.h);
  return products;
}

template <class T>
Products<T> products_of(LobpcgCross<T> const& cross) {
  require_rows(cross.rows, cross_label);
  require_block(cross.x, cross.rows, std::string(cross_label) + ": x");
  require_block(cross.w, cross.rows, std::string(cross_label) + ": w");
  Products<T> products;
  if (cross.w.cols == 0) return products;
  // V = [X W] where W'W is wanted, and W one of its blocks.
  products.rows = cross.rows;
  products.count = 1;
  products.v[0] = cross.x;
  products.v[1] = cross.w;
  products.v_blocks = 2;
  products.w_of_v = 1;
  products.to[0] = cross.ww;
  products.ld = cross.w.cols;
  products.cross = cross.c;
  products.cross_rows = cross.x.cols;
  return products;
}

}  // namespace

template <class T>
std::size_t workspace_bytes(LobpcgGram<T> const& gram) {
  return bytes_of(products_of(gram));
}
template <class T>
std::size_t workspace_bytes(LobpcgCross<T> const& cross) {
  return bytes_of(products_of(cross));
}
template <class T>
void gram(LobpcgGram<T> const& gram, void* workspace, cudaStream_t stream) {
  run(gram_label, products_of(gram), workspace, stream);
}
template <class T>
void cross(LobpcgCross<T> const& cross, void* workspace, cudaStream_t stream) {
  run(cross_label, products_of(cross), workspace, stream);
}

[[gnu::used]] static void write_out_lobpcg_gram() {
  using namespace araia::detail;
  for_types<AllReals>([&]<class T>() {
    write_out<std::size_t(LobpcgGram<T> const&)>(workspace_bytes);
    write_out<std::size_t(LobpcgCross<T> const&)>(workspace_bytes);
    write_out(gram<T>);
    write_out(cross<T>);
  });
}

}  // namespace araia::cuda::lobpcg
