#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lacuna::cost {

/// Operations on values, and what passes between the kernel and memory or its caches.
struct Work {
  double operations = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  Work& operator+=(const Work& o);
};

/// The arrays of a tensor, and those that a workspace has besides its values.
enum class ArrayKind : std::uint8_t { Pos, Crd, Present, Values, Mark, List };

struct ArrayKey {
  std::string tensor;
  int level = 0;  // 0 for Values, Mark and List
  ArrayKind kind = ArrayKind::Values;
  bool operator<(const ArrayKey& o) const {
    return std::tie(tensor, level, kind) < std::tie(o.tensor, o.level, o.kind);
  }
};

/// What a kernel does with one array.
struct ArrayTraffic {
  double size = 0;  // bytes of the array
  double read = 0;
  double written = 0;
};

/// Books work to the loop that does it and to the array that it touches.
class Ledger {
 public:
  explicit Ledger(std::size_t loops) : loops_(loops) {}

  /// Everything from here on is done by this loop itself, not by one inside it; -1: outside of all.
  void enter(int loop) { current_ = loop; }
  int current() const { return current_; }
  /// Everything from here on is done so many times over.
  void repeat(double times) { times_ = times; }
  void operations(double count) { work().operations += times_ * count; }
  void read(const ArrayKey& array, double elements, int element_size);
  void write(const ArrayKey& array, double elements, int element_size);
  void set_size(const ArrayKey& array, double bytes) { arrays_[array].size = bytes; }

  const std::vector<Work>& loops() const { return loops_; }
  const Work& outside() const { return outside_; }
  const std::map<ArrayKey, ArrayTraffic>& arrays() const { return arrays_; }

 private:
  Work& work() { return current_ < 0 ? outside_ : loops_[static_cast<std::size_t>(current_)]; }
  std::vector<Work> loops_;
  Work outside_;
  int current_ = -1;
  double times_ = 1;
  std::map<ArrayKey, ArrayTraffic> arrays_;
};

}  // namespace lacuna::cost
