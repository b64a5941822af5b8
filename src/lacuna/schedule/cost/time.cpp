#include "lacuna/schedule/cost/time.h"

#include <algorithm>
#include <array>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/tree.h"

namespace lacuna::cost {
namespace {

// What it takes to move one byte from each cache, and from memory in rows that come in no order.
constexpr std::array<double, 3> seconds_a_byte_of_cache{5e-12, 1.5e-11, 3e-11};
constexpr double seconds_a_byte_of_memory = 7e-11;

constexpr double seconds_an_operation = 5e-11;  // several at once
constexpr double seconds_a_start = 2e-9;        // of a loop: where it ends is not foreseen
constexpr double seconds_a_stride = 1e-9;       // an element of its own cache line, and loads and stores one by one

/// From the smallest cache that holds arrays of this size.
double seconds_a_byte(double size, const CacheSizes& caches) {
  for (std::size_t k = 0; k < caches.size(); ++k)
    if (size <= static_cast<double>(caches[k])) return seconds_a_byte_of_cache[k];
  return seconds_a_byte_of_memory;
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

/// How assignments come by the elements of their tensors.
class Locality {
 public:
  Locality(const concrete::Program& program, const Nest& nest, const Estimate& estimate)
      : program_(program), nest_(nest), estimate_(estimate) {
    go(nest.root);
  }

  /// Elements that the loop right outside comes to at strides, all in all.
  double strided() const { return strided_; }

  /// What it takes to move bytes of a tensor of some size that were moved before: each access has a share of them, from
  /// the cache that holds what its loops come to before they come to the same again.
  double seconds_again(const std::string& tensor, double bytes, double size, const CacheSizes& caches) const {
    const auto it = accesses_.find(tensor);
    double total = 0, time = 0;
    for (const Visits& v : it == accesses_.end() ? std::vector<Visits>{} : it->second) {
      const double again = std::max(0.0, v.bytes - size);
      total += again;
      time += again * seconds_a_byte(std::min(size, v.reused_within), caches);
    }
    return total > 0 ? bytes * time / total : bytes * seconds_a_byte(size, caches);
  }

 private:
  /// How much one access moves, and how much of its tensor before it comes to one element again.
  struct Visits {
    double bytes, reused_within;
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
    const double turns = loops_.empty() ? 1 : estimate_.loops[static_cast<std::size_t>(loops_.back())].trips;
    const double width = size_of(program_.at(x.tensor).type);
    accesses_[x.tensor.name()].push_back({turns * width, elements * width});
  }

  const concrete::Program& program_;
  const Nest& nest_;
  const Estimate& estimate_;
  std::vector<int> loops_;
  std::map<std::string, std::vector<Visits>> accesses_;
  double strided_ = 0;
};

}  // namespace

double seconds(const concrete::Program& program, const Nest& nest, const Estimate& estimate, const CacheSizes& caches) {
  double time = estimate.total.operations * seconds_an_operation;
  for (std::size_t n = 0; n < estimate.loops.size(); ++n)
    time +=
        estimate.loops[n].starts * seconds_a_start + estimate.loops[n].trips * seconds_a_turn(nest.loops[n].iteration);
  const Locality locality(program, nest, estimate);
  for (const auto& [array, traffic] : estimate.arrays) {
    const double bytes = traffic.read + traffic.written, once = std::min(bytes, traffic.size);
    time += once * seconds_a_byte(traffic.size, caches) +
            locality.seconds_again(array.tensor, bytes - once, traffic.size, caches);
  }
  return time + locality.strided() * seconds_a_stride;
}

}  // namespace lacuna::cost
