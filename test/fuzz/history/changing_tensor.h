#pragma once

#include <memory>

#include "fuzz/history/history.h"
#include "lacuna/dynamic/update/updated_tensor.h"

namespace lacuna::fuzz {

/// Entries as a list of coordinates and values of the operand's type.
CoordinateList list_of(const Operand& operand, const std::vector<Entry>& entries);

/// A tensor of any format that is updated: in place where the format allows it, else made anew, as Tensor<T> does.
class ChangingTensor {
 public:
  ChangingTensor(Engine& engine, const Storage& start, const Options& options);

  /// Returns how many entries came or, of Erase, went. `single`: the list is one update, and made as such.
  std::int64_t update(UpdateOperation operation, const CoordinateList& list, bool single);
  Storage storage() const { return in_place_ ? in_place_->storage() : made_; }
  /// Null where it is made anew.
  UpdatedTensor* in_place() const { return in_place_.get(); }

 private:
  std::int64_t make_anew(UpdateOperation operation, const CoordinateList& list);

  Engine& engine_;
  Options options_;
  std::unique_ptr<UpdatedTensor> in_place_;
  Storage made_;
};

}  // namespace lacuna::fuzz
