#include "fuzz/history/history.h"
#include "fuzz/statement/shrink.h"
#include "lacuna/notation/parse.h"

namespace lacuna::fuzz {
namespace {

class HistoryShrinker {
 public:
  HistoryShrinker(History history, const std::function<bool(const History&)>& fails, int budget)
      : best_(std::move(history)), fails_(fails), budget_(budget) {}

  History run() {
    for (bool progress = true; progress && budget_ > 0;) {
      progress = drop_steps();
      progress |= drop_updates();
      progress |= drop_entries();
      progress |= simplify_updates();
      progress |= simplify_format();
      progress |= simplify_problem();
    }
    return best_;
  }

 private:
  bool attempt(History candidate) {
    if (budget_-- <= 0 || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }
  template <typename Change>
  bool attempt_change(const Change& change) {
    History candidate = best_;
    change(candidate);
    return attempt(std::move(candidate));
  }

  /// Halves first, single ones in the end.
  template <typename List>
  bool drop_from(const List& list) {
    bool progress = false;
    for (std::size_t size = (list(best_).size() + 1) / 2; size > 0; size /= 2) {
      for (std::size_t k = 0; k < list(best_).size() && budget_ > 0;) {
        const bool dropped = attempt_change([&](History& h) {
          auto& from = list(h);
          const auto first = from.begin() + static_cast<std::ptrdiff_t>(k);
          from.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, from.size() - k)));
        });
        progress |= dropped;
        if (!dropped) k += size;
      }
    }
    return progress;
  }

  bool drop_steps() {
    return drop_from([](History& h) -> std::vector<Step>& { return h.steps; });
  }
  bool drop_updates() {
    bool progress = false;
    for (std::size_t s = 0; s < best_.steps.size(); ++s)
      progress |= drop_from([s](History& h) -> std::vector<Entry>& { return h.steps[s].updates; });
    return progress;
  }
  bool drop_entries() {
    std::vector<std::string> names;
    for (const auto& [name, operand] : best_.problem.operands) names.push_back(name);
    bool progress = false;
    for (const std::string& name : names)
      progress |= drop_from([&](History& h) -> std::vector<Entry>& { return h.problem.operands.at(name).entries; });
    return progress;
  }

  bool simplify_updates() {
    bool progress = false;
    for (std::size_t s = 0; s < best_.steps.size(); ++s) {
      if (best_.steps[s].kind == Step::Kind::Batch)
        progress |= attempt_change([&](History& h) { h.steps[s].kind = Step::Kind::Single; });
      for (std::size_t u = 0; u < best_.steps[s].updates.size(); ++u) {
        const Scalar one = Scalar(1).convert(best_.operand().type);
        if (!(best_.steps[s].updates[u].value == one))
          progress |= attempt_change([&](History& h) { h.steps[s].updates[u].value = one; });
      }
    }
    return progress;
  }

  bool simplify_format() {
    bool progress = false;
    for (int k = 0; k < best_.operand().format.order(); ++k) {
      if (best_.operand().format.level(k) == LevelFormat{LevelKind::Dense, true, true}) continue;
      progress |= attempt_change([&](History& h) {
        std::vector<LevelFormat> levels = h.operand().format.levels();
        levels[static_cast<std::size_t>(k)] = {LevelKind::Dense, true, true};
        h.operand().format = Format(levels, h.operand().format.map());
      });
    }
    if (!best_.operand().format.map().is_identity())
      progress |= attempt_change([](History& h) { h.operand().format = Format(h.operand().format.levels()); });
    return progress;
  }

  /// The statement and the other operands, as those of a problem, with the operand as it is.
  bool simplify_problem() {
    bool progress = false;
    const auto fails = [&](const Problem& p) {
      const auto operand = p.operands.find(best_.updated);
      if (operand == p.operands.end() || operand->second.dimensions != best_.operand().dimensions ||
          !(operand->second.format == best_.operand().format) || operand->second.type != best_.operand().type ||
          p.result() == best_.updated)
        return false;
      History candidate = best_;
      candidate.problem = p;
      return fails_(candidate);
    };
    const Problem smaller = shrink(best_.problem, fails, std::min(budget_, 300));
    budget_ -= 300;
    progress = describe_size(smaller) < describe_size(best_.problem);
    best_.problem = smaller;
    return progress;
  }
  static std::size_t describe_size(const Problem& p) {
    return to_string(p.statement).size() + p.operands.size() + p.schedule.size();
  }

  History best_;
  const std::function<bool(const History&)>& fails_;
  int budget_;
};

}  // namespace

History shrink(History history, const std::function<bool(const History&)>& fails, int budget) {
  return HistoryShrinker(std::move(history), fails, budget).run();
}

}  // namespace lacuna::fuzz
