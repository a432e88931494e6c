// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/sddmm_peers.hpp>

namespace araia::perf {

template <class Scalar>
SddmmContender sddmm_by_loop(SddmmProblem<Scalar> const& p) {
  return {"loop", [p] {
#pragma omp parallel for schedule(dynamic, 64)
            for (std::int64_t i = 0; i < p.rows; ++i) {
              Scalar const* const x = p.x + i * p.columns;
              for (std::int64_t entry = p.row_offsets[i]; entry < p.row_offsets[i + 1]; ++entry) {
                Scalar const* const y = p.y + p.col_indices[entry] * p.columns;
                Scalar sum{};
#pragma omp simd reduction(+ : sum)
                for (std::int64_t k = 0; k < p.columns; ++k) sum += x[k] * y[k];
                p.d[entry] = sum;
              }
            }
          }};
}
template SddmmContender sddmm_by_loop(SddmmProblem<double> const&);
template SddmmContender sddmm_by_loop(SddmmProblem<float> const&);

}  // namespace araia::perf
