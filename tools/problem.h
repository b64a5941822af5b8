#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/launch.h"
#include "lacuna/format/distribution/distribution.h"
#include "lacuna/format/format.h"
#include "lacuna/notation/expr.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/device_language.h"
#include "lacuna/support/type.h"

namespace CLI {
class App;
}

namespace lacuna::tool {

/// What a user typed about a statement, or several, before any of it was understood.
struct StatementArguments {
  std::string expression;
  std::vector<std::string> formats;  // NAME:FORMAT
  std::vector<std::string> inputs;   // NAME=SOURCE
  std::vector<std::string> sizes;    // i=100,j=200
  std::vector<std::string> types;    // NAME:TYPE
  std::vector<std::string> schedules;
  std::string machine;              // Grid(4,4)
  std::vector<std::string> placed;  // NAME: DISTRIBUTION
  std::string target = "cpu";
  std::uint64_t seed = 1;
  int threads = 0;  // 0: as the environment says, else every processor
  bool deterministic = false;
};

/// Where an operand's entries come from: the text after NAME= of an -i.
struct Source {
  std::string text;
  std::string option;  // the whole argument, for carets
};

/// The same, understood and checked against the statement: every name is a tensor or variable of it.
struct Problem {
  bool quiet = false;  // no bars while files are read
  Statement statement;
  std::vector<Statement> further;  // computed by the same kernel
  std::map<std::string, Format> formats;
  std::map<std::string, Source> inputs;
  std::map<std::string, std::int64_t> sizes;  // by variable name
  std::map<std::string, Type> types;
  Schedule schedule;
  std::optional<Machine> machine;
  std::map<std::string, Distribution> placed;  // by tensor
  std::uint64_t seed = 1;
  int threads = 1;
  std::string target = "cpu";  // what runs the loops
  bool deterministic = false;  // sums are the same in every run

  /// The language of the device that runs it; none: processors do.
  std::optional<DeviceLanguage> device() const;
  std::vector<std::string> doubts;  // what is legal and probably a mistake

  /// Several processors compute it: there is a machine, or a loop is distributed.
  bool is_distributed() const { return machine.has_value() || launch::is_distributed(schedule); }

  /// Of the only statement, or the first.
  const std::string& result() const { return statement.lhs.tensor.name(); }
  std::vector<Statement> statements() const;
  /// A problem for each statement alone, with what is said of its tensors.
  std::vector<Problem> one_by_one() const;
  /// Whether a tensor is made by one of the statements.
  bool is_result(const std::string& tensor) const;
  /// `+=`, or the result on the right: the old contents of what a statement makes are an operand.
  bool reads_old_result(const std::string& result) const;
  bool reads_old_result() const { return reads_old_result(result()); }
  /// Every tensor whose contents an evaluation needs, in order of first occurrence.
  std::vector<std::string> operands() const;
  /// The first access of a tensor; the left side's for the result.
  Access access_of(const std::string& tensor) const;
};

/// One NAME<separator>VALUE argument, taken apart.
struct NamedValue {
  std::string name;
  std::string value;
  std::string text;
  std::size_t value_at = 0;  // where the value begins in `text`
};

/// Takes `text` apart at its first `separator`. Throws Error showing `example` when it has none or an empty side.
NamedValue split_named(const std::string& option, const std::string& text, char separator, const std::string& example);

/// Declares EXPR, -f, -i, -d, -t, -s, --seed and --threads on a sub-command.
void add_statement_options(CLI::App& command, StatementArguments& arguments);
/// Declares --target, on those sub-commands that know of devices.
void add_target_option(CLI::App& command, StatementArguments& arguments);
/// Throws Error for what does not parse, unknown names, and two answers to one question.
Problem understand(const StatementArguments& arguments);
/// The same of several statements, which semicolons keep apart, too.
Problem understand_several(const StatementArguments& arguments);
/// Throws Error listing the tensors of the statement unless `name` is one of them.
void check_tensor_name(const Problem& problem, const std::string& option, const NamedValue& named);
/// `threads` when positive, else OMP_NUM_THREADS, else the number of processors that this process has to itself.
int thread_count(int threads);

}  // namespace lacuna::tool
