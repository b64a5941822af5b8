#include "fuzz/statement/ledger.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "lacuna/notation/check.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::fuzz {
namespace {

using concrete::Assembly;
using concrete::Provenance;
using Loops = std::vector<const concrete::Forall*>;

const char* text_of(Assembly assembly) {
  switch (assembly) {
    case Assembly::Random: return "random";
    case Assembly::Append: return "append";
    case Assembly::Insert: return "insert";
    case Assembly::SharedPattern: return "shared pattern";
    case Assembly::Stream: return "stream";
  }
  return "";
}

std::string text_of(const LevelFormat& level) {
  static const char* const kinds[] = {"dense", "compressed", "singleton", "bitmap", "hashed"};
  if (level.is_dynamic()) return level.name();
  std::string text = kinds[static_cast<int>(level.kind)];
  if (level.kind == LevelKind::Compressed || level.kind == LevelKind::Singleton) {
    if (!level.ordered) text += " unordered";
    if (!level.unique) text += " nonunique";
  }
  return text;
}

/// The shape of one loop's lattice from its line, without names: "every coordinate", "{1}", "{2} > {1} > {1}", …
std::string shape_of(const std::string& line) {
  const std::size_t colon = line.find(": ");
  std::string shape;
  int members = 0;
  bool inside = false;
  for (const char c : colon == std::string::npos ? line : line.substr(colon + 2)) {
    if (c == '{') {
      inside = true;
      members = 1;
    } else if (c == '}') {
      inside = false;
      shape += "{" + std::to_string(members) + "}";
    } else if (!inside) {
      shape += c;
    } else {
      members += c == ' ' ? 1 : 0;
    }
  }
  return shape;
}

/// How a loop variable came to be, last step first: "piece of positions of pairs of a variable, a variable".
std::string origin_of(const concrete::Provenance& provenance, const IndexVar& v) {
  const concrete::Derivation* d = provenance.made_by(v);
  if (d == nullptr) return "a variable";
  const auto from = [&](const IndexVar& parent) { return origin_of(provenance, parent); };
  return std::visit(
      Overloaded{[&](const concrete::Split& s) {
                   return std::string(v == s.outer ? "pieces" : "inside") + (s.in_pieces ? " by number" : "") + " of " +
                          from(s.parent);
                 },
                 [&](const concrete::Fuse& f) { return "pairs of (" + from(f.outer) + ", " + from(f.inner) + ")"; },
                 [&](const concrete::Position& p) { return "positions of " + from(p.parent); },
                 [&](const concrete::Bound& b) { return "bounded " + from(b.parent); }},
      *d);
}

class Noter {
 public:
  explicit Noter(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {
    for (const auto& [name, operand] : problem.operands) facts_[name] = {operand.type, operand.dimensions};
  }

  std::set<std::pair<std::string, std::string>> run() {
    const std::string assembly = text_of(plan_.scheduled.program.result().assembly);
    for (const auto& [name, operand] : problem_.operands) note_levels(operand.format, "operand", assembly);
    if (problem_.result_format) note_levels(*problem_.result_format, "result", assembly);
    else note("level, role, assembly", "inferred result, " + assembly);
    std::string line;
    for (const char c : iteration::to_string(plan_.nest)) {
      if (c != '\n') {
        line += c;
        continue;
      }
      note("lattice", shape_of(line));
      line.clear();
    }
    note_operators(problem_.statement.rhs);
    if (!problem_.schedule.empty()) note_schedule();
    const Type result = problem_.result_type.value_or(compute_type(problem_.statement, facts_));
    note("operator, type", fmt::format("{}, {}", problem_.statement.accumulate ? "+=" : "=", type_name(result)));
    return std::move(features_);
  }

 private:
  void note(std::string dimension, std::string feature) { features_.emplace(std::move(dimension), std::move(feature)); }

  void note_levels(const Format& format, const char* role, const std::string& assembly) {
    for (const LevelFormat& level : format.levels())
      note("level, role, assembly", fmt::format("{} {}, {}", text_of(level), role, assembly));
  }

  void note_schedule() {
    const Provenance& provenance = plan_.scheduled.program.provenance;
    for (const std::string& text : problem_.schedule) {
      const Directive d = parse_schedule(text).directives.at(0);
      const auto* p = std::get_if<directive::Parallelize>(&d.kind);
      note("directive", p == nullptr
                            ? std::string(name_of(d))
                            : fmt::format("parallelize {} {}", concrete::name_of(p->unit), concrete::name_of(p->race)));
    }
    tree::each_assignment(plan_.scheduled.program.root, [&](const concrete::Assign& a, const Loops& loops) {
      for (const concrete::Forall* f : loops)
        if (f->how.unit == concrete::Unit::CpuThread && meets(a, *f))
          note("directive", fmt::format("iterations that meet, {}", concrete::name_of(f->how.race)));
    });
    for (const concrete::Derivation& d : provenance.all())
      for (const IndexVar& v : concrete::made(d))
        if (provenance.replaced_by(v) == nullptr) note("loop variable", origin_of(provenance, v));
  }

  /// Whether iterations of a loop come to the same entries of the result.
  bool meets(const concrete::Assign& a, const concrete::Forall& f) const {
    const concrete::Program& program = plan_.scheduled.program;
    if (!(a.target.tensor == program.result().var) || a.target.indices.empty()) return false;
    const std::vector<IndexVar> all = program.provenance.underived(f.var);
    return std::any_of(all.begin(), all.end(), [&](const IndexVar& v) { return !contains(a.target.indices, v); });
  }

  void note_operators(const Expr& e) {
    const std::string type(type_name(type_of(e, facts_)));
    const std::string name = match(
        e, [](const Access&) { return std::string(); }, [](const Literal&) { return std::string("literal"); },
        [](const IndexValue&) { return std::string("index"); }, [](const Negate&) { return std::string("negate"); },
        [](const Binary& b) { return std::string(1, "+-*/"[static_cast<int>(b.op)]); },
        [](const Call& c) { return std::string(info(c.function).name); },
        [](const Cast&) { return std::string("cast"); }, [](const Sum&) { return std::string("sum"); });
    if (!name.empty()) note("operator, type", name + ", " + type);
    for (const Expr& child : children(e)) note_operators(child);
  }

  const Problem& problem_;
  const Plan& plan_;
  FactsByName facts_;
  std::set<std::pair<std::string, std::string>> features_;
};

}  // namespace

void Ledger::note(const Problem& problem, const Plan& plan) {
  const auto features = Noter(problem, plan).run();
  for (auto a = features.begin(); a != features.end(); ++a) {
    ++counts_[*a];
    for (auto b = std::next(a); b != features.end(); ++b)
      if (a->first != b->first) ++pairs_[{*a, *b}];
  }
}

std::string Ledger::to_string() const {
  std::string text;
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [feature, count] : counts_) ++sizes[feature.first];
  for (const auto& [dimension, size] : sizes) {
    text += fmt::format("{}: {} exercised\n", dimension, size);
    std::vector<std::pair<std::int64_t, std::string>> sorted;
    for (const auto& [feature, count] : counts_)
      if (feature.first == dimension) sorted.emplace_back(count, feature.second);
    std::sort(sorted.rbegin(), sorted.rend());
    for (const auto& [count, feature] : sorted) text += fmt::format("  {:7} {}\n", count, feature);
  }
  std::map<std::pair<std::string, std::string>, std::int64_t> met;
  for (const auto& [pair, count] : pairs_) ++met[{pair.first.first, pair.second.first}];
  for (const auto& [dimensions, count] : met)
    text += fmt::format("pairs of ({}) with ({}): {} of {}\n", dimensions.first, dimensions.second, count,
                        sizes[dimensions.first] * sizes[dimensions.second]);
  return text;
}

}  // namespace lacuna::fuzz
