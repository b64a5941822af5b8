#include "fuzz/history/changing_tensor.h"

#include <cstring>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/edit.h"

namespace lacuna::fuzz {
namespace {

Array joined(const Array& a, const Array& b, Type type) {
  Array all = Array::allocate(type, a.size() + b.size(), false);
  auto* to = static_cast<std::byte*>(all.mutable_data());
  for (const Array* each : {&a, &b}) {
    for (std::int64_t n = 0; n < each->size(); ++n, to += size_of(type))
      Scalar::load(each->type(), static_cast<const std::byte*>(each->data()) + n * size_of(each->type()))
          .convert(type)
          .store(to);
  }
  return all;
}

}  // namespace

CoordinateList list_of(const Operand& operand, const std::vector<Entry>& entries) {
  CoordinateList list{operand.dimensions, {}, Array::allocate(operand.type, std::ssize(entries), false)};
  for (std::size_t m = 0; m < operand.dimensions.size(); ++m) {
    std::vector<std::int64_t> column;
    for (const Entry& e : entries) column.push_back(e.coordinate[m]);
    list.coordinates.push_back(Array::of(std::span<const std::int64_t>(column)));
  }
  auto* to = static_cast<std::byte*>(list.values.mutable_data());
  for (const Entry& e : entries) {
    e.value.convert(operand.type).store(to);
    to += size_of(operand.type);
  }
  return list;
}

ChangingTensor::ChangingTensor(Engine& engine, const Storage& start, const Options& options)
    : engine_(engine), options_(options) {
  if (updates_in_place(start.format)) in_place_ = std::make_unique<UpdatedTensor>(engine, start, options);
  else made_ = start;
}

std::int64_t ChangingTensor::update(UpdateOperation operation, const CoordinateList& list, bool single) {
  if (!in_place_) return make_anew(operation, list);
  if (!single) return in_place_->update(operation, list);
  std::vector<std::int64_t> coordinate;
  for (const Array& mode : list.coordinates) coordinate.push_back(mode.integer(0));
  return in_place_->update(operation, coordinate, Scalar::load(list.values.type(), list.values.data())) ? 1 : 0;
}

std::int64_t ChangingTensor::make_anew(UpdateOperation operation, const CoordinateList& list) {
  const Format format = made_.format;
  CoordinateList all;
  std::int64_t changed = 0;
  if (operation == UpdateOperation::Add) {
    const CoordinateList old = coordinates_of(made_);
    all.dimensions = old.dimensions;
    for (std::size_t m = 0; m < old.coordinates.size(); ++m)
      all.coordinates.push_back(joined(old.coordinates[m], list.coordinates[m], coordinate_type(old.dimensions[m])));
    all.values = joined(old.values, list.values, made_.type);
  } else {
    EditedEntries edited =
        edited_entries(made_, list, operation == UpdateOperation::Erase ? Edit::Erase : Edit::Assign);
    all = std::move(edited.entries);
    changed = edited.changed;
  }
  const std::int64_t before = made_.stored();
  made_ = stored_as(engine_, build(all, array_format_of(format)), format, options_);
  return operation == UpdateOperation::Add ? made_.stored() - before : changed;
}

}  // namespace lacuna::fuzz
