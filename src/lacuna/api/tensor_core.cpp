#include "lacuna/api/tensor_core.h"

#include <cstring>
#include <utility>

#include <fmt/ranges.h>

#include "lacuna/api/assignment.h"
#include "lacuna/api/engine_of.h"
#include "lacuna/api/following.h"
#include "lacuna/api/held_arrays.h"
#include "lacuna/api/value.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/write.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/edit.h"

namespace lacuna {
namespace {

/// One mode's coordinates, those already stored first.
Array joined_coordinates(const Array& old, const std::vector<std::int64_t>& more, std::int64_t dimension) {
  const Type type = coordinate_type(dimension);
  Array all = Array::allocate(type, old.size() + static_cast<std::int64_t>(more.size()), false);
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    const std::span<T> out = all.mutable_view<T>();
    for (std::int64_t k = 0; k < old.size(); ++k) out[static_cast<std::size_t>(k)] = static_cast<T>(old.integer(k));
    const std::size_t first = static_cast<std::size_t>(old.size());
    for (std::size_t k = 0; k < more.size(); ++k) out[first + k] = static_cast<T>(more[k]);
  };
  if (type == Type::Int32) fill(std::int32_t{});
  else fill(std::int64_t{});
  return all;
}

}  // namespace

TensorCore::TensorCore(Type type) : type_(type) {}
TensorCore::TensorCore(TensorCore&& other) noexcept : TensorCore(other.type_) { swap(other); }
TensorCore::~TensorCore() = default;

TensorCore::TensorCore(Type type, std::string name, const std::vector<std::int64_t>& dimensions, const Format& format)
    : type_(type), name_(std::move(name)), declared_(true) {
  check_identifier("a tensor", name_);
  for (const std::int64_t size : dimensions) {
    if (size < 0) user_error("{} cannot have a dimension of {}", spoken_name(), size);
  }
  if (format.order() != static_cast<int>(dimensions.size())) {
    user_error("{} has {} dimension(s), but its format {} is for order {}", spoken_name(), dimensions.size(),
               format.to_string(), format.order());
  }
  value_ = std::make_shared<Value>(in_format(empty_tensor(type_, dimensions, array_format_of(format)), format));
  nothing_ = value_;
}

TensorCore::TensorCore(std::string name, Storage storage)
    : type_(storage.type),
      name_(std::move(name)),
      declared_(true),
      value_(std::make_shared<Value>(std::move(storage))) {
  check_identifier("a tensor", name_);
}

TensorCore::TensorCore(std::string name, DistributedTensorPtr parts, Communicator& ranks)
    : type_(parts->shape().type), name_(std::move(name)) {
  check_identifier("a tensor", name_);
  take_parts(std::move(parts), ranks);
}

void TensorCore::place(const Distribution& distribution) {
  check_has_dimensions();
  if (distribution.order() != kept_format().order())
    user_error("{} has {} dimension(s), and the distribution {} is for {}", spoken_name(), kept_format().order(),
               distribution.to_string(), distribution.order());
  check_distribution(distribution, kept_format(), name_);
  placed_ = distribution;
}

TensorCore::TensorCore(const TensorCore& other)
    : type_(other.type_),
      name_(other.name_),
      placed_(other.placed_),
      assigned_(other.assigned_),
      declared_(other.declared_),
      value_(other.updated_ || other.following_ ? other.value() : other.value_),
      nothing_(other.nothing_),
      inserted_(other.inserted_),
      inserted_values_(other.inserted_values_) {}

TensorCore& TensorCore::operator=(const TensorCore& other) {
  if (this != &other) *this = TensorCore(other);
  return *this;
}

TensorCore& TensorCore::operator=(TensorCore&& other) noexcept {
  if (this == &other) return *this;
  TensorCore taken(std::move(other));
  swap(taken);
  return *this;
}

void TensorCore::swap(TensorCore& other) noexcept {
  std::swap(type_, other.type_);
  name_.swap(other.name_);
  placed_.swap(other.placed_);
  std::swap(assigned_, other.assigned_);
  std::swap(declared_, other.declared_);
  value_.swap(other.value_);
  nothing_.swap(other.nothing_);
  inserted_.swap(other.inserted_);
  inserted_values_.swap(other.inserted_values_);
  updated_.swap(other.updated_);
  following_.swap(other.following_);
  followers_.swap(other.followers_);
  variable_.swap(other.variable_);
  variable_of_.swap(other.variable_of_);
}

void TensorCore::check_has_dimensions() const {
  if (!value_ && !updated_ && !following_)
    user_error("{} has no dimensions yet; give them when it is made, as Tensor<double>({{3, 4}})", spoken_name());
}

const std::vector<std::int64_t>& TensorCore::sizes() const {
  check_has_dimensions();
  if (following_) return following_->value()->dimensions();
  return updated_ ? updated_->dimensions() : value_->dimensions();
}

const Format& TensorCore::kept_format() const {
  check_has_dimensions();
  if (following_) return following_->value()->format();
  return updated_ ? updated_->format() : value_->format();
}

void TensorCore::check(std::span<const std::int64_t> coordinate) const {
  const std::vector<std::int64_t>& dimensions = sizes();
  if (coordinate.size() != dimensions.size()) {
    user_error("{} has {} dimension(s), and ({}) has {}", spoken_name(), dimensions.size(), fmt::join(coordinate, ","),
               coordinate.size());
  }
  for (std::size_t mode = 0; mode < dimensions.size(); ++mode) {
    if (coordinate[mode] < 0 || coordinate[mode] >= dimensions[mode]) {
      user_error("({}) is outside {}, whose dimensions are {}", fmt::join(coordinate, ","), spoken_name(),
                 fmt::join(dimensions, " x "));
    }
  }
}

void TensorCore::gather(std::span<const std::int64_t> coordinate, const Scalar& value) {
  check(coordinate);
  stop_following();
  inserted_.resize(coordinate.size());
  for (std::size_t mode = 0; mode < coordinate.size(); ++mode) inserted_[mode].push_back(coordinate[mode]);
  const std::size_t size = static_cast<std::size_t>(size_of(type_));
  inserted_values_.resize(inserted_values_.size() + size);
  value.convert(type_).store(inserted_values_.data() + inserted_values_.size() - size);
  variable_.reset();
}

bool TensorCore::updates_here() const {
  if (updated_ != nullptr) return true;
  return updates_in_place(kept_format()) && !(value_ && value_->is_in_parts());
}

/// The tensor to be changed. Who holds what was read of it keeps that.
UpdatedTensor& TensorCore::updated() {
  stop_following();
  if (!updated_) updated_ = std::make_unique<UpdatedTensor>(default_engine(), storage(), compile_options({}));
  value_.reset();
  variable_.reset();
  return *updated_;
}

std::vector<std::shared_ptr<Following>> TensorCore::followers() {
  std::vector<std::shared_ptr<Following>> all;
  for (const std::weak_ptr<Following>& each : followers_)
    if (auto follower = each.lock()) all.push_back(std::move(follower));
  if (all.size() < followers_.size()) followers_.assign(all.begin(), all.end());
  return all;
}

template <typename Update, typename Touched>
auto TensorCore::in_step(const Update& update, const Touched& touched) {
  const auto all = followers();
  if (all.empty()) return update();
  const UpdatedTensor& tensor = updated();
  const BatchChange change(default_engine(), tensor, touched(), compile_options({}));
  const auto follow = [&] {
    for (const auto& each : all) each->add(change.difference(tensor, each->change_type()));
  };
  try {
    const auto changed = update();
    follow();
    return changed;
  } catch (const RuntimeFailure&) {
    follow();  // some of the updates may be made
    throw;
  }
}

void TensorCore::insert(std::span<const std::int64_t> coordinate, const Scalar& value) {
  check(coordinate);
  if (!updates_here()) return gather(coordinate, value);
  update_here(UpdateOperation::Add, coordinate, value.convert(type_));
}

bool TensorCore::update_here(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value) {
  return in_step([&] { return updated().update(operation, coordinate, value); },
                 [&] { return list_of(coordinate, value); });
}

CoordinateList TensorCore::list_of(std::span<const std::int64_t> coordinate, const Scalar& value) const {
  CoordinateList one{sizes(), {}, Array::allocate(type_, 1, false)};
  for (const std::int64_t& c : coordinate) one.coordinates.push_back(Array::of(std::span<const std::int64_t>(&c, 1)));
  value.store(one.values.mutable_data());
  return one;
}

bool TensorCore::update(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value) {
  check(coordinate);
  const Scalar converted = operation == UpdateOperation::Erase ? Scalar::zero(type_) : value.convert(type_);
  if (updates_here()) return update_here(operation, coordinate, converted);
  return rebuild(operation, list_of(coordinate, converted)) > 0;
}

std::int64_t TensorCore::update(UpdateOperation operation, const std::vector<std::vector<std::int64_t>>& coordinates,
                                const Array& values) {
  const std::vector<std::int64_t>& dimensions = sizes();
  if (coordinates.size() != dimensions.size())
    user_error("{} has {} dimension(s) and needs as many vectors of coordinates, not {}", spoken_name(),
               dimensions.size(), coordinates.size());
  CoordinateList list{dimensions, {}, values};
  for (const std::vector<std::int64_t>& mode : coordinates) {
    if (static_cast<std::int64_t>(mode.size()) != values.size())
      user_error("{} entries need as many coordinates in every mode, not {}", values.size(), mode.size());
    list.coordinates.push_back(Array::borrow(Type::Int64, mode.data(), values.size(), nullptr));
  }
  if (!updates_here()) return rebuild(operation, list);
  return in_step([&] { return updated().update(operation, list); }, [&] { return list; });
}

/// Makes the tensor anew.
std::int64_t TensorCore::rebuild(UpdateOperation operation, const CoordinateList& list) {
  const Storage& now = storage();
  const Format format = now.format;
  if (operation == UpdateOperation::Add) {
    const std::int64_t before = now.stored();
    const auto coordinate = [&](std::int64_t k) {
      std::vector<std::int64_t> c;
      for (const Array& mode : list.coordinates) c.push_back(mode.integer(k));
      return c;
    };
    for (std::int64_t k = 0; k < list.size(); ++k) check(coordinate(k));
    const auto* values = static_cast<const std::byte*>(list.values.data());
    for (std::int64_t k = 0; k < list.size(); ++k)
      gather(coordinate(k), Scalar::load(type_, values + k * size_of(type_)));
    return storage().stored() - before;
  }
  const bool erases = operation == UpdateOperation::Erase;
  if (erases && (format.order() == 0 || format.level(format.order() - 1).full()))
    user_error(
        "nothing can be erased from {}: its format, {}, stores every coordinate of the last level; assign 0 instead",
        spoken_name(), format.to_string());
  EditedEntries edited = edited_entries(now, list, erases ? Edit::Erase : Edit::Assign);
  value_ = std::make_shared<Value>(built(edited.entries, format));
  variable_.reset();
  return edited.changed;
}

/// What waits to be put into the tensor.
CoordinateList TensorCore::inserted_entries() const {
  CoordinateList list{sizes(), {}, {}};
  const auto count = static_cast<std::int64_t>(inserted_values_.size()) / size_of(type_);
  for (std::size_t mode = 0; mode < list.dimensions.size(); ++mode)
    list.coordinates.push_back(count == 0 ? Array::allocate(Type::Int64, 0, false)
                                          : Array::of(std::span<const std::int64_t>(inserted_[mode])));
  list.values = Array::allocate(type_, count, false);
  if (count > 0) std::memcpy(list.values.mutable_data(), inserted_values_.data(), inserted_values_.size());
  return list;
}

void TensorCore::contribute(Communicator& ranks) {
  stop_following();
  DistributedTensorPtr before;
  CoordinateList mine;
  together(ranks, {"contributing to " + spoken_name()}, [&] {
    check_has_dimensions();
    if (!placed_)
      user_error("{} has no distribution, so that no rank owns what is contributed: place it first", spoken_name());
  });
  if (!updated_ && value_ != nothing_.lock()) before = value_->parts_on(ranks);
  together(ranks, {"contributing to " + spoken_name(), before ? "which is partitioned" : "which is made"}, [&] {
    if (!before && assigned_)
      user_error("{} was computed on every rank: place it before it is assigned to, and then contribute",
                 spoken_name());
    if (before || (!updated_ && value_ == nothing_.lock())) {
      mine = inserted_entries();
      return;
    }
    const Storage& all = storage();  // what this rank put in, one way or another
    mine = coordinates_of(all.format.has_nodes() ? convert(all, array_format_of(all.format)) : all);
  });
  const Format format = kept_format();
  take_parts(std::make_shared<const DistributedTensor>(
                 contributed(std::move(mine), format, *placed_, spoken_name(), ranks, before.get())),
             ranks);
}

void TensorCore::write(const std::string& path, Communicator& ranks) const {
  const bool may_lie_in_parts = !updated_ && inserted_.empty();
  const DistributedTensorPtr parts = may_lie_in_parts ? value()->parts_on(ranks) : nullptr;
  if (parts) return write_placed(*parts, path, spoken_name(), ranks);
  const Storage& whole = storage();  // which may be gathered by all
  on_first(ranks, {"writing " + path, "which each rank has"}, [&] { write_file(path, whole); });
}

void TensorCore::write(const std::string& path) const { write_file(path, storage()); }

std::vector<std::pair<std::vector<IndexSet>, Storage>> TensorCore::parts_on(Communicator& ranks) const {
  const bool may_lie_in_parts = !updated_ && inserted_.empty();
  const DistributedTensorPtr parts = may_lie_in_parts ? value()->parts_on(ranks) : nullptr;
  if (parts == nullptr)
    user_error("{} does not lie in parts on these ranks: place it, and evaluate it with .ranks", spoken_name());
  std::vector<std::pair<std::vector<IndexSet>, Storage>> mine;
  for (const std::size_t number : parts->parts_placed_here()) {
    const LocalPart& part = parts->part(static_cast<std::int64_t>(number));
    mine.emplace_back(part.sets, part.storage);
  }
  return mine;
}

const Storage* TensorCore::held(std::optional<std::size_t> part) const {
  if (!inserted_values_.empty() && value_->is_in_parts())
    user_error("entries of {} wait for contribute(), and are in none of its parts yet", spoken_name());
  const DistributedTensorPtr parts = value()->parts_here();
  const std::vector<std::size_t> numbers = parts ? parts->parts_placed_here() : std::vector<std::size_t>{0};
  if (!part && numbers.empty()) return nullptr;
  if (!part && numbers.size() > 1)
    user_error("this rank holds {} parts of {}: say which, by a number from 0 to {}", numbers.size(), spoken_name(),
               numbers.size() - 1);
  const std::size_t number = part.value_or(0);
  if (number >= numbers.size())
    user_error("this rank holds {} part{} of {}, counted from 0, and no part {}", numbers.size(),
               numbers.size() == 1 ? "" : "s", spoken_name(), number);
  return parts ? &parts->part(static_cast<std::int64_t>(numbers[number])).storage : &storage();
}

const Array* TensorCore::values(std::optional<std::size_t> part) const {
  const Storage* mine = held(part);
  return mine != nullptr ? &held_values(*mine, spoken_name()) : nullptr;
}

const Array* TensorCore::positions(int level, Type type, std::optional<std::size_t> part) const {
  const Storage* mine = held(part);
  return mine != nullptr ? &held_positions(*mine, level, type, spoken_name()) : nullptr;
}

const Array* TensorCore::coordinates(int level, Type type, std::optional<std::size_t> part) const {
  const Storage* mine = held(part);
  return mine != nullptr ? &held_coordinates(*mine, level, type, spoken_name()) : nullptr;
}

void TensorCore::take_parts(DistributedTensorPtr parts, Communicator& ranks) {
  if (parts->distribution()) placed_ = *parts->distribution();
  assigned_ = false;
  declared_ = true;
  value_ = std::make_shared<Value>(std::move(parts), ranks);
  inserted_.clear();
  inserted_values_.clear();
  updated_.reset();
  variable_.reset();
  followers_.clear();
}

void TensorCore::pack() const {
  if (inserted_values_.empty()) return;
  // Formats with sparse levels keep what they store, zeros too; a dense one stores everything anyway.
  const CoordinateList old = coordinates_of(value_->storage());
  CoordinateList all;
  all.dimensions = value_->dimensions();
  for (std::size_t mode = 0; mode < all.dimensions.size(); ++mode) {
    all.coordinates.push_back(joined_coordinates(old.coordinates[mode], inserted_[mode], all.dimensions[mode]));
  }
  const std::size_t old_bytes = static_cast<std::size_t>(old.values.bytes());
  const auto more = static_cast<std::int64_t>(inserted_values_.size()) / size_of(type_);
  all.values = Array::allocate(type_, old.size() + more, false);
  auto* values = static_cast<std::byte*>(all.values.mutable_data());
  if (old_bytes > 0) std::memcpy(values, old.values.data(), old_bytes);
  std::memcpy(values + old_bytes, inserted_values_.data(), inserted_values_.size());
  value_ = std::make_shared<Value>(built(all, value_->format()));
  inserted_.clear();
  inserted_values_.clear();
}

void TensorCore::follow(TensorCore& operand) {
  const std::string what = fmt::format("{} cannot follow {}: ", spoken_name(), operand.spoken_name());
  if (!updates_in_place(operand.kept_format()))
    user_error(
        "{}its format, {}, does not change in place; store it in levels that are dense or dynamic (lacuna levels lists "
        "these)",
        what, operand.kept_format().to_string());
  if (operand.following_) user_error("{}that follows another tensor itself; follow the other one", what);
  const auto reading = value()->reading(*operand.value(), {});
  if (!reading)
    user_error("{}it is computed already, or nothing was assigned to it; follow right after assigning", what);
  if (reading->names.empty())
    user_error("{}what was assigned does not read it as it is now; assign again, then follow", what);
  if (reading->names.size() > 1)
    user_error("{}what was assigned reads it as {}; write the same tensor everywhere", what,
               fmt::join(reading->names, " and "));
  following_ = std::make_shared<Following>(reading->request, reading->names.front());
  operand.followers_.push_back(following_);
  value_.reset();
  updated_.reset();
  variable_.reset();
}

/// It keeps what it holds.
void TensorCore::stop_following() {
  if (!following_) return;
  value_ = following_->value();
  following_.reset();
  variable_.reset();
}

const std::vector<std::int64_t>& TensorCore::dimensions() const { return value()->dimensions(); }
const Format& TensorCore::format() const { return value()->format(); }
std::int64_t TensorCore::stored() const { return value()->stored(); }
const Storage& TensorCore::storage() const { return value()->storage(); }

Report TensorCore::evaluate(const EvaluateOptions& options) const { return value()->evaluate(options); }
Report TensorCore::evaluate_into(const Array& memory, const EvaluateOptions& options) const {
  return value()->evaluate_into(memory, options);
}
std::string TensorCore::explain(const EvaluateOptions& options) const { return value()->explain(options); }
std::string TensorCore::c_code(const EvaluateOptions& options) const { return value()->c_code(options); }

Report TensorCore::evaluate_together(const std::vector<const TensorCore*>& tensors, const EvaluateOptions& options) {
  std::vector<ValuePtr> values;
  for (const TensorCore* tensor : tensors) values.push_back(tensor->value());
  return Value::evaluate_together(std::move(values), options);
}

const ValuePtr& TensorCore::value() const {
  if (following_) return following_->value();
  if (!value_ && updated_) value_ = std::make_shared<Value>(updated_->storage());
  if (!value_) {
    user_error("{} holds nothing yet: give its dimensions when it is made, or assign to it first", spoken_name());
  }
  pack();
  return value_;
}

TensorVar TensorCore::variable(int order) const {
  if (!variable_ || variable_->order() != order) variable_ = TensorVar(name_, order);
  return *variable_;
}

Expression TensorCore::access(const std::vector<IndexVar>& indices) const {
  const ValuePtr& now = value();
  const std::size_t order = now->dimensions().size();
  if (order != indices.size()) {
    user_error("{} has {} dimension(s), but is read with {} index variable(s)", spoken_name(), order, indices.size());
  }
  if (following_ && variable_of_.lock() != now) {
    variable_.reset();
    variable_of_ = now;
  }
  const TensorVar tensor = variable(static_cast<int>(order));
  return {make_expr(Access{tensor, indices}), {Capture{tensor, now, placed_}}};
}

void TensorCore::assign(const std::vector<IndexVar>& indices, bool accumulate, const Expression& right) {
  stop_following();
  Destination destination{
      variable(static_cast<int>(indices.size())), indices, type_, std::nullopt, std::nullopt, nullptr};
  if (value_ || updated_) destination.old = value();
  destination.placed = placed_;
  if (value_) destination.kept = value_->kept();
  if (declared_ || (accumulate && value_)) {
    destination.dimensions = value_->dimensions();
    destination.format = value_->format();
  }
  ValuePtr assigned = lacuna::assign(destination, accumulate, right);
  assigned_ = true;
  value_ = std::move(assigned);
  updated_.reset();
  variable_.reset();
  followers_.clear();
}

}  // namespace lacuna
