// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graph and the sums of a search in the memory of an execution space.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include "src/kernel/bfs_operands.hpp"

#include "src/from_host.hpp"
#include "src/graph/search.hpp"

namespace araia::detail {

template <class T, class Exec>
using GraphArray = Kokkos::View<T*, typename Exec::device_type>;

/// Edges and sums in exec's memory: where the host has them, where exec reaches that.
template <class Exec>
class GraphOnDevice {
 public:
  /// \param out  edges by where they begin too, which else are null on devices
  GraphOnDevice(Exec const& exec, ClosenessSearch& search, bool out) : exec_(exec), search_(search) {
    graph_ = search.graph.pointers();
    sums_ = search.sums();
    if constexpr (is_device_space<Exec>) {
      std::int64_t const offsets = graph_.nodes + std::int64_t{1};
      in_offsets_ = array_from_host(exec, "araia::closeness::in_offsets", graph_.in_offsets, offsets);
      in_nodes_ = array_from_host(exec, "araia::closeness::in_nodes", graph_.in_nodes, graph_.edges);
      if (search.graph.symmetric()) {
        out_offsets_ = in_offsets_;
        out_nodes_ = in_nodes_;
      } else if (out) {
        out_offsets_ = array_from_host(exec, "araia::closeness::out_offsets", graph_.out_offsets, offsets);
        out_nodes_ = array_from_host(exec, "araia::closeness::out_nodes", graph_.out_nodes, graph_.edges);
      }
      graph_.in_offsets = in_offsets_.data();
      graph_.in_nodes = in_nodes_.data();
      graph_.out_offsets = out_offsets_.data();
      graph_.out_nodes = out_nodes_.data();
      distance_ =
          array_from_host<Exec, std::uint64_t>(exec, "araia::closeness::distance", sums_.distance, graph_.nodes);
      reached_ = array_from_host<Exec, std::uint64_t>(exec, "araia::closeness::reached", sums_.reached, graph_.nodes);
      sums_.distance = distance_.data();
      sums_.reached = reached_.data();
      if (sums_.inverse != nullptr) {
        inverse_ = array_from_host<Exec, std::uint64_t>(exec, "araia::closeness::inverse", sums_.inverse,
                                                        2 * std::int64_t{graph_.nodes});
        sums_.inverse = inverse_.data();
      }
    }
  }

  /// Bytes without the edges by where they begin.
  static std::uint64_t bytes(ClosenessSearch const& search) {
    if constexpr (!is_device_space<Exec>) return 0;
    auto const nodes = static_cast<std::uint64_t>(search.graph.nodes);
    return static_cast<std::uint64_t>(search.graph.pointers().edges) * sizeof(std::int32_t) +
           (nodes + 1) * sizeof(std::int64_t) + nodes * (search.inverse.empty() ? 2 : 4) * sizeof(std::uint64_t);
  }

  [[nodiscard]] Exec const& exec() const { return exec_; }
  [[nodiscard]] BfsGraph const& graph() const { return graph_; }
  [[nodiscard]] BfsSums const& sums() const { return sums_; }

  /// Waits for exec and brings the sums to the host.
  void take_sums() const {
    exec_.fence("araia::closeness: the sums are there");
    if constexpr (is_device_space<Exec>) {
      take(search_.distance, distance_);
      take(search_.reached, reached_);
      take(search_.inverse, inverse_);
    }
  }

 private:
  using Device = typename Exec::device_type;
  template <class Array>
  static void take(std::vector<std::uint64_t>& to, Array const& from) {
    copy_bytes<Kokkos::HostSpace, Device>(to.data(), from.data(), to.size() * sizeof(std::uint64_t));
  }

  Exec exec_;
  ClosenessSearch& search_;
  BfsGraph graph_{};
  BfsSums sums_{};
  GraphArray<std::int64_t, Exec> in_offsets_{};
  GraphArray<std::int64_t, Exec> out_offsets_{};
  GraphArray<std::int32_t, Exec> in_nodes_{};
  GraphArray<std::int32_t, Exec> out_nodes_{};
  GraphArray<std::uint64_t, Exec> distance_{};
  GraphArray<std::uint64_t, Exec> reached_{};
  GraphArray<std::uint64_t, Exec> inverse_{};
};

}  // namespace araia::detail
