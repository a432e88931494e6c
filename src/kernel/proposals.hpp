// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Choices that are the same for each kernel of a storage.

#include <string>

#include <araia/detail/extend/proposals.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>

namespace araia::detail {

/// Lanes of a warp for so many columns: a power of two.
[[nodiscard]] int lanes_covering(std::int64_t columns);

/// Variants of a storage that are the same for each of its kernels. `kernel` is named in all of them.
void propose_columns_on_lanes(Problem const& p, bool device, Choice const& kernel, bool ordered, Proposals& list);
void propose_sell(Problem const& p, Choice const& kernel, Proposals& list);
void propose_bsr(Problem const& p, Choice const& kernel, Proposals& list);
void propose_bcsc(Choice const& kernel, Proposals& list);

/// The choice of a descriptor's kernel, with nothing set.
template <class Descriptor>
Choice plain_choice() {
  return {.format = std::string(Descriptor::info.storage), .kernel = std::string(Descriptor::info.name)};
}

// Bases of descriptors, by what is tried of their kernels.

/// The plain choice.
template <class Descriptor>
struct ProposedAsIs {
  static void propose(Problem const&, Machine const&, Proposals& list) { list.add(plain_choice<Descriptor>()); }
};

/// The blocks that propose_bsr() finds.
template <class Descriptor>
struct ProposedInBlocks {
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    propose_bsr(p, plain_choice<Descriptor>(), list);
  }
};

}  // namespace araia::detail
