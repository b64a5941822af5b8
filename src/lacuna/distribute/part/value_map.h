#pragma once

#include <cstdint>
#include <optional>

#include "lacuna/distribute/part/local_part.h"

namespace lacuna {

/// The same tensor with the number of each value's place, from `first` on, in place of the value: whatever is done with
/// its entries tells where they went. 0 is no place.
Storage numbered(const Storage& storage, std::int64_t first = 1);

/// Where the values of something come from that was once made of others: those of another tensor of the same pattern
/// are put there without a look at coordinates.
class ValueMap {
 public:
  /// Of what was made, once of values and once of their numbers. None where it cannot be told, since it was not made in
  /// the same way: entries at one coordinate would be added up.
  static std::optional<ValueMap> between(const Storage& made, const Storage& of_numbers);

  std::int64_t size() const { return numbers_.size(); }
  /// Puts a value in each place: the one that has its number, the first has 1, or the fill. Both of the type of what
  /// was made.
  void copy(const void* from, void* to) const;

 private:
  Array numbers_;  // by place
  Scalar fill_;
};

/// Values that may be written over, of a part that has those of others.
void take_own_values(LocalPart& part);

}  // namespace lacuna
