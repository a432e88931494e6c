// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Loss of head in links and emitters, as EPANET has it.

#include "hydraulic_model.hpp"

namespace araia::detail {

/// A loss at a flow, linearised there.
struct HeadLoss {
  double loss = 0;         // ft; negative for a gain
  double conductance = 0;  // 1 over the loss's derivative by the flow; 0: nothing flows, or what flows is no function
                           // of the heads (closed links, valves that regulate)
};

/// Does a valve decide on its own what flows or which head is held?
bool regulates(HydraulicModel const& model, HydraulicState const& state, std::size_t link);

/// At the state's flow.
HeadLoss head_loss(HydraulicModel const& model, HydraulicState const& state, std::size_t link);
/// From a junction's pressure to nothing, at the state's flow of its emitter.
HeadLoss emitter_loss(HydraulicModel const& model, HydraulicState const& state, std::size_t node);

}  // namespace araia::detail
