#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/outputs.h"
#include "tools/problem.h"
#include "tools/progress.h"
#include "tools/reporting.h"
#include "tools/run.h"
#include "tools/session.h"
#include "tools/stream_result.h"
#include "tools/summary.h"
#include "tools/update_batch.h"
#include "tools/update_file.h"
#include "tools/values.h"
#include "tools/verify.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct StreamArguments {
  Reporting reporting;
  StatementArguments statement;
  std::string updates;
  std::string updated;  // the operand; empty: the one that can be
  std::int64_t every = 1000;
  KeepingUp keeping;
  bool verify = false;
  bool interpret = false;
  std::vector<std::string> outputs;
};

/// The operand that the updates are for.
std::string updated_operand(const StreamArguments& arguments, const std::map<std::string, Storage>& operands) {
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

void check_arguments(const StreamArguments& arguments) {
  if (!arguments.keeping.incremental && (arguments.keeping.check || arguments.keeping.full_every > 0))
    user_error("{} is for --incremental: without that, the statement is evaluated in full after each batch",
               arguments.keeping.check ? "--check" : "--full-every");
}

Options options_of(const StreamArguments& arguments, const Problem& problem) {
  Options options;
  options.target.threads = problem.threads;
  if (arguments.interpret) options.target.backend = Target::Backend::Interpreter;
  return options;
}

/// A statement that is evaluated after each batch. Says what each does, unless a tensor goes to standard output.
class Stream {
 public:
  Stream(const StreamArguments& arguments, const Problem& problem, Files files)
      : arguments_(arguments),
        problem_(problem),
        files_(std::move(files)),
        request_(request_of(problem, load_operands(problem, MissingInput::Refuse))),
        updated_(updated_operand(arguments, request_.operands)),
        type_(request_.operands.at(updated_).type),
        file_(arguments.updates, request_.operands.at(updated_).dimensions, type_),
        engine_(make_engine()),
        results_(engine_, request_, updated_, arguments.keeping, arguments.every, options_of(arguments, problem)),
        tensor_(engine_, request_.operands.at(updated_), options_of(arguments, problem)) {
    request_.operands.at(updated_) = {};
  }

  void run() {
    if (in_words()) print_notes(results_.notes());
    say("{}", describe(updated_, tensor_.storage()));
    if (results_.change() != nullptr) say("changes by {}", results_.change()->text);
    say("kernels of {} prepared in {}", problem_.result(), time_text(results_.compile_ms()));
    Progress progress("streaming", !arguments_.reporting.quiet);
    for (int number = 1;; ++number) {
      const UpdateBatch batch(file_, arguments_.every);
      if (batch.size() == 0) break;
      prepare_kernels(batch);
      apply(batch, number);
      progress.update(file_.progress());
    }
    tensor_.check_nodes();
    request_.operands.at(updated_) = tensor_.storage();
    show_and_write(results_.now());
  }

 private:
  template <typename... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) const {
    if (in_words()) fmt::print("{}\n", fmt::format(text, std::forward<Args>(args)...));
  }

  bool in_words() const { return arguments_.reporting.in_words() && !goes_to_standard_output(files_); }

  /// Makes the kernels of a batch's operations, unless they are there, and says how long it took.
  void prepare_kernels(const UpdateBatch& batch) {
    const Clock::time_point start = Clock::now();
    const std::size_t before = ready_.size();
    for (const UpdateOperation operation : batch.operations())
      if (ready_.insert(operation).second) tensor_.prepare(operation);
    if (ready_.size() > before) say("kernels of updates prepared in {}", time_text(milliseconds_since(start)));
  }

  void apply(const UpdateBatch& batch, int number) {
    Clock::time_point start = Clock::now();
    results_.before(tensor_, batch);
    const double before_ms = milliseconds_since(start);
    start = Clock::now();
    const UpdateBatch::Counts counts = batch.apply(tensor_, type_);
    const double update_ms = milliseconds_since(start);
    start = Clock::now();
    results_.after(tensor_);
    const double result_ms = before_ms + milliseconds_since(start);
    results_.check(tensor_, number);
    const Storage& now = results_.now();
    if (arguments_.verify) verify(now);
    const double size = norm(now);
    batches_.push_back({{"updates", batch.size()},
                        {"inserted", counts.inserted},
                        {"erased", counts.erased},
                        {"update_seconds", seconds_of(update_ms)},
                        {"result_seconds", seconds_of(result_ms)},
                        {"nnz", now.stored()},
                        {"norm", size}});
    say("batch {}: {} updates ({} inserted, {} erased) in {}, {} in {}: {} stored, norm {:.6g}", number, batch.size(),
        counts.inserted, counts.erased, time_text(update_ms), problem_.result(), time_text(result_ms), now.stored(),
        size);
  }

  /// Compares with the definition; the nodes must be well made, too.
  void verify(const Storage& result) {
    request_.operands.at(updated_) = tensor_.storage();
    validate(request_.operands.at(updated_), updated_);
    verify_result(request_, result);
    request_.operands.at(updated_) = {};
  }

  void show_and_write(const Storage& result) const {
    say("{}\n{}", describe(updated_, request_.operands.at(updated_)), describe(problem_.result(), result));
    if (files_.empty() && in_words()) fmt::print("{}", sample(problem_.result(), result, shown_entries));
    print_warnings(problem_, engine_);
    if (arguments_.reporting.as_json()) write_json(arguments_.reporting, json(result));
    for (const auto& [name, path] : files_)
      write_file(path, name == problem_.result() ? result : request_.operands.at(name));
  }

  nlohmann::ordered_json json(const Storage& result) const {
    nlohmann::ordered_json json{{"statement", problem_.statement.text}, {"updated", updated_}};
    if (results_.change() != nullptr) json["changes_by"] = results_.change()->text;
    json["compile_seconds"] = seconds_of(results_.compile_ms());
    json["batches"] = batches_;
    json["operand"] = json_of(request_.operands.at(updated_));
    json["result"] = json_of(result);
    json["notes"] = results_.notes();
    return json;
  }

  const StreamArguments& arguments_;
  const Problem& problem_;
  const Files files_;
  Request request_;
  const std::string updated_;
  const Type type_;
  UpdateFile file_;
  Engine engine_;
  StreamedResult results_;
  UpdatedTensor tensor_;
  std::set<UpdateOperation> ready_;
  nlohmann::ordered_json batches_ = nlohmann::ordered_json::array();
};

int stream_updates(const StreamArguments& arguments) {
  Problem problem = understand_on_one(arguments.statement, "stream");
  problem.quiet = arguments.reporting.quiet;
  check_arguments(arguments);
  const Files files = read_outputs(problem, arguments.outputs);
  if (goes_to_standard_output(files)) check_standard_output(arguments.reporting, "-o NAME=-");
  Stream(arguments, problem, files).run();
  return Success;
}

}  // namespace

void add_stream(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<StreamArguments>();
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
  command
      ->add_option("-o,--output", arguments->outputs,
                   "write a tensor to a file in the end; repeat it for each. NAME=- writes to standard output, "
                   "and nothing else is printed there")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return stream_updates(*arguments); }; });
}

}  // namespace lacuna::tool
