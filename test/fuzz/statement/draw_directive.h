#pragma once

#include <string>

#include "fuzz/statement/problem.h"
#include "fuzz/statement/random.h"
#include "lacuna/schedule/problem/problem.h"

namespace lacuna::fuzz {

/// Draws directives that have a chance of being legal: on loops that there are, operands that are read, parts of what
/// is computed. Every directive of the language, every unit and every race strategy.
class DirectiveDrawer {
 public:
  /// Keeps references to both.
  DirectiveDrawer(Random& random, const Problem& problem) : random_(random), problem_(problem) {}

  /// The text of a directive for what was scheduled so far, or of several that belong together, as in
  /// "fuse(i,j,f), pos(f,p,A), split(p,po,pi,3), parallelize(po,CPUThread,Atomics)". May be refused, or be none at all.
  std::string draw(const Scheduled& state);
  /// The same, mostly of those with which threads come to add to what several of them share: workspaces, loops turned
  /// around, and any loop on threads, however deep.
  std::string draw_for_threads(const Scheduled& state);

 private:
  void look_at(const Scheduled& state);
  std::string one();
  std::string together();
  std::string balanced();
  std::string tiled();
  std::string shared_out();
  std::string scattered();
  std::string inserted();

  std::string loop();
  std::string fresh();
  std::string operand();
  std::int64_t extent(const std::string& variable);
  std::string size(const std::string& variable);
  std::string split();
  std::string divide();
  std::string reorder();
  std::string fuse();
  std::string pos();
  std::string pos(const std::string& variable, const std::string& position);
  std::string bound();
  std::string unroll();
  std::string prefetch();
  std::string merge_by();
  std::string parallelize(const std::string& variable);
  std::string threads(const std::string& variable);
  std::string precompute();
  std::string loopfuse();
  std::string substitute();
  std::string transpose();
  std::string in_order_of(const std::string& operand, const std::vector<int>& modes);

  Random& random_;
  const Problem& problem_;
  const Scheduled* state_ = nullptr;
  std::vector<IndexVar> loops_;
  int made_ = 0;
};

}  // namespace lacuna::fuzz
