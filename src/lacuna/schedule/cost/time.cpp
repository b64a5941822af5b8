#include "lacuna/schedule/cost/time.h"

#include <array>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/tree.h"

namespace lacuna::cost {
namespace {

/// A cache that holds arrays of so many bytes, and what it takes to move one byte from there.
struct Memory {
  double bytes;
  double seconds_a_byte;
};
constexpr std::array<Memory, 3> caches{{{32e3, 1e-11}, {1e6, 3e-11}, {32e6, 6e-11}}};
constexpr double seconds_a_byte_of_memory = 1.2e-10;

constexpr double seconds_an_operation = 1e-10;  // several at once
constexpr double seconds_a_start = 3e-9;        // of a loop: where it ends is not foreseen
constexpr double seconds_a_stride = 1e-9;       // an element of its own cache line, and loads and stores one by one

double seconds_a_byte(double size) {
  for (const Memory& m : caches)
    if (size <= m.bytes) return m.seconds_a_byte;
  return seconds_a_byte_of_memory;
}

double seconds_a_turn(Iteration iteration) {
  switch (iteration) {
    case Iteration::Full: return 1e-10;
    case Iteration::Walk: return 5e-10;
    case Iteration::Merge: return 3e-9;
    case Iteration::Drain:
    case Iteration::Pieces: break;
  }
  return 1e-9;
}

/// Accesses of assignments over which the loop right outside strides.
class Strides {
 public:
  Strides(const concrete::Program& program, const Nest& nest, const Estimate& estimate)
      : program_(program), nest_(nest), estimate_(estimate) {}

  double count(const Node& node, int innermost) const {
    if (node.loop >= 0) innermost = node.loop;
    double sum = 0;
    for (const Node& child : node.children) sum += count(child, innermost);
    const auto* a = std::get_if<concrete::Assign>(&node.stmt->kind);
    if (a == nullptr || innermost < 0) return sum;
    const auto n = static_cast<std::size_t>(innermost);
    int strided = strides(a->target, nest_.loops[n].var) ? 1 : 0;
    for (const Access& x : accesses(a->rhs)) strided += strides(x, nest_.loops[n].var) ? 1 : 0;
    return sum + strided * estimate_.loops[n].trips;
  }

 private:
  bool strides(const Access& x, const IndexVar& loop) const {
    const std::vector<IndexVar> variables = tree::level_variables(program_, x);
    for (const IndexVar& v : program_.provenance.underived(loop))
      if (tree::contains(variables, v)) return !(variables.back() == v);
    return false;
  }

  const concrete::Program& program_;
  const Nest& nest_;
  const Estimate& estimate_;
};

}  // namespace

double seconds(const concrete::Program& program, const Nest& nest, const Estimate& estimate) {
  double time = estimate.total.operations * seconds_an_operation;
  for (std::size_t n = 0; n < estimate.loops.size(); ++n)
    time +=
        estimate.loops[n].starts * seconds_a_start + estimate.loops[n].trips * seconds_a_turn(nest.loops[n].iteration);
  for (const auto& [array, traffic] : estimate.arrays)
    time += (traffic.read + traffic.written) * seconds_a_byte(traffic.size);
  return time + Strides(program, nest, estimate).count(nest.root, -1) * seconds_a_stride;
}

}  // namespace lacuna::cost
