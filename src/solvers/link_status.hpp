// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which links are open, closed or regulate, by heads and flows: EPANET's rules.

#include "hydraulic_model.hpp"

namespace araia::detail {

inline constexpr std::size_t no_link = static_cast<std::size_t>(-1);

/// PRVs and PSVs.
/// \return one that changed, or no_link
std::size_t update_pressure_valves(HydraulicModel const& model, HydraulicState& state);
/// Check valves, pumps, FCVs and links to tanks.
std::size_t update_links(HydraulicModel const& model, HydraulicState& state);
/// Links that a junction's pressure controls.
std::size_t update_controlled(HydraulicModel const& model, HydraulicState& state);

}  // namespace araia::detail
