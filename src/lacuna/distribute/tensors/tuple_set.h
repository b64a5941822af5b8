#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// Tuples of as many numbers each, one behind the other in memory; as a set, in lexicographic order.
class TupleSet {
 public:
  explicit TupleSet(std::size_t length = 1) : length_(length) {}

  std::size_t length() const { return length_; }
  std::int64_t size() const { return static_cast<std::int64_t>(numbers_.size() / length_); }
  const std::int64_t* operator[](std::int64_t n) const {
    return numbers_.data() + static_cast<std::size_t>(n) * length_;
  }

  /// Adds one, unless it is the last there. It is a set again after `sort`.
  void add(const std::int64_t* tuple);
  void sort();
  /// How many come before a bound, which may have fewer numbers. Of a set.
  std::int64_t count_before(const std::vector<std::int64_t>& bound) const;
  /// What is not in the other one. Of sets.
  TupleSet without(const TupleSet& other) const;

 private:
  std::size_t length_;
  std::vector<std::int64_t> numbers_;
};

/// Adds the coordinates in these modes of each entry that a part stores, as they are in the whole.
void add_coordinates(const LocalPart& part, const std::vector<std::size_t>& modes, TupleSet& to);

}  // namespace lacuna
