#include "lacuna/schedule/cost/time.h"

#include <algorithm>
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

/// How assignments come by the elements of their tensors.
class Locality {
 public:
  Locality(const concrete::Program& program, const Nest& nest, const Estimate& estimate)
      : program_(program), nest_(nest), estimate_(estimate) {
    go(nest.root);
  }

  /// Elements that the loop right outside comes to at strides, all in all.
  double strided() const { return strided_; }
  /// Bytes of a tensor that loops come to before they come to one of them again.
  double reused_within(const std::string& tensor) const {
    const auto it = reused_within_.find(tensor);
    return it == reused_within_.end() ? 0 : it->second;
  }

 private:
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
    const std::vector<IndexVar> variables = tree::level_variables(program_, x);
    double elements = 1;
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
      const IndexVar& v = nest_.loops[static_cast<std::size_t>(*loop)].var;
      const std::vector<IndexVar> all = program_.provenance.underived(v);
      const auto used =
          std::find_if(all.begin(), all.end(), [&](const IndexVar& u) { return tree::contains(variables, u); });
      if (used == all.end()) break;
      elements *= static_cast<double>(program_.extents.at(*used));
      if (loop == loops_.rbegin() && !(variables.back() == *used))
        strided_ += estimate_.loops[static_cast<std::size_t>(*loop)].trips;
    }
    double& bytes = reused_within_[x.tensor.name()];
    bytes = std::max(bytes, elements * size_of(program_.at(x.tensor).type));
  }

  const concrete::Program& program_;
  const Nest& nest_;
  const Estimate& estimate_;
  std::vector<int> loops_;
  std::map<std::string, double> reused_within_;
  double strided_ = 0;
};

}  // namespace

double seconds(const concrete::Program& program, const Nest& nest, const Estimate& estimate) {
  double time = estimate.total.operations * seconds_an_operation;
  for (std::size_t n = 0; n < estimate.loops.size(); ++n)
    time +=
        estimate.loops[n].starts * seconds_a_start + estimate.loops[n].trips * seconds_a_turn(nest.loops[n].iteration);
  const Locality locality(program, nest, estimate);
  for (const auto& [array, traffic] : estimate.arrays) {
    const double bytes = traffic.read + traffic.written, once = std::min(bytes, traffic.size);
    const double again = std::min(traffic.size, locality.reused_within(array.tensor));
    time += once * seconds_a_byte(traffic.size) + (bytes - once) * seconds_a_byte(again);
  }
  return time + locality.strided() * seconds_a_stride;
}

}  // namespace lacuna::cost
