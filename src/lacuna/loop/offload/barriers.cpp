#include "lacuna/loop/offload/barriers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"

// Statements are visited in the order in which they run, with what was touched since the last barrier, and by whom. A
// statement waits where it touches the same array and one of both stores to it, unless the same thread does both.
// Bodies of loops are visited twice, for what an iteration touches of what the one before it stored. Warps of a block
// are groups of their own: what one of them touches in an iteration, no other one does.
namespace lacuna::loop::offloading {
namespace {

enum class Mode : std::uint8_t { Read, Store, Update };  // Update: atomically

/// Who touches an element. Two with one owner are the same thread where both store.
struct Owner {
  enum class Kind : std::uint8_t { All, First, Iteration, Any } kind;
  const void* loop = nullptr;  // whose iterations are always the same thread's
  bool operator==(const Owner&) const = default;
};

struct Touch {
  Mode mode;
  Owner owner;
  bool operator==(const Touch&) const = default;
};

bool conflict(const Touch& a, const Touch& b) {
  if (a.mode == b.mode && a.mode != Mode::Store) return false;
  if (a.owner.kind != b.owner.kind) return true;
  if (a.owner.kind == Owner::Kind::First) return false;
  const bool is_same = a.owner.kind == Owner::Kind::Iteration && a.owner.loop == b.owner.loop;
  return !is_same || a.mode == Mode::Read || b.mode == Mode::Read;
}

using Touches = std::vector<std::pair<Var, Touch>>;

/// What has been touched since the last barrier.
using Pending = std::map<Var, std::vector<Touch>>;

void add(Pending& to, const Var& array, const Touch& touch) {
  std::vector<Touch>& all = to[array];
  if (std::find(all.begin(), all.end(), touch) == all.end()) all.push_back(touch);
}

void add(Pending& to, const Pending& from) {
  for (const auto& [array, touches] : from)
    for (const Touch& each : touches) add(to, array, each);
}

/// Whether an iteration of a parallel loop in a group always goes to the same thread, or warp, whatever the iterations
/// of the loops around it are. `inside`: the scalars that differ from iteration to iteration.
bool has_fixed_owners(const Expr& low, const std::set<Var>& inside) {
  bool fixed = true;
  for_each(low, [&](const Expr& each) {
    const auto* use = std::get_if<VarUse>(&each.node().kind);
    if (std::holds_alternative<Load>(each.node().kind) || (use != nullptr && inside.contains(use->var))) fixed = false;
  });
  return fixed;
}

class Finder {
 public:
  Finder(Barriers& found, std::set<Var> inside, bool is_warp)
      : found_(found), inside_(std::move(inside)), is_warp_(is_warp) {}

  void visit(const Stmt& stmt) {
    if (!stmt) return;
    if (found_.before.contains(stmt.get())) pending_.clear();
    std::visit([&](const auto& node) { visit(node, stmt.get()); }, stmt->kind);
  }
  void repeat(const Stmt& body) {
    visit(body);
    visit(body);
  }

 private:
  void visit(const Block& node, const StmtNode*) {
    for (const Stmt& each : node.statements) visit(each);
  }
  void visit(const If& node, const StmtNode* at) {
    wait_once({node.then_branch, node.else_branch}, at);
    wait_before(at, reads(node.condition));
    const Pending begin = pending_;
    visit(node.then_branch);
    Pending end = std::exchange(pending_, begin);
    visit(node.else_branch);
    add(pending_, end);
  }
  void visit(const While& node, const StmtNode* at) {
    wait_once({node.body}, at);
    wait_before(at, reads(node.condition));
    const Pending begin = pending_;
    for (int turn = 0; turn < 2; ++turn) {
      visit(node.body);
      if (found_.at_end.contains(at)) pending_.clear();
      const Touches condition = reads(node.condition);
      if (must_wait(condition)) meet(found_.at_end, at);
      note(condition);
    }
    add(pending_, begin);
  }
  void visit(const For& node, const StmtNode* at) {
    inside_.insert(node.var);
    Touches touches = reads(node.low);
    const Touches high = reads(node.high);
    touches.insert(touches.end(), high.begin(), high.end());
    if (node.mode == LoopMode::Parallel) {
      const bool fixed = has_fixed_owners(node.low, inside_);
      const Touches body = within(node.body, {fixed ? Owner::Kind::Iteration : Owner::Kind::Any, node.body.get()});
      touches.insert(touches.end(), body.begin(), body.end());
      wait_before(at, touches);
      if (node.unit == DeviceUnit::Warp) {
        Finder warp(found_, inside_, true);
        warp.is_trial_ = is_trial_;
        warp.repeat(node.body);
      }
      return;
    }
    wait_once({node.body}, at);
    wait_before(at, touches);
    const Pending begin = pending_;
    repeat(node.body);
    add(pending_, begin);
  }
  /// The threads of the group share it.
  void visit(const Fill& node, const StmtNode* at) {
    const bool fixed = has_fixed_owners(node.low, inside_);
    Touches touches{{node.array, {Mode::Store, {fixed ? Owner::Kind::Iteration : Owner::Kind::Any, at}}}};
    for (const Expr& each : {node.low, node.high, node.value}) {
      const Touches read = reads(each);
      touches.insert(touches.end(), read.begin(), read.end());
    }
    wait_before(at, touches);
  }
  template <typename Other>
  void visit(const Other& node, const StmtNode* at) {
    if constexpr (std::is_same_v<Other, Declare>) inside_.insert(node.var);
    const Stmt stmt = make_stmt(node);
    const bool by_first = found_.is_by_first(stmt);
    wait_before(at, within(stmt, {by_first ? Owner::Kind::First : Owner::Kind::All}));
  }

  /// What a statement touches of arrays that are stored to, all of it done by one owner.
  Touches within(const Stmt& stmt, const Owner& owner) const {
    Touches touches;
    const auto touch = [&](const Var& array, Mode mode) {
      if (found_.stored.contains(array)) touches.emplace_back(array, Touch{mode, owner});
    };
    for_each_expression(stmt, [&](const Expr& each) {
      for (const auto& [array, read] : reads_of(each, owner)) touch(array, read.mode);
    });
    for_each(stmt, [&](const Stmt& each) {
      if (const auto* node = std::get_if<Store>(&each->kind))
        touch(node->array, node->atomic ? Mode::Update : Mode::Store);
      if (const auto* node = std::get_if<Fill>(&each->kind)) touch(node->array, Mode::Store);
      if (const auto* node = std::get_if<Sort>(&each->kind)) touch(node->array, Mode::Store);
    });
    return touches;
  }

  /// Of this expression itself, without its operands.
  static Touches reads_of(const Expr& expr, const Owner& owner) {
    if (const auto* load = std::get_if<Load>(&expr.node().kind)) return {{load->array, {Mode::Read, owner}}};
    if (const auto* search = std::get_if<LowerBound>(&expr.node().kind)) return {{search->array, {Mode::Read, owner}}};
    return {};
  }
  Touches reads(const Expr& expr) const {
    Touches touches;
    for_each(expr, [&](const Expr& each) {
      for (auto& [array, touch] : reads_of(each, {Owner::Kind::All}))
        if (found_.stored.contains(array)) touches.emplace_back(array, touch);
    });
    return touches;
  }

  bool must_wait(const Touches& touches) const {
    return std::any_of(touches.begin(), touches.end(), [&](const auto& each) {
      const auto found = pending_.find(each.first);
      return found != pending_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                    [&](const Touch& t) { return conflict(t, each.second); });
    });
  }
  void wait_before(const StmtNode* at, const Touches& touches) {
    if (must_wait(touches)) meet(found_.before, at);
    note(touches);
  }
  /// Before a loop rather than in each of its iterations, where only its first one has to wait; and before a branch
  /// rather than in it, since compilers of OpenCL fail where branches wait.
  void wait_once(const std::vector<Stmt>& parts, const StmtNode* at) {
    if (is_trial_) return;
    Barriers alone = found_, after_all = found_;
    for (const Stmt& each : parts) trial(alone, {}).repeat(each);
    for (const Stmt& each : parts) trial(after_all, pending_).visit(each);
    if (!std::includes(alone.before.begin(), alone.before.end(), after_all.before.begin(), after_all.before.end()))
      meet(found_.before, at);
  }
  /// What visits parts of loops in advance, but does so once for the loops inside.
  Finder trial(Barriers& found, const Pending& pending) const {
    Finder finder(found, inside_, is_warp_);
    finder.pending_ = pending;
    finder.is_trial_ = true;
    return finder;
  }
  void meet(std::set<const StmtNode*>& where, const StmtNode* at) {
    where.insert(at);
    pending_.clear();
    found_.of_warps = found_.of_warps || is_warp_;
  }
  void note(const Touches& touches) {
    for (const auto& [array, touch] : touches) add(pending_, array, touch);
  }

  Barriers& found_;
  std::set<Var> inside_;
  bool is_warp_;
  bool is_trial_ = false;
  Pending pending_;
};

/// Arrays that each thread has for itself: those that it declares, and those of loops that threads run.
void remove_own(const Stmt& body, std::set<Var>& stored) {
  for_each(body, [&](const Stmt& each) {
    if (const auto* node = std::get_if<Declare>(&each->kind); node != nullptr && node->size > 0)
      stored.erase(node->var);
    const auto* loop = std::get_if<For>(&each->kind);
    if (loop == nullptr || loop->mode != LoopMode::Parallel || loop->unit != DeviceUnit::Thread || !loop->setup) return;
    for_each(loop->setup, [&](const Stmt& own) {
      if (const auto* node = std::get_if<Allocate>(&own->kind)) stored.erase(node->array);
    });
  });
}

}  // namespace

bool Barriers::is_by_first(const Stmt& stmt) const {
  const std::set<Var> written = usage_of(stmt).written;
  return std::any_of(written.begin(), written.end(), [&](const Var& each) { return stored.contains(each); });
}

Barriers barriers_of(const For& loop, bool repeats) {
  Barriers found;
  const Stmt all = make_stmt(Block{{loop.setup, loop.body, loop.teardown}});
  found.stored = usage_of(all).written;
  remove_own(all, found.stored);
  Finder finder(found, {loop.var}, loop.unit == DeviceUnit::Warp);
  finder.visit(loop.setup);
  if (repeats) finder.repeat(loop.body);
  else finder.visit(loop.body);
  finder.visit(loop.teardown);
  return found;
}

}  // namespace lacuna::loop::offloading
