#include <chrono>
#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/update/updated_tensor.h"
#include "lacuna/io/io.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/progress.h"
#include "tools/session.h"
#include "tools/stream_result.h"
#include "tools/summary.h"
#include "tools/update_batch.h"
#include "tools/update_file.h"
#include "tools/values.h"
#include "tools/verify.h"

namespace lacuna::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  StatementArguments statement;
  std::string updates;
  std::string updated;  // the operand; empty: the one that can be
  std::int64_t every = 1000;
  KeepingUp keeping;
  bool verify = false;
  bool interpret = false;
  std::vector<std::string> outputs;
};

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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

void write_outputs(const Arguments& arguments, const Problem& problem, const Storage& result,
                   const std::map<std::string, Storage>& operands) {
  for (const std::string& text : arguments.outputs) {
    const NamedValue named = split_named("-o", text, '=', "-o y=result.tns");
    write_file(named.value, named.name == problem.result() ? result : operands.at(named.name));
  }
}

/// Makes the kernels of a batch's operations, unless they are there, and says how long it took.
void prepare_kernels(UpdatedTensor& tensor, const UpdateBatch& batch, std::set<UpdateOperation>& ready) {
  const Clock::time_point start = Clock::now();
  const std::size_t before = ready.size();
  for (const UpdateOperation operation : batch.operations())
    if (ready.insert(operation).second) tensor.prepare(operation);
  if (ready.size() > before) fmt::print("kernels of updates prepared in {}\n", time_text(milliseconds_since(start)));
}

void check_arguments(const Arguments& arguments, const Problem& problem) {
  for (const std::string& text : arguments.outputs) {
    const NamedValue named = split_named("-o", text, '=', "-o y=result.tns");
    check_tensor_name(problem, "-o", named);
    if (named.value == standard_output)
      user_error("stream says on standard output what each batch does; write {} to a file", named.name);
  }
  if (!arguments.keeping.incremental && (arguments.keeping.check || arguments.keeping.full_every > 0))
    user_error("{} is for --incremental: without that, the statement is evaluated in full after each batch",
               arguments.keeping.check ? "--check" : "--full-every");
}

/// Compares with the definition; the nodes must be well made, too.
void verify_batch(Request& request, const std::string& updated, const UpdatedTensor& tensor, const Storage& result) {
  request.operands.at(updated) = tensor.storage();
  validate(request.operands.at(updated), updated);
  verify_result(request, result);
  request.operands.at(updated) = {};
}

int stream_updates(const Arguments& arguments) {
  const Problem problem = understand_on_one(arguments.statement, "stream");
  check_arguments(arguments, problem);
  Request request = request_of(problem, load_operands(problem, MissingInput::Refuse));
  const std::string name = updated_operand(arguments, request.operands);
  const Type type = request.operands.at(name).type;
  UpdateFile file(arguments.updates, request.operands.at(name).dimensions, type);

  Engine engine = make_engine();
  Options options;
  options.target.threads = problem.threads;
  if (arguments.interpret) options.target.backend = Target::Backend::Interpreter;
  StreamedResult results(engine, request, name, arguments.keeping, arguments.every, options);
  print_notes(results.notes());
  UpdatedTensor tensor(engine, request.operands.at(name), options);
  request.operands.at(name) = {};
  fmt::print("{}\n", describe(name, tensor.storage()));
  if (results.change() != nullptr) fmt::print("changes by {}\n", results.change()->text);
  fmt::print("kernels of {} prepared in {}\n", problem.result(), time_text(results.compile_ms()));

  Progress progress("streaming");
  std::set<UpdateOperation> ready;
  for (int number = 1;; ++number) {
    const UpdateBatch batch(file, arguments.every);
    if (batch.size() == 0) break;
    prepare_kernels(tensor, batch, ready);
    Clock::time_point start = Clock::now();
    results.before(tensor, batch);
    const double before_ms = milliseconds_since(start);
    start = Clock::now();
    const UpdateBatch::Counts counts = batch.apply(tensor, type);
    const double update_ms = milliseconds_since(start);
    start = Clock::now();
    results.after(tensor);
    const double result_ms = before_ms + milliseconds_since(start);
    results.check(tensor, number);
    const Storage& now = results.now();
    if (arguments.verify) verify_batch(request, name, tensor, now);
    fmt::print("batch {}: {} updates ({} inserted, {} erased) in {}, {} in {}: {} stored, norm {:.6g}\n", number,
               batch.size(), counts.inserted, counts.erased, time_text(update_ms), problem.result(),
               time_text(result_ms), now.stored(), norm(now));
    progress.update(file.progress());
  }
  tensor.check_nodes();
  request.operands.at(name) = tensor.storage();
  const Storage result = results.now();
  fmt::print("{}\n{}\n", describe(name, request.operands.at(name)), describe(problem.result(), result));
  if (arguments.outputs.empty()) fmt::print("{}", sample(problem.result(), result, 5));
  print_warnings(problem, engine);
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
  lacuna stream 'y(i) = G(i,j) * x(j)' -f G:dense,btree -i G=graph.mtx -i x=dense -u updates.txt --incremental
A line of the updates is '+ i j v' to add to an entry, '= i j v' to set it, or '- i j' to erase it; coordinates
begin with 1. 'lacuna help stream' says more.)");
  add_statement_options(*command, arguments->statement);
  hide_machine(*command);
  command
      ->add_option("-u,--updates", arguments->updates,
                   "the file of updates, a line each; it may be a pipe, and compressed by gzip")
      ->type_name("FILE")
      ->required();
  command->add_option("--update", arguments->updated, "the operand to be updated, where several can be")
      ->type_name("NAME");
  command->add_option("--every", arguments->every, "evaluate after so many updates")
      ->type_name("N")
      ->transform(whole_number(1, std::int64_t{1} << 40))
      ->capture_default_str();
  command->add_flag("--incremental", arguments->keeping.incremental,
                    "add to the result what each batch changes, for statements that are linear in the operand");
  command
      ->add_option("--full-every", arguments->keeping.full_every,
                   "with --incremental: evaluate in full after so many batches")
      ->type_name("N")
      ->transform(whole_number(1, std::int64_t{1} << 40));
  command->add_flag("--check", arguments->keeping.check,
                    "with --incremental: compare with an evaluation in full after each batch, which takes its time");
  command->add_flag("--verify", arguments->verify,
                    "compare with the reference evaluator after each batch, which is slow");
  command->add_flag("--interpret", arguments->interpret, "run in the checking interpreter instead of compiling");
  command->add_option("-o,--output", arguments->outputs, "write a tensor to a file in the end; repeat it for each")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->callback([arguments, &action] { action = [arguments] { return stream_updates(*arguments); }; });
}

}  // namespace lacuna::tool
