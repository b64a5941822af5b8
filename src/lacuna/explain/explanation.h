#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lacuna/schedule/cost/estimate.h"

namespace lacuna {

/// Operations and bytes as words and pictures show them.
using cost::Work;

enum class Part : std::uint8_t { Result, Operand, Scalar, Workspace };

/// A tensor of the kernel: the result first, then operands, then temporaries.
struct ExplainedTensor {
  std::string name;
  Part part = Part::Operand;
  std::string format;  // "csr"; empty for scalars
  std::string type;
  std::vector<std::int64_t> dimensions;
  double entries = 0;
  bool expected = false;  // the number of entries is an estimate
  bool assumed = false;   // nothing is known of them
  double bytes = 0;       // of its arrays
  double needed = 0;      // bytes of it that any kernel must move
  std::string remark;     // how a result is assembled, what a copy is of, what a temporary is for
};

/// One tensor as one access reads or writes it.
struct Lane {
  int tensor = 0;
  std::string access;  // "A(i,j)"
};

/// A level of a tensor at the loop that binds it, or its values where they are used (level -1).
struct Stop {
  int lane = 0;  // of Explanation::lanes
  int level = -1;
  enum class Kind : std::uint8_t { Walked, Followed, Located, Stored, Drained, Read, Written } kind = Kind::Walked;
  std::string words;  // "compressed", "dense"
};

/// What a loop costs.
struct LoopCost {
  double starts = 0, turns = 0;
  Work own;   // without the loops inside it
  Work with;  // with them
};

/// A step of the kernel and the steps inside it, in the order in which they are done.
struct Step {
  enum class Kind : std::uint8_t { Block, Loop, Assignment } kind = Kind::Block;
  std::string text;                              // "for j", "t += A(i,j) * x(j)"
  std::string visits;                            // of a loop: "what A stores"
  std::vector<std::string> manners;              // of a loop: "on threads", "unrolled by 4"
  std::vector<std::vector<std::string>> points;  // of a merging loop: its lattice, largest points first
  std::vector<Stop> stops;
  LoopCost cost;
  std::vector<Step> steps;
};

/// One choice and why it was made.
struct Reason {
  std::string about;  // "loop order", "w"
  std::string why;
};

/// What was chosen for a statement, with what it is expected to cost. Plain values: text and pictures are made of it.
struct Explanation {
  std::string statement;
  std::vector<std::string> directives;  // of the schedule, chosen or given
  bool chosen = true;                   // automatically
  std::vector<ExplainedTensor> tensors;
  std::vector<Lane> lanes;  // operands, then temporaries, then the result
  Step root;
  std::vector<Reason> reasons;
  std::vector<Candidate> candidates;  // quickest first
  std::vector<std::string> notes;
  Work total;
  double compulsory_bytes = 0;
  bool expected = false;  // some operand is sparse: the numbers hold for entries that are spread evenly
  bool assumed = false;   // nothing is known of some operand's entries

  /// Operations for each byte that must be moved.
  double intensity() const { return compulsory_bytes > 0 ? total.operations / compulsory_bytes : 0; }
};

/// Explains a scheduled statement. `chosen`: its schedule is the automatic one. `stored`: how many entries operands
/// have where somebody counted them, by name.
Explanation explain(const Scheduled& scheduled, const ScheduleProblem& problem, bool chosen,
                    const std::map<std::string, double>& stored = {});

/// Short, aligned lines for a terminal.
std::string to_text(const Explanation& e);
/// One SVG: the iteration graph, a box a loop, with a line for each tensor down through the loops that bind its levels,
/// the lattices of merging loops, and bars for what each loop costs.
std::string to_svg(const Explanation& e);

}  // namespace lacuna
