// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Kernels of an application's own, which plans rank, verify and run beside the library's.
//
// A kernel is a descriptor: a struct with
//   static constexpr KernelInfo info{...}     its operation, storage and name; .runs = Runs::where_bound
//   static double seconds(Pricing const&)     of a product: roofline_seconds() where there is no better model
// and, as far as they apply,
//   static std::string refuse(Problem const&, Choice const&)                 empty, or why it does not run the choice;
//                                                                            it may take the Machine const& too
//   static void propose(Problem const&, Machine const&, Proposals&)          what is tried without being asked for
//   static Footprint footprint(Problem const&, Choice const&)                where it packs a matrix of its own, which
//                                                                            info.packing names
//   static double matrix_bytes(Problem const&, Choice const&, Footprint const&, Machine const&)    read in a product
//   static double gathered_bytes(Problem const&, Machine const&)             of x or B
//   static Traffic traffic(Problem const&, Machine const&, Footprint const&) of a product, where that is not a matrix
//   by
//                                                                            dense operands
//   static std::uint64_t workspace_bytes(Problem const&)                     beside its storage, where that has no
//                                                                            footprint of its own
//   static double conversion_seconds(Problem const&, Machine const&)         of binding it
//   static bool is_priced(Problem const&, Machine const&)                    may a model alone choose it
//   static Precision precision(Problem const&)                               what it rounds, no more than allowed
// and a Bound of each set of types that it is for. examples/15_own_kernel.cpp is one.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <typeinfo>

#include <araia/detail/extend/kernel_info.hpp>
#include <araia/detail/extend/pricing.hpp>
#include <araia/detail/extend/proposals.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/error.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/plan.hpp>

namespace araia {

/// The matrix as a plan has it: columns of 32 bits, and the row permutation that the caller's may bring
/// (Problem::source_permuted).
template <class Exec, class A, class Offset>
using BoundSource = Csr<A const, std::int32_t, Offset, typename Exec::device_type>;

/// What a kernel is bound for, beside types.
struct BindOptions {
  Op op = Op::none;          ///< conjugate only of complex matrices, and where info.conjugates; of SDDMM that of Y
  std::int64_t columns = 1;  ///< of B and C, or of X
  DenseLayout layout_b = DenseLayout::right;  ///< of B, or of X, as described
  DenseLayout layout_c = DenseLayout::right;  ///< of C, or of op(Y)' as kernels have it
  bool strided = false;                       ///< strides of x and y, or of both dimensions of B or C, may be any
  bool deterministic = false;                 ///< the same bits in every run, on any number of threads
  Precision precision = Precision::native;    ///< what products may round
  std::uint64_t memory_limit = 0;             ///< bytes that the bound kernel may allocate
  bool keep_maps = false;                     ///< keep what makes update_values one gather
};

/// What a bound kernel keeps of the matrix.
struct BoundValues {
  void* data = nullptr;     ///< its values, in memory of its space; null: they do not lie by themselves
  std::uint64_t bytes = 0;  ///< of those
  std::int64_t slots = 0;   ///< values kept, fill and padding included; 0: the entries
  std::int64_t pieces = 0;  ///< blocks, where it keeps some
};

/// A matrix with the kernel that multiplies it: y = alpha op(A) x + beta y for SpmvDesc, C = alpha op(A) B + beta C for
/// SpmmDesc, D = alpha A .* (X op(Y)) + beta D for SddmmDesc.
template <class Exec, class Desc, class A, class X, class Y, class Offset>
class Bound {
 public:
  using Source = BoundSource<Exec, A, Offset>;
  using Sum = accumulator_t<Y>;
  using Operand = detail::operand_t<Desc, X const>;  ///< DenseVector, DenseMatrix or DenseFactors
  using Result = detail::result_t<Desc, Y>;          ///< DenseVector or DenseMatrix
  virtual ~Bound() = default;
  /// Asynchronous on exec on a device, allocates nothing, may be called for different operands at the same time. y and
  /// C are not read where beta is 0; alpha, nnz and the columns described are not 0. Operands are as the plan was
  /// described for; they fit the matrix.
  virtual void run(Exec const& exec, Sum alpha, Operand const& x, Sum beta, Result const& y) const = 0;
  /// Does run_in_store run?
  [[nodiscard]] virtual bool stores_epilogue() const { return false; }
  /// Of SpmmDesc: C = act(alpha op(A) B + beta C + bias + R) for each B and C of a batch of one item or more, without a
  /// pass over C after the product; else as run.
  virtual void run_in_store(Exec const&, Sum, DenseBatch<X const> const&, Sum, DenseBatch<Y> const&,
                            EpiloguePointers<Y> const&) const {
    throw Error(ErrorKind::unsupported, "araia::Bound: the kernel has no product with an epilogue");
  }
  /// Takes the values of a source of the same structure; where it throws, products are those of before.
  virtual void update_values(Exec const& exec, Source const& source) = 0;
  /// Of its own arrays beside the source's, workspace included.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// What PlanOptions::after_conversion sees, and the footprint has.
  [[nodiscard]] virtual BoundValues values() const { return {}; }
};

template <class Exec, class Desc, class A, class X, class Y, class Offset>
using Bind = std::shared_ptr<Bound<Exec, Desc, A, X, Y, Offset>> (*)(Exec const& exec,
                                                                     BoundSource<Exec, A, Offset> const& source,
                                                                     Choice const& choice, BindOptions const& options);

namespace detail {

/// A descriptor's constants and functions; what it does not have is null, and means what is said here.
struct Kernel {
  KernelInfo info{};
  std::string (*refuse)(Problem const&, Choice const&, Machine const&) = nullptr;  ///< null: all that info allows runs
  void (*propose)(Problem const&, Machine const&, Proposals&) = nullptr;  ///< null: tried where it is asked for
  double (*seconds)(Pricing const&) = nullptr;                            ///< of a product
  Footprint (*footprint)(Problem const&, Choice const&) = nullptr;        ///< null: the storage's
  double (*matrix_bytes)(Problem const&, Choice const&, Footprint const&, Machine const&) = nullptr;  ///< null: all
  double (*gathered_bytes)(Problem const&, Machine const&) = nullptr;  ///< of x or B; null: detail::gathered_bytes
  Traffic (*traffic)(Problem const&, Machine const&, Footprint const&) = nullptr;  ///< null: by the two before it
  std::uint64_t (*workspace_bytes)(Problem const&) = nullptr;  ///< read in products beside the storage; null: none
  bool (*fuses)(Problem const&) = nullptr;                     ///< residual and multiply_dot in its pass; null: no
  double (*conversion_seconds)(Problem const&, Machine const&) = nullptr;  ///< null: by the bytes of its storage
  bool (*is_priced)(Problem const&, Machine const&) = nullptr;             ///< null: by the table of prices
  Precision (*precision)(Problem const&) = nullptr;                        ///< null: native
};

template <class D>
constexpr Kernel described() {
  Kernel k{.info = D::info, .seconds = &D::seconds};
  if constexpr (requires(Problem const& p, Choice const& c, Machine const& m) { D::refuse(p, c, m); })
    k.refuse = &D::refuse;
  else if constexpr (requires { &D::refuse; })
    k.refuse = [](Problem const& p, Choice const& c, Machine const&) { return D::refuse(p, c); };
  if constexpr (requires { &D::propose; }) k.propose = &D::propose;
  if constexpr (requires { &D::footprint; }) k.footprint = &D::footprint;
  if constexpr (requires { &D::matrix_bytes; }) k.matrix_bytes = &D::matrix_bytes;
  if constexpr (requires { &D::gathered_bytes; }) k.gathered_bytes = &D::gathered_bytes;
  if constexpr (requires { &D::traffic; }) k.traffic = &D::traffic;
  if constexpr (requires { &D::workspace_bytes; }) k.workspace_bytes = &D::workspace_bytes;
  if constexpr (requires { &D::fuses; }) k.fuses = &D::fuses;
  if constexpr (requires { &D::conversion_seconds; }) k.conversion_seconds = &D::conversion_seconds;
  if constexpr (requires { &D::is_priced; }) k.is_priced = &D::is_priced;
  if constexpr (requires { &D::precision; }) k.precision = &D::precision;
  return k;
}

using AnyBind = void (*)();
void register_kernel(Kernel const& kernel, std::type_index descriptor, std::type_index types, AnyBind bind);

}  // namespace detail

/// Makes a kernel of the application known, for one set of types; call it again for each further one. Plans made from
/// then on list what it proposes, and take it where it is named or found fastest. Call it before plans are made in
/// other threads. There is no way back, as plans may hold it.
///
/// \tparam Descriptor  as above
///
/// \param bind  makes the matrix and its kernel; where it throws Error unsupported or resource_limit the candidate is
/// left out
///
/// \throws araia::Error invalid_argument: info.runs is another than Runs::where_bound, the storage is none of the
/// library's, the name is not of a-z, 0-9 and _ or has over 64 characters, or another kernel has it; resource_limit:
/// over 64 kernels
template <class Descriptor, class Exec, class Desc, class A, class X, class Y, class Offset>
void register_kernel(Bind<Exec, Desc, A, X, Y, Offset> bind) {
  static_assert(Descriptor::info.operation == Desc::operation);
  static_assert(detail::is_written_out_space<Exec> && detail::has_plans<A, X, Y, std::int32_t, Offset>,
                "plans are not compiled for this space or these types");
  detail::register_kernel(detail::described<Descriptor>(), typeid(Descriptor),
                          typeid(Bound<Exec, Desc, A, X, Y, Offset>), reinterpret_cast<detail::AnyBind>(bind));
}

}  // namespace araia
