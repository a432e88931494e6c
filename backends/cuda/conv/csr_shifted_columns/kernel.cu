// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = act(A B + bias + residual), column indices of A being offsets into padded planes.
// Mapping  block: a chunk of the rows by a tile of 32 V columns, one after the other, on as many blocks as the device
//          has multiprocessors; four warps bring the planes' spans and the weights, stage by stage, into a ring in
//          shared memory, the others multiply | warp: R rows of the chunk, one after the other within a stage
//          | lane: V columns of each row, 32 apart
//
//            lane 0   lane 1   ...  lane 31     of an entry (offset o, value w), v = 0 ... V - 1
//            o + 32 v + 0 ...       o + 32 v + 31: neighbouring words whatever o is, so no bank is met twice
//
// Stages   a barrier each, full and empty, so that warps may drift apart by the ring. A k x k filter's columns of a
//          channel lie in one span, which comes once.
// Traffic  registers are filled at 128 bytes a cycle from shared memory: 4 V bytes a lane and entry, and 16 bytes for
//          two entries. Planes once a chunk and tile from L2, a tile's width and the filter's reach a channel; weights
//          8 bytes an entry and tile. y once.
// Shared   the ring: one block a multiprocessor.
// Splits   blocks of a cluster take a share of the chunk's columns each, and add their sums in the order of their ranks
//          through shared memory: for convolutions of few columns.
// Suits    0.8 sparsity and more: rows share few columns there.

#include "backends/cuda/conv/csr_shifted_columns/kernel.hpp"

#include <algorithm>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/clusters.cuh"
#include "backends/cuda/conv/divisor.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda::shifted_columns {
namespace {

constexpr int producers = 4;  // warps
constexpr int threads = (warps + producers) * warp_size;
constexpr int most_slots = 16;

struct Arguments {
  ShareWords const* shares;
  std::int32_t const* row_ids;
  StageWords const* stages;
  SpanWords const* spans;
  uint4 const* records;
  ShiftedOperands<float> at;
  Divisor image_divisor;  // of columns, where images are walked in one go
  Divisor line_divisor;
  std::int32_t columns;  // walked in one go
  std::int32_t chunks;
  std::int32_t tiles;  // of an image, or of all
  std::int64_t items;  // chunks, tiles, images that are walked by themselves
  std::int32_t splits;
  std::int32_t slot_bytes;
  std::int32_t slots;
  std::uint32_t barriers_at;  // byte of shared memory
  bool together;              // images are walked in one go
  bool aligned;               // 16-byte copies fit
};

/// Where a reader or writer of stages stands.
struct Position {
  int slot = 0;
  unsigned phase = 0;

  __device__ __forceinline__ void advance(int slots) {
    if (++slot == slots) slot = 0, phase ^= 1u;
  }
};

/// A chunk's rows by a tile's columns.
struct Item {
  std::int32_t chunk;
  std::int32_t first_column;
  std::int32_t image;  // 0 where images are walked in one go

  __device__ Item(Arguments const& args, std::int64_t item, int tile) {
    std::int64_t const rest = item / args.chunks;
    chunk = static_cast<std::int32_t>(item - rest * args.chunks);
    image = static_cast<std::int32_t>(rest / args.tiles);
    first_column = static_cast<std::int32_t>(rest - static_cast<std::int64_t>(image) * args.tiles) * tile;
  }
};

/// The span that a lane knows for its warp, of those from `base` on that the warp copies: every `producers`-th.
__device__ __forceinline__ int4 span_of_lane(Arguments const& args, StageWords const& stage, int base, int warp,
                                             int lane) {
  int const span = (base + lane) * producers + warp;
  if (span >= stage.spans) return {};
  return __ldg(reinterpret_cast<int4 const*>(args.spans) + stage.first_span + span);
}

/// The first `given` of WORDS words are read, the others are zeros.
template <int WORDS>
__device__ __forceinline__ void copy_words(char* to, float const* from, int given) {
  if constexpr (WORDS == 4)
    copy_async(to, from, given * 4);
  else
    copy_async_word(to, from, given * 4);
}

/// Copies a warp's spans, LANES lanes a span and WORDS words a copy. Descriptors come 32 at once and ahead of their
/// use: one after the other they would cost a trip to L2 each. \param known  span_of_lane from 0 on
template <int WORDS, int LANES>
__device__ __forceinline__ void copy_spans(Arguments const& args, StageWords const& stage, int4 known,
                                           float const* planes, Item const& item, int tile, char* slot, int warp,
                                           int lane) {
  constexpr int at_once = warp_size / LANES;
  int const mine = (stage.spans - warp + producers - 1) / producers;
  int const behind = args.columns - item.first_column;  // columns from the tile's first one on
  bool const whole = behind >= tile + 3;                // nothing of a span lies behind what may be read
  constexpr int unrolled = 4;
  for (int base = 0; base < mine; base += warp_size) {
    int4 const here = known;
    if (base + warp_size < mine) known = span_of_lane(args, stage, base + warp_size, warp, lane);
    int const count = min(mine - base, warp_size);
    for (int first = 0; first < count; first += at_once) {
      int const from_lane = first + lane / LANES;
      int const from = __shfl_sync(0xffffffffu, here.x, from_lane);
      int const to = __shfl_sync(0xffffffffu, here.y, from_lane);
      int const words = __shfl_sync(0xffffffffu, here.z, from_lane);           // none behind the last span
      int const given = __shfl_sync(0xffffffffu, here.w, from_lane) + behind;  // may be read
      float const* const source = planes + from;
      char* const slot_of_span = slot + to;
      if (whole) {
        for (int start = lane % LANES * WORDS; start < words; start += unrolled * LANES * WORDS) {
#pragma unroll
          for (int k = 0; k < unrolled; ++k) {
            int const w = start + k * LANES * WORDS;
            if (w < words) copy_words<WORDS>(slot_of_span + w * 4, source + w, WORDS);
          }
        }
      } else {
        for (int w = lane % LANES * WORDS; w < words; w += LANES * WORDS) {
          int const left = min(max(given - w, 0), WORDS);
          if (left == WORDS || left == 0) {
            copy_words<WORDS>(slot_of_span + w * 4, left > 0 ? source + w : args.at.planes, left);
          } else {  // the end of what may be read lies within the 16 bytes
#pragma unroll
            for (int k = 0; k < WORDS; ++k)
              copy_words<1>(slot_of_span + (w + k) * 4, k < left ? source + w + k : args.at.planes, k < left ? 1 : 0);
          }
        }
      }
    }
  }
}

__device__ __forceinline__ StageWords stage_at(Arguments const& args, int stage) {
  int4 const words = __ldg(reinterpret_cast<int4 const*>(args.stages) + stage);
  return {words.x, words.y, words.z, words.w};
}

__device__ __forceinline__ std::int64_t place_of(ShiftedStrides const& strides, std::int32_t image, std::int32_t line,
                                                 std::int32_t element) {
  return image * strides.image + line * strides.line + element;
}

/// Where a column's output is.
struct Output {
  std::int32_t image;
  std::int32_t line;
  std::int32_t element;
  bool inside;

  __device__ __forceinline__ Output(Arguments const& args, Item const& item, std::int32_t column) {
    image = item.image;
    std::int32_t rest = column;
    if (args.together) {
      image = args.image_divisor.quotient(column);
      rest = column - image * args.image_divisor.by;
    }
    line = args.line_divisor.quotient(rest);
    element = rest - line * args.line_divisor.by;
    inside = column < args.columns && line < args.at.out_height && element < args.at.out_width;
  }
};

__device__ __forceinline__ float finished(float value, bool relu) { return relu && value < 0.0f ? 0.0f : value; }

template <int V, int R>
__global__ void __launch_bounds__(threads, 1) multiply(Arguments const args) {
  constexpr int tile = warp_size * V;
  constexpr int header_bytes = R == 8 ? 32 : 16;
  constexpr int lanes_of_span = V >= 4 ? warp_size : 8 * V;
  constexpr int unrolled = V == 8 ? 1 : 2;
  extern __shared__ __align__(128) char shared[];

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const splits = args.splits;  // blocks of a cluster, neighbours
  auto const split = static_cast<int>(blockIdx.x) % splits;
  std::int64_t const first_item = blockIdx.x / splits;
  std::int64_t const step = gridDim.x / splits;
  unsigned const full = shared_address(shared) + args.barriers_at;
  unsigned const empty = full + most_slots * 8;

  if (threadIdx.x < static_cast<unsigned>(args.slots)) {
    barrier_init(full + threadIdx.x * 8, producers * warp_size);
    barrier_init(empty + threadIdx.x * 8, warps * warp_size);
  }
  __syncthreads();  // barriers are seen

  Position at;
  if (warp >= warps) {
    int const thread = static_cast<int>(threadIdx.x) - warps * warp_size;
    int const producer = warp - warps;
    bool waited = false;
    int ahead = 0;  // stages that found their slot free from the beginning
    for (std::int64_t i = first_item; i < args.items; i += step) {
      Item const item(args, i, tile);
      ShareWords const share = args.shares[item.chunk * splits + split];
      float const* const planes = args.at.planes + item.image * args.at.image_stride + item.first_column;
      StageWords stage{};
      if (share.count > 0) stage = stage_at(args, share.first);
      int4 known = span_of_lane(args, stage, 0, producer, lane);
      for (int s = 0; s < share.count; ++s) {
        StageWords next{};
        if (s + 1 < share.count) next = stage_at(args, share.first + s + 1);
        if (!waited) {
          wait_for_predecessor();
          let_successor_start();
          waited = true;
        }
        if (ahead >= args.slots)
          barrier_wait(empty + static_cast<unsigned>(at.slot) * 8, at.phase ^ 1u);
        else
          ++ahead;
        char* const slot = shared + at.slot * args.slot_bytes;
        uint4 const* const records = args.records + stage.first_record;
        for (int r = thread; r < stage.records; r += producers * warp_size)
          copy_async(slot + r * record_bytes, records + r, record_bytes);
        if (args.aligned)
          copy_spans<4, lanes_of_span>(args, stage, known, planes, item, tile, slot, producer, lane);
        else
          copy_spans<1, warp_size>(args, stage, known, planes, item, tile, slot, producer, lane);
        barrier_arrive_behind_copies(full + static_cast<unsigned>(at.slot) * 8);
        at.advance(args.slots);
        stage = next;
        known = span_of_lane(args, stage, 0, producer, lane);
      }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {
    wait_for_predecessor();
    let_successor_start();
    for (std::int64_t i = first_item; i < args.items; i += step) {
      Item const item(args, i, tile);
      ShareWords const share = args.shares[item.chunk * splits + split];
      // Lane r knows row r's number and bias.
      std::int32_t row = -1;
      float bias = 0.0f;
      if (lane < R) {
        row = args.row_ids[(item.chunk * warps + warp) * R + lane];
        if (args.at.bias && row >= 0) bias = args.at.bias[row];
      }

      float sum[R][V] = {};
      for (int s = 0; s < share.count; ++s) {
        barrier_wait(full + static_cast<unsigned>(at.slot) * 8, at.phase);
        char const* const slot = shared + at.slot * args.slot_bytes;
        char const* const first = slot + lane * 4;  // of lane's words
        unsigned counts[(R + 1) / 2];
        char const* next;
        {
          uint4 const head = *reinterpret_cast<uint4 const*>(slot + warp * header_bytes);
          next = slot + head.x;
          counts[0] = head.y;
          if constexpr (R > 2) counts[1] = head.z;
          if constexpr (R > 4) {
            counts[2] = head.w;
            counts[3] = *reinterpret_cast<unsigned const*>(slot + warp * header_bytes + 16);
          }
        }
        uint4 record = *reinterpret_cast<uint4 const*>(next);
#pragma unroll
        for (int r = 0; r < R; ++r) {
          unsigned const count = counts[r / 2] >> (r % 2 * 16) & 0xffffu;
#pragma unroll unrolled
          for (unsigned pairs = count / 2; pairs > 0; --pairs) {
            next += record_bytes;
            uint4 const after = *reinterpret_cast<uint4 const*>(next);
            float b[2][V];
#pragma unroll
            for (int v = 0; v < V; ++v)
              b[0][v] = *reinterpret_cast<float const*>(first + record.x + v * (warp_size * 4));
#pragma unroll
            for (int v = 0; v < V; ++v)
              b[1][v] = *reinterpret_cast<float const*>(first + record.z + v * (warp_size * 4));
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][v] += __uint_as_float(record.y) * b[0][v];
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][v] += __uint_as_float(record.w) * b[1][v];
            record = after;
          }
          if (count % 2 != 0) {
            next += record_bytes;
            uint4 const after = *reinterpret_cast<uint4 const*>(next);
#pragma unroll
            for (int v = 0; v < V; ++v)
              sum[r][v] +=
                  __uint_as_float(record.y) * *reinterpret_cast<float const*>(first + record.x + v * (warp_size * 4));
            record = after;
          }
        }
        barrier_arrive(empty + static_cast<unsigned>(at.slot) * 8);  // every lane, for what it has read
        at.advance(args.slots);
      }

      if (splits == 1) {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          Output const out(args, item, item.first_column + v * warp_size + lane);
          float* const y = args.at.y + place_of(args.at.y_strides, out.image, out.line, out.element);
          float terms[R];
#pragma unroll
          for (int r = 0; r < R; ++r) {
            std::int32_t const k = __shfl_sync(0xffffffffu, row, r);
            terms[r] = __shfl_sync(0xffffffffu, bias, r);
            if (args.at.residual && k >= 0 && out.inside)
              terms[r] += args.at.residual[place_of(args.at.residual_strides, out.image, out.line, out.element) +
                                           k * args.at.residual_strides.row];
          }
#pragma unroll
          for (int r = 0; r < R; ++r) {
            std::int32_t const k = __shfl_sync(0xffffffffu, row, r);
            if (k >= 0 && out.inside) y[k * args.at.y_strides.row] = finished(sum[r][v] + terms[r], args.at.relu);
          }
        }
      } else {
        // Every warp of the block is through with the ring before sums take its place.
        asm volatile("bar.sync 1, %0;" ::"n"(warps * warp_size) : "memory");
        auto* const sums = reinterpret_cast<float*>(shared);  // (chunk_rows, tile)
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
          for (int v = 0; v < V; ++v) sums[(warp * R + r) * tile + v * warp_size + lane] = sum[r][v];
      }
    }
  }
  if (splits == 1) return;

  // One item a cluster. Sums of all ranks, in their order, each rank a share of the rows.
  cluster_sync();
  Item const item(args, first_item, tile);
  int const rows = warps * R / splits;
  for (int i = static_cast<int>(threadIdx.x); i < rows * (tile / 4); i += threads) {
    int const place = split * rows + i / (tile / 4);
    int const column = i % (tile / 4) * 4;
    std::int32_t const k = args.row_ids[item.chunk * (warps * R) + place];
    unsigned const from = shared_address(shared) + static_cast<unsigned>(place * tile + column) * 4;
    float value[4] = {};
    for (int rank = 0; rank < splits; ++rank) {
      uint4 const bits = load_cluster_bits(shared_of_rank(from, rank));
      value[0] += __uint_as_float(bits.x), value[1] += __uint_as_float(bits.y);
      value[2] += __uint_as_float(bits.z), value[3] += __uint_as_float(bits.w);
    }
    if (k < 0) continue;
    float const bias = args.at.bias ? args.at.bias[k] : 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      Output const out(args, item, item.first_column + column + j);
      if (!out.inside) continue;
      float term = bias;
      if (args.at.residual)
        term += args.at.residual[place_of(args.at.residual_strides, out.image, out.line, out.element) +
                                 k * args.at.residual_strides.row];
      args.at.y[place_of(args.at.y_strides, out.image, out.line, out.element) + k * args.at.y_strides.row] =
          finished(value[j] + term, args.at.relu);
    }
  }
  cluster_sync();  // no block ends while another reads its sums
}

/// Do the images of a channel lie one after the other, with little between them?
bool walked_together(ShiftedOperands<float> const& o, std::int64_t tile) {
  std::int64_t const columns = o.columns();
  if (o.images < 2 || o.image_stride < columns) return false;
  auto const tiles = [tile](std::int64_t n) { return (n + tile - 1) / tile; };
  return (o.image_stride - columns) / columns < tile &&
         tiles((o.images - 1) * o.image_stride + columns) <= o.images * tiles(columns);
}

template <int V, int R>
void launch(Arguments const& args, Device const& device, std::size_t shared, cudaStream_t stream, bool early) {
  constexpr char const* name = "araia: shifted_columns";
  auto* const kernel = multiply<V, R>;
  allow_shared_memory(kernel, shared, name);
  std::int64_t const blocks =
      args.splits > 1 ? args.items * args.splits : std::min<std::int64_t>(args.items, device.multiprocessors);
  launch_clusters(early, kernel, grid_blocks(blocks, 1, name), static_cast<unsigned>(args.splits), threads, shared,
                  stream, name, args);
}

template <int V>
void launch(Arguments const& args, int warp_rows, Device const& device, std::size_t shared, cudaStream_t stream,
            bool early) {
  switch (warp_rows) {
    case 1: return launch<V, 1>(args, device, shared, stream, early);
    case 2: return launch<V, 2>(args, device, shared, stream, early);
    case 4: return launch<V, 4>(args, device, shared, stream, early);
    default: return launch<V, 8>(args, device, shared, stream, early);
  }
}

void require(Packing const& packing, std::uint32_t const* words, ShiftedOperands<float> const& o) {
  auto const wrong = [](std::string const& what) {
    throw Error(ErrorKind::invalid_argument, "araia: shifted_columns: " + what);
  };
  if (o.images < 0) wrong("images is " + std::to_string(o.images) + ", expected 0 or more");
  if (o.out_height < 0 || o.out_width < 0)
    wrong("output is " + std::to_string(o.out_height) + " x " + std::to_string(o.out_width) + ", expected 0 or more");
  if (o.plane_width < o.out_width)
    wrong("plane_width is " + std::to_string(o.plane_width) + ", expected out_width, " + std::to_string(o.out_width) +
          ", or more");
  if (packing.rows == 0 || o.images == 0 || o.columns() == 0) return;
  if (words == nullptr || !is_aligned(words, 16)) wrong("words is not at an address of 16 bytes' alignment");
  if (o.y == nullptr) wrong("y is null, expected outputs");
  if (o.planes == nullptr && packing.nnz > 0) wrong("planes is null, expected planes");
}

}  // namespace

Device current_device() {
  constexpr char const* name = "araia: shifted_columns";
  Device device;
  int index = 0;
  int bytes = 0;
  int major = 0;
  check(cudaGetDevice(&index), name);
  check(cudaDeviceGetAttribute(&device.multiprocessors, cudaDevAttrMultiProcessorCount, index), name);
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, index), name);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index), name);
  device.shared_bytes = static_cast<std::size_t>(bytes);
  device.clusters = major >= 9;
  return device;
}

std::int64_t walked_columns(ShiftedOperands<float> const& operands, int tile) {
  if (operands.images == 0 || operands.columns() == 0) return 0;
  if (walked_together(operands, tile)) return (operands.images - 1) * operands.image_stride + operands.columns();
  return operands.images * ((operands.columns() + tile - 1) / tile) * tile;
}

void convolve(Packing const& packing, std::uint32_t const* words, ShiftedOperands<float> const& operands,
              cudaStream_t stream, bool early) {
  require(packing, words, operands);
  if (packing.rows == 0 || operands.images == 0 || operands.columns() == 0) return;
  Shape const& shape = packing.shape;
  Device const device = current_device();
  if (shape.splits > 1 && !device.clusters)
    throw Error(ErrorKind::invalid_argument, "araia: shifted_columns: shape.splits is " + std::to_string(shape.splits) +
                                                 ", expected 1 before compute capability 9.0");
  bool const together = walked_together(operands, shape.tile());
  std::int64_t const columns =
      together ? (operands.images - 1) * operands.image_stride + operands.columns() : operands.columns();
  if (columns > 0x7fffffff - 1024)
    throw Error(ErrorKind::resource_limit,
                "araia: shifted_columns: " + std::to_string(columns) + " columns, expected at most 2^31 - 1025");

  auto const* const bytes = reinterpret_cast<char const*>(words);
  Arguments args{};
  args.shares = reinterpret_cast<ShareWords const*>(bytes + packing.shares_at);
  args.row_ids = reinterpret_cast<std::int32_t const*>(bytes + packing.row_ids_at);
  args.stages = reinterpret_cast<StageWords const*>(bytes + packing.stages_at);
  args.spans = reinterpret_cast<SpanWords const*>(bytes + packing.spans_at);
  args.records = reinterpret_cast<uint4 const*>(bytes + packing.records_at);
  args.at = operands;
  if (together) args.image_divisor = Divisor(static_cast<std::int32_t>(operands.image_stride));
  args.line_divisor = Divisor(operands.plane_width);
  args.columns = static_cast<std::int32_t>(columns);
  args.chunks = packing.chunks;
  args.tiles = static_cast<std::int32_t>((columns + shape.tile() - 1) / shape.tile());
  args.items = std::int64_t{args.chunks} * args.tiles * (together ? 1 : operands.images);
  args.splits = shape.splits;
  args.slot_bytes = packing.slot_bytes;
  args.together = together;
  args.aligned =
      is_aligned(operands.planes, 16) && (together || operands.images == 1 || operands.image_stride % 4 == 0);

  // As many slots as fit, and no more than the stages that a block goes through.
  std::size_t const barrier_bytes = 2 * most_slots * 8;
  auto const slot_bytes = static_cast<std::size_t>(std::max(packing.slot_bytes, 128));
  std::int64_t const turns = shape.splits > 1 ? 1 : (args.items + device.multiprocessors - 1) / device.multiprocessors;
  std::int64_t const fit = static_cast<std::int64_t>((device.shared_bytes - barrier_bytes) / slot_bytes);
  if (fit < 1)
    throw Error(ErrorKind::resource_limit, "araia: shifted_columns: a stage takes " + std::to_string(slot_bytes) +
                                               " bytes of shared memory, expected at most " +
                                               std::to_string(device.shared_bytes - barrier_bytes));
  args.slots = static_cast<std::int32_t>(
      std::min({fit, std::max<std::int64_t>(turns * packing.most_stages, 1), std::int64_t{most_slots}}));
  std::size_t const sums = shape.splits > 1 ? static_cast<std::size_t>(shape.chunk_rows() * shape.tile()) * 4 : 0;
  args.barriers_at = static_cast<std::uint32_t>(std::max(static_cast<std::size_t>(args.slots) * slot_bytes, sums));
  std::size_t const shared = args.barriers_at + barrier_bytes;
  switch (shape.lane_columns) {
    case 1: return launch<1>(args, shape.warp_rows, device, shared, stream, early);
    case 2: return launch<2>(args, shape.warp_rows, device, shared, stream, early);
    case 4: return launch<4>(args, shape.warp_rows, device, shared, stream, early);
    default: return launch<8>(args, shape.warp_rows, device, shared, stream, early);
  }
}

}  // namespace araia::cuda::shifted_columns
