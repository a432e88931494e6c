// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The steps of conjugate gradients between products, as passes over the rows. Scalars stay in exec's memory, so that
// nothing waits for the host: once the iteration has ended, every further step leaves all vectors as they are.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "src/solvers/sum_pass.hpp"

namespace araia::detail {

enum class CgPhase : std::int32_t {
  running,
  done,        // the residual of the recurrence is small enough
  limit,       // of iterations
  indefinite,  // p'A p < 0 or r'M^-1 r < 0
  breakdown    // p'A p = 0, an infinity or a NaN
};

/// What the steps know of one another, in exec's memory.
struct CgState {
  double rz = 0;         // r'M^-1 r
  double rr = 0;         // r'r
  double threshold = 0;  // r'r at most this at the start of a cycle: done
  double aim = 0;        // r'r at most this in a cycle: the cycle is over
  double alpha = 0;      // x += alpha p
  double beta = 0;       // p = z + beta p
  double norm = 0;       // square of a vector's 2-norm that was asked for
  std::int64_t iterations = 0;
  std::int64_t most_iterations = 0;
  CgPhase phase = CgPhase::running;
  std::int32_t started = 0;    // has a cycle begun?
  std::int32_t updates_x = 0;  // is alpha that of an iteration that x has not yet got?
};

/// Where every step finds all it needs. Vectors of n elements.
template <class T>
struct CgPointers {
  CgState* state = nullptr;
  T const* dot = nullptr;      // p'A p, or z'A z of one reduction
  double* history = nullptr;   // r'r after so many iterations, or null
  T const* inverse = nullptr;  // of the diagonal, or null: no Jacobi preconditioner
  bool has_z = false;          // is M^-1 r in z already? else it is inverse r
  T* x = nullptr;
  T* r = nullptr;
  T* p = nullptr;
  T* q = nullptr;  // A p
  T* z = nullptr;  // where has_z, and of one reduction
  T* w = nullptr;  // A z, of one reduction
  [[nodiscard]] KOKKOS_INLINE_FUNCTION T preconditioned(std::int64_t i) const {
    return has_z ? z[i] : inverse ? inverse[i] * r[i] : r[i];
  }
};

[[nodiscard]] KOKKOS_INLINE_FUNCTION bool cg_is_finite(double value) { return value - value == 0; }

/// norm = sum of v_i^2.
template <class T>
struct CgNorm {
  T const* v;
  struct Row {
    T const* v;
    KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, TwoSums& sum) const {
      double const value = static_cast<double>(v[i]);
      sum.first += value * value;
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const { return {v}; }
};
struct CgKeepNorm {
  CgState* state;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const { state->norm = sums.first; }
};

/// r = b - r, with A x in r; then r'r.
template <class T>
struct CgStart {
  T const* b;
  CgPointers<T> at;
  struct Row {
    T const* b;
    CgPointers<T> at;
    KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, TwoSums& sum) const {
      T const r = b[i] - at.r[i];
      at.r[i] = r;
      sum.first += static_cast<double>(r) * static_cast<double>(r);
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const { return {b, at}; }
};
struct CgStarted {
  CgState* state;
  double* history;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const {
    CgState& s = *state;
    s.rr = sums.first;
    // A cycle whose end was not small enough after all is followed by one that goes further.
    constexpr double further = 1.0 / 16;  // of the square
    s.aim = s.started ? further * s.aim : s.threshold;
    // And none goes so far that its sums lose their digits below the least number.
    constexpr double farthest = 1e-200;
    s.aim = Kokkos::max(s.aim, farthest * s.rr);
    s.started = 1;
    s.alpha = 0;
    s.beta = 0;
    s.updates_x = 0;
    s.phase = !cg_is_finite(s.rr)                 ? CgPhase::breakdown
              : s.rr <= s.threshold               ? CgPhase::done
              : s.iterations >= s.most_iterations ? CgPhase::limit
                                                  : CgPhase::running;
    if (history && s.iterations == 0) history[0] = s.rr;
  }
};

/// The first direction: p = z, of one reduction z itself, and r'z.
template <class T>
struct CgFirstDirection {
  CgPointers<T> at;
  struct Row {
    CgPointers<T> at;
    KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, TwoSums& sum) const {
      T const z = at.preconditioned(i);
      if (at.w) {  // one reduction: p and q begin with the first update, whose beta is zero
        at.z[i] = z;
        at.p[i] = T{};
        at.q[i] = T{};
      } else {
        at.p[i] = z;
      }
      sum.first += static_cast<double>(z) * static_cast<double>(at.r[i]);
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const { return {at}; }
};
struct CgFirstDirected {
  CgState* state;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const {
    CgState& s = *state;
    s.rz = sums.first;
    if (s.phase != CgPhase::running) return;
    if (!cg_is_finite(s.rz))
      s.phase = CgPhase::breakdown;
    else if (!(s.rz > 0))
      s.phase = CgPhase::indefinite;
  }
};

/// What the dot product p'A p means for the iteration: zero step where it ends here.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double cg_step_length(CgState const& s, double rz, double curvature) {
  return s.phase == CgPhase::running && curvature > 0 ? rz / curvature : 0;
}

/// After r was updated by a step of alpha.
KOKKOS_INLINE_FUNCTION void cg_residual_updated(CgState& s, double* history, double alpha, double curvature,
                                                double rr) {
  s.updates_x = 0;
  if (s.phase != CgPhase::running) return;
  if (!(curvature > 0)) {
    s.phase = curvature < 0 ? CgPhase::indefinite : CgPhase::breakdown;
    return;
  }
  if (!cg_is_finite(rr) || !cg_is_finite(alpha) || !cg_is_finite(curvature)) {
    s.phase = CgPhase::breakdown;
    return;
  }
  s.alpha = alpha;
  s.updates_x = 1;
  s.rr = rr;
  ++s.iterations;
  if (history) history[s.iterations] = rr;
  if (rr <= s.aim)
    s.phase = CgPhase::done;
  else if (s.iterations >= s.most_iterations)
    s.phase = CgPhase::limit;
}

/// After r'z of the new r is known.
KOKKOS_INLINE_FUNCTION void cg_directed(CgState& s, double rz) {
  if (s.phase != CgPhase::running) return;
  s.beta = rz / s.rz;
  s.rz = rz;
  if (!cg_is_finite(rz))
    s.phase = CgPhase::breakdown;
  else if (!(rz > 0))
    s.phase = CgPhase::indefinite;
}

/// Two reductions: r -= alpha q; r'r and, with z from the diagonal, r'z.
template <class T>
struct CgUpdateResidual {
  CgPointers<T> at;
  struct Row {
    T const* q;
    T* r;
    T const* inverse;
    double alpha;
    struct Read {
      T r, q, inverse;
    };
    KOKKOS_INLINE_FUNCTION Read read(std::int64_t i) const { return {r[i], q[i], inverse ? inverse[i] : T{1}}; }
    KOKKOS_INLINE_FUNCTION void finish(std::int64_t i, Read const& from, TwoSums& sum) const {
      T const value = static_cast<T>(from.r - static_cast<T>(alpha) * from.q);
      r[i] = value;
      double const wide = static_cast<double>(value);
      sum.first += wide * wide;
      sum.second += static_cast<double>(from.inverse * value) * wide;
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const {
    return {at.q, at.r, at.inverse, cg_step_length(*at.state, at.state->rz, static_cast<double>(*at.dot))};
  }
};
template <class T>
struct CgResidualUpdated {
  CgPointers<T> at;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const {
    CgState& s = *at.state;
    double const curvature = static_cast<double>(*at.dot);
    cg_residual_updated(s, at.history, cg_step_length(s, s.rz, curvature), curvature, sums.first);
    if (!at.has_z) cg_directed(s, sums.second);
  }
};

/// r'z, with z from a preconditioner of the caller's.
template <class T>
struct CgDirection {
  CgPointers<T> at;
  struct Row {
    T const* r;
    T const* z;
    KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, TwoSums& sum) const {
      sum.first += static_cast<double>(r[i]) * static_cast<double>(z[i]);
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const { return {at.r, at.z}; }
};
struct CgDirected {
  CgState* state;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const { cg_directed(*state, sums.first); }
};

/// Two reductions: x += alpha p, p = z + beta p.
template <class T>
struct CgUpdateDirection {
  CgPointers<T> at;
  struct Row {
    CgPointers<T> at;
    T alpha;
    T beta;
    bool updates_x;
    bool goes_on;
    struct Read {
      T x, p, z;
    };
    KOKKOS_INLINE_FUNCTION Read read(std::int64_t i) const { return {at.x[i], at.p[i], at.preconditioned(i)}; }
    KOKKOS_INLINE_FUNCTION void finish(std::int64_t i, Read const& from) const {
      if (!updates_x) return;
      at.x[i] = from.x + alpha * from.p;
      if (goes_on) at.p[i] = from.z + beta * from.p;
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const {
    CgState const& s = *at.state;
    return {at, static_cast<T>(s.alpha), static_cast<T>(s.beta), s.updates_x != 0, s.phase == CgPhase::running};
  }
};

/// One reduction (Chronopoulos and Gear 1989, section 3): with delta = z'A z just computed, p'A p = delta - beta
/// (r'z) / alpha_before; p = z + beta p, q = w + beta q, x += alpha p, r -= alpha q, z = M^-1 r.
KOKKOS_INLINE_FUNCTION double cg_curvature_of_one(CgState const& s, double delta) {
  return s.alpha == 0 ? delta : delta - s.beta * s.rz / s.alpha;
}
template <class T>
struct CgUpdateAll {
  CgPointers<T> at;
  struct Row {
    CgPointers<T> at;
    T alpha;
    T beta;
    bool runs;
    struct Read {
      T z, p, w, q, r, x, inverse;
    };
    KOKKOS_INLINE_FUNCTION Read read(std::int64_t i) const {
      return {at.z[i], at.p[i], at.w[i], at.q[i], at.r[i], at.x[i], at.inverse ? at.inverse[i] : T{1}};
    }
    KOKKOS_INLINE_FUNCTION void finish(std::int64_t i, Read const& from, TwoSums& sum) const {
      if (!runs) return;
      T const p = from.z + beta * from.p;
      T const q = from.w + beta * from.q;
      T const r = from.r - alpha * q;
      at.p[i] = p;
      at.q[i] = q;
      at.x[i] = from.x + alpha * p;
      at.r[i] = r;
      double const wide = static_cast<double>(r);
      sum.first += wide * wide;
      if (at.has_z) return;
      T const z = from.inverse * r;
      at.z[i] = z;
      sum.second += static_cast<double>(z) * wide;
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row start() const {
    CgState const& s = *at.state;
    double const curvature = cg_curvature_of_one(s, static_cast<double>(*at.dot));
    double const alpha = cg_step_length(s, s.rz, curvature);
    // x is written here: not by a step that no number holds.
    bool const runs = alpha != 0 && cg_is_finite(static_cast<double>(static_cast<T>(alpha)));
    return {at, static_cast<T>(alpha), static_cast<T>(s.beta), runs};
  }
};
template <class T>
struct CgAllUpdated {
  CgPointers<T> at;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const {
    CgState& s = *at.state;
    double const curvature = cg_curvature_of_one(s, static_cast<double>(*at.dot));
    cg_residual_updated(s, at.history, cg_step_length(s, s.rz, curvature), curvature, sums.first);
    if (!at.has_z) cg_directed(s, sums.second);
  }
};

}  // namespace araia::detail
