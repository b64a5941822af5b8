#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/update/updated_tensor.h"
#include "lacuna/io/io.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/problem.h"
#include "tools/progress.h"
#include "tools/session.h"
#include "tools/summary.h"
#include "tools/update_file.h"

namespace lacuna::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  StatementArguments statement;
  std::string updates;
  std::string updated;  // the operand; empty: the one that can be
  std::int64_t every = 1000;
  std::vector<std::string> outputs;
};

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// What one batch did.
struct BatchCounts {
  std::int64_t updates = 0, inserted = 0, erased = 0;
};

/// The operand that the updates are for.
std::string updated_operand(const Arguments& arguments, const std::map<std::string, Storage>& operands) {
  std::vector<std::string> able;
  for (const auto& [name, tensor] : operands)
    if (updates_in_place(tensor.format)) able.push_back(name);
  const std::string fix = "an operand is updated where its levels are dense or dynamic, as with -f G:dense,btree";
  if (arguments.updated.empty()) {
    if (able.size() == 1) return able.front();
    if (able.empty()) user_error("no operand can be updated in its format; {}", fix);
    user_error("several operands can be updated: {}; say which one with --update", fmt::join(able, ", "));
  }
  const auto found = operands.find(arguments.updated);
  if (found == operands.end()) user_error("--update names {}, which is no operand of the statement", arguments.updated);
  if (!updates_in_place(found->second.format))
    user_error("{} cannot be updated in the format {}; {}", arguments.updated, found->second.format.to_string(), fix);
  return arguments.updated;
}

/// Updates of one kind, in a row.
class PendingUpdates {
 public:
  explicit PendingUpdates(UpdatedTensor& tensor, Type type) : tensor_(tensor), type_(type) {}

  void add(const UpdateLine& update, BatchCounts& counts) {
    if (update.operation != operation_) flush(counts);
    operation_ = update.operation;
    coordinates_.resize(update.coordinate.size());
    for (std::size_t m = 0; m < coordinates_.size(); ++m) coordinates_[m].push_back(update.coordinate[m]);
    values_.resize(values_.size() + static_cast<std::size_t>(size_of(type_)));
    update.value.store(values_.data() + values_.size() - static_cast<std::size_t>(size_of(type_)));
    ++counts.updates;
  }

  void flush(BatchCounts& counts) {
    const auto size = static_cast<std::int64_t>(values_.size()) / size_of(type_);
    if (size == 0) return;
    CoordinateList list{tensor_.dimensions(), {}, Array::borrow(type_, values_.data(), size, nullptr)};
    for (const std::vector<std::int64_t>& mode : coordinates_)
      list.coordinates.push_back(Array::borrow(Type::Int64, mode.data(), size, nullptr));
    const std::int64_t changed = tensor_.update(operation_, list);
    (operation_ == UpdateOperation::Erase ? counts.erased : counts.inserted) += changed;
    coordinates_.clear();
    values_.clear();
  }

 private:
  UpdatedTensor& tensor_;
  Type type_;
  UpdateOperation operation_ = UpdateOperation::Add;
  std::vector<std::vector<std::int64_t>> coordinates_;
  std::vector<std::byte> values_;
};

void write_outputs(const Arguments& arguments, const Problem& problem, const Storage& result,
                   const std::map<std::string, Storage>& operands) {
  for (const std::string& text : arguments.outputs) {
    const NamedValue named = split_named("-o", text, '=', "-o y=result.tns");
    write_file(named.value, named.name == problem.result() ? result : operands.at(named.name));
  }
}

int stream_updates(const Arguments& arguments) {
  const Problem problem = understand(arguments.statement);
  for (const std::string& text : arguments.outputs)
    check_tensor_name(problem, "-o", split_named("-o", text, '=', "-o y=result.tns"));
  Request request = request_of(problem, load_operands(problem, MissingInput::Refuse));
  const std::string name = updated_operand(arguments, request.operands);
  const Storage& start = request.operands.at(name);
  UpdateFile file(arguments.updates, start.dimensions, start.type);

  Engine engine = make_engine();
  Options options;
  options.target.threads = problem.threads;
  Prepared prepared = engine.prepare(request, options);
  print_notes(prepared.compile_report().notes);
  UpdatedTensor tensor(engine, start, options);
  PendingUpdates pending(tensor, start.type);
  request.operands.at(name) = tensor.storage();
  fmt::print("{}\n", describe(name, request.operands.at(name)));

  Storage result = prepared.run(request.operands);
  Progress progress("streaming");
  std::optional<UpdateLine> update = file.next();
  for (int batch = 1; update; ++batch) {
    request.operands.at(name) = {};  // nobody reads it now, so that it changes in place
    BatchCounts counts;
    const Clock::time_point updating = Clock::now();
    for (; update && counts.updates < arguments.every; update = file.next()) pending.add(*update, counts);
    pending.flush(counts);
    const double update_ms = milliseconds_since(updating);
    request.operands.at(name) = tensor.storage();
    const Clock::time_point evaluating = Clock::now();
    prepared.run_into(request.operands, result);
    fmt::print("batch {}: {} updates ({} inserted, {} erased) in {}, {} in {}: {} stored, norm {:.6g}\n", batch,
               counts.updates, counts.inserted, counts.erased, time_text(update_ms), problem.result(),
               time_text(milliseconds_since(evaluating)), result.stored(), norm(result));
    progress.update(file.progress());
  }
  fmt::print("{}\n{}\n", describe(name, request.operands.at(name)), describe(problem.result(), result));
  if (arguments.outputs.empty()) fmt::print("{}", sample(problem.result(), result, 5));
  print_warnings(engine);
  write_outputs(arguments, problem, result, request.operands);
  return Success;
}

}  // namespace

void add_stream(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = root.add_subcommand("stream", "Evaluate a statement after each batch of updates of an operand");
  command->footer(R"(
Examples:
  lacuna stream 'y(i) = G(i,j) * x(j)' -f G:dense,btree -i G=graph.mtx -i x=dense -u updates.txt --every 1000
  lacuna stream 's = A(i,j) * B(i,j)' -f A:bst,ctree -f B:csr -i A=a.tns -i B=b.mtx -u changes.txt --update A
A line of the updates is '+ i j v' to add to an entry, '= i j v' to set it, or '- i j' to erase it; coordinates
begin with 1. 'lacuna help stream' says more.)");
  add_statement_options(*command, arguments->statement);
  command->add_option("-u,--updates", arguments->updates, "the file of updates, a line each")
      ->type_name("FILE")
      ->required();
  command->add_option("--update", arguments->updated, "the operand to be updated, where several can be")
      ->type_name("NAME");
  command->add_option("--every", arguments->every, "evaluate after so many updates")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->outputs, "write a tensor to a file in the end; repeat it for each")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->callback([arguments, &action] { action = [arguments] { return stream_updates(*arguments); }; });
}

}  // namespace lacuna::tool
