#include "lacuna/schedule/cost/time.h"

#include <algorithm>
#include <array>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {

using iteration::Iteration;
using iteration::LevelUse;
using iteration::Loop;
using iteration::Nest;
using iteration::Node;
using iteration::Path;

namespace {

// What it takes to move one byte from each cache, and from memory in rows that come in no order.
constexpr std::array<double, 3> seconds_a_byte_of_cache{5e-12, 1.5e-11, 3e-11};
constexpr double seconds_a_byte_of_memory = 7e-11;

constexpr double seconds_an_operation = 5e-11;  // several at once
constexpr double seconds_an_operation_of_blas = 2e-11;
constexpr double seconds_a_call = 3e-7;    // of BLAS
constexpr double seconds_a_start = 2e-9;   // of a loop: where it ends is not foreseen
constexpr double seconds_a_guess = 4e-9;   // that the processor makes wrong, of whether a turn has anything to do
constexpr double seconds_a_stride = 1e-9;  // an element of its own cache line, and loads and stores one by one

constexpr double seconds_to_copy = 2e-5;  // whatever the size
// Of one element, to a place in another order.
constexpr double seconds_a_dense_copy = 2e-9;
constexpr double seconds_a_sparse_copy = 1e-8;

/// From the smallest cache that holds arrays of this size.
double seconds_a_byte(double size, const CacheSizes& caches) {
  for (std::size_t k = 0; k < caches.size(); ++k)
    if (size <= static_cast<double>(caches[k])) return seconds_a_byte_of_cache[k];
  return seconds_a_byte_of_memory;
}

/// Of what is come to again in no order within so many bytes: each cache holds a share of it.
double seconds_a_byte_again(double within, const CacheSizes& caches) {
  double held = 0, seconds = 0;
  for (std::size_t k = 0; k < caches.size(); ++k) {
    const double share = within <= 0 ? 1 : std::min(1.0, static_cast<double>(caches[k]) / within);
    seconds += std::max(0.0, share - held) * seconds_a_byte_of_cache[k];
    held = std::max(held, share);
  }
  return seconds + (1 - held) * seconds_a_byte_of_memory;
}

double seconds_a_turn(Iteration iteration) {
  switch (iteration) {
    case Iteration::Full: return 5e-11;
    case Iteration::Walk: return 5e-10;
    case Iteration::Merge: return 3e-9;
    case Iteration::Drain:
    case Iteration::Pieces: break;
  }
  return 1e-9;
}

/// What a loop takes beside its turns to go from one element of nodes to the next: references are followed, and where
/// several levels are merged or others decide the coordinates, an iterator remembers where it is.
double seconds_in_nodes(const concrete::Program& program, const Nest& nest, const Loop& loop, const LoopEstimate& e) {
  constexpr double seconds_a_visit = 2e-9, seconds_a_step = 5e-9;
  double a_turn = 0;
  for (const LevelUse& u : loop.walks.cursors) {
    const Path& path = nest.path_of(u);
    if (program.at(path.tensor).format.level(u.level).is_dynamic())
      a_turn += loop.walks.cursors.size() > 1 ? seconds_a_step : seconds_a_visit;
  }
  return e.trips * a_turn;
}

/// How often it is guessed wrong whether a turn has anything to do: turns that have and turns that have not come in no
/// order, and the more frequent of both is expected.
double wrong_guesses(const Loop& loop, const LoopEstimate& e) {
  if (loop.iteration != Iteration::Full && loop.iteration != Iteration::Walk) return 0;
  return std::max(0.0, std::min(e.executions, e.trips - e.executions));
}

/// How assignments come by the elements of their tensors.
class Locality {
 public:
  Locality(const concrete::Program& program, const Nest& nest, const Counts& counts, const Estimate& estimate)
      : program_(program), nest_(nest), counts_(counts), estimate_(estimate) {
    go(nest.root);
  }

  /// Elements that the loop right outside comes to at strides, all in all.
  double strided() const { return strided_; }

  /// What it takes to move bytes of a tensor of some size that were moved before: each access has a share of them, from
  /// the cache that holds all that its loops come to before they come to the same again.
  double seconds_again(const std::string& tensor, double bytes, double size, const CacheSizes& caches) const {
    double total = 0, time = 0;
    for (const Visit& v : visits_) {
      if (v.tensor != tensor) continue;
      const double again = std::max(0.0, v.bytes - size);
      total += again;
      // What the innermost loop does not change stays in a register.
      if (!v.loops.empty() && used(v, v.loops.back()).empty()) continue;
      time += again * seconds_a_byte_again(reused_within(v), caches);
    }
    return total > 0 ? bytes * time / total : bytes * seconds_a_byte(size, caches);
  }

 private:
  /// An access under its loops, from the outermost one.
  struct Visit {
    std::string tensor;
    std::vector<IndexVar> variables;
    std::vector<int> loops;
    double width;  // of an element, in bytes
    double bytes;  // that it moves, all in all
  };

  void go(const Node& node) {
    if (node.loop >= 0) loops_.push_back(node.loop);
    for (const Node& child : node.children) go(child);
    if (const auto* a = std::get_if<concrete::Assign>(&node.stmt->kind)) {
      note(a->target);
      for (const Access& x : accesses(a->rhs)) note(x);
    }
    if (node.loop >= 0) loops_.pop_back();
  }

  void note(const Access& x) {
    const double turns = loops_.empty() ? 1 : estimate_.loops[static_cast<std::size_t>(loops_.back())].trips;
    const double width = size_of(program_.at(x.tensor).type);
    visits_.push_back({x.tensor.name(), tree::level_variables(program_, x), loops_, width, turns * width});
    const Visit& v = visits_.back();
    if (loops_.empty()) return;
    const std::vector<IndexVar> innermost = used(v, loops_.back());
    if (!innermost.empty() && !(v.variables.back() == innermost.front())) strided_ += turns;
  }

  /// Which variables of an access a loop runs over.
  std::vector<IndexVar> used(const Visit& v, int loop) const {
    std::vector<IndexVar> all = program_.provenance.underived(nest_.loops[static_cast<std::size_t>(loop)].var);
    std::erase_if(all, [&](const IndexVar& u) { return !contains(v.variables, u); });
    return all;
  }

  /// How many bytes an access comes to in one turn of the loop outside of its loops from `depth` on.
  double footprint(const Visit& v, std::size_t depth) const {
    std::vector<IndexVar> seen;
    double bytes = v.width;
    for (std::size_t k = depth; k < v.loops.size(); ++k)
      for (const IndexVar& u : used(v, v.loops[k])) {
        if (contains(seen, u)) continue;
        seen.push_back(u);
        bytes *= range(v, depth, k, u);
      }
    const auto values = estimate_.arrays.find({v.tensor, 0, ArrayKind::Values});
    return values == estimate_.arrays.end() ? bytes : std::min(bytes, values->second.size);
  }

  /// How many values of a variable the loop of an access at `at` comes to, in those from `depth` on: where it walks
  /// what an operand stores under a parent that they do not change, neighbours of that parent come to much the same.
  double range(const Visit& v, std::size_t depth, std::size_t at, const IndexVar& u) const {
    const auto extent = static_cast<double>(program_.extents.at(u));
    const Loop& loop = nest_.loops[static_cast<std::size_t>(v.loops[at])];
    if (loop.iteration != Iteration::Walk || loop.walks.cursors.size() != 1) return extent;
    const LevelUse& walked = loop.walks.cursors.front();
    const Path& path = nest_.path_of(walked);
    const double reach = counts_.at(path.tensor.name()).levels[static_cast<std::size_t>(walked.level)].reach;
    if (reach <= 0 || walked.level == 0) return extent;
    const IndexVar& parent = path.variables[static_cast<std::size_t>(walked.level) - 1];
    for (std::size_t k = depth; k < v.loops.size(); ++k) {
      const IndexVar& other = nest_.loops[static_cast<std::size_t>(v.loops[k])].var;
      if (contains(program_.provenance.underived(other), parent)) return extent;
    }
    return std::min(extent, reach);
  }

  /// How much is come to, by this access and all others, before an element that it has come to is come to again: in one
  /// turn of the innermost loop that it does not depend on.
  double reused_within(const Visit& v) const {
    std::size_t depth = v.loops.size();
    while (depth > 0 && !used(v, v.loops[depth - 1]).empty()) --depth;
    std::map<std::string, double> touched;
    for (const Visit& other : visits_) {
      const bool together = depth == 0 || (other.loops.size() >= depth && other.loops[depth - 1] == v.loops[depth - 1]);
      if (!together) continue;
      double& bytes = touched[other.tensor];
      bytes = std::max(bytes, footprint(other, depth));
    }
    double all = 0;
    for (const auto& [tensor, bytes] : touched) all += bytes;
    return all;
  }

  const concrete::Program& program_;
  const Nest& nest_;
  const Counts& counts_;
  const Estimate& estimate_;
  std::vector<int> loops_;
  std::vector<Visit> visits_;
  double strided_ = 0;
};

}  // namespace

double seconds(const concrete::Program& program, const Nest& nest, const Counts& counts, const Estimate& estimate,
               const CacheSizes& caches) {
  double time = estimate.outside.operations * seconds_an_operation;
  for (std::size_t n = 0; n < estimate.loops.size(); ++n) {
    const LoopEstimate& e = estimate.loops[n];
    const bool called = nest.loops[n].how.leaf != concrete::Leaf::None;
    time += e.work.operations * (called ? seconds_an_operation_of_blas : seconds_an_operation) +
            e.starts * (called ? seconds_a_call : seconds_a_start) + e.trips * seconds_a_turn(nest.loops[n].iteration) +
            wrong_guesses(nest.loops[n], e) * seconds_a_guess + seconds_in_nodes(program, nest, nest.loops[n], e);
  }
  const Locality locality(program, nest, counts, estimate);
  for (const auto& [array, traffic] : estimate.arrays) {
    const double bytes = traffic.read + traffic.written, once = std::min(bytes, traffic.size);
    time += once * seconds_a_byte(traffic.size, caches) +
            locality.seconds_again(array.tensor, bytes - once, traffic.size, caches);
  }
  return time + locality.strided() * seconds_a_stride;
}

double seconds(const Scheduled& scheduled, const ScheduleProblem& problem) {
  const Nest nest = iteration::analyze(scheduled.program);
  const CacheSizes& caches = problem.caches ? *problem.caches : cache_sizes();
  double copying = 0;
  for (const OperandCopy& c : scheduled.copies) {
    const OperandFacts& facts = problem.operands.at(c.source);
    copying += seconds_to_copy + static_cast<double>(facts.stored) *
                                     (facts.format.is_dense() ? seconds_a_dense_copy : seconds_a_sparse_copy);
  }
  const Counts counts = count_operands(scheduled, problem);
  const Estimate expected = estimate(scheduled.program, nest, counts);
  return copying + seconds(scheduled.program, nest, counts, expected, caches);
}

}  // namespace lacuna::cost
