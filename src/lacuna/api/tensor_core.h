#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/api/assignment.h"
#include "lacuna/api/value.h"
#include "lacuna/tensor/build.h"

namespace lacuna {

/// `convert`, `convert_type` and `build` of tensor/, for formats with dynamic levels as well, whose nodes a kernel of
/// the default engine fills.
Storage in_format(const Storage& tensor, const Format& format);
Storage in_type(const Storage& tensor, Type type);
Storage built(const CoordinateList& entries, const Format& format, const BuildOptions& options = {});

/// What a Tensor<T> is without its type: a name, what was declared of it, and what it holds. Copies are independent
/// tensors that share memory until one of them changes.
class TensorCore {
 public:
  explicit TensorCore(Type type) : type_(type) {}
  /// Throws Error for a name that is no identifier, negative dimensions, and a format of another order.
  TensorCore(Type type, std::string name, const std::vector<std::int64_t>& dimensions, const Format& format);
  TensorCore(std::string name, Storage storage);

  Type type() const { return type_; }
  const std::string& name() const { return name_; }
  /// Throws Error while the tensor has none.
  const std::vector<std::int64_t>& dimensions() const { return value()->dimensions(); }
  const Format& format() const { return value()->format(); }

  /// Adds to the entry at a coordinate. Throws Error when it lies outside.
  void insert(std::span<const std::int64_t> coordinate, const Scalar& value);
  void assign(const std::vector<IndexVar>& indices, bool accumulate, const Expression& right);
  Expression access(const std::vector<IndexVar>& indices) const;
  /// What the tensor holds now, insertions included. Throws Error while it has no dimensions.
  const ValuePtr& value() const;
  const Storage& storage() const { return value()->storage(); }

 private:
  std::string spoken_name() const { return name_.empty() ? "the tensor" : name_; }
  void pack() const;
  TensorVar variable(int order) const;

  Type type_;
  std::string name_;
  bool declared_ = false;  // dimensions and format were given, and every assignment keeps to them
  // Reading packs what was inserted, which changes nothing that a reader can see.
  mutable ValuePtr value_;
  mutable std::vector<std::vector<std::int64_t>> inserted_;  // by mode
  mutable std::vector<std::byte> inserted_values_;
  // Stands for the tensor with its present contents: whatever changes them drops it.
  mutable std::optional<TensorVar> variable_;
};

}  // namespace lacuna
