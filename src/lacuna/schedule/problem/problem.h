#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/processor.h"

namespace lacuna {

/// What the automatic schedule may look at of an operand.
struct OperandFacts {
  Format format;
  Type type = Type::Float64;
  std::vector<concrete::LevelWidths> widths;
  std::vector<std::int64_t> positions;  // child positions of each level
  std::vector<bool> nonempty;           // of each level: every parent is known to have a child
  std::int64_t stored = 0;
  bool piece = false;
  std::vector<std::int64_t> reach =
      {};  // of each level: how far apart the coordinates of neighbouring parents are; 0: unknown
  std::vector<double> unevenness =
      {};  // of each level: of the rows that hold most of it; 0: unknown. For devices alone
};

/// A statement with everything that the schedule depends on. The result's old contents, where they are read, are an
/// operand under `old_result`.
struct ScheduleProblem {
  Statement statement;
  std::map<std::string, OperandFacts> operands;  // by name
  Format result_format;
  Type result_type = Type::Float64;
  Type compute_type = Type::Float64;
  std::map<IndexVar, std::int64_t> extents;
  bool parallel = false;
  bool device = false;                    // loops run on a device
  double turns_worth_warps = 0;           // of a loop that the threads of a warp share; 0: warps share none unasked
  std::int64_t entries_a_thread = 0;      // where threads share entries equally; 0: they share none unasked
  double uneven = 3;                      // how uneven rows are where they should
  bool deterministic = false;             // sums are added up in an order that no run changes
  double turns_worth_threads = 0;         // all loops together; shorter statements are not put on threads unasked
  std::int64_t vector_bytes = 512;        // of all vector registers
  std::optional<CacheSizes> caches = {};  // none: this machine's
  bool blas = false;                      // whether kernels may call BLAS unasked
};

/// Whether sums are to be the same in every run, and atomic additions would not give that.
inline bool rounds_by_order(const ScheduleProblem& problem) {
  const auto rounds = [](Type type) { return is_float(type) || is_complex(type); };
  return problem.deterministic && (rounds(problem.compute_type) || rounds(problem.result_type));
}

/// A copy of an operand that the kernel reads instead.
struct OperandCopy {
  std::string name;    // of the copy, in the program
  std::string source;  // the operand
  Format format;
  bool asked = false;  // by a directive
};

/// A statement under a schedule, and what the kernel needs beside it.
/// A way to compute a product of several operands that was looked at, and how long it is expected to take.
struct Candidate {
  std::string way;  // "one nest", or where it branches: "loopfuse({C,D},left,{},0)"
  double seconds = 0;
  bool chosen = false;
};

struct Scheduled {
  concrete::Program
      program;  // its result may have another format or type than asked for: to be converted after the kernel
  std::vector<OperandCopy> copies;
  std::optional<directive::Assemble::Strategy> assembled_by;  // nothing else will do
  Schedule schedule;                                          // the directives that made it out of bare loops
  std::vector<Candidate> candidates;                          // quickest first; none where there was no choice
};

/// The name under which the program reads the result's old contents.
std::string old_result_name(const Statement& s);

}  // namespace lacuna
