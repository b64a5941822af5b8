#include "tools/problem.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/distribute/comm/launched.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/nearest.h"
#include "lacuna/support/text_case.h"
#include "lacuna/support/threads.h"
#include "tools/values.h"

namespace lacuna::tool {
namespace {

SourceRange range_of(const std::string& text) { return {0, text.size()}; }

std::vector<std::string> tensor_names(const Problem& problem) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Statement& s : problem.statements()) add(s.lhs.tensor.name());
  for (const Statement& s : problem.statements())
    for (const std::string& name : operand_names(s)) add(name);
  return names;
}

/// Of long lists, the beginning.
std::string listed(std::vector<std::string> names) {
  constexpr std::size_t most = 8;
  if (names.size() > most) {
    const std::size_t left_out = names.size() - most + 1;
    names.resize(most - 1);
    names.push_back(fmt::format("{} more", left_out));
  }
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  const std::vector<std::string> front(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", fmt::join(front, ", "), names.back());
}

/// "; did you mean A?", or what there is. Of short names, which are all near each other, only the case may differ.
std::string suggestion(const std::string& written, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::optional<std::string_view> near = nearest_word(written, views);
  if (!near || (written.size() < 3 && !same_word(written, *near))) return fmt::format("; it has {}", listed(known));
  return fmt::format("; did you mean {}?", *near);
}

/// As split_named, and the name is a tensor's of the problem. That is said first: -i a= for A lacks a value, too.
NamedValue read_named(const Problem& problem, const std::string& option, const std::string& text, char separator,
                      const std::string& example) {
  const std::size_t at = text.find(separator);
  if (at != std::string::npos && at > 0) check_tensor_name(problem, option, {text.substr(0, at), "", text, at + 1});
  return split_named(option, text, separator, example);
}

[[noreturn]] void refuse_second(const std::string& option, const NamedValue& named) {
  throw Error(fmt::format("two {} for '{}'; give one", option, named.name), range_of(named.text), named.text);
}

void read_format(Problem& problem, const std::string& text) {
  const NamedValue named = read_named(problem, "-f", text, ':', "-f A:csr");
  if (problem.formats.count(named.name) != 0) refuse_second("-f", named);
  const int order = problem.access_of(named.name).tensor.order();
  try {
    problem.formats.emplace(named.name, parse_format(named.value, order));
  } catch (const Error& error) {
    // The format's own column, moved to where the format stands in the argument.
    const SourceRange inner = error.where().known() ? error.where() : range_of(named.value);
    throw Error(fmt::format("the format of {}: {}", named.name, error.what()),
                {inner.begin + named.value_at, inner.end + named.value_at}, text);
  }
}

void read_type(Problem& problem, const std::string& text) {
  const NamedValue named = read_named(problem, "-t", text, ':', "-t A:float32");
  const std::optional<Type> type = parse_type(named.value);
  if (!type) {
    throw Error(unknown_type_message(named.value), {named.value_at, text.size()}, text);
  }
  if (!problem.types.emplace(named.name, *type).second) refuse_second("-t", named);
}

void read_input(Problem& problem, const std::string& text) {
  const NamedValue named = read_named(problem, "-i", text, '=', "-i A=matrix.mtx or -i A=random:0.01");
  if (problem.is_result(named.name) && !problem.reads_old_result(named.name)) {
    throw Error(fmt::format("'{}' is the result and its old values are not read; write += to add to them, or use -o to "
                            "write the result",
                            named.name),
                {0, named.name.size()}, text);
  }
  if (!problem.inputs.emplace(named.name, Source{named.value, text}).second) refuse_second("-i", named);
}

void read_size(Problem& problem, const std::string& piece) {
  const NamedValue named = split_named("-d", piece, '=', "-d i=100,j=200");
  std::vector<std::string> known;
  for (const Statement& s : problem.statements())
    for (const IndexVar& var : all_variables(s))
      if (std::find(known.begin(), known.end(), var.name()) == known.end()) known.push_back(var.name());
  if (std::find(known.begin(), known.end(), named.name) == known.end()) {
    throw Error(known.empty() ? fmt::format("-d names '{}', but the statement has no index variables", named.name)
                              : fmt::format("-d names '{}', which is no index variable of the statement{}", named.name,
                                            suggestion(named.name, known)),
                {0, named.name.size()}, piece);
  }
  std::int64_t size = 0;
  const char* end = named.value.data() + named.value.size();
  const auto [stop, failure] = std::from_chars(named.value.data(), end, size);
  if (failure != std::errc() || stop != end || size < 0) {
    throw Error(fmt::format("the size of {} must be a whole number of at least 0, not '{}'", named.name, named.value),
                {named.value_at, piece.size()}, piece);
  }
  if (!problem.sizes.emplace(named.name, size).second) refuse_second("-d", named);
}

void read_sizes(Problem& problem, const std::string& text) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    read_size(problem, text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void read_machine(Problem& problem, const StatementArguments& arguments) {
  if (arguments.machine.empty() && arguments.placed.empty()) return;
  if (arguments.machine.empty())
    throw Error(
        fmt::format("--place says how a tensor is distributed, and there is no machine; add --machine 'Grid(4)'"));
  problem.machine = parse_machine(arguments.machine);
  for (const std::string& text : arguments.placed) {
    const NamedValue named = read_named(problem, "--place", text, ':', "--place 'A: xy -> x'");
    const Distribution distribution = parse_distribution(text, *problem.machine).distribution;
    if (!problem.placed.emplace(named.name, distribution).second) refuse_second("--place", named);
  }
}

}  // namespace

std::optional<DeviceLanguage> Problem::device() const {
  if (target == "cpu") return std::nullopt;
  return target == "cuda" ? DeviceLanguage::Cuda : DeviceLanguage::OpenCl;
}

std::vector<Statement> Problem::statements() const {
  std::vector<Statement> all{statement};
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

std::vector<Problem> Problem::one_by_one() const {
  std::vector<Problem> all;
  for (const Statement& s : statements()) {
    Problem one = *this;
    one.statement = s;
    one.further.clear();
    const std::vector<std::string> read = one.operands();
    std::erase_if(one.placed, [&](const auto& each) {
      return each.first != one.result() && std::find(read.begin(), read.end(), each.first) == read.end();
    });
    all.push_back(std::move(one));
  }
  return all;
}

bool Problem::is_result(const std::string& tensor) const {
  const std::vector<Statement> all = statements();
  return std::any_of(all.begin(), all.end(), [&](const Statement& s) { return s.lhs.tensor.name() == tensor; });
}

bool Problem::reads_old_result(const std::string& result) const {
  for (const Statement& s : statements()) {
    const std::vector<std::string> right = operand_names(s);
    const bool makes = s.lhs.tensor.name() == result;
    if ((makes && s.accumulate) || std::find(right.begin(), right.end(), result) != right.end()) return true;
  }
  return false;
}

std::vector<std::string> Problem::operands() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Statement& s : statements()) {
    const std::vector<std::string> right = operand_names(s);
    if (s.accumulate && std::find(right.begin(), right.end(), s.lhs.tensor.name()) == right.end())
      add(s.lhs.tensor.name());
    for (const std::string& name : right) add(name);
  }
  return names;
}

Access Problem::access_of(const std::string& tensor) const {
  for (const Statement& s : statements())
    if (tensor == s.lhs.tensor.name()) return s.lhs;
  for (const Statement& s : statements())
    for (const Access& access : accesses(s.rhs))
      if (access.tensor.name() == tensor) return access;
  throw InternalError(fmt::format("internal error: no access of the tensor '{}'", tensor));
}

NamedValue split_named(const std::string& option, const std::string& text, char separator, const std::string& example) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw Error(fmt::format("'{}' is not NAME{}VALUE; write {}", text, separator, example), range_of(text),
                option + " " + text);
  }
  return {text.substr(0, at), text.substr(at + 1), text, at + 1};
}

void check_tensor_name(const Problem& problem, const std::string& option, const NamedValue& named) {
  const std::vector<std::string> known = tensor_names(problem);
  if (std::find(known.begin(), known.end(), named.name) != known.end()) return;
  throw Error(fmt::format("{} names '{}', which is no tensor of the statement{}", option, named.name,
                          suggestion(named.name, known)),
              {0, named.name.size()}, named.text);
}

void add_statement_options(CLI::App& command, StatementArguments& arguments) {
  command.add_option("EXPR", arguments.expression, "the statement, as 'y(i) = A(i,j) * x(j)'")->required();
  // One value an occurrence: an option that took all that follows would swallow the statement.
  const auto repeated = [&](const char* names, std::vector<std::string>& values, const char* help, const char* type) {
    command.add_option(names, values, help)->type_name(type)->allow_extra_args(false);
  };
  repeated("-f,--format", arguments.formats, "how a tensor is stored; repeat it for each ('lacuna help formats')",
           "NAME:FORMAT");
  repeated("-i,--input", arguments.inputs,
           "an operand's entries: a file, random:DENSITY, dense, a number (order 0), or a generator such as "
           "rmat:1000x1000,nnz=8000",
           "NAME=SOURCE");
  repeated("-d,--dimensions", arguments.sizes, "how far index variables run", "i=N,j=N…");
  repeated("-t,--type", arguments.types, "a tensor's element type", "NAME:TYPE");
  repeated("-s,--schedule", arguments.schedules,
           "how loops run, such as 'split(i,io,ii,32), parallelize(io,CPUThread)' ('lacuna help schedule')",
           "DIRECTIVES");
  command.add_option("--machine", arguments.machine, "run on a grid of processors ('lacuna help machines')")
      ->type_name("GRID");
  repeated("--place", arguments.placed, "how a tensor is distributed, such as 'A: xy -> x'", "NAME:DISTRIBUTION");
  command.add_option("--seed", arguments.seed, "seed of random:… and of generators")
      ->type_name("N")
      ->transform(whole_number(0))
      ->capture_default_str();
  command.add_option("--threads", arguments.threads, "threads of a kernel (default: OMP_NUM_THREADS, else all)")
      ->type_name("N")
      ->transform(whole_number(1, 1024));
}

void add_target_option(CLI::App& command, StatementArguments& arguments) {
  command.add_option("--target", arguments.target, "what runs the loops: cpu, or the first device of CUDA or OpenCL")
      ->transform(one_of({"cpu", "cuda", "opencl"}))
      ->capture_default_str();
  command.add_flag("--deterministic", arguments.deterministic,
                   "add in the same order in every run, also where a GPU is faster without");
}

namespace {

/// What a statement reads of another's result would be there only when all of the kernel has run.
void refuse_results_of_others(const Problem& problem) {
  std::set<std::string> made;
  for (const Statement& s : problem.statements())
    if (!made.insert(s.lhs.tensor.name()).second)
      throw Error(fmt::format("two statements make {}; give their results two names", s.lhs.tensor.name()));
  for (const Statement& s : problem.statements())
    for (const std::string& name : operand_names(s))
      if (name != s.lhs.tensor.name() && problem.is_result(name))
        throw Error(
            fmt::format("'{}' reads {}, which the same kernel makes; write {} with -o and run the statement "
                        "after it, with -i",
                        s.text, name, name));
}

Problem understood(const std::vector<std::string>& statements, const StatementArguments& arguments) {
  Problem problem;
  problem.seed = arguments.seed;
  for (const std::string& text : statements) {
    Statement s = parse_statement(text);
    check_meaning(s);
    for (std::string& doubt : doubts_about(s)) problem.doubts.push_back(std::move(doubt));
    if (problem.statement.rhs.defined()) problem.further.push_back(std::move(s));
    else problem.statement = std::move(s);
  }
  refuse_results_of_others(problem);
  for (const std::string& text : arguments.formats) read_format(problem, text);
  for (const std::string& text : arguments.types) read_type(problem, text);
  for (const std::string& text : arguments.inputs) read_input(problem, text);
  for (const std::string& text : arguments.sizes) read_sizes(problem, text);
  // A line for each -s, so that carets show the one that is wrong.
  problem.schedule = parse_schedule(fmt::format("{}", fmt::join(arguments.schedules, "\n")));
  read_machine(problem, arguments);
  problem.threads = thread_count(arguments.threads);
  problem.target = arguments.target;
  problem.deterministic = arguments.deterministic;
  return problem;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") + 1 - first);
}

/// What semicolons separate; the last statement may end in one, too. One statement keeps its blanks, for carets.
std::vector<std::string> statements_in(const std::string& text) {
  std::vector<std::string> statements;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    std::string one = trimmed(text.substr(begin, end - begin));
    if (!one.empty() || end < text.size()) statements.push_back(std::move(one));
    begin = end + 1;
  }
  if (text.find(';') == std::string::npos) return {text};
  return statements;
}

}  // namespace

Problem understand(const StatementArguments& arguments) {
  const std::vector<std::string> statements = statements_in(arguments.expression);
  const std::size_t semicolon = arguments.expression.find(';');
  if (statements.size() > 1)
    throw Error("one statement is expected here; 'lacuna run' and 'lacuna show' compute several in one kernel",
                {semicolon, semicolon + 1}, arguments.expression);
  return understood(statements, arguments);
}

Problem understand_several(const StatementArguments& arguments) {
  return understood(statements_in(arguments.expression), arguments);
}

int thread_count(int threads) {
  if (threads > 0) return threads;
  if (const std::optional<int> wanted = read_environment().threads) return *wanted;
  // Ranks that share a computer share its processors, whether or not each is bound to some of them.
  const auto all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, std::min(usable_processors(), all / ranks_on_this_computer()));
}

}  // namespace lacuna::tool
