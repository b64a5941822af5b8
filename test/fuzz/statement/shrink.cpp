#include "fuzz/statement/shrink.h"

#include <algorithm>
#include <set>

#include "fuzz/statement/judge.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna::fuzz {
namespace {

/// `e` with the node numbered `target` (outermost first, left to right) replaced.
Expr replace(const Expr& e, int target, const Expr& by, int& next) {
  if (next++ == target) return by;
  std::vector<Expr> below = children(e);
  for (Expr& child : below) child = replace(child, target, by, next);
  return with_children(e, below);
}

Expr replace(const Expr& e, int target, const Expr& by) {
  int next = 0;
  return replace(e, target, by, next);
}

void list_nodes(const Expr& e, std::vector<Expr>& out) {
  out.push_back(e);
  for (const Expr& child : children(e)) list_nodes(child, out);
}

/// Drops operands and extents that the statement does not use any more.
void drop_unused(Problem& p) {
  std::set<std::string> used;
  for (const std::string& name : operand_names(p.statement)) used.insert(name);
  if (p.statement.accumulate) used.insert(p.result());
  std::erase_if(p.operands, [&](const auto& item) { return used.count(item.first) == 0; });
  std::erase_if(p.placed, [&](const auto& item) { return used.count(item.first) == 0 && item.first != p.result(); });
  std::set<std::string> variables;
  for (const IndexVar& v : all_variables(p.statement)) variables.insert(v.name());
  std::erase_if(p.extents, [&](const auto& item) { return variables.count(item.first) == 0; });
}

class Shrinker {
 public:
  Shrinker(Problem problem, const std::function<bool(const Problem&)>& fails, int budget)
      : best_(std::move(problem)), fails_(fails), budget_(budget) {}

  Problem run() {
    bool progress = true;
    while (progress && budget_ > 0) {
      progress = false;
      progress |= shrink_flags();
      progress |= shrink_schedule();
      progress |= shrink_machine();
      progress |= shrink_expression();
      progress |= shrink_left();
      progress |= shrink_extents();
      progress |= shrink_entries();
      progress |= shrink_formats();
      progress |= shrink_types();
    }
    return best_;
  }

 private:
  /// Takes the candidate if it still fails.
  bool attempt(Problem candidate) {
    if (budget_-- <= 0) return false;
    try {
      candidate.statement = parse_statement(to_string(candidate.statement));
      drop_unused(candidate);
      require_legal(candidate);
    } catch (const std::exception&) {
      return false;
    }
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  template <typename Change>
  bool attempt_change(const Change& change) {
    Problem candidate = best_;
    change(candidate);
    return attempt(std::move(candidate));
  }

  bool shrink_flags() {
    bool progress = false;
    if (best_.threads > 1) progress |= attempt_change([](Problem& p) { p.threads = 1; });
    if (best_.statement.accumulate) {
      progress |= attempt_change([](Problem& p) { p.statement.accumulate = false; });
    }
    if (best_.result_format && !best_.reads_result())
      progress |= attempt_change([](Problem& p) { p.result_format.reset(); });
    if (best_.result_type && !best_.reads_result())
      progress |= attempt_change([](Problem& p) { p.result_type.reset(); });
    return progress;
  }

  bool shrink_schedule() {
    bool progress = false;
    for (std::size_t k = best_.schedule.size(); k-- > 0;)
      progress |=
          attempt_change([&](Problem& p) { p.schedule.erase(p.schedule.begin() + static_cast<std::ptrdiff_t>(k)); });
    return progress;
  }

  bool shrink_machine() {
    bool progress = false;
    const auto placed = best_.placed;
    for (const auto& each : placed) progress |= attempt_change([&](Problem& p) { p.placed.erase(each.first); });
    if (best_.machine.size() > 1) progress |= attempt_change([](Problem& p) { drop_innermost_grid(p); });
    for (std::size_t level = 0; level < best_.machine.size(); ++level) {
      for (std::size_t d = 0; d < best_.machine[level].size(); ++d) {
        for (const std::int64_t smaller : {std::int64_t{1}, std::int64_t{2}, best_.machine[level][d] - 1}) {
          if (smaller >= 1 && smaller < best_.machine[level][d])
            progress |= attempt_change([&](Problem& p) { p.machine[level][d] = smaller; });
        }
      }
    }
    return progress;
  }

  static void drop_innermost_grid(Problem& p) {
    p.machine.pop_back();
    for (auto& [name, where] : p.placed) {
      const auto clauses = static_cast<std::size_t>(std::count(where.begin(), where.end(), ';')) + 1;
      if (clauses > p.machine.size()) where.erase(where.rfind(';'));
    }
  }

  bool shrink_expression() {
    bool progress = false;
    for (bool again = true; again && budget_ > 0;) {
      again = false;
      std::vector<Expr> nodes;
      list_nodes(best_.statement.rhs, nodes);
      for (std::size_t n = 0; n < nodes.size() && !again; ++n) {
        std::vector<Expr> simpler = children(nodes[n]);
        // Literals are as simple as it gets; what is none may do as one.
        if (as<Literal>(nodes[n]) == nullptr) simpler.emplace_back(1);
        for (const Expr& s : simpler) {
          again =
              attempt_change([&](Problem& p) { p.statement.rhs = replace(p.statement.rhs, static_cast<int>(n), s); });
          if (again) break;
        }
      }
      progress |= again;
    }
    return progress;
  }

  bool shrink_left() {
    bool progress = false;
    for (std::size_t m = 0; m < best_.statement.lhs.indices.size();) {
      const bool dropped = !best_.reads_result() && attempt_change([&](Problem& p) {
        Access& lhs = p.statement.lhs;
        lhs.indices.erase(lhs.indices.begin() + static_cast<std::ptrdiff_t>(m));
        lhs.tensor = TensorVar(lhs.tensor.name(), static_cast<int>(lhs.indices.size()));
        if (p.result_format) p.result_format = without_mode(*p.result_format, static_cast<int>(m));
      });
      progress |= dropped;
      if (!dropped) ++m;
    }
    return progress;
  }

  static Format without_mode(const Format& format, int mode) {
    std::vector<LevelFormat> levels;
    std::vector<int> modes;
    for (int k = 0; k < format.order(); ++k) {
      const int m = format.map().mode_of(k);
      if (m == mode) continue;
      levels.push_back(format.level(k));
      modes.push_back(m > mode ? m - 1 : m);
    }
    if (!validate_levels(levels).empty()) return csf_format(static_cast<int>(levels.size()));
    return Format(levels, LevelMap(modes));
  }

  bool shrink_extents() {
    bool progress = false;
    const auto extents = best_.extents;
    for (const auto& [name, extent] : extents) {
      for (const std::int64_t smaller : {std::int64_t{1}, std::int64_t{2}, extent - 1}) {
        if (smaller >= 0 && best_.extents.count(name) > 0 && smaller < best_.extents.at(name)) {
          progress |= attempt_change([&, name = name](Problem& p) { set_extent(p, name, smaller); });
        }
      }
    }
    // Tensors read through several variables keep these together.
    for (const auto& [name, extent] : extents) {
      if (extent > 1) {
        progress |= attempt_change([&, e = extent](Problem& p) {
          const auto all = p.extents;
          for (const auto& [other, size] : all)
            if (size == e) set_extent(p, other, e - 1);
        });
      }
    }
    return progress;
  }

  static void set_extent(Problem& p, const std::string& variable, std::int64_t extent) {
    p.extents[variable] = extent;
    std::vector<Access> all = accesses(p.statement.rhs);
    all.push_back(p.statement.lhs);
    for (const Access& a : all) {
      const auto it = p.operands.find(a.tensor.name());
      if (it == p.operands.end()) continue;
      for (std::size_t m = 0; m < a.indices.size(); ++m) {
        if (a.indices[m].name() != variable) continue;
        it->second.dimensions[m] = extent;
        std::erase_if(it->second.entries, [&](const Entry& e) { return e.coordinate[m] >= extent; });
      }
    }
  }

  std::vector<std::string> operand_list() const {
    std::vector<std::string> names;
    for (const auto& [name, operand] : best_.operands) names.push_back(name);
    return names;
  }

  bool shrink_entries() {
    bool progress = false;
    for (const std::string& name : operand_list()) {
      if (best_.operands.count(name) == 0) continue;
      const auto entries = [&]() -> std::vector<Entry>& { return best_.operands.at(name).entries; };
      for (std::size_t chunk = entries().size(); chunk > 0; chunk /= 2) {
        for (std::size_t at = 0; at < entries().size();) {
          const std::size_t end = std::min(entries().size(), at + chunk);
          const bool dropped = attempt_change([&](Problem& p) {
            std::vector<Entry>& list = p.operands.at(name).entries;
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at), list.begin() + static_cast<std::ptrdiff_t>(end));
          });
          progress |= dropped;
          if (!dropped) at = end;
        }
      }
      for (std::size_t e = 0; e < entries().size(); ++e) {
        const Scalar one = Scalar(1).convert(best_.operands.at(name).type);
        if (entries()[e].value == one) continue;
        progress |= attempt_change([&](Problem& p) { p.operands.at(name).entries[e].value = one; });
      }
    }
    return progress;
  }

  /// Simpler formats than `format`, the simplest first.
  static std::vector<Format> simpler_formats(const Format& format) {
    std::vector<Format> result;
    if (format.order() == 0) return result;
    const auto offer = [&](const std::vector<LevelFormat>& levels, const LevelMap& map) {
      if (!validate_levels(levels).empty()) return;
      const Format simpler(levels, map);
      if (!(simpler == format)) result.push_back(simpler);
    };
    if (!format.is_dense()) result.push_back(dense_format(format.order()));
    if (!format.map().is_identity()) offer(format.levels(), LevelMap::identity(format.order()));
    for (int k = 0; k < format.order(); ++k) {
      std::vector<LevelFormat> levels = format.levels();
      LevelFormat& level = levels[static_cast<std::size_t>(k)];
      const LevelFormat before = level;
      if (before.kind != LevelKind::Dense) {
        level = LevelFormat{};
        offer(levels, format.map());
      }
      if (before.kind != LevelKind::Dense && !(before == LevelFormat{LevelKind::Compressed, true, true})) {
        level = {LevelKind::Compressed, true, true};
        offer(levels, format.map());
      }
      level = before;
      level.ordered = true;
      if (!before.is_dynamic()) offer(levels, format.map());
      level = before;
      level.unique = true;
      if (!before.is_dynamic()) offer(levels, format.map());
    }
    return result;
  }

  bool shrink_formats() {
    bool progress = false;
    for (const std::string& name : operand_list()) {
      if (best_.operands.count(name) == 0) continue;
      for (bool again = true; again;) {
        again = false;
        for (const Format& f : simpler_formats(best_.operands.at(name).format)) {
          again = attempt_change([&](Problem& p) {
            p.operands.at(name).format = f;
            if (name == p.result()) p.result_format = f;
          });
          if (again) break;
        }
        progress |= again;
      }
      const Operand& o = best_.operands.at(name);
      if (o.pos) progress |= attempt_change([&](Problem& p) { p.operands.at(name).pos.reset(); });
      if (o.crd) progress |= attempt_change([&](Problem& p) { p.operands.at(name).crd.reset(); });
    }
    if (best_.result_format && !best_.reads_result()) {
      for (const Format& f : simpler_formats(*best_.result_format)) {
        const bool changed = attempt_change([&](Problem& p) { p.result_format = f; });
        progress |= changed;
        if (changed) break;
      }
    }
    return progress;
  }

  static void set_type(Problem& p, const std::string& name, Type type) {
    Operand& o = p.operands.at(name);
    o.type = type;
    for (Entry& e : o.entries) e.value = e.value.convert(type);
    if (name == p.result()) p.result_type = type;
  }

  bool shrink_types() {
    bool progress = false;
    const auto simple = [](Type t) { return t == Type::Float64; };
    progress |= std::any_of(best_.operands.begin(), best_.operands.end(),
                            [&](const auto& o) { return !simple(o.second.type); }) &&
                attempt_change([&](Problem& p) {
                  for (const std::string& name : operand_list()) set_type(p, name, Type::Float64);
                });
    for (const std::string& name : operand_list()) {
      if (best_.operands.count(name) == 0) continue;
      const Type now = best_.operands.at(name).type;
      if (simple(now)) continue;
      const bool changed = attempt_change([&](Problem& p) { set_type(p, name, Type::Float64); });
      progress |= changed;
      if (!changed && now != Type::Int32) {
        progress |= now != Type::Float32 && attempt_change([&](Problem& p) { set_type(p, name, Type::Int32); });
      }
    }
    return progress;
  }

  Problem best_;
  const std::function<bool(const Problem&)>& fails_;
  int budget_;
};

}  // namespace

void require_legal(const Problem& problem) {
  check_meaning(problem.statement);
  FactsByName facts;
  for (const auto& [name, operand] : problem.operands) facts[name] = {operand.type, operand.dimensions};
  compute_type(problem.statement, facts);
  check_divisions(problem.statement, facts);
  if (!tolerance_of(problem)) user_error("rounding may decide the result");
}

Problem shrink(Problem problem, const std::function<bool(const Problem&)>& fails, int budget) {
  return Shrinker(std::move(problem), fails, budget).run();
}

}  // namespace lacuna::fuzz
