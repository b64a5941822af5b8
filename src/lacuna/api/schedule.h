#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/api/expression.h"
#include "lacuna/api/tensor.h"
#include "lacuna/format/distribution/machine.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

// The words of directives in C++ (docs/reference/schedules.md says what they mean).
inline constexpr concrete::Unit NotParallel = concrete::Unit::Serial;
inline constexpr concrete::Unit CPUThread = concrete::Unit::CpuThread;
inline constexpr concrete::Unit CPUVector = concrete::Unit::CpuVector;
inline constexpr concrete::Unit GPUBlock = concrete::Unit::GpuBlock;
inline constexpr concrete::Unit GPUWarp = concrete::Unit::GpuWarp;
inline constexpr concrete::Unit GPUThread = concrete::Unit::GpuThread;
inline constexpr concrete::Race NoRaces = concrete::Race::NoRaces;
inline constexpr concrete::Race IgnoreRaces = concrete::Race::NoRaces;
inline constexpr concrete::Race Atomics = concrete::Race::Atomics;
inline constexpr concrete::Race Temporary = concrete::Race::Temporary;
inline constexpr concrete::Race ParallelReduction = concrete::Race::ParallelReduction;
/// The functions of BLAS that substitute puts in the place of loops, and what each computes: m, n and k stand for a
/// loop, or for several that every tensor stores as one; a for all that the loops do not change.
struct BLAS {
  static constexpr concrete::Leaf gemm = concrete::Leaf::Gemm;  // C(m,n) += a * A(m,k) * B(k,n)
  static constexpr concrete::Leaf gemv = concrete::Leaf::Gemv;  // y(m) += a * A(m,k) * x(k)
  static constexpr concrete::Leaf ger = concrete::Leaf::Ger;    // A(m,n) += a * x(m) * y(n)
  static constexpr concrete::Leaf dot = concrete::Leaf::Dot;    // s += a * x(k) * y(k)
  static constexpr concrete::Leaf axpy = concrete::Leaf::Axpy;  // y(m) += a * x(m)
};
inline constexpr concrete::Merge TwoFinger = concrete::Merge::TwoFinger;
inline constexpr concrete::Merge Gallop = concrete::Merge::Gallop;
inline constexpr directive::Assemble::Strategy Append = directive::Assemble::Strategy::Append;
inline constexpr directive::Assemble::Strategy Insert = directive::Assemble::Strategy::Insert;
inline constexpr directive::LoopFuse::Side Left = directive::LoopFuse::Side::Left;
inline constexpr directive::LoopFuse::Side Right = directive::LoopFuse::Side::Right;
inline constexpr directive::LoopFuse::Step Producer{directive::LoopFuse::Step::Kind::Producer, 0};
inline constexpr directive::LoopFuse::Step Consumer{directive::LoopFuse::Step::Kind::Consumer, 0};
/// The n-th term of a sum, counted from 1, as a step of a path.
constexpr directive::LoopFuse::Step term(int n) { return {directive::LoopFuse::Step::Kind::Term, n}; }
using concrete::BoundKind;

/// What precompute makes, where the automatic choice will not do: a name, for the generated code and for directives
/// behind; a format: dense, bitmap or hashed.
struct WorkspaceOptions {
  std::string name = {};
  std::optional<Format> format = {};
};

/// Where loopfuse splits, if not at the root, and how many of the loops that both sides have in common are shared, if
/// not all.
struct LoopFuseOptions {
  std::vector<directive::LoopFuse::Step> path = {};
  std::optional<int> loops = {};
};

/// A tensor of any element type, of which a directive needs the name.
struct NamedTensor {
  template <Element T>
  NamedTensor(const Tensor<T>& tensor)
      : name(tensor.name()) {}  // NOLINT(google-explicit-constructor): lists of tensors
  std::string name;
};

/// A schedule written in C++, directive by directive:
///
///     Schedule s = schedule().split(i, io, ii, 32).parallelize(io, CPUThread);
///     y.evaluate({.schedule = s});
///
/// Variables and tensors are known by their names, so that they need some: IndexVar i("i"). Each function throws Error
/// for what the text of its directive would be refused for.
class ScheduleBuilder {
 public:
  ScheduleBuilder& split(const IndexVar& i, const IndexVar& outer, const IndexVar& inner, std::int64_t size);
  ScheduleBuilder& divide(const IndexVar& i, const IndexVar& outer, const IndexVar& inner, std::int64_t pieces);
  template <std::same_as<IndexVar>... Vars>
  ScheduleBuilder& reorder(const Vars&... vars) {
    return reorder(std::vector<IndexVar>{vars...});
  }
  ScheduleBuilder& reorder(const std::vector<IndexVar>& vars);
  ScheduleBuilder& fuse(const IndexVar& outer, const IndexVar& inner, const IndexVar& fused);
  ScheduleBuilder& pos(const IndexVar& i, const IndexVar& position, const Expression& access);
  template <Element T>
  ScheduleBuilder& pos(const IndexVar& i, const IndexVar& position, const Tensor<T>& tensor) {
    return add(
        directive::Pos{name(i), name(position), make_expr(Access{TensorVar(name("pos", tensor.name()), 0), {}})});
  }
  ScheduleBuilder& bound(const IndexVar& i, const IndexVar& bounded, std::int64_t size, BoundKind kind);
  ScheduleBuilder& unroll(const IndexVar& i, int factor);
  ScheduleBuilder& prefetch(const IndexVar& i, int turns);
  /// A call, such as BLAS::gemm, takes the place of these loops, which are directly inside one another. Whether it can
  /// is told when the schedule is applied: Error then says which loop to leave outside.
  ScheduleBuilder& substitute(const std::vector<IndexVar>& variables, concrete::Leaf leaf);
  ScheduleBuilder& vectorize(const IndexVar& i);
  ScheduleBuilder& parallelize(const IndexVar& i, concrete::Unit unit, concrete::Race race = NoRaces);
  ScheduleBuilder& precompute(const Expression& e, const std::vector<IndexVar>& variables,
                              const std::vector<IndexVar>& producer_variables, const WorkspaceOptions& workspace = {});
  ScheduleBuilder& loopfuse(int times);
  ScheduleBuilder& loopfuse(int left, directive::LoopFuse::Side producer, const LoopFuseOptions& options = {});
  ScheduleBuilder& loopfuse(const std::vector<Expression>& left, directive::LoopFuse::Side producer,
                            const LoopFuseOptions& options = {});
  template <Element T>
  ScheduleBuilder& assemble(const Tensor<T>& tensor, directive::Assemble::Strategy strategy) {
    return add(directive::Assemble{strategy, name("assemble", tensor.name())});
  }
  /// These loops run on different processors.
  ScheduleBuilder& distribute(const std::vector<IndexVar>& variables);
  /// The same of the targets, divided by a grid: the outermost of the machine, or this one.
  ScheduleBuilder& distribute(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                              const std::vector<IndexVar>& inner, const Grid& grid);
  ScheduleBuilder& distribute(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                              const std::vector<IndexVar>& inner, const Machine& machine) {
    return distribute(targets, outer, inner, machine.level(0));
  }
  /// The same, partitioned as a tensor of the statement is by a level of its machine, and run where its parts
  /// are.
  ScheduleBuilder& distribute(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                              const std::vector<IndexVar>& inner, const NamedTensor& onto, int level = 0);
  ScheduleBuilder& communicate(const NamedTensor& tensor, const IndexVar& i) { return communicate({tensor}, i); }
  ScheduleBuilder& communicate(std::initializer_list<NamedTensor> tensors, const IndexVar& i);
  ScheduleBuilder& rotate(const IndexVar& i, const std::vector<IndexVar>& by, const IndexVar& rotated);
  ScheduleBuilder& mergeby(const IndexVar& i, concrete::Merge merge);
  template <Element T>
  ScheduleBuilder& transpose(const Tensor<T>& tensor, const std::vector<int>& mode_order) {
    return add(directive::Transpose{name("transpose", tensor.name()), mode_order});
  }

  /// The directives so far, with their text, so that later refusals show the one that is meant.
  operator Schedule() const { return schedule_; }  // NOLINT(google-explicit-constructor): the builder is only for this

 private:
  /// The compound form of distribute, but for what it is distributed onto.
  static directive::Distribute compound(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                                        const std::vector<IndexVar>& inner);
  ScheduleBuilder& add(const DirectiveKind& kind);
  static std::string name(const IndexVar& var);
  static std::string name(std::string_view directive, const std::string& tensor);

  Schedule schedule_;
};

/// An empty schedule to add directives to.
inline ScheduleBuilder schedule() { return {}; }

}  // namespace lacuna
