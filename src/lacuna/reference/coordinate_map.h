#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "lacuna/reference/group_index.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::reference {

/// A tensor as semantics.md sees it: a map from coordinates to values. The storage has to outlive it.
class CoordinateMap {
 public:
  explicit CoordinateMap(const Storage& storage);
  CoordinateMap(const CoordinateMap&) = delete;  // the index points at the rows
  CoordinateMap& operator=(const CoordinateMap&) = delete;

  Type type() const { return storage_->type; }
  const std::vector<std::int64_t>& dimensions() const { return storage_->dimensions; }
  /// Every level is full: no coordinate is absent, and what is stored says nothing about structure.
  bool full() const { return full_; }
  /// The stored coordinates, each once; none for a full tensor.
  const CoordinateRows& rows() const { return rows_; }
  /// The value at a coordinate inside the dimensions; none where nothing is stored.
  std::optional<Scalar> at(std::span<const std::int64_t> coordinate) const;
  /// Visits every entry that is not absent.
  void visit(const std::function<void(std::span<const std::int64_t>, const Scalar&)>& f) const;

 private:
  void add_up_duplicates();

  const Storage* storage_;
  bool full_;
  CoordinateRows rows_;
  std::vector<Scalar> values_;
  std::unique_ptr<GroupIndex> index_;
};

}  // namespace lacuna::reference
