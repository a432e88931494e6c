// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/any_space.hpp>

#include "src/formatted.hpp"
#include "src/plan/one_thread.hpp"

namespace araia {
namespace {

AnySpace named_space(std::string_view name) {
#ifdef KOKKOS_ENABLE_CUDA
  if (name == "cuda") return Kokkos::Cuda();
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (name == "openmp") return Kokkos::OpenMP();
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  if (name == "serial") return detail::one_thread();
#endif
  throw Error(ErrorKind::device,
              "device '" + std::string(name) + "' is not in this build, which has " + detail::joined(any_spaces()));
}

}  // namespace

char const* to_string(MemorySpace memory) noexcept {
  switch (memory) {
    case MemorySpace::host: return "host";
    case MemorySpace::cuda: return "cuda";
    case MemorySpace::cuda_managed: return "cuda_managed";
    case MemorySpace::cuda_pinned: return "cuda_pinned";
  }
  return "unknown";
}

AnySpace::AnySpace(std::string_view name) : AnySpace(named_space(name)) {
  if (name == "serial") name_ = "serial";  // whose one thread may be OpenMP's
}

MemorySpace AnySpace::memory() const noexcept {
  return name_ == std::string_view("cuda") ? MemorySpace::cuda : MemorySpace::host;
}

bool AnySpace::reaches(MemorySpace memory) const noexcept {
  return memory == MemorySpace::cuda_managed || memory == MemorySpace::cuda_pinned || memory == this->memory();
}

void AnySpace::fence(std::string const& label) const {
  visit([&](auto const& exec) { exec.fence(label); });
}

std::vector<std::string> any_spaces() {
  return {
#ifdef KOKKOS_ENABLE_CUDA
      "cuda",
#endif
#ifdef KOKKOS_ENABLE_OPENMP
      "openmp",
#endif
#ifdef KOKKOS_ENABLE_SERIAL
      "serial",
#endif
  };
}

std::string default_space() { return any_spaces().front(); }

}  // namespace araia
