#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/launch.h"
#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/format/distribution/machine.h"

namespace lacuna {

/// Where the parts of a tensor are.
struct TensorPlacement {
  struct Part {
    Restriction what;
    std::vector<std::int64_t> processors;  // that hold it: of those that share a memory, the first one
  };
  std::vector<Part> parts;  // every entry is in one of them
};

/// What one processor does in each step: the iterations of the launch at one point of its distributed loops.
struct Task {
  std::int64_t processor = 0;
  launch::Values at;                              // the distributed loops
  std::optional<IndexSet> positions;              // those that it has of the operand whose positions are dealt out
  std::optional<Stretch> stretch = {};            // or, where that is held by parts, its share of the entries
  std::map<std::string, IndexSet> narrowed = {};  // variables that its entries leave fewer values
};

/// Something that a task gets at the beginning of a step.
struct Transfer {
  int operand = 0;                        // of Launch::operands
  std::int64_t task = 0;                  // who gets it
  std::int64_t from = 0;                  // the processor that sends it; the task's own where it lies in its memory
  std::optional<std::int64_t> part;       // of the operand's placement, or
  std::optional<std::int64_t> neighbour;  // what this task got last
  Restriction what;
};

/// Who fetches an operand for a task: tasks of one memory that need the same of it in all steps fetch it together.
struct Fetcher {
  std::size_t task = 0;    // the first of them
  std::int64_t tasks = 1;  // how many they are
};

/// One step of all tasks: transfers, which all refer to what was there before the step, then the local statements.
struct LaunchStep {
  launch::Values at;  // the loops that are not distributed
  std::vector<Transfer> transfers;
  bool only_moves = false;  // a round of broadcasts (plan/broadcasts.h): nothing is computed
};

/// How a statement is computed on a machine: who does what, and what moves when. Data: it can be printed, counted and
/// run (run/).
struct LaunchPlan {
  launch::Launch launch;
  Machine machine;
  std::vector<TensorPlacement> placements;  // by operand
  std::vector<Task> tasks;
  std::vector<LaunchStep> steps;
  std::vector<std::vector<Fetcher>> fetchers = {};  // by operand and task; transfers go to the fetchers

  /// All loops of a task in a step.
  launch::Values at(const Task& task, const LaunchStep& step) const;
  /// What a task has fetched of an operand in a step.
  std::vector<IndexSet> region_of(const launch::Operand& operand, const Task& task, const LaunchStep& step) const;
  /// What its local statement uses of it.
  std::vector<IndexSet> used_of(const launch::Operand& operand, const Task& task, const LaunchStep& step) const;

  /// The task that has fetched an operand where another one uses it, as what it fetches itself.
  std::size_t fetcher(std::size_t operand, std::size_t task) const { return fetchers[operand][task].task; }
  /// Whether it fetches it for itself alone.
  bool fetches_alone(std::size_t operand, std::size_t task) const { return fetchers[operand][task].tasks == 1; }

  /// Whether tasks need the same of an operand in all steps, so that it is fetched in the first one only.
  bool is_fetched_once(const launch::Operand& operand) const;

  /// Whether a task computes something in a step: its part of the result is not empty, and some term counts there.
  bool contributes(const Task& task, const LaunchStep& step) const;

  /// The plan for people, step by step; at most so many lines a step.
  std::string to_string(std::size_t lines = 16) const;
};

/// How far apart two processors are on the machine, whose dimensions are rings; 0 where they share a memory.
std::int64_t distance(const Machine& machine, std::int64_t a, std::int64_t b);
/// Of these processors, the nearest to one; the first of several. There is one.
std::int64_t nearest(const Machine& machine, const std::vector<std::int64_t>& processors, std::int64_t to);

/// Plans who computes what on which processor and from where it gets what it needs: what its own memory has, which
/// threads share, from there. Where that is nothing of it, all comes from the nearest processor that has a copy of all
/// of it, be it one that fetched it in the step before (which is what makes rotated loops systolic: DISTAL,
/// section 3.3). What is left comes from those that hold the parts.
LaunchPlan make_plan(launch::Launch launch, const Machine& machine, std::vector<TensorPlacement> placements,
                     std::vector<Task> tasks);

/// A task for each point of the distributed loops, dealt to the processors: each loop along a dimension of the machine,
/// in order, where there is one for each; else one after the other.
std::vector<Task> make_tasks(const launch::Launch& launch, const Machine& machine);

/// The machine that a schedule asks for by itself: one processor for each iteration of the distributed loops.
Machine machine_of(const launch::Launch& launch);

}  // namespace lacuna
