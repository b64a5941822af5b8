#include "unit/dynamic/update/update_history.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna {

std::vector<std::string> level_names_on_disk() {
  const std::vector<std::filesystem::path> folders = {LACUNA_LEVELS_FOLDER};
  return schema::names_of_levels(folders);
}

CoordinateList list_of(const std::vector<DrawnUpdate>& updates, const std::vector<std::int64_t>& dimensions) {
  CoordinateList list{dimensions, {}, Array::allocate(Type::Float64, std::ssize(updates), false)};
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    std::vector<std::int64_t> column;
    for (const DrawnUpdate& each : updates) column.push_back(each.coordinate[m]);
    list.coordinates.push_back(Array::of(std::span<const std::int64_t>(column)));
  }
  for (std::size_t k = 0; k < updates.size(); ++k) list.values.mutable_view<double>()[k] = updates[k].value;
  return list;
}

EntryMap entries_of(const Storage& tensor) {
  EntryMap entries;
  for_each(tensor, [&](std::span<const std::int64_t> c, const Scalar& v) {
    entries[Coordinate(c.begin(), c.end())] = v.as<double>();
  });
  return entries;
}

UpdateHistory::UpdateHistory(Engine& engine, Format format, std::vector<std::int64_t> dimensions,
                             const HistoryOptions& options)
    : engine_(engine),
      format_(std::move(format)),
      dimensions_(std::move(dimensions)),
      options_(options),
      random_(options.seed) {
  const Format list = coo_format(format_.order());
  const Storage start = stored_as(engine_, build(generate_uniform(dimensions_, 10, options.seed), list), format_);
  map_ = entries_of(start);
  if (is_dense_last()) std::erase_if(map_, [](const auto& each) { return each.second == 0; });
  tensor_.emplace(engine_, start, options.options);
  tensor_->set_sharing(options.sharing);
  checker_.emplace(start);
}

void UpdateHistory::run(int steps) {
  for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
    if (below(8) == 0) kept_.emplace_back(tensor_->storage(), map_);
    if (kept_.size() > 3) kept_.erase(kept_.begin());
    // Grows, then shrinks.
    const bool shrinks = step * 4 / steps % 2 == 1 && !is_dense_last();
    const std::int64_t kind = below(4);
    const auto operation = shrinks && kind > 0 ? UpdateOperation::Erase
                           : kind % 2 == 0     ? UpdateOperation::Add
                                               : UpdateOperation::Assign;
    if (below(3) == 0) batch(operation);
    else single(operation);
    if (options_.check_each) check();
  }
  check();
}

void UpdateHistory::check() {
  const Storage now = tensor_->storage();
  validate(now, "the tensor");
  EXPECT_EQ(checker_->fault_of(now), "");
  compare(now, map_);
  for (const auto& [storage, map] : kept_) compare(storage, map);
}

DrawnUpdate UpdateHistory::draw() {
  DrawnUpdate drawn;
  if (below(3) == 0 && !map_.empty()) {
    drawn.coordinate = std::next(map_.begin(), below(std::ssize(map_)))->first;
  } else {
    for (const std::int64_t size : dimensions_) drawn.coordinate.push_back(below(size));
    if (options_.skewed && below(2) == 0) drawn.coordinate[0] = dimensions_[0] / 2;
  }
  drawn.value = static_cast<double>(below(1000)) - 500;
  return drawn;
}

bool UpdateHistory::expected(UpdateOperation operation, const DrawnUpdate& update) {
  if (operation == UpdateOperation::Erase) return map_.erase(update.coordinate) == 1;
  const bool is_new = !map_.contains(update.coordinate);
  double& value = map_[update.coordinate];
  value = operation == UpdateOperation::Add ? value + update.value : update.value;
  return is_new;
}

void UpdateHistory::single(UpdateOperation operation) {
  const DrawnUpdate update = draw();
  const bool changed = tensor_->update(operation, update.coordinate, Scalar(update.value));
  const bool wanted = expected(operation, update);
  if (!is_dense_last()) {
    EXPECT_EQ(changed, wanted);
  }
}

void UpdateHistory::batch(UpdateOperation operation) {
  std::vector<DrawnUpdate> updates;
  for (std::int64_t k = below(options_.batch); k >= 0; --k) updates.push_back(draw());
  // Some entries more than once, so that their order counts.
  for (std::int64_t k = std::ssize(updates) / 4; k > 0; --k)
    updates.push_back(
        {updates[static_cast<std::size_t>(below(std::ssize(updates)))].coordinate, static_cast<double>(k)});
  if (below(2) == 0)
    std::stable_sort(updates.begin(), updates.end(),
                     [](const DrawnUpdate& a, const DrawnUpdate& b) { return a.coordinate < b.coordinate; });
  const std::int64_t changed = tensor_->update(operation, list_of(updates, dimensions_));
  std::int64_t wanted = 0;
  for (const DrawnUpdate& each : updates) wanted += expected(operation, each) ? 1 : 0;
  if (!is_dense_last()) {
    EXPECT_EQ(changed, wanted);
  }
}

void UpdateHistory::compare(const Storage& storage, const EntryMap& map) const {
  EntryMap stored = entries_of(storage), wanted = map;
  if (is_dense_last()) {
    for (EntryMap* each : {&stored, &wanted}) std::erase_if(*each, [](const auto& e) { return e.second == 0; });
  } else {
    EXPECT_EQ(storage.stored(), std::ssize(wanted));
  }
  EXPECT_TRUE(stored == wanted) << "the tensor and the map have different entries";
}

}  // namespace lacuna
