#include "fuzz/statement/draw_directive.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/concrete/leaf.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::fuzz {
namespace {

using Loops = std::vector<const concrete::Forall*>;

void parts_of(const Expr& e, std::vector<Expr>& out) {
  out.push_back(e);
  for (const Expr& x : children(e)) parts_of(x, out);
}

/// The expression as a user writes it: operands, not the copies that are read instead.
Expr as_written(const Scheduled& state, const Expr& e) {
  if (const auto* a = as<Access>(e)) {
    for (const OperandCopy& c : state.copies)
      if (c.name == a->tensor.name())
        return make_expr(Access{TensorVar(c.source, a->tensor.order()), a->indices}, e.where());
    return e;
  }
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = as_written(state, x);
  return with_children(e, operands);
}

}  // namespace

void DirectiveDrawer::look_at(const Scheduled& state) {
  state_ = &state;
  loops_ = tree::loop_variables(state.program.root);
}

std::string DirectiveDrawer::draw(const Scheduled& state) {
  look_at(state);
  if (loops_.empty()) return "none";
  return random_.percent(30) ? together() : one();
}

std::string DirectiveDrawer::draw_for_threads(const Scheduled& state) {
  look_at(state);
  if (loops_.empty()) return "none";
  switch (random_.weighted({4, 2, 4, 4, 3})) {
    case 0: return precompute();
    case 1: return loopfuse();
    case 2: return reorder();
    case 3: return fmt::format("parallelize({}, CPUThread, {})", loop(), random_.percent(70) ? "Temporary" : "NoRaces");
    default: return draw(state);
  }
}

std::string DirectiveDrawer::one() {
  switch (random_.weighted({5, 2, 5, 4, 4, 1, 2, 5, 5, 4, 2, 2, 2, 6, 1, 4})) {
    case 0: return split();
    case 1: return divide();
    case 2: return reorder();
    case 3: return fuse();
    case 4: return pos();
    case 5: return bound();
    case 6: return unroll();
    case 7: return parallelize(loop());
    case 8: return precompute();
    case 9: return merge_by();
    case 10: return transpose();
    case 11: return fmt::format("assemble({}, {})", problem_.result(), random_.percent(70) ? "Insert" : "Append");
    case 12: return prefetch();
    case 13: return loopfuse();
    case 14: return substitute();
    default: return fmt::format("vectorize({})", loop());
  }
}

std::string DirectiveDrawer::together() {
  switch (random_.weighted({8, 2, 4, 4, 1})) {
    case 0: return balanced();
    case 1: return tiled();
    case 2: return shared_out();
    case 3: return scattered();
    default: return inserted();
  }
}

/// Pieces of equally many entries that an operand stores, on threads or not.
std::string DirectiveDrawer::balanced() {
  const std::vector<Access> read = accesses(problem_.statement.rhs);
  if (read.empty()) return "none";
  const Access access = random_.pick(read);
  const Format& format = problem_.operands.at(access.tensor.name()).format;
  if (format.order() == 0) return "none";
  const int last = random_.below(format.order()), first = random_.between(0, last);
  const auto variable = [&](int level) {
    return access.indices[static_cast<std::size_t>(format.map().mode_of(level))].name();
  };
  std::string v = variable(first), text;
  for (int k = first + 1; k <= last; ++k) {
    const std::string fused = fresh();
    text += fmt::format("fuse({}, {}, {}), ", v, variable(k), fused);
    v = fused;
  }
  const std::string p = fresh(), outer = fresh(), inner = fresh();
  text += fmt::format("pos({}, {}, {})", v, p, to_string(make_expr(access)));
  if (random_.percent(15)) return text;
  const char* kind = random_.percent(70) ? "split" : "divide";
  text += fmt::format(", {}({}, {}, {}, {})", kind, p, outer, inner, random_.between(1, 5));
  return random_.percent(60) ? text + ", " + threads(outer) : text;
}

/// Blocks of two loops.
std::string DirectiveDrawer::tiled() {
  if (loops_.size() < 2) return split();
  const int k = random_.below(static_cast<int>(loops_.size()) - 1);
  const std::string a = loops_[static_cast<std::size_t>(k)].name(), b = loops_[static_cast<std::size_t>(k + 1)].name();
  const std::string ao = fresh(), ai = fresh(), bo = fresh(), bi = fresh();
  std::vector<std::string> order = {ao, bo, ai, bi};
  if (random_.percent(50)) random_.shuffle(order);
  const std::string of_a = size(a), of_b = size(b);
  return fmt::format("split({}, {}, {}, {}), split({}, {}, {}, {}), reorder({})", a, ao, ai, of_a, b, bo, bi, of_b,
                     fmt::join(order, ", "));
}

/// A loop in pieces, which threads run; lanes or copies run what is inside.
std::string DirectiveDrawer::shared_out() {
  const std::string v = loop(), outer = fresh(), inner = fresh();
  const char* kind = random_.percent(60) ? "split" : "divide";
  std::string text = fmt::format("{}({}, {}, {}, {}), ", kind, v, outer, inner, random_.between(1, 4));
  text += threads(outer);
  switch (random_.below(4)) {
    case 0: return fmt::format("{}, unroll({}, {})", text, inner, random_.between(2, 4));
    case 1: return fmt::format("{}, vectorize({})", text, inner);
    default: return text;
  }
}

/// A loop that the result lacks on the outside, on threads: their iterations come to the same entries.
std::string DirectiveDrawer::scattered() {
  std::vector<std::string> summed, others;
  for (const IndexVar& v : loops_) {
    const std::vector<IndexVar> all = state_->program.provenance.underived(v);
    const bool left = std::any_of(all.begin(), all.end(),
                                  [&](const IndexVar& u) { return contains(problem_.statement.lhs.indices, u); });
    (left ? others : summed).push_back(v.name());
  }
  if (summed.empty()) return "none";
  const std::string v = random_.pick(summed);
  const std::string text =
      fmt::format("parallelize({}, CPUThread, {})", v, random_.percent(50) ? "Atomics" : "Temporary");
  if (others.empty()) return text;
  return fmt::format("reorder({}, {}), {}", v, fmt::join(others, ", "), text);
}

std::string DirectiveDrawer::inserted() {
  return fmt::format("assemble({}, Insert), {}", problem_.result(), threads(loops_.front().name()));
}

// Choices are made one by one: the order in which a call's arguments are computed is not the same everywhere.
std::string DirectiveDrawer::loop() { return random_.pick(loops_).name(); }

std::string DirectiveDrawer::fresh() { return fmt::format("v{}", ++made_); }

std::string DirectiveDrawer::operand() {
  std::vector<std::string> names;
  for (const auto& [name, operand] : problem_.operands) names.push_back(name);
  return names.empty() ? "nothing" : random_.pick(names);
}

std::int64_t DirectiveDrawer::extent(const std::string& variable) {
  for (const IndexVar& v : loops_)
    if (v.name() == variable) return directives::extent_of(state_->program, v);
  return 1;
}

/// Mostly a few; else as many as there are iterations, one less or more, or far too many.
std::string DirectiveDrawer::size(const std::string& variable) {
  const std::int64_t n = extent(variable);
  switch (random_.weighted({80, 5, 5, 5, 5})) {
    case 1: return fmt::format("{}", std::max<std::int64_t>(1, n - 1));
    case 2: return fmt::format("{}", std::max<std::int64_t>(1, n));
    case 3: return fmt::format("{}", n + 1);
    case 4: return random_.percent(50) ? "70000" : "9000000000000000000";
    default: return fmt::format("{}", random_.between(1, 5));
  }
}

std::string DirectiveDrawer::split() {
  const std::string v = loop(), outer = fresh(), inner = fresh();
  return fmt::format("split({}, {}, {}, {})", v, outer, inner, size(v));
}

std::string DirectiveDrawer::divide() {
  const std::string v = loop(), outer = fresh(), inner = fresh();
  return fmt::format("divide({}, {}, {}, {})", v, outer, inner, random_.percent(90) ? random_.between(1, 5) : 37);
}

std::string DirectiveDrawer::reorder() {
  std::vector<std::string> names;
  for (const IndexVar& v : loops_) names.push_back(v.name());
  random_.shuffle(names);
  names.resize(static_cast<std::size_t>(std::min<int>(static_cast<int>(names.size()), random_.between(2, 4))));
  return fmt::format("reorder({})", fmt::join(names, ", "));
}

/// Mostly of neighbours, since others are refused.
std::string DirectiveDrawer::fuse() {
  const auto k = static_cast<std::size_t>(random_.below(static_cast<int>(loops_.size())));
  const std::string inner = k + 1 < loops_.size() ? loops_[k + 1].name() : loop();
  return fmt::format("fuse({}, {}, {})", loops_[k].name(), inner, fresh());
}

std::string DirectiveDrawer::pos() {
  const std::string v = loop();
  return pos(v, fresh());
}

/// By the name of an operand, or by one of its accesses.
std::string DirectiveDrawer::pos(const std::string& variable, const std::string& position) {
  const std::vector<Access> read = accesses(problem_.statement.rhs);
  const bool spelled = !read.empty() && random_.percent(40);
  return fmt::format("pos({}, {}, {})", variable, position,
                     spelled ? to_string(make_expr(random_.pick(read))) : operand());
}

std::string DirectiveDrawer::bound() {
  const std::string v = loop();
  const std::int64_t n = extent(v);
  switch (random_.below(4)) {
    case 0: return fmt::format("bound({}, {}, {}, min)", v, fresh(), std::max<std::int64_t>(n - random_.below(3), 0));
    case 1: return fmt::format("bound({}, {}, {}, max)", v, fresh(), n + random_.below(3));
    default: return fmt::format("bound({}, {}, {}, exact)", v, fresh(), n);
  }
}

std::string DirectiveDrawer::unroll() {
  const std::string v = loop();
  return fmt::format("unroll({}, {})", v, random_.between(1, 5));
}

std::string DirectiveDrawer::prefetch() {
  const std::string v = loop();
  return fmt::format("prefetch({}, {})", v, random_.between(1, 4));
}

/// Mostly of a loop over what several operands store in order, since others are refused.
std::string DirectiveDrawer::merge_by() {
  std::vector<std::string> stored, several;
  for (const Access& a : accesses(problem_.statement.rhs)) {
    const Format& format = problem_.operands.at(a.tensor.name()).format;
    for (int k = 0; k < format.order(); ++k) {
      if (!(format.level(k) == LevelFormat{LevelKind::Compressed, true, true})) continue;
      const std::string& v = a.indices[static_cast<std::size_t>(format.map().mode_of(k))].name();
      const bool seen = std::find(stored.begin(), stored.end(), v) != stored.end();
      (seen ? several : stored).push_back(v);
    }
  }
  const std::string v = several.empty() || random_.percent(20) ? loop() : random_.pick(several);
  return fmt::format("mergeby({}, {})", v, random_.percent(90) ? "Gallop" : "TwoFinger");
}

std::string DirectiveDrawer::threads(const std::string& variable) {
  const char* races[] = {"NoRaces", "Atomics", "Temporary", "ParallelReduction", "IgnoreRaces"};
  return fmt::format("parallelize({}, CPUThread, {})", variable, races[random_.weighted({3, 3, 3, 3, 1})]);
}

std::string DirectiveDrawer::parallelize(const std::string& variable) {
  const char* races[] = {"NoRaces", "Atomics", "Temporary", "ParallelReduction", "IgnoreRaces"};
  switch (random_.weighted({75, 15, 10})) {
    case 0: return threads(variable);
    case 1: return fmt::format("parallelize({}, CPUVector, {})", variable, races[random_.below(5)]);
    default: return fmt::format("parallelize({}, {})", variable, random_.percent(50) ? "NotParallel" : "Serial");
  }
}

/// Of a part of what is computed, or of the result.
std::string DirectiveDrawer::precompute() {
  std::vector<Expr> parts{make_expr(problem_.statement.lhs)};
  tree::each_assignment(state_->program.root,
                        [&](const concrete::Assign& a, const Loops&) { parts_of(as_written(*state_, a.rhs), parts); });
  const Expr part = random_.pick(parts);
  std::vector<IndexVar> free = free_variables(part);
  if (free.empty()) return "none";
  random_.shuffle(free);
  free.resize(static_cast<std::size_t>(random_.between(1, static_cast<int>(free.size()))));
  std::vector<std::string> over, made;
  for (const IndexVar& v : free) {
    over.push_back(v.name());
    made.push_back(random_.percent(80) ? fresh() : v.name());
  }
  std::string rest = random_.percent(15) ? ", " + fresh() : "";
  if (random_.percent(60)) {
    const char* formats[] = {"dense", "bitmap", "hashed"};
    rest += fmt::format(", {}", fmt::join(std::vector<std::string>(over.size(), formats[random_.below(3)]), ","));
  }
  return fmt::format("precompute({}, {{{}}}, {{{}}}{})", to_string(part), fmt::join(over, ", "), fmt::join(made, ", "),
                     rest);
}

/// Mostly of the first operands or of any; sometimes with a path, which may lead nowhere.
std::string DirectiveDrawer::loopfuse() {
  if (random_.percent(30)) return fmt::format("loopfuse({})", random_.between(1, 2));
  std::string left = std::to_string(random_.between(1, 3));
  if (random_.percent(50)) {
    left = operand();
    if (random_.percent(50)) left += ", " + operand();
    left = "{" + left + "}";
  }
  std::vector<std::string> path;
  const char* steps[] = {"producer", "consumer", "1", "2"};
  while (path.size() < 3 && random_.percent(25)) path.emplace_back(steps[random_.below(4)]);
  const std::string loops = random_.percent(30) ? fmt::format(", {}", random_.between(0, 2)) : "";
  const char* side = random_.percent(50) ? "left" : "right";
  return fmt::format("loopfuse({}, {}, {{{}}}{})", left, side, fmt::join(path, ", "), loops);
}

/// Of the innermost loops around a product whose variables have the roles of a leaf, where there are such; pieces of
/// one of them at times.
std::string DirectiveDrawer::substitute() {
  struct Nest {
    std::vector<std::string> loops;
    std::string_view leaf;
  };
  std::vector<Nest> nests;
  tree::each_assignment(state_->program.root, [&](const concrete::Assign& a, const Loops& loops) {
    bool rows = false, columns = false, inner = false;
    Nest nest;
    for (auto f = loops.rbegin(); f != loops.rend() && nest.loops.size() < 4; ++f) {
      const IndexVar v = state_->program.provenance.underived((*f)->var).front();
      const std::vector<Access> read = accesses(a.rhs);
      const bool stored = contains(a.target.indices, v);
      const auto in = std::count_if(read.begin(), read.end(), [&](const Access& x) { return contains(x.indices, v); });
      nest.loops.insert(nest.loops.begin(), (*f)->var.name());
      if (in < 1 || in > 2 || (in == 2) == stored) return;
      inner = inner || in == 2;
      columns = columns || (rows && stored && !contains(read.front().indices, v));
      rows = rows || stored;
      for (const concrete::LeafShape& s : concrete::leaf_shapes())
        if (s.rows == rows && s.columns == columns && s.inner == inner) nests.push_back({nest.loops, s.name});
    }
  });
  if (nests.empty()) return loopfuse();
  Nest nest = random_.pick(nests);
  if (random_.percent(10)) nest.leaf = concrete::leaf_shapes()[static_cast<std::size_t>(random_.below(5))].name;
  std::string text;
  if (random_.percent(40)) {
    std::string& v = nest.loops[static_cast<std::size_t>(random_.below(static_cast<int>(nest.loops.size())))];
    const std::string outer = fresh(), inner = fresh();
    text = fmt::format("split({}, {}, {}, {}), ", v, outer, inner, random_.between(1, 4));
    v = inner;
    text += fmt::format("reorder({}, {}), ", outer, fmt::join(nest.loops, ", "));
  }
  random_.shuffle(nest.loops);
  return fmt::format("{}substitute({{{}}}, {})", text, fmt::join(nest.loops, ", "), nest.leaf);
}

std::string DirectiveDrawer::transpose() {
  const std::string name = operand();
  const auto it = problem_.operands.find(name);
  if (it == problem_.operands.end() || it->second.dimensions.empty()) return "none";
  std::vector<int> modes(it->second.dimensions.size());
  std::iota(modes.begin(), modes.end(), 0);
  random_.shuffle(modes);
  return fmt::format("transpose({}, {}){}", name, fmt::join(modes, ", "), in_order_of(name, modes));
}

/// A reorder that brings the loops in the order in which the copy of an operand stores its modes.
std::string DirectiveDrawer::in_order_of(const std::string& operand, const std::vector<int>& modes) {
  for (const Access& a : accesses(problem_.statement.rhs)) {
    if (a.tensor.name() != operand) continue;
    std::vector<std::string> names;
    for (const int m : modes) {
      const std::string& name = a.indices[static_cast<std::size_t>(m)].name();
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names.size() < 2 ? "" : fmt::format(", reorder({})", fmt::join(names, ", "));
  }
  return "";
}

}  // namespace lacuna::fuzz
