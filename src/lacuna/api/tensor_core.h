#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/api/default_engine.h"
#include "lacuna/api/expression.h"
#include "lacuna/api/storages.h"
#include "lacuna/compile/plan/report.h"
#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/dynamic/kernels/operation.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

class DistributedTensor;
using DistributedTensorPtr = std::shared_ptr<const DistributedTensor>;
class Following;
class UpdatedTensor;

/// What a Tensor<T> is without its type: a name, what was declared of it, and what it holds. Copies are independent
/// tensors that share memory until one of them changes.
class TensorCore {
 public:
  explicit TensorCore(Type type);
  /// Throws Error for a name that is no identifier, negative dimensions, and a format of another order.
  TensorCore(Type type, std::string name, const std::vector<std::int64_t>& dimensions, const Format& format);
  TensorCore(std::string name, Storage storage);
  /// What ranks hold in parts.
  TensorCore(std::string name, DistributedTensorPtr parts, Communicator& ranks);
  /// Gives the tensor a distribution. Throws Error where its format does not allow it.
  void place(const Distribution& distribution);
  TensorCore(const TensorCore& other);
  TensorCore& operator=(const TensorCore& other);
  /// What it is taken from has no dimensions any more.
  TensorCore(TensorCore&& other) noexcept;
  TensorCore& operator=(TensorCore&& other) noexcept;
  ~TensorCore();

  Type type() const { return type_; }
  const std::string& name() const { return name_; }
  /// Throws Error while the tensor has none.
  const std::vector<std::int64_t>& dimensions() const;
  const Format& format() const;
  std::int64_t stored() const;

  /// Adds to the entry at a coordinate, when the tensor is next read. Throws Error when it is outside.
  void gather(std::span<const std::int64_t> coordinate, const Scalar& value);
  /// Adds to the entry at a coordinate, in place where the format allows it. Throws Error when it is outside.
  void insert(std::span<const std::int64_t> coordinate, const Scalar& value);
  /// Replaces the entry at a coordinate, or erases it; returns whether it was new, or there.
  bool update(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value = {});
  /// The same of many, by one vector of coordinates a mode; `values` are of the tensor's type, and not looked at by
  /// Erase. Returns how many were new, or there.
  std::int64_t update(UpdateOperation operation, const std::vector<std::vector<std::int64_t>>& coordinates,
                      const Array& values);
  /// Gives what was inserted on this rank to the tensor that all ranks make together, as Tensor::contribute says.
  void contribute(Communicator& ranks);
  void write(const std::string& path) const;
  void write(const std::string& path, Communicator& ranks) const;
  /// The parts that this rank has, computed if need be: the coordinates of each mode, and the entries. Throws Error
  /// where these ranks hold no parts.
  std::vector<std::pair<std::vector<IndexSet>, Storage>> parts_on(Communicator& ranks) const;
  /// What this rank holds, computed if need be, and not gathered: a part of a tensor in parts, else all of it. Null
  /// where it holds no part. Throws Error where it holds several, and none is named, or not the one that is.
  const Storage* held(std::optional<std::size_t> part) const;
  const Array* values(std::optional<std::size_t> part) const;
  const Array* positions(int level, Type type, std::optional<std::size_t> part) const;
  const Array* coordinates(int level, Type type, std::optional<std::size_t> part) const;
  void assign(const std::vector<IndexVar>& indices, bool accumulate, const Expression& right);
  /// From now on, what was assigned to this changes with `operand`. Throws Error as Tensor::follow says.
  void follow(TensorCore& operand);
  Expression access(const std::vector<IndexVar>& indices) const;
  /// What the tensor holds now, insertions included. Throws Error while it has no dimensions.
  const ValuePtr& value() const;
  const Storage& storage() const;

  Report evaluate(const EvaluateOptions& options) const;
  Report evaluate_into(const Array& memory, const EvaluateOptions& options) const;
  static Report evaluate_together(const std::vector<const TensorCore*>& tensors, const EvaluateOptions& options);
  std::string explain(const EvaluateOptions& options) const;
  std::string c_code(const EvaluateOptions& options) const;

 private:
  void swap(TensorCore& other) noexcept;
  std::string spoken_name() const { return name_.empty() ? "the tensor" : name_; }
  void pack() const;
  void check_has_dimensions() const;
  /// Those of what it holds or is updated to, without reading it.
  const std::vector<std::int64_t>& sizes() const;
  const Format& kept_format() const;
  void check(std::span<const std::int64_t> coordinate) const;
  bool updates_here() const;
  UpdatedTensor& updated();
  /// Makes an update in place, with those who follow; `touched` makes the list of the coordinates that it may change.
  template <typename Update, typename Touched>
  auto in_step(const Update& update, const Touched& touched);
  std::vector<std::shared_ptr<Following>> followers();
  void stop_following();
  bool update_here(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value);
  CoordinateList inserted_entries() const;
  void take_parts(DistributedTensorPtr parts, Communicator& ranks);
  CoordinateList list_of(std::span<const std::int64_t> coordinate, const Scalar& value) const;
  std::int64_t rebuild(UpdateOperation operation, const CoordinateList& list);
  TensorVar variable(int order) const;

  Type type_;
  std::string name_;
  std::optional<Distribution> placed_;
  bool assigned_ = false;  // something was computed into it since it was made, or since ranks contributed
  bool declared_ = false;  // dimensions and format were given, and every assignment keeps to them
  // Reading packs what was inserted, which changes nothing that a reader can see.
  mutable ValuePtr value_;
  std::weak_ptr<Value> nothing_;                             // what it was declared with: no entries
  mutable std::vector<std::vector<std::int64_t>> inserted_;  // by mode
  mutable std::vector<std::byte> inserted_values_;
  // What is changed in place, once something was. Then `value_` is what it was when it was last read, or null.
  std::unique_ptr<UpdatedTensor> updated_;
  // What it holds while it follows another tensor; then `value_` and `updated_` are null.
  std::shared_ptr<Following> following_;
  std::vector<std::weak_ptr<Following>> followers_;
  // Stands for the tensor with its present contents: whatever changes them drops it. A copy has one of its own, since
  // it may be read where the tensor is written.
  mutable std::optional<TensorVar> variable_;
  mutable std::weak_ptr<Value> variable_of_;  // of what follows: the contents that the variable stands for
};

}  // namespace lacuna
