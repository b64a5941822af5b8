#include "lacuna/tensor/edit.h"

#include <algorithm>
#include <cstring>

#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// The elements of one array behind those of another of its type.
Array joined(const Array& first, const Array& second) {
  Array all = Array::allocate(first.type(), first.size() + second.size(), false);
  auto* to = static_cast<std::byte*>(all.mutable_data());
  if (!first.empty()) std::memcpy(to, first.data(), static_cast<std::size_t>(first.bytes()));
  if (!second.empty()) std::memcpy(to + first.bytes(), second.data(), static_cast<std::size_t>(second.bytes()));
  return all;
}

/// Of entries in the order of their coordinates, those of equal ones in the order given, keeps what the edit leaves.
/// The first `old` of the entries are the tensor's.
class Picker {
 public:
  Picker(std::vector<IntegerReader> columns, Array order, std::int64_t old, Edit edit)
      : columns_(std::move(columns)), order_array_(std::move(order)), order_(order_array_), old_(old), edit_(edit) {}

  void pick(std::int64_t size) {
    for (std::int64_t begin = 0; begin < size;) {
      std::int64_t end = begin + 1;
      while (end < size && same(order_[begin], order_[end])) ++end;
      pick_run(begin, end);
      begin = end;
    }
  }

  std::vector<std::uint64_t> kept;
  std::int64_t changed = 0;

 private:
  bool same(std::int64_t a, std::int64_t b) const {
    return std::all_of(columns_.begin(), columns_.end(), [&](const IntegerReader& c) { return c[a] == c[b]; });
  }

  void pick_run(std::int64_t begin, std::int64_t end) {
    const bool was_there = order_[begin] < old_;
    const bool is_listed = order_[end - 1] >= old_;
    const bool erased = is_listed && edit_ == Edit::Erase;
    if (is_listed && was_there == (edit_ == Edit::Erase)) ++changed;
    if (erased) return;
    // What the tensor stores twice stays so.
    for (std::int64_t k = is_listed ? end - 1 : begin; k < end; ++k)
      kept.push_back(static_cast<std::uint64_t>(order_[k]));
  }

  std::vector<IntegerReader> columns_;
  Array order_array_;
  IntegerReader order_;
  std::int64_t old_;
  Edit edit_;
};

/// A scalar's only entry.
EditedEntries edited_scalar(CoordinateList entry, const CoordinateList& list) {
  if (list.size() == 0) return {std::move(entry), 0};
  const std::int64_t size = size_of(entry.values.type());
  Array last = Array::allocate(entry.values.type(), 1, false);
  std::memcpy(last.mutable_data(), static_cast<const std::byte*>(list.values.data()) + (list.size() - 1) * size,
              static_cast<std::size_t>(size));
  entry.values = last;
  return {std::move(entry), 0};
}

}  // namespace

EditedEntries edited_entries(const Storage& tensor, const CoordinateList& list, Edit edit, int threads) {
  CoordinateList old = coordinates_of(tensor, true, threads);
  if (tensor.order() == 0) return edited_scalar(std::move(old), list);
  const Entries before = entries_by_level(old, tensor.format);
  const Entries more = entries_by_level(list, tensor.format);
  std::vector<Array> columns;
  for (std::size_t k = 0; k < before.columns.size(); ++k) columns.push_back(joined(before.columns[k], more.columns[k]));
  std::vector<IntegerReader> readers(columns.begin(), columns.end());
  Picker picker(std::move(readers), sorted_order(columns, before.extents, threads), before.size(), edit);
  picker.pick(before.size() + more.size());

  const Array kept = Array::of(std::span<const std::uint64_t>(picker.kept));
  EditedEntries out{{tensor.dimensions, {}, gather(joined(before.values, more.values), kept, threads)}, picker.changed};
  for (std::size_t m = 0; m < columns.size(); ++m) {
    const int level = tensor.format.map().level_of(static_cast<int>(m));
    out.entries.coordinates.push_back(gather(columns[static_cast<std::size_t>(level)], kept, threads));
  }
  return out;
}

}  // namespace lacuna
