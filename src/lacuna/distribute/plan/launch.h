#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/loop_variables.h"
#include "lacuna/format/distribution/distribution.h"
#include "lacuna/notation/check.h"

namespace lacuna::launch {

/// A loop that processors run together: its iterations are processors (distributed), or steps that all take.
struct Loop {
  std::string variable;
  std::int64_t trips = 0;  // 0: not known before the positions are counted that it runs over
  bool distributed = false;
  std::optional<std::size_t> dimension = {};  // of the machine, where a tensor's place says to which it is dealt
};

/// An access of the statement, as the statement for one processor calls it.
struct Operand {
  std::string name;    // there
  std::string tensor;  // in the statement
  std::vector<IndexVar> indices;
  int depth = 0;  // what is needed is fetched when the first so many loops stand at an iteration
};

/// Positions of an operand that are cut up: SpDISTAL's non-zero partitions of an iteration space.
struct PositionCut {
  std::size_t operand = 0;  // of Launch::operands
  int level = 0;            // whose positions
  std::string variable;     // the loop over all of them
};

/// A statement as several processors compute it: outside, loops over processors and steps; inside, the same statement
/// over parts of its tensors, with what is left of the schedule, compiled as any other. Which parts: of every variable,
/// the values that it takes while the loops stand at an iteration.
class Launch {
 public:
  Statement statement;
  std::vector<Loop> loops;  // outermost first
  LoopVariables variables;
  std::vector<Operand> operands;  // of the right side
  Operand result;
  std::optional<PositionCut> positions;
  /// By term: the type that all are computed in, where its own is another: without the others it has to be told.
  std::vector<std::optional<Type>> conversions;
  std::map<std::string, std::string> local_names;       // what a statement's variable is called inside
  std::map<std::string, std::string> coordinate_names;  // of variables whose values are used: the operand inside
  Schedule local_schedule;
  std::map<std::size_t, std::int64_t> face = {};  // by dimension of the machine: where all processors that compute are

  /// The values of a statement's variable at an iteration of the loops.
  IndexSet values_of(const IndexVar& v, const Values& at) const { return variables.values_of(v.name(), at); }
  /// The part of an operand that the loops around its fetch need.
  std::vector<IndexSet> region_of(const Operand& operand, const Values& at) const;
  /// The statement inside. A term that is not summed over a variable that is cut counts once: where the variable
  /// begins; one that is, where there is something of it. None where no term counts.
  std::optional<Statement> local_statement(const Values& at) const;
  /// Whether there is one.
  bool computes(const Values& at) const;
  /// Values of the outermost `depth` loops only.
  Values outermost(const Values& at, int depth) const;
  /// The positions of this operand are what is cut up.
  bool deals_out(std::size_t operand) const { return positions && positions->operand == operand; }
  /// What is computed of one entry of the result, by several tasks or in several steps, is to be added up.
  bool adds_up() const;
  /// By several tasks.
  bool adds_up_tasks() const;
  /// Whether nobody knows how often a loop runs before `positions` are counted.
  bool awaits_count() const;
  /// Says how many positions there are.
  void set_count(std::int64_t positions);

 private:
  bool is_summed(const Loop& loop) const;
  bool counts(const Term& term, const Values& at) const;
};

/// Whether a variable of this name is among them: the same name may be several variables.
bool has_name(const std::vector<IndexVar>& variables, const std::string& name);
/// The first place at which one of this name is; as the mode of an access, for instance.
std::optional<std::size_t> place_of(const std::vector<IndexVar>& variables, const std::string& name);

/// The variables over which a term adds up its values: those of the left side excepted, and those of explicit sums
/// around all of it.
std::vector<IndexVar> summed_variables(const Term& term);

/// Whether a schedule is for several processors.
bool is_distributed(const Schedule& schedule);

/// The schedule with the sizes of the machine's dimensions in it. Throws Error where it has no such dimension, and
/// where one is named and there is no machine.
Schedule on_machine(const Schedule& schedule, const std::optional<Machine>& machine);

/// Takes a schedule apart into what processors do together and what each does. `extents` are those of the statement's
/// variables; `formats` those of its operands, and `result` that of the result; `placed` says where tensors lie. Throws
/// Error, with the directive's place, for what cannot be done.
Launch make_launch(const Statement& statement, const Schedule& schedule,
                   const std::map<IndexVar, std::int64_t>& extents, const std::map<std::string, Format>& formats,
                   const Format& result, const std::map<std::string, Distribution>& placed);

}  // namespace lacuna::launch
