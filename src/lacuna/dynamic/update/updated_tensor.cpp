#include "lacuna/dynamic/update/updated_tensor.h"

#include <algorithm>
#include <cstring>

#include "lacuna/dynamic/memory/check_nodes.h"
#include "lacuna/dynamic/update/middle_first.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/entries.h"

namespace lacuna {
namespace {

/// What a storage is without its arrays.
Storage shape_of(const Storage& tensor) {
  Storage shape;
  shape.format = tensor.format;
  shape.type = tensor.type;
  shape.fill = tensor.fill;
  shape.dimensions = tensor.dimensions;
  for (const LevelStorage& from : tensor.levels) {
    LevelStorage level;
    level.extent = from.extent;
    level.nonempty = from.nonempty;
    internal_check(from.origin == 0, "a piece of a tensor is updated");
    shape.levels.push_back(std::move(level));
  }
  return shape;
}

UpdateRequest request_for_all(const Storage& tensor) {
  UpdateRequest request{tensor.format, tensor.type, {}, UpdateOperation::Add, UpdatePart::Whole};
  for (int k = 0; k < tensor.order(); ++k)
    request.coordinates.push_back(coordinate_type(tensor.levels[static_cast<std::size_t>(k)].extent));
  return request;
}

std::shared_ptr<NodeMemory> memory_of(const Storage& tensor) {
  internal_check(updates_in_place(tensor.format), "{} is not updated in place", tensor.format.to_string());
  return std::make_shared<NodeMemory>(tensor);
}

}  // namespace

UpdatedTensor::UpdatedTensor(Compiler& engine, const Storage& tensor, const Options& options)
    : engine_(engine),
      options_(options),
      shape_(shape_of(tensor)),
      request_(request_for_all(tensor)),
      count_{tensor.order()},
      memory_(memory_of(tensor)),
      arguments_(shape_, request_.coordinates),
      coordinate_(static_cast<std::size_t>(tensor.order())) {
  for (int k = 0; k < tensor.order(); ++k) arguments_.count(k) = tensor.levels[static_cast<std::size_t>(k)].positions;
  if (!tensor.format.has_values_in_nodes())
    arguments_.count(count_.capacity()) = tensor.values.size() / block_of_values();
  arguments_.set_memory(*memory_);
  for (const auto& each : coordinate_) coordinate_addresses_.push_back(each.data());
}

/// How many values there are under an entry of the last level that is not dense.
std::int64_t UpdatedTensor::block_of_values() const {
  std::int64_t block = 1;
  for (int k = shape_.order() - 1; k >= 0 && !shape_.format.level(k).is_dynamic(); --k)
    block *= std::max<std::int64_t>(shape_.levels[static_cast<std::size_t>(k)].extent, 1);
  return block;
}

/// What was lent is not changed any more.
void UpdatedTensor::own_memory() {
  if (!memory_->is_lent()) return;
  memory_ = memory_->copy(values_in_use());
  arguments_.set_memory(*memory_);
}

std::int64_t UpdatedTensor::values_in_use() const {
  for (int k = shape_.order() - 1; k >= 0; --k)
    if (shape_.format.level(k).is_dynamic()) return arguments_.count(k) * block_of_values();
  return 0;
}

const UpdatePlan& UpdatedTensor::plan(UpdateOperation operation, UpdatePart part) {
  auto& plan = plans_[static_cast<std::size_t>(part)][static_cast<std::size_t>(operation)];
  if (plan == nullptr) {
    request_.operation = operation;
    request_.part = part;
    plan = engine_.update_plan(request_, options_);
  }
  return *plan;
}

bool UpdatedTensor::update(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value) {
  const UpdatePlan& kernel = plan(operation);  // which may refuse
  own_memory();
  if (operation == UpdateOperation::Erase) forget_nonempty();
  for (int k = 0; k < shape_.order(); ++k) {
    const auto level = static_cast<std::size_t>(k);
    const std::int64_t c = coordinate[static_cast<std::size_t>(shape_.format.map().mode_of(k))];
    if (request_.coordinates[level] == Type::Int32) {
      const auto narrow = static_cast<std::int32_t>(c);
      std::memcpy(coordinate_[level].data(), &narrow, sizeof narrow);
    } else {
      std::memcpy(coordinate_[level].data(), &c, sizeof c);
    }
  }
  if (operation != UpdateOperation::Erase) value.store(value_.data());
  arguments_.set_batch(coordinate_addresses_, value_.data(), 1);
  const Ran ran = run(kernel);
  check(ran, 1);
  note_updates(operation, 1);
  return ran.changed > 0;
}

std::int64_t UpdatedTensor::update(UpdateOperation operation, const CoordinateList& updates) {
  plan(operation);
  Entries entries = entries_by_level(updates, shape_.format);
  if (entries.size() == 0) return 0;
  const int threads = options_.target.threads;
  if (sortedness(entries.columns) == Sortedness::Unsorted) {
    const Array order = sorted_order(entries.columns, entries.extents, threads);
    for (Array& column : entries.columns) column = gather(column, order, threads);
    if (operation != UpdateOperation::Erase) entries.values = gather(entries.values, order, threads);
  }
  if (operation == UpdateOperation::Erase) forget_nonempty();
  else arrange(entries);
  own_memory();
  Batch batch{operation, {}, entries.values.data(), entries.size()};
  for (const Array& column : entries.columns) batch.columns.push_back(column.data());
  const auto most = static_cast<int>(std::clamp<std::int64_t>(batch.updates / sharing_.least_share, 1, threads));
  if (most > 1 && updates_in_shares(shape_.format)) {
    const std::span<const Array> above(entries.columns.data(), entries.columns.size() - 1);
    const std::vector<BatchShare> shares = cut_into_shares(above, batch.updates, most);
    if (shares.size() > 1) return make_in_shares(batch, shares);
  }
  std::int64_t begun = 0, changed = 0;
  for (; begun < batch.updates && is_tried_singly(); ++begun) changed += run_noted(batch, begun, begun + 1);
  return changed + run_noted(batch, begun, batch.updates);
}

/// So that levels which nothing balances do not become lists.
void UpdatedTensor::arrange(Entries& sorted) const {
  const Array order = middle_first(sorted.columns, shape_.format);
  const int threads = options_.target.threads;
  for (Array& column : sorted.columns) column = gather(column, order, threads);
  sorted.values = gather(sorted.values, order, threads);
}

/// The places above the last level are made by this thread, before others come.
std::int64_t UpdatedTensor::make_in_shares(const Batch& batch, std::vector<BatchShare> shares) {
  const UpdatePlan& entries = plan(batch.operation, UpdatePart::Entries);
  if (batch.operation != UpdateOperation::Erase && has_dynamic_level_above()) {
    Ran places = run(plan(UpdateOperation::Add, UpdatePart::Places), batch, 0, batch.updates);
    if (places.done < batch.updates) {
      places.done = 0;  // no entry is made
      check(places, batch.updates);
    }
  }
  const SharedOutcome outcome = make_shares(
      {entries, options_, sharing_, shape_, request_.coordinates, batch.columns, batch.values}, *memory_, shares);
  arguments_.set_memory(*memory_);
  arguments_.count(shape_.order() - 1) += outcome.entries;
  Ran all{0, outcome.changed, false};
  for (const BatchShare& each : shares) {
    // One thread alone finds out whether what is left can be made.
    Ran rest;
    if (each.done < each.size() && !all.out_of_memory)
      rest = run(plan(batch.operation), batch, each.begin + each.done, each.end);
    all.done += each.done + rest.done;
    all.changed += rest.changed;
    all.out_of_memory = all.out_of_memory || rest.out_of_memory;
  }
  check(all, batch.updates);
  note_updates(batch.operation, batch.updates);
  return all.changed;
}

bool UpdatedTensor::has_dynamic_level_above() const {
  for (int k = 0; k + 1 < shape_.order(); ++k)
    if (shape_.format.level(k).is_dynamic()) return true;
  return false;
}

UpdatedTensor::Ran UpdatedTensor::run(const UpdatePlan& plan, const Batch& batch, std::int64_t begin,
                                      std::int64_t end) {
  arguments_.set_batch(batch.columns, batch.values, batch.updates);
  arguments_.cut_batch(begin, end - begin);
  return run(plan);
}

/// Runs a kernel on the batch that the arguments hold.
UpdatedTensor::Ran UpdatedTensor::run(const UpdatePlan& plan) {
  arguments_.count(count_.changed()) = arguments_.count(count_.done()) = 0;
  Ran ran;
  if (plan.interpreter) interpret(plan);
  else ran.out_of_memory = !call(plan);
  ran.done = arguments_.count(count_.done());
  ran.changed = arguments_.count(count_.changed());
  return ran;
}

/// Rows may be without entries from now on.
void UpdatedTensor::forget_nonempty() {
  for (LevelStorage& level : shape_.levels) level.nonempty = false;
}

/// Throws unless all updates were made. Where they were not, a row may have been made without its entry.
void UpdatedTensor::check(const Ran& ran, std::int64_t updates) {
  if (ran.out_of_memory || memory_->is_full() || ran.done < updates) forget_nonempty();
  if (ran.out_of_memory)
    throw RuntimeFailure(fmt::format("out of memory while a tensor in the format {} was updated; {} updates were made",
                                     format().to_string(), ran.done));
  if (memory_->is_full())
    throw RuntimeFailure(fmt::format("a level of {} took more memory than functions of levels may; the tensor is lost",
                                     format().to_string()));
  if (ran.done < updates)
    throw RuntimeFailure(
        fmt::format("a level of {} has no room for more entries: there are 2^32 - 1 nodes of a type at most; {} of {} "
                    "updates were made",
                    format().to_string(), ran.done, updates));
}

std::int64_t UpdatedTensor::run_noted(const Batch& batch, std::int64_t begin, std::int64_t end) {
  if (begin == end) return 0;
  const Ran ran = run(plan(batch.operation), batch, begin, end);
  check(ran, end - begin);
  note_updates(batch.operation, end - begin);
  return ran.changed;
}

/// Whether the nodes are looked at after the next update alone: the one after it may never end, on nodes that are
/// wrong. So it is of the first ones, as far as that takes no long time.
bool UpdatedTensor::is_tried_singly() const {
  constexpr std::int64_t most = 64, elements = 2'000'000;
  std::int64_t stored = 1;
  for (int k = 0; k < shape_.order(); ++k) stored = std::max(stored, arguments_.count(k));
  return updates_ < std::clamp<std::int64_t>(elements / stored, 1, most);
}

void UpdatedTensor::note_updates(UpdateOperation operation, std::int64_t updates) {
  const bool alone = is_tried_singly();
  updates_ += updates;
  (operation == UpdateOperation::Erase ? erased_ : inserted_) = true;
  if (alone || updates_ >= 2 * checked_updates_) check_nodes();
}

void UpdatedTensor::check_nodes() {
  const int last = shape_.order() - 1;
  const std::string functions = !erased_ ? "insert" : !inserted_ ? "erase" : "insert or erase";
  lacuna::check_nodes(storage(), [&](const schema::LevelFile&, int level) {
    return level == last ? functions : std::string("insert");
  });
  checked_updates_ = updates_;
  inserted_ = erased_ = false;
}

/// False where there is no more memory.
bool UpdatedTensor::call(const UpdatePlan& plan) {
  const std::int32_t status = arguments_.call(plan, memory_->context(1), true);
  memory_->set_values_room(arguments_.count(count_.capacity()) * block_of_values());
  if (status == LACUNA_OK) return true;
  memory_->release_temporaries();
  arguments_.set_memory(*memory_);
  internal_check(status == LACUNA_OUT_OF_MEMORY, "an update kernel returned status {}", status);
  return false;
}

/// Makes room and goes on wherever a kernel stopped: in the interpreter, memory that is given cannot grow.
void UpdatedTensor::interpret(const UpdatePlan& plan) {
  const std::int64_t updates = arguments_.updates();
  std::int64_t& done = arguments_.count(count_.done());
  std::int64_t& capacity = arguments_.count(count_.capacity());
  for (std::int64_t before = 0; true;) {
    arguments_.interpret(plan, *memory_, options_.interpret);
    const std::int64_t made = done;
    done += before;
    if (done == updates) return;
    capacity = capacity * 2 + 1;
    const bool grew = memory_->grow(capacity * block_of_values());
    arguments_.set_memory(*memory_);
    if (!grew) return;
    before = done;
    arguments_.cut_batch(made, updates - before);
    done = 0;
  }
}

Storage UpdatedTensor::storage() const {
  Storage tensor = shape_;
  std::int64_t parents = 1;
  for (int k = 0; k < tensor.order(); ++k) {
    LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
    const bool dynamic = tensor.format.level(k).is_dynamic();
    level.positions = parents = dynamic ? arguments_.count(k) : parents * level.extent;
  }
  memory_->lend(memory_, tensor);
  return tensor;
}

}  // namespace lacuna
