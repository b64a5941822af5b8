#include <fmt/ranges.h>

#include "lacuna/notation/parse.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/schedule/language/words.h"

namespace lacuna {
namespace {

using namespace directive;

/// vectorize(i) is short for the parallel loop that it makes.
bool is_vectorize(const Parallelize& p) {
  return p.unit == concrete::Unit::CpuVector && p.race == concrete::Race::NoRaces;
}

std::string level_name(const std::string& name, int level) {
  return level == 0 ? name : fmt::format("{}[{}]", name, level);
}

std::string print(const Split& s) {
  const std::string number =
      s.axis ? fmt::format("{}.{}", level_name("M", s.axis->level), "xyz"[s.axis->dimension]) : std::to_string(s.size);
  return fmt::format("{}({},{},{},{})", s.in_pieces ? "divide" : "split", s.variable, s.outer, s.inner, number);
}
std::string print(const Reorder& r) { return fmt::format("reorder({})", fmt::join(r.variables, ",")); }
std::string print(const Fuse& f) { return fmt::format("fuse({},{},{})", f.outer, f.inner, f.fused); }
std::string print(const Pos& p) { return fmt::format("pos({},{},{})", p.variable, p.position, to_string(p.access)); }
std::string print(const Bound& b) {
  return fmt::format("bound({},{},{},{})", b.variable, b.bounded, b.size, word_for(bound_words(), b.kind));
}
std::string print(const Prefetch& p) { return fmt::format("prefetch({},{})", p.variable, p.turns); }
std::string print(const Unroll& u) { return fmt::format("unroll({},{})", u.variable, u.factor); }
std::string print(const Parallelize& p) {
  if (is_vectorize(p)) return fmt::format("vectorize({})", p.variable);
  return fmt::format("parallelize({},{},{})", p.variable, word_for(unit_words(), p.unit),
                     word_for(race_words(), p.race));
}
std::string print(const Precompute& p) {
  std::string text = fmt::format("precompute({},{{{}}},{{{}}}", to_string(p.expr), fmt::join(p.variables, ","),
                                 fmt::join(p.producer_variables, ","));
  if (!p.name.empty()) text += "," + p.name;
  if (p.format) text += "," + p.format->to_string();
  return text + ")";
}
std::string print(const LoopFuse& l) {
  if (!l.producer) return fmt::format("loopfuse({})", l.count);
  std::vector<std::string> operands, steps;
  for (const Expr& e : l.operands) operands.push_back(to_string(e));
  for (const LoopFuse::Step& s : l.path) {
    const bool term = s.kind == LoopFuse::Step::Kind::Term;
    steps.emplace_back(term ? std::to_string(s.term) : std::string(word_for(step_words(), s.kind)));
  }
  std::string text =
      "loopfuse(" + (operands.empty() ? std::to_string(l.count) : fmt::format("{{{}}}", fmt::join(operands, ",")));
  text += fmt::format(",{}", word_for(side_words(), *l.producer));
  if (!steps.empty() || l.shared_loops) text += fmt::format(",{{{}}}", fmt::join(steps, ","));
  if (l.shared_loops) text += fmt::format(",{}", *l.shared_loops);
  return text + ")";
}
std::string print(const Substitute& s) {
  return fmt::format("substitute({{{}}},{})", fmt::join(s.variables, ","), word_for(leaf_words(), s.leaf));
}
std::string print(const Assemble& a) {
  return fmt::format("assemble({},{})", a.tensor, word_for(assembly_words(), a.strategy));
}
std::string print(const MergeBy& m) {
  return fmt::format("mergeby({},{})", m.variable, word_for(merge_words(), m.merge));
}
std::string print(const Transpose& t) {
  return fmt::format("transpose({},{})", t.tensor, fmt::join(t.mode_order, ","));
}
std::string print(const Distribute& d) {
  if (d.outer.empty()) return fmt::format("distribute({})", fmt::join(d.variables, ","));
  const std::string grid = !d.onto.empty()    ? level_name(d.onto, d.machine_level)
                           : d.pieces.empty() ? level_name("M", d.machine_level)
                                              : fmt::format("Grid({})", fmt::join(d.pieces, ","));
  return fmt::format("distribute({{{}}},{{{}}},{{{}}},{})", fmt::join(d.variables, ","), fmt::join(d.outer, ","),
                     fmt::join(d.inner, ","), grid);
}
std::string print(const Communicate& c) {
  return fmt::format("communicate({{{}}},{})", fmt::join(c.tensors, ","), c.variable);
}
std::string print(const Rotate& r) {
  return fmt::format("rotate({},{{{}}},{})", r.variable, fmt::join(r.by, ","), r.rotated);
}

std::string_view name(const Split& s) { return s.in_pieces ? "divide" : "split"; }
std::string_view name(const Reorder&) { return "reorder"; }
std::string_view name(const Fuse&) { return "fuse"; }
std::string_view name(const Pos&) { return "pos"; }
std::string_view name(const Bound&) { return "bound"; }
std::string_view name(const Unroll&) { return "unroll"; }
std::string_view name(const Prefetch&) { return "prefetch"; }
std::string_view name(const Parallelize& p) { return is_vectorize(p) ? "vectorize" : "parallelize"; }
std::string_view name(const Precompute&) { return "precompute"; }
std::string_view name(const LoopFuse&) { return "loopfuse"; }
std::string_view name(const Substitute&) { return "substitute"; }
std::string_view name(const Assemble&) { return "assemble"; }
std::string_view name(const MergeBy&) { return "mergeby"; }
std::string_view name(const Transpose&) { return "transpose"; }
std::string_view name(const Distribute&) { return "distribute"; }
std::string_view name(const Communicate&) { return "communicate"; }
std::string_view name(const Rotate&) { return "rotate"; }

}  // namespace

std::string to_string(const Directive& d) {
  return std::visit([](const auto& kind) { return print(kind); }, d.kind);
}

std::string to_string(const Schedule& s) {
  std::string text;
  for (const Directive& d : s.directives) text += (text.empty() ? "" : ", ") + to_string(d);
  return text;
}

std::string_view name_of(const Directive& d) {
  return std::visit([](const auto& kind) { return name(kind); }, d.kind);
}

}  // namespace lacuna
