#include "lacuna/distribute/parts/dense_part.h"

#include <cstring>

#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

DenseCopy between(const LocalPart& from, const LocalPart& to) {
  const Storage& a = from.storage;
  const Storage& b = to.storage;
  internal_check(a.format == b.format && a.format.is_dense() && a.type == b.type,
                 "parts of {} {} and {} {} are not alike", type_name(a.type), a.format.to_string(), type_name(b.type),
                 b.format.to_string());
  return {from.sets, to.sets, common(from.sets, to.sets), a.format, a.type};
}

}  // namespace

LocalPart dense_part(const std::vector<IndexSet>& region, const PartShape& shape) {
  LocalPart part{region, {}};
  std::vector<std::int64_t> dimensions;
  for (const IndexSet& set : region) dimensions.push_back(set.size());
  part.storage = empty_tensor(shape.type, dimensions, shape.format);
  part.storage.fill = shape.fill;
  // All of it will be touched: in memory that is worth huge pages, unlike zeros that nobody may ask for.
  Array& values = part.storage.values;
  values = Array::allocate(shape.type, values.size(), false);
  if (!values.empty()) std::memset(values.mutable_data(), 0, static_cast<std::size_t>(values.bytes()));
  return part;
}

void copy_into(const LocalPart& from, LocalPart& to) {
  between(from, to).copy(from.storage.values.data(), to.storage.values.mutable_data());
}

void add_into(const LocalPart& from, LocalPart& to) {
  between(from, to).add(from.storage.values.data(), to.storage.values.mutable_data());
}

}  // namespace lacuna
