#include "lacuna/api/value.h"

#include <utility>

namespace lacuna {

Value::Value(Storage storage)
    : type_(storage.type), dimensions_(storage.dimensions), format_(storage.format), storage_(std::move(storage)) {}

Value::Value(Statement statement, std::map<std::string, ValuePtr> operands, Storage result,
             std::map<std::string, Distribution> placed)
    : type_(result.type),
      dimensions_(std::move(result.dimensions)),
      format_(std::move(result.format)),
      pending_(Pending{std::move(statement), std::move(operands), std::move(placed)}) {}

const Storage& Value::storage() {
  evaluate({});
  return *storage_;
}

Request Value::request(const EvaluateOptions& options) const {
  Request request{pending_->statement, {}, format_, type_, {}, options.schedule};
  for (const auto& [name, value] : pending_->operands) request.operands.emplace(name, value->storage());
  const std::vector<IndexVar>& indices = pending_->statement.lhs.indices;
  for (std::size_t mode = 0; mode < indices.size(); ++mode) {
    request.sizes.emplace(indices[mode].name(), dimensions_[mode]);
  }
  return request;
}

bool Value::is_distributed(const EvaluateOptions& options) const {
  return options.machine || !pending_->placed.empty() || launch::is_distributed(options.schedule);
}

DistributedRequest Value::on_machine(const EvaluateOptions& options) const {
  return {request(options), options.machine, pending_->placed};
}

namespace {

std::string traffic_note(const char* what, const Traffic& traffic) {
  return traffic.messages == 0 ? fmt::format("{}: nothing moved", what)
                               : fmt::format("{}: {} messages, {} bytes", what, traffic.messages, traffic.bytes);
}

}  // namespace

Report Value::evaluate(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Report report;
  if (storage_) return report;
  if (is_distributed(options)) {
    const std::unique_ptr<Communicator> here = alone();
    Communicator& ranks = options.ranks != nullptr ? *options.ranks : *here;
    DistributedReport moved;
    storage_ =
        run_on(ranks, engine_of(options), on_machine(options), compile_options(options), &moved, Recipients::All);
    report.notes = {traffic_note("operands", moved.fetches), traffic_note("results", moved.reductions)};
    pending_.reset();
    return report;
  }
  Prepared prepared = engine_of(options).prepare(request(options), compile_options(options));
  storage_ = prepared.run(&report);
  c_code_ = prepared.c_code();
  report.compile_ms = prepared.compile_report().compile_ms;
  report.from_memory = prepared.compile_report().from_memory;
  report.from_disk = prepared.compile_report().from_disk;
  // The operands may be large, and nobody asks for them again.
  pending_.reset();
  return report;
}

std::optional<Value::Reading> Value::reading(const Value& of, const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!pending_) return std::nullopt;
  Reading reading{request(options), {}};
  for (const auto& [name, value] : pending_->operands)
    if (value.get() == &of) reading.names.push_back(name);
  return reading;
}

std::string Value::explain(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!pending_) user_error("explain() describes an assignment that is still to be evaluated; call it before reading");
  if (is_distributed(options)) return plan_distributed(on_machine(options)).to_string();
  std::string text;
  Options compile = compile_options(options);
  compile.on_stage = [&](const Stage& stage) {
    text += fmt::format("== {} (made by src/lacuna/{}) ==\n{}", stage.name, stage.folder, stage.text);
    text += stage.text.ends_with('\n') ? "\n" : "\n\n";
  };
  const Prepared prepared = engine_of(options).prepare(request(options), compile);
  for (const std::string& note : prepared.compile_report().notes) text += "note: " + note + "\n";
  return text;
}

std::string Value::c_code(const EvaluateOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pending_ && is_distributed(options))
    user_error("on a machine, each processor has kernels of its own; explain() shows the plan");
  if (pending_) return engine_of(options).prepare(request(options), compile_options(options)).c_code();
  if (c_code_.empty()) user_error("no kernel computed this tensor: nothing was assigned to it");
  return c_code_;
}

}  // namespace lacuna
