#pragma once

#include <cstdint>
#include <optional>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// Whether arrays of coordinates or positions hold the same, in one type and from one number on.
bool same_coordinates(const Array& a, const Array& b);

/// The same tensor with the number of each value's place, from 1 on, in place of the value: whatever is done with its
/// entries tells where they went. 0 is no place.
Storage numbered(const Storage& storage);
LocalPart numbered(const LocalPart& part);

/// Where the values of something come from that was once made of others: those of another tensor of the same pattern
/// are put there without a look at coordinates.
class ValueMap {
 public:
  /// Of what was made, once of values and once of their numbers. None where it cannot be told, since it was not made in
  /// the same way: entries at one coordinate would be added up.
  static std::optional<ValueMap> between(const Storage& made, const Storage& of_numbers);
  /// From a part, which has numbers for values, into another that it was put together with others to, or added up.
  static std::optional<ValueMap> into(const LocalPart& made, const LocalPart& numbers);

  /// How many values what was made has.
  std::int64_t size() const { return size_; }
  /// Puts a value in each place: the one that has its number, the first has 1, or the fill. Both of the type of what
  /// was made.
  void copy(const void* from, void* to) const;
  /// The same, and leaves places that no value goes to as they are.
  void put(const void* from, void* to) const;
  /// Adds to what is in those places, as the type does (integers wrap).
  void add(const void* from, void* to) const;

  /// In bytes, where the values begin that what was made has, if it has them as they lie there.
  std::optional<std::int64_t> stretch_from() const;
  /// Where they go, from the first one on, if they lie there as they come.
  std::optional<std::int64_t> stretch_to() const;
  /// How many values are put somewhere.
  std::int64_t moved() const { return moved_; }

 private:
  /// Places, one after the other from `begin` on, or, where they are not, listed.
  struct Places {
    std::int64_t begin = 0;
    Array list = {};
  };
  static Places places_of(const std::vector<std::int64_t>& all);
  bool is_one_run() const { return from_.list.empty() && to_.list.empty(); }
  template <typename F>
  static void with_places(const Places& places, const F& f);

  Scalar fill_;
  std::int64_t size_ = 0, moved_ = 0;
  Places from_, to_;
  std::vector<std::int64_t> filled_;  // places that no value goes to
};

/// Values that may be written over, of a part that has those of others.
void take_own_values(LocalPart& part);

}  // namespace lacuna
