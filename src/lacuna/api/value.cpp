#include "lacuna/api/value.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/move.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"

namespace lacuna {

Value::Value(Storage storage)
    : type_(storage.type), dimensions_(storage.dimensions), format_(storage.format), storage_(std::move(storage)) {}

Value::Value(DistributedTensorPtr parts, Communicator& ranks)
    : type_(parts->shape().type),
      dimensions_(parts->dimensions()),
      format_(parts->format()),
      parts_(std::move(parts)),
      holders_(ranks.handle()) {}

Value::Value(Statement statement, std::map<std::string, ValuePtr> operands, Storage result,
             std::map<std::string, Distribution> placed, std::shared_ptr<KeptOnMachine> kept)
    : type_(result.type),
      dimensions_(std::move(result.dimensions)),
      format_(std::move(result.format)),
      pending_(Pending{std::move(statement), std::move(operands), std::move(placed)}),
      kept_(kept != nullptr ? std::move(kept) : std::make_shared<KeptOnMachine>()) {}

/// Statements that read what statements make, and so on, may be many, none of which was ever evaluated: they go one
/// after the other, not each within the next.
Value::~Value() {
  std::vector<ValuePtr> left;
  const auto take_operands = [&](Value& value) {
    if (!value.pending_) return;
    for (auto& [name, operand] : value.pending_->operands) left.push_back(std::move(operand));
    value.pending_.reset();
  };
  take_operands(*this);
  while (!left.empty()) {
    const ValuePtr last = std::move(left.back());
    left.pop_back();
    if (last.use_count() > 1) continue;
    const std::lock_guard<std::mutex> lock(last->mutex_);
    take_operands(*last);
  }
}

const Storage& Value::storage() {
  evaluate({});
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!storage_) gather();
  return *storage_;
}

std::int64_t Value::stored() {
  evaluate({});
  const std::lock_guard<std::mutex> lock(mutex_);
  return storage_ ? storage_->stored() : parts_->stored();
}

void Value::gather() {
  if (parts_->is_alone()) {
    storage_ = stored_as(default_engine(), gathered(*parts_, *alone(), Recipients::All), format_);
    return;
  }
  const std::shared_ptr<Communicator> ranks = holders_.lock();
  if (ranks == nullptr)
    user_error("a tensor is read whose parts were held by ranks that are gone; read it, on all ranks, before");
  together(*ranks,
           {"reading a partitioned tensor", parts_->distribution()->to_string(),
            parts_->distribution()->machine().to_string(), format_.to_string()},
           [] {});
  or_abort(*ranks,
           [&] { storage_ = stored_as(default_engine(), gathered(*parts_, *ranks, Recipients::All), format_); });
}

bool Value::is_in_parts() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return parts_ != nullptr && !storage_;
}

DistributedTensorPtr Value::parts_on(Communicator& ranks) {
  evaluate({.ranks = &ranks});
  const std::lock_guard<std::mutex> lock(mutex_);
  return are_held_by(ranks) ? parts_ : nullptr;
}

DistributedTensorPtr Value::parts_here() {
  evaluate({});
  const std::lock_guard<std::mutex> lock(mutex_);
  return parts_;
}

/// To be asked under the lock.
bool Value::are_held_by(Communicator& ranks) const {
  return parts_ && parts_->is_held_by(ranks) && (parts_->is_alone() || holders_.lock().get() == &ranks);
}

DistributedTensorPtr Value::parts(const Distribution& distribution, const std::string& name, Communicator& ranks,
                                  Traffic& moves) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!are_held_by(ranks)) return nullptr;
  if (parts_->distribution() != distribution)
    parts_ = std::make_shared<const DistributedTensor>(placed_anew(*parts_, distribution, name, ranks, &moves));
  return parts_;
}

Request Value::request(const EvaluateOptions& options, Numbers numbers) const {
  Request request = request_without_operands(options, numbers);
  for (const auto& [name, value] : pending_->operands) request.operands.emplace(name, value->storage());
  return request;
}

Request Value::request_without_operands(const EvaluateOptions& options, Numbers numbers) const {
  Request request{pending_->statement, {}, format_, type_, {}, options.schedule};
  const std::vector<IndexVar>& indices = pending_->statement.lhs.indices;
  for (std::size_t mode = 0; mode < indices.size(); ++mode) {
    request.sizes.emplace(indices[mode].name(), dimensions_[mode]);
  }
  if (numbers == Numbers::Compiled) return request;
  FactsByName facts;
  for (const auto& [name, value] : pending_->operands) facts[name] = {value->type(), std::nullopt};
  pass_numbers(request, facts);
  return request;
}

PreparedRequest Value::prepare(const EvaluateOptions& options, const Options& compile) const {
  return prepare_passing_numbers(engine_of(options), compile,
                                 [&](Numbers numbers) { return request(options, numbers); });
}

/// What has no loops is computed by every rank, of what all have.
bool Value::is_distributed(const EvaluateOptions& options) const {
  const bool on_machine = (options.machine || !pending_->placed.empty()) && !all_variables(pending_->statement).empty();
  return on_machine || launch::is_distributed(options.schedule);
}

namespace {

/// How what a statement reads is computed.
EvaluateOptions options_of_operands(EvaluateOptions options) {
  options.schedule = {};
  options.machine = std::nullopt;
  return options;
}

}  // namespace

/// In the order of their names.
Value::ToEvaluate Value::unevaluated_operands(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ToEvaluate out;
  if (!pending_) return out;
  for (const auto& [name, value] : pending_->operands) {
    const std::lock_guard<std::mutex> its_lock(value->mutex_);
    if (value->pending_) out.emplace_back(value, options_of_operands(options));
  }
  return out;
}

/// And, before, what these read, and so on: without a call for each, since they may be very many.
void Value::evaluate_operands(const EvaluateOptions& options) {
  ToEvaluate stack = unevaluated_operands(options);
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    const auto [value, how] = stack.back();
    const ToEvaluate first = value->unevaluated_operands(how);
    stack.insert(stack.end(), first.rbegin(), first.rend());
    if (!first.empty()) continue;
    stack.pop_back();
    value->evaluate(how);
  }
}

DistributedRequest Value::on_machine(const EvaluateOptions& options, Communicator& ranks, Traffic& moves) const {
  DistributedRequest out{request_without_operands(options, Numbers::Passed), options.machine, pending_->placed};
  out.request.statement.text = pending_->statement.text;  // for messages, and by it ranks tell other numbers
  const EvaluateOptions before = options_of_operands(options);
  for (const auto& [name, value] : pending_->operands) {
    value->evaluate(before);
    const auto placed = pending_->placed.find(name);
    DistributedTensorPtr parts;
    if (placed != pending_->placed.end()) parts = value->parts(placed->second, name, ranks, moves);
    if (parts != nullptr) out.held.emplace(name, std::move(parts));
    else out.request.operands.emplace(name, value->storage());
  }
  return out;
}

namespace {

std::string traffic_note(const char* what, const Traffic& traffic) {
  return traffic.messages == 0 ? fmt::format("{}: nothing moved", what)
                               : fmt::format("{}: {} message{}, {} bytes", what, traffic.messages,
                                             traffic.messages == 1 ? "" : "s", traffic.bytes);
}

}  // namespace

namespace {

bool overlap(const Array& a, const Array& b) {
  const auto* first = static_cast<const std::byte*>(a.data());
  const auto* second = static_cast<const std::byte*>(b.data());
  return std::less<>()(first, second + b.bytes()) && std::less<>()(second, first + a.bytes());
}

/// Whether an operand has something in the memory, which may not change while it is read.
bool is_read(const Array& memory, const std::map<std::string, Storage>& operands) {
  return std::any_of(operands.begin(), operands.end(), [&](const auto& each) {
    const Storage& operand = each.second;
    return overlap(memory, operand.values) ||
           std::any_of(operand.levels.begin(), operand.levels.end(), [&](const LevelStorage& level) {
             return overlap(memory, level.pos) || overlap(memory, level.crd) || overlap(memory, level.present);
           });
  });
}

/// The kernel writes to the memory itself, unless it reads something there or makes a result that is converted.
Storage result_in(const Array& memory, PreparedRequest& made, Report& report) {
  const Format& format = made.prepared.result_format();
  const std::vector<std::int64_t>& dimensions = made.prepared.result_dimensions();
  if (!format.is_dense())
    user_error("evaluate_into writes the values of a dense result, and this one is {}", format.to_string());
  Storage result = adopt_dense(dimensions, memory, format.map());
  if (is_read(memory, made.request.operands)) result = {};
  made.prepared.run_into(result, &report);
  if (result.values.data() != memory.data())
    std::memcpy(const_cast<void*>(memory.data()), result.values.data(), static_cast<std::size_t>(memory.bytes()));
  result.values = Array::borrow(memory.type(), memory.data(), memory.size(), nullptr);
  return result;
}

}  // namespace

Report Value::evaluate(const EvaluateOptions& options) {
  evaluate_operands(options);
  const std::lock_guard<std::mutex> lock(mutex_);
  Report report;
  if (storage_ || parts_) return report;
  if (is_distributed(options)) return evaluate_on_machine(options);
  return run(options, nullptr);
}

Report Value::evaluate_into(const Array& memory, const EvaluateOptions& options) {
  evaluate_operands(options);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!pending_)
    user_error("evaluate_into computes what was assigned and is not computed yet: assign first, and read afterwards");
  if (is_distributed(options)) user_error("evaluate_into is not for results that lie on a machine; values() has them");
  return run(options, &memory);
}

Report Value::run(const EvaluateOptions& options, const Array* memory) {
  Report report;
  PreparedRequest made = prepare(options, compile_options(options));
  const Prepared& prepared = made.prepared;
  storage_ = memory == nullptr ? made.prepared.run(&report) : result_in(*memory, made, report);
  c_code_ = prepared.c_code();
  report.compile_ms = prepared.compile_report().compile_ms;
  report.from_memory = prepared.compile_report().from_memory;
  report.from_disk = prepared.compile_report().from_disk;
  // The operands may be large, and nobody asks for them again.
  pending_.reset();
  return report;
}

/// All ranks get what is not placed; what is stays in parts.
Report Value::evaluate_on_machine(const EvaluateOptions& options) {
  const std::unique_ptr<Communicator> here = alone();
  Communicator& ranks = options.ranks != nullptr ? *options.ranks : *here;
  Engine& engine = engine_of(options);
  const Options compile = compile_options(options);
  Traffic moves;
  const DistributedRequest request = on_machine(options, ranks, moves);
  DistributedReport done;
  std::optional<DistributedTensor> result;
  {
    const std::lock_guard<std::mutex> lock(kept_->mutex);
    result = kept_->prepared.run(engine, request, ranks, compile, &done);
  }
  if (result->distribution()) {
    parts_ = std::make_shared<const DistributedTensor>(std::move(*result));
    holders_ = ranks.handle();
  } else {
    or_abort(ranks, [&] {
      storage_ = stored_as(engine, gathered(*result, ranks, Recipients::All), format_, on_processors(compile));
    });
  }
  pending_.reset();
  Report report;
  report.notes = {traffic_note("operands", done.fetches), traffic_note("results", done.reductions)};
  if (moves.messages > 0) report.notes.push_back(traffic_note("placed again", moves));
  if (done.plans == 0) report.notes.emplace_back("plan: that of the run before");
  return report;
}

std::optional<Value::Reading> Value::reading(const Value& of, const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!pending_) return std::nullopt;
  Reading reading{request(options, Numbers::Compiled), {}};
  for (const auto& [name, value] : pending_->operands)
    if (value.get() == &of) reading.names.push_back(name);
  return reading;
}

std::string Value::explain(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!pending_) user_error("explain() describes an assignment that is still to be evaluated; call it before reading");
  if (is_distributed(options)) {
    const std::unique_ptr<Communicator> here = alone();
    Communicator& ranks = options.ranks != nullptr ? *options.ranks : *here;
    Traffic moves;
    const DistributedRequest request = on_machine(options, ranks, moves);
    return describe_plan(request, ranks) + notes_on_numbers(request.request);
  }
  return describe_stages(engine_of(options), compile_options(options),
                         [&](Numbers numbers) { return request(options, numbers); });
}

std::string Value::c_code(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool was_distributed = !pending_ && kept_ != nullptr && c_code_.empty();
  if (was_distributed || (pending_ && is_distributed(options)))
    user_error("on a machine, each processor has kernels of its own; explain() shows the plan");
  if (pending_) return prepare(options, compile_options(options)).prepared.c_code();
  if (c_code_.empty()) user_error("no kernel computed this tensor: nothing was assigned to it");
  return c_code_;
}

}  // namespace lacuna
