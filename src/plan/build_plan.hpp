// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan is made: the tuner's steps over types, written out for the usual ones in plan_<scalars>.cpp.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/dispatch/fused.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmm_epilogue.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/formats/conjugated.hpp>
#include <araia/extend/kernel.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/plan/plan.hpp>
#include "backends/openmp/csr_spmm_host.hpp"
#include "src/engine/bindings.hpp"
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "src/engine/tuning.hpp"
#include "src/formatted.hpp"
#include "src/plan/backend_support.hpp"
#include "src/plan/bound_matrix.hpp"
#include "src/plan/deployed_timing.hpp"
#include "src/plan/format_options.hpp"
#include "src/plan/instance_order.hpp"
#include "src/plan/measuring_price.hpp"
#include "src/plan/operand_shapes.hpp"
#include "src/plan/operation_plan.hpp"
#include "src/plan/operation_sddmm.hpp"
#include "src/plan/race.hpp"
#include "src/plan/row_inspection.hpp"
#include "src/plan/stored.hpp"
#include "src/plan/trials.hpp"
#include "src/plan/verify.hpp"

namespace araia::detail {

void check_description(SpmvDesc const& desc);
void check_description(SpmmDesc const& desc);
void check_description(SddmmDesc const& desc);
[[noreturn]] void throw_released(char const* what);

template <class Exec, class Desc, class A, class X, class Y, class Ordinal, class Offset, class Memory>
class PlanOf final : public OperationPlan<PlanOf<Exec, Desc, A, X, Y, Ordinal, Offset, Memory>, Exec, Desc, A, X, Y> {
 public:
  using Sum = accumulator_t<Y>;
  using Source = Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>>;
  using Matrix = StoredMatrix<Exec, A, Offset>;
  using Own = Bound<Exec, Desc, A, X, Y, Offset>;
  static_assert(std::is_same_v<Source, PlanSource<Exec, A, Offset>>);
  static constexpr bool is_spmv = Desc::operation == OpId::spmv;
  static constexpr bool is_spmm = Desc::operation == OpId::spmm;
  /// Has the operation kernels that read a format's pointers? Else all are bound.
  static constexpr bool reads_formats = is_spmv || is_spmm;

  PlanOf(Exec const& exec, Desc const& desc, Source const& source, PlanOptions const& options)
      : desc_(desc), source_(source) {
    check_description(desc);
    check_budget(options.budget);
    Kokkos::Profiling::ScopedRegion const profile("araia::make_plan");
    check_products(options.products);
    Deadline const deadline(options.budget, options.cancel);
    if (options.validate) validate(exec, source_);
    Machine const machine = options.machine ? *options.machine : default_machine(exec);
    Problem const problem = describe(exec, options);
    report_ = options.choice ? pinned_report(problem, machine, *options.choice, options.formats)
                             : modelled_report(problem, machine, options.formats);
    report_.products = options.products;
    std::uint64_t const limit = options.memory_limit ? options.memory_limit : default_limit();
    prune(report_, limit);
    StoreOptions const store{.memory_limit = limit, .keep_maps = options.keep_maps};
    if constexpr (is_spmv) sums_ = PartialSums<Exec, Y>(exec, transposes(desc_.op) ? source.cols : source.rows);
    if (options.measure) {
      double const before = deadline.elapsed();
      double const winners = measure(exec, options, store, deadline);
      rank(report_);
      report_.racing_seconds = deadline.elapsed() - before - winners;
    } else {
      settle(exec, store, options, deadline);
    }
    if (report_.winner().status != CandidateStatus::timed && report_.winner().status != CandidateStatus::modelled)
      throw_none_left(report_, options);
    report_.tuning_seconds = deadline.elapsed();
    report_.measured = report_.winner().status == CandidateStatus::timed;
    tuning_ = make_tuning(exec, report_.winner().choice);
    inspection_.keep_taken();
    writes_workspace_ = writes_workspace(report_.problem, report_.winner().choice);
    region_ = std::string("araia::") + to_string(Desc::operation) + "::" + label(report_.winner().choice);
    fused_region_ = region_ + "::fused";
  }

  void execute(Exec const& exec, Sum alpha, operand_t<Desc, X const> const& x, Sum beta,
               result_t<Desc, Y> const& y) const override {
    Kokkos::Profiling::ScopedRegion const profile(region_);
    in_order(exec, writes_workspace_, [&] { run(exec, *stored_, tuning_, alpha, x, beta, y); });
  }

  /// Of SpmvDesc, as PlanBody has it.
  void fused_product(Exec const& exec, DenseVector<X const> const& x, FusedOperands<Y> f) const {
    Kokkos::Profiling::ScopedRegion const profile(fused_region_);
    in_order(exec, writes_workspace_ || f.has_sum(), [&] { run_fused(exec, *stored_, tuning_, x, f); });
  }

  /// Of SpmmDesc, as PlanBody has it.
  void epilogue_product(Exec const& exec, Sum alpha, DenseBatch<X const> const& b, Sum beta, DenseBatch<Y> const& c,
                        EpiloguePointers<Y> const& epilogue) const {
    Kokkos::Profiling::ScopedRegion const profile(fused_region_);
    in_order(exec, writes_workspace_, [&] {
      if (auto const* const own = own_of(*stored_)) {
        bool const empty = c.count == 0 || c.first.rows == 0 || c.first.columns == 0;
        if (own->stores_epilogue() && !empty && alpha != Sum{} && source_.nnz > 0)
          return own->run_in_store(exec, alpha, b, beta, c, epilogue);
        for (std::int64_t i = 0; i < c.count; ++i) run(exec, *stored_, tuning_, alpha, b.item(i), beta, c.item(i));
        return finish_dense(exec, Sum(1), c, epilogue);
      }
      std::visit(
          [&](auto const& a) {
            without_conjugate(desc_.op, a, [&](Op op, auto const& p) {
              spmm_epilogue(exec, tuning_for<Desc>(tuning_, a), op, alpha, p, b, beta, c, epilogue,
                            [&](auto const& bi, auto const& ci) { run(exec, *stored_, tuning_, alpha, bi, beta, ci); });
            });
          },
          stored_->pointers());
    });
  }

  /// Of SpmmDesc: fuses_epilogue.
  [[nodiscard]] bool stores_epilogues() const {
    if (auto const* const own = own_of(*stored_)) return own->stores_epilogue();
    return std::visit(
        [&](auto const& a) {
          return without_conjugate(desc_.op, a, [&](Op op, auto const& p) {
            return stores_epilogue(Exec(), tuning_for<Desc>(tuning_, a), op, p, described_b(desc_.columns),
                                   described_c(desc_.columns));
          });
        },
        stored_->pointers());
  }

  void update_values(Exec const& exec, Kokkos::View<A const*, typename Exec::device_type> const& values) override {
    if (released_) throw_released("update_values");
    if (!source_.has_values() && source_.nnz > 0)
      throw Error(ErrorKind::unsupported, "araia::Plan::update_values: the plan is of a pattern, which has no values");
    require_extent_equal("araia::Plan::update_values", "number of values", static_cast<std::int64_t>(values.extent(0)),
                         source_.nnz);
    Source next = source_;
    next.values = values;
    if (!reads_pattern(desc_)) stored_->update_values(exec, next);  // may throw: the source is then as it was
    source_ = std::move(next);
  }

  VerifyReport verify(Exec const& exec) const override {
    if (released_) throw_released("verify");
    Random const operands(exec, report_.problem, layout_b(desc_), layout_c(desc_), default_limit());
    // Neither factor is one or zero, so that every term of the product counts.
    Sum const alpha(0.75);
    Sum const beta(-0.375);
    auto verifier = verifier_for(exec, operands, alpha, beta);
    return verifier.check(
        exec, [&] { execute(exec, alpha, random_operand(desc_, operands), beta, random_result(desc_, operands)); },
        promise_of<Exec, Y>(report_.problem, report_.winner().choice));
  }

  bool release_source() override {
    if (shares_source(Desc::operation, report_.winner().choice)) return false;  // the plan runs on it
    source_.row_offsets = {};
    source_.col_indices = {};
    source_.values = {};
    source_.row_permutation = {};
    return released_ = true;
  }

  [[nodiscard]] void const* values_read() const override {
    if (reads_pattern(desc_)) return nullptr;
    if (auto const& choice = report_.winner().choice;
        shares_source(Desc::operation, choice) && !is_source(Desc::operation, choice))
      return source_.values.data();
    if (own_of(*stored_))
      return shares_source(Desc::operation, report_.winner().choice) ? source_.values.data() : nullptr;
    return std::visit(
        [](auto const& a) -> void const* {
          if constexpr (requires { a.values; }) return a.values;
          return nullptr;
        },
        stored_->pointers());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return inspection_.bytes() + stored_->footprint().bytes; }
  [[nodiscard]] std::uint64_t workspace_bytes() const override { return sums_.bytes(); }
  [[nodiscard]] TuneReport const& report() const override { return report_; }
  [[nodiscard]] Desc const& description() const override { return desc_; }

 private:
  using Random = RandomOperands<Exec, Desc, X, Y>;

  auto verifier_for(Exec const& exec, Random const& operands, Sum alpha, Sum beta) const {
    return verifier_of<A, X, Y, Ordinal, Offset, Memory>(exec, desc_, source_, report_.problem, operands, alpha, beta);
  }

  Problem describe(Exec const& exec, PlanOptions const& options) {
    Problem p;
    // Which columns blocks of rows share decides about bcsc, and matters most where the columns are many.
    constexpr std::int64_t block_height = 64;
    bool const counts_blocks = is_spmm && !options.choice;
    std::vector<std::int64_t> heights;
    if (counts_blocks) heights.push_back(block_height);
    // What packings of CUDA are priced by. Of more columns the count takes longer than a wrong price would.
    constexpr std::int64_t most_cols = std::int64_t{1} << 22;
    constexpr bool one_type = std::is_same_v<A, X> && std::is_same_v<A, Y>;
    if (counts_blocks && is_cuda_space<Exec> && one_type && !transposes(op_of_matrix(desc_)) &&
        source_.cols <= most_cols)
      heights.push_back(rows_that_share);
    constexpr std::int64_t sampled_entries = 1 << 13;  // of blocks: a fraction of a millisecond
    p.stats = plan_features<Exec, A, Offset>(
        exec, source_, {.diagonals = false, .block_heights = heights, .sampled_entries = 8 * sampled_entries});
    if (reads_formats && !options.choice) p.block_fill = block_fill<Exec, A, Offset>(exec, source_, sampled_entries);
    p.operation = Desc::operation;
    p.op = op_of_matrix(desc_);
    p.columns = columns_of(desc_);
    p.strided = layout_b(desc_) == DenseLayout::strided || layout_c(desc_) == DenseLayout::strided;
    // Without entries there is no telling a pattern; as any other matrix it may run every kernel.
    bool const has_values = (source_.has_values() || source_.nnz == 0) && !reads_pattern(desc_);
    p.value_bytes = has_values ? static_cast<int>(sizeof(A)) : 0;
    p.ordinal_bytes = static_cast<int>(sizeof(Ordinal));
    p.offset_bytes = static_cast<int>(sizeof(Offset));
    p.x_bytes = static_cast<int>(sizeof(X));
    p.y_bytes = static_cast<int>(sizeof(Y));
    p.complex_values = is_complex_v<A> || is_complex_v<X>;
    p.source_permuted = source_.row_permutation.extent(0) != 0;
    p.precision = precision_of(desc_);
    p.allow_dense = options.allow_dense;
    p.deterministic = options.deterministic;
    if constexpr (is_spmv) p.fused = desc_.fused;
    p.bound = bound_names(typeid(Own));
    LibraryBindings<Own>::add_names(p.bound);
    if constexpr (reads_formats)
      describe_formats(exec, p);
    else
      describe_backend<Exec, X, Y>(desc_, source_.pointers(), p);
    return p;
  }

  /// What kernels that read formats want to be known.
  void describe_formats(Exec const& exec, Problem& p) {
    auto const b = operand(desc_, described_b(p.columns));
    auto const c = operand(desc_, described_c(p.columns));
    p.host_simd = has_host_simd<Desc>(exec, source_.pointers(), b, c);
    p.b_by_rows = described_b(p.columns).column_stride == 1 || p.columns == 1;
    p.cuda_kernels = !transposes(p.op) && has_cuda_kernels<Desc>(exec, source_.pointers(), b, c);
    if (p.host_simd && !transposes(p.op) && can_inspect_rows(p.stats.rows)) {
      auto const* const runs = inspection_.runs(exec, source_, !is_spmv);
      p.shared_entries = runs->shared_entries;
      p.diagonal_entries = runs->diagonal_entries;
      if constexpr (!is_spmv && std::is_floating_point_v<X>) {
        auto const prefetch = host::csr_spmm_entry_prefetch(p.stats.rows, p.stats.nnz, runs, described_b(p.columns));
        p.scattered_rows = prefetch == host::EntryPrefetch::yes || prefetch == host::EntryPrefetch::alone;
      }
    }
    if constexpr (is_spmv && is_cuda_space<Exec>)
      if (p.cuda_kernels) {
        p.chunk_rows = inspection_.most_chunk_rows(exec, source_);
        p.gathered_lines = gathered_lines(exec, source_.col_indices.data(), source_.nnz);
      }
  }

  using Tuning = AnyTuning<Desc>;
  using Inspection = RowInspection<Exec, A, X, Y, Ordinal, Offset, Memory>;

  /// Operands as described, without memory.
  [[nodiscard]] DenseMatrix<X const> described_b(std::int64_t columns) const {
    auto const m =
        Operands<Exec, X, Y>::shape(layout_b(desc_), transposes(desc_.op) ? source_.rows : source_.cols, columns);
    return {nullptr, m.rows, m.columns, m.row_stride, m.column_stride};
  }
  [[nodiscard]] DenseMatrix<Y> described_c(std::int64_t columns) const {
    auto const m =
        Operands<Exec, X, Y>::shape(layout_c(desc_), transposes(desc_.op) ? source_.cols : source_.rows, columns);
    return {nullptr, m.rows, m.columns, m.row_stride, m.column_stride};
  }

  /// What the choice takes: its matrix, and what its kernel reads beside it.
  Footprint footprint_of(Matrix const& stored, Choice const& choice) const {
    auto footprint = stored.footprint();
    if (own_of(stored)) return footprint;  // its bytes are all that it keeps
    footprint.bytes += kernel_bytes(report_.problem, choice);
    return footprint;
  }

  /// The tuning that a choice names, with what its kernel must know of the rows; of a matrix behind a kernel of its own
  /// none is looked at.
  Tuning make_tuning(Exec const& exec, Choice const& choice) {
    inspection_.begin();
    if (binding_for(report_.problem, choice).bind) return {};
    if constexpr (reads_formats) {
      std::int64_t const columns = is_spmv ? 0 : std::max<std::int64_t>(1, columns_of(desc_));
      return prepared_tuning<Desc>(report_.problem, choice,
                                   typename Inspection::Rows{inspection_, exec, source_, columns});
    }
    return {};
  }

  /// The kernel of an application that holds the matrix, or null.
  static Own const* own_of(Matrix const& stored) { return static_cast<Own const*>(stored.own()); }

  using Binding = typename LibraryBindings<Own>::Functions;

  /// What binds the kernel of the choice for the plan's types; null where it multiplies a matrix of make_stored.
  static Binding binding_for(Problem const& problem, Choice const& choice) {
    auto const* const kernel = kernel_of(problem, choice);
    if (!kernel) return {};
    Binding found = LibraryBindings<Own>::find(kernel->info);
    if (!found.bind && kernel->info.runs == Runs::where_bound)
      found.bind = reinterpret_cast<decltype(found.bind)>(binding_of(kernel->info, typeid(Own)));
    return found;
  }

  /// What a kernel is bound for.
  BindOptions bind_options(StoreOptions const& store) const {
    return {.op = desc_.op == Op::conjugate && !is_complex_v<A> ? Op::none : desc_.op,
            .columns = columns_of(desc_),
            .layout_b = layout_b(desc_),
            .layout_c = layout_c(desc_),
            .strided = report_.problem.strided,
            .deterministic = report_.problem.deterministic,
            .precision = precision_of(desc_),
            .memory_limit = store.memory_limit,
            .keep_maps = store.keep_maps};
  }

  /// f(), which runs a product; one after the other where it writes what the plan's products share.
  template <class F>
  void in_order(Exec const& exec, bool shares, F const& f) const {
    if (shares) return order_.run(exec, f);
    f();
  }

  void run(Exec const& exec, Matrix const& stored, Tuning const& tuning, Sum alpha, operand_t<Desc, X const> const& x,
           Sum beta, result_t<Desc, Y> const& y) const {
    if (auto const* const own = own_of(stored)) {
      if (alpha == Sum{} || source_.nnz == 0 || columns_of(desc_) == 0) return scale_dense(exec, beta, y);
      return own->run(exec, alpha, x, beta, y);
    }
    if constexpr (reads_formats)
      std::visit([&](auto const& a) { product(exec, tuning_for<Desc>(tuning, a), desc_.op, alpha, a, x, beta, y); },
                 stored.pointers());
  }

  void run_fused(Exec const& exec, Matrix const& stored, Tuning const& tuning, DenseVector<X const> const& x,
                 FusedOperands<Y> f) const {
    f.sums = sums_.pointers();
    bool const done = !own_of(stored) && std::visit(
                                             [&](auto const& a) {
                                               return without_conjugate(desc_.op, a, [&](Op op, auto const& p) {
                                                 return op == Op::none &&
                                                        fused_in_one_pass(exec, tuning_for<Desc>(tuning, a), p, x, f);
                                               });
                                             },
                                             stored.pointers());
    if (done) return;
    run(exec, stored, tuning, Sum(1), x, Sum{}, f.y);
    finish_product(exec, f);
  }

  /// Of operands, and of conversions where the caller names no other.
  static std::uint64_t default_limit() {
    return is_device_space<Exec> ? default_device_memory_limit() : default_host_memory_limit();
  }

  /// The options of a conversion beside which so many bytes of its limit are held.
  static StoreOptions beside(StoreOptions store, std::uint64_t held) {
    store.memory_limit = store.memory_limit > held ? store.memory_limit - held : 1;  // 0 means no limit
    return store;
  }

  /// The same of the choice's, whose workspace comes out of a limit that is for all that the plan does.
  StoreOptions beside(StoreOptions const& store, std::uint64_t held, Choice const& choice,
                      PlanOptions const& options) const {
    bool const shared = options.memory_limit == 0 && !is_device_space<Exec>;
    std::uint64_t const workspace =
        shared ? conversion_workspace(report_.problem, choice, report_.machine.concurrency) : 0;
    return beside(store, saturating_sum(held, workspace));
  }

  /// Choices of one label share a matrix: those of one storage, but for kernels of applications.
  std::string matrix_label(Choice const& choice) const {
    return binding_for(report_.problem, choice).bind ? label(choice) : storage_label(choice);
  }

  /// What a matrix that was made for the choice holds beside the source.
  std::uint64_t held_by(Matrix const& matrix, Choice const& choice) const {
    bool const shares = shares_source(Desc::operation, choice);
    std::uint64_t const bytes = matrix.footprint().bytes;
    return bytes - (shares ? std::min(bytes, source_.bytes()) : 0);
  }

  std::shared_ptr<Matrix> convert(Exec const& exec, Choice const& choice, StoreOptions const& store,
                                  PlanOptions const& options) const {
    auto const binding = binding_for(report_.problem, choice);
    if (!binding.bind) return shown(exec, choice, options, make_stored<Exec, A, Offset>(exec, source_, choice, store));
    Source read = source_;
    if (reads_pattern(desc_)) read.values = {};
    auto own = binding.bind(exec, read, choice, bind_options(store));
    if (!own) throw Error(ErrorKind::unsupported, "araia::make_plan: " + label(choice) + ": its bind returned null");
    require_memory(label(choice).c_str(), own->bytes(), store.memory_limit);
    return shown(exec, choice, options,
                 std::make_shared<BoundMatrix<Exec, A, Offset, Own>>(std::move(own), read,
                                                                     shares_source(Desc::operation, choice)));
  }

  /// The matrix, after the caller has seen it.
  static std::shared_ptr<Matrix> shown(Exec const& exec, Choice const& choice, PlanOptions const& options,
                                       std::shared_ptr<Matrix> stored) {
    if (auto const values = stored->values(); options.after_conversion && values.data) {
      exec.fence("araia::make_plan: the conversion is complete");
      options.after_conversion(choice, values.data, values.bytes);
    }
    return stored;
  }

  /// The candidate that the model takes, in front. A prediction that is not exact is counted before it may win, and a
  /// format that the structure does not allow leaves its place to the next.
  CandidateReport& model_best(Exec const& exec, StoreOptions const& store, PlanOptions const& options) {
    for (;;) {
      rank(report_);
      auto& best = report_.candidates.front();
      // What is bound without a count is priced by its own rule, whatever its padding: making it counts it.
      auto const binding = binding_for(report_.problem, best.choice);
      if (best.status != CandidateStatus::modelled || best.footprint.exact || (binding.bind && !binding.count) ||
          report_.candidates.size() == 1)
        return best;
      try {
        model_with(report_, best,
                   binding.count ? binding.count(exec, source_, best.choice, bind_options(store))
                                 : count_footprint<Exec, A, Offset>(exec, source_, best.choice, store));
        if (!leave_out_mixing(report_, best))
          require_memory(label(best.choice).c_str(), best.footprint.bytes, store.memory_limit);
      } catch (std::exception const& e) {
        if (options.choice) throw;
        leave_out(best, e);
      }
    }
  }

  /// The matrix of a candidate whose products nobody times; its conversion is, and what it takes is known from now on.
  std::shared_ptr<Matrix> make_untimed(Exec const& exec, CandidateReport& candidate, StoreOptions const& store,
                                       PlanOptions const& options, Deadline const& deadline) {
    auto const start = deadline.elapsed();
    auto const matrix = convert(exec, candidate.choice, store, options);
    if (!is_source(Desc::operation, candidate.choice)) {
      exec.fence("araia::make_plan: the conversion is complete");
      candidate.conversion_seconds = deadline.elapsed() - start;
    }
    model_with(report_, candidate, footprint_of(*matrix, candidate.choice));
    return matrix;
  }

  /// Kernels of applications are verified before a plan takes them unmeasured: nobody else did.
  bool is_right_or_ours(Exec const& exec, CandidateReport& candidate, Matrix const& matrix) {
    if (!own_of(matrix) || LibraryBindings<Own>::find(kernel_of(report_.problem, candidate.choice)->info).bind)
      return true;
    Random const operands(exec, report_.problem, layout_b(desc_), layout_c(desc_), default_limit());
    auto verifier = verifier_for(exec, operands, Sum(1), Sum{});
    auto const once = [&] {
      run(exec, matrix, Tuning{}, Sum(1), random_operand(desc_, operands), Sum{}, random_result(desc_, operands));
    };
    candidate.verified = verifier.check(exec, once, promise_of<Exec, Y>(report_.problem, candidate.choice));
    if (candidate.verified.ok) return true;
    candidate.status = CandidateStatus::wrong;
    candidate.reason = candidate.verified.first_violation;
    return false;
  }

  /// Without measuring: the best by the model is made, and that is the plan, if making it has not shown that another is
  /// better.
  void settle(Exec const& exec, StoreOptions const& store, PlanOptions const& options, Deadline const& deadline) {
    if (!options.choice) leave_out_unpriced(report_);
    std::map<std::string, std::shared_ptr<Matrix>> made;  // by label
    std::uint64_t held = 0;                               // bytes of those
    for (;;) {
      auto& best = model_best(exec, beside(store, held), options);
      if (best.status != CandidateStatus::modelled) return;
      auto& matrix = made[label(best.choice)];
      if (matrix) {
        stored_ = matrix;
        report_.model_label = label(best.choice);
        return;
      }
      try {
        matrix = make_untimed(exec, best, beside(store, held, best.choice, options), options, deadline);
        if (!is_right_or_ours(exec, best, *matrix)) continue;
        held = saturating_sum(held, held_by(*matrix, best.choice));
      } catch (std::exception const& e) {  // bad_alloc too: a packing is made in host memory
        if (options.choice) throw;
        leave_out(best, e);
      }
    }
  }

  /// What settle would take, as far as counting tells. Footprints that were counted, and formats that are not allowed,
  /// are kept in the report; what a model alone must not choose stays a candidate of the race.
  std::string choice_of_model(Exec const& exec, StoreOptions const& store, PlanOptions const& options) {
    auto const before = report_.candidates;
    leave_out_unpriced(report_);
    auto const& best = model_best(exec, store, options);
    std::string const chosen = best.status == CandidateStatus::modelled ? label(best.choice) : std::string();
    for (auto& candidate : report_.candidates) {
      auto const was = std::find_if(before.begin(), before.end(),
                                    [&](CandidateReport const& c) { return c.choice == candidate.choice; });
      bool const by_model_alone = candidate.status == CandidateStatus::pruned && !candidate.unsupported &&
                                  was->status == CandidateStatus::modelled &&
                                  candidate.footprint.bytes <= store.memory_limit;
      if (!by_model_alone) continue;
      candidate.status = CandidateStatus::modelled;
      candidate.reason.clear();
    }
    return chosen;
  }

  /// The model's choice where nothing can be timed; `why` is the report's first line.
  /// \return seconds of its conversion
  double settle_untimed(Exec const& exec, PlanOptions const& options, StoreOptions const& store,
                        Deadline const& deadline, std::string why) {
    settle(exec, store, options, deadline);
    report_.remark = std::move(why);
    for (std::size_t i = 1; i < report_.candidates.size(); ++i)
      if (report_.candidates[i].status == CandidateStatus::modelled)
        leave_for_time(report_, report_.candidates[i], "not tried");
    return report_.candidates.front().conversion_seconds;
  }

  /// \return seconds of the winner's conversion
  double measure(Exec const& exec, PlanOptions const& options, StoreOptions const& store, Deadline const& whole) {
    double const affordable = affordable_seconds(report_, options.budget);
    Deadline const deadline = whole.within(affordable);
    report_.limited_by_products = affordable < options.budget;
    if (affordable <= 0) {
      report_.out_of_budget = true;
      return settle_untimed(exec, options, store, deadline, "nothing was timed: the budget is 0 s");
    }
    std::uint64_t const operand_limit = default_limit();
    Random::require_room(report_.problem, layout_b(desc_), layout_c(desc_), operand_limit);
    // What conversions may take beside the operands, which lie there to the end; a limit of their own is theirs alone.
    bool const one_limit = options.memory_limit == 0;
    auto const trials =
        one_limit ? beside(store, Random::bytes(report_.problem, layout_b(desc_), layout_c(desc_))) : store;
    if (!options.choice) report_.model_label = choice_of_model(exec, trials, options);
    rank(report_);  // the most promising first, should the budget end
    auto const order = order_of_trial(report_);
    auto const price = measuring_price(report_.problem, report_.machine);
    double const need = order.empty() ? 0 : price.operands + trial_price(report_.candidates[order.front()], price);
    if (!order.empty() && need > deadline.left()) {
      report_.out_of_budget = true;
      return settle_untimed(exec, options, store, deadline,
                            too_little_time(report_, report_.candidates[order.front()], need, affordable));
    }
    auto const begin = deadline.elapsed();
    Random const operands(exec, report_.problem, layout_b(desc_), layout_c(desc_), operand_limit);
    auto verifier = verifier_for(exec, operands, Sum(1), Sum{});
    auto const x = random_operand(desc_, operands);
    auto const y = random_result(desc_, operands);
    double const slowness = std::max(1.0, (deadline.elapsed() - begin) / std::max(price.operands, priceable_seconds));
    std::map<std::string, std::pair<std::shared_ptr<Matrix>, double>> made;  // by storage: matrix, seconds
    std::vector<std::shared_ptr<Matrix>> matrices(report_.candidates.size());
    Timing timing;
    std::uint64_t const evicting = options.cold ? evicting_bytes(trials.memory_limit) : 0;
    auto const evict = evictor(exec, evicting);
    std::uint64_t taken = one_limit ? evicting : 0;
    auto const price_of = [&](std::size_t i) {
      auto const& candidate = report_.candidates[i];
      bool const converted = is_source(Desc::operation, candidate.choice) || made[matrix_label(candidate.choice)].first;
      return trial_price(candidate, price) - (converted ? conversion_seconds(candidate) : 0);
    };
    auto const attempt = [&](std::size_t i, double& product) -> std::optional<RacedCandidate> {
      auto& candidate = report_.candidates[i];
      auto& [matrix, seconds] = made[matrix_label(candidate.choice)];
      if (!matrix) {
        bool const converts = !is_source(Desc::operation, candidate.choice);
        auto const left = beside(trials, taken, candidate.choice, options);
        if (converts && candidate.bytes > left.memory_limit) throw_no_room_beside();
        exec.fence("araia::make_plan: before a conversion");
        auto const start = deadline.elapsed();
        matrix = convert(exec, candidate.choice, left, options);
        exec.fence("araia::make_plan: after a conversion");
        if (converts) seconds = deadline.elapsed() - start;
        taken = saturating_sum(taken, held_by(*matrix, candidate.choice));
      }
      model_with(report_, candidate, footprint_of(*matrix, candidate.choice));
      candidate.conversion_seconds = seconds;
      matrices[i] = matrix;
      Tuning const tuning = make_tuning(exec, candidate.choice);
      candidate.conversion_seconds += inspection_.seconds_of_taken();
      auto const once = [&, matrix = matrix] {
        auto const start = deadline.elapsed();
        run(exec, *matrix, tuning, Sum(1), x, Sum{}, y);
        exec.fence("araia::make_plan: the product to verify is complete");
        product = deadline.elapsed() - start;
      };
      candidate.verified = verifier.check(exec, once, promise_of<Exec, Y>(report_.problem, candidate.choice));
      if (!candidate.verified.ok) return std::nullopt;
      return raced_candidate(exec, i, matrix, tuning, x, y, timing, evict);
    };
    auto raced = try_in_order(report_, options, deadline, order, slowness, {price_of, attempt});
    race(
        report_, std::move(raced), [&exec] { exec.fence("araia::make_plan: timing"); }, deadline, options.progress);
    take_best(exec, options, beside(trials, taken), deadline, matrices);
    rank(report_);
    auto const& winner = report_.candidates.front();
    auto const found = made.find(matrix_label(winner.choice));
    return found == made.end() ? winner.conversion_seconds : found->second.second;
  }

  using Timing = std::shared_ptr<DeployedTiming<Exec>>;

  /// More than the last-level cache holds, within half of what is left.
  [[nodiscard]] std::uint64_t evicting_bytes(std::uint64_t left) const {
    constexpr std::uint64_t least = std::uint64_t{64} << 20;  // where nothing is known of caches
    return std::max(least, std::min(2 * report_.machine.cache_bytes, left / 2));
  }

  /// Writes so many bytes, where there are any: products that follow come from memory.
  std::function<void()> evictor(Exec const& exec, std::uint64_t bytes) const {
    if (bytes == 0) return {};
    auto const others =
        new_view<Kokkos::View<char*, typename Exec::device_type>>(exec, "araia::make_plan::evict", bytes);
    return [exec, others, value = char{0}]() mutable { Kokkos::deep_copy(exec, others, ++value); };
  }

  /// A candidate that was made and verified, as it runs in the race: as its products will.
  RacedCandidate raced_candidate(Exec const& exec, std::size_t place, std::shared_ptr<Matrix> const& matrix,
                                 Tuning const& tuning, operand_t<Desc, X const> const& x, result_t<Desc, Y> const& y,
                                 Timing& timing, std::function<void()> const& evict) const {
    auto const run_on = [this, matrix, tuning, x, y, dot = fused_target(exec)](Exec const& on) {
      if constexpr (is_spmv && std::is_same_v<X, Y>) {
        if (dot.data()) return run_fused(on, *matrix, tuning, x, {.w = x, .y = y, .dot = dot.data()});
      }
      run(on, *matrix, tuning, Sum(1), x, Sum{}, y);
    };
    RacedCandidate made{.place = place, .run = [&exec, run_on] { run_on(exec); }};
    made.evict = evict;
    // What is far beyond the caches comes from memory in each product, whatever ran before.
    constexpr double beyond_caches = 4;
    if (report_.candidates[place].traffic.bytes() > beyond_caches * static_cast<double>(report_.machine.cache_bytes))
      made.untimed = 1;
    if constexpr (DeployedTiming<Exec>::exists) {
      if (!timing) timing = std::make_shared<DeployedTiming<Exec>>();
      if (!evict)
        made.timed = [timing, place, run_on](int stretches, int products) {
          return timing->seconds(place, run_on, stretches, products);
        };
    }
    return made;
  }

  /// Where multiply_dot puts its sum, if that is what will run; else null.
  Kokkos::View<Sum, typename Exec::device_type> fused_target(Exec const& exec) const {
    if (!report_.problem.fused || report_.problem.stats.rows != report_.problem.stats.cols) return {};
    return new_view<Kokkos::View<Sum, typename Exec::device_type>>(exec, "araia::make_plan::dot");
  }

  /// Keeps the matrix of the race's winner; where nothing was timed, what the model takes.
  void take_best(Exec const& exec, PlanOptions const& options, StoreOptions const& store, Deadline const& deadline,
                 std::vector<std::shared_ptr<Matrix>> const& matrices) {
    if (report_.winner_label.empty() && report_.model_label.empty()) report_.winner_label = first_verified(report_);
    if (report_.winner_label.empty() && is_verified(report_, report_.model_label))
      report_.winner_label = report_.model_label;
    if (std::none_of(report_.candidates.begin(), report_.candidates.end(),
                     [](CandidateReport const& c) { return c.status == CandidateStatus::timed; }))
      report_.remark = report_.cancelled ? "nothing was timed: the tuning was cancelled"
                                         : "nothing was timed: verifying took all of the budget";
    take_untried_model_choice(exec, options, store, deadline);
    // Where nothing that was tried is right, or none was tried, the model chooses among what is left.
    if (report_.winner_label.empty()) {
      for (auto& candidate : report_.candidates)
        if (lacked_time(candidate.status)) candidate.status = CandidateStatus::modelled;
      settle(exec, store, options, deadline);
      report_.winner_label = label(report_.candidates.front().choice);
    }
    for (std::size_t i = 0; i < report_.candidates.size(); ++i) {
      auto& candidate = report_.candidates[i];
      if (label(candidate.choice) == report_.winner_label) {
        stored_ = stored_ ? stored_ : matrices[i];
        if (candidate.status == CandidateStatus::timed || candidate.status == CandidateStatus::modelled)
          candidate.reason.clear();
      } else if (candidate.status == CandidateStatus::modelled) {
        leave_for_time(report_, candidate, candidate.verified.ok ? "verified, not timed" : "not tried");
      }
    }
  }

  /// Measuring must not take what is slower than not measuring.
  void take_untried_model_choice(Exec const& exec, PlanOptions const& options, StoreOptions const& store,
                                 Deadline const& deadline) {
    auto* const chosen = untried_model_choice(report_, options.budget, deadline);
    if (!chosen) return;
    try {
      stored_ = make_untimed(exec, *chosen, beside(store, 0, chosen->choice, options), options, deadline);
    } catch (std::exception const& e) {
      return leave_out(*chosen, e);
    }
    chosen->status = CandidateStatus::modelled;
    chosen->reason.clear();
    report_.winner_label = report_.model_label;
    report_.remark =
        "there was no time to measure the model's choice, which is expected ahead of what was timed: taken";
  }

  Desc desc_;
  Source source_;
  bool released_ = false;
  TuneReport report_;
  std::shared_ptr<Matrix> stored_;
  Inspection inspection_;
  Tuning tuning_;              // of the winner
  PartialSums<Exec, Y> sums_;  // of SpmvDesc: of residual and multiply_dot
  bool writes_workspace_ = false;
  mutable InstanceOrder<Exec> order_;
  std::string region_;
  std::string fused_region_;  // of products that form a sum
};

template <class Desc, class X, class Y, class Exec, class A, class Ordinal, class Offset, class Memory>
std::unique_ptr<PlanBody<Exec, Desc, A, X, Y>> build_plan(
    Exec const& exec, Desc const& desc, Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>> const& source,
    PlanOptions const& options) {
  return std::make_unique<PlanOf<Exec, Desc, A, X, Y, Ordinal, Offset, Memory>>(exec, desc, source, options);
}

/// Plans of these scalars for every space and both widths of offsets: what a unit of src/plan writes out.
template <class A, class X, class Y>
void write_out_plans() {
  for_types<Spaces, ListOf<SpmvDesc, SpmmDesc, SddmmDesc>, Offsets>([&]<class Exec, class Desc, class Offset>() {
    write_out(build_plan<Desc, X, Y, Exec, A, std::int32_t, Offset, typename Exec::memory_space>);
  });
}

}  // namespace araia::detail
