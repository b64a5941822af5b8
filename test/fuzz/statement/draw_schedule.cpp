#include "fuzz/statement/draw_schedule.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/statement/judge.h"
#include "lacuna/compile/plan.h"
#include "lacuna/lower/lower.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/finish/finish.h"
#include "lacuna/schedule/finish/races.h"
#include "lacuna/schedule/tree.h"

namespace lacuna::fuzz {
namespace {

void parts_of(const Expr& e, std::vector<Expr>& out) {
  out.push_back(e);
  for (const Expr& x : children(e)) parts_of(x, out);
}

class Drawer {
 public:
  Drawer(Random& random, const Problem& problem)
      : random_(random), problem_(problem), checked_(check_request(request_of(problem), {})) {}

  std::vector<std::string> run() {
    state_ = bare_loops(checked_.problem);
    const int wanted = random_.between(1, 6);
    for (int tries = 0; tries < 24 && static_cast<int>(accepted_.size()) < wanted; ++tries) {
      loops_ = tree::loop_variables(state_.program.root);
      if (loops_.empty()) break;
      consider(draw());
    }
    return accepted_;
  }

 private:
  /// Keeps the directives if what they make can be finished and lowered.
  void consider(const std::string& text) {
    try {
      const Schedule schedule = parse_schedule(text);
      Scheduled next = state_;
      for (const Directive& d : schedule.directives)
        next = std::visit([&](const auto& kind) { return apply(next, kind); }, d.kind);
      const Scheduled whole = finish(next, checked_.problem);
      check_races(whole.program);
      lower(whole.program);
      state_ = std::move(next);
      for (const Directive& d : schedule.directives) accepted_.push_back(to_string(d));
    } catch (const Error&) {
      return;
    }
  }

  std::string loop() { return random_.pick(loops_).name(); }
  std::string fresh() { return fmt::format("v{}", ++made_); }

  std::string draw() {
    switch (random_.weighted({5, 2, 5, 4, 4, 1, 2, 5, 4, 2, 2, 2, 1})) {
      case 0: return fmt::format("split({}, {}, {}, {})", loop(), fresh(), fresh(), random_.between(1, 5));
      case 1: return fmt::format("divide({}, {}, {}, {})", loop(), fresh(), fresh(), random_.between(1, 5));
      case 2: return reorder();
      case 3: return fuse();
      case 4: return fmt::format("pos({}, {}, {})", loop(), fresh(), operand());
      case 5: return bound();
      case 6: return fmt::format("unroll({}, {})", loop(), random_.between(1, 4));
      case 7: return parallelize();
      case 8: return precompute();
      case 9: return fmt::format("mergeby({}, {})", loop(), random_.percent(90) ? "Gallop" : "TwoFinger");
      case 10: return transpose();
      case 11: return fmt::format("assemble({}, {})", problem_.result(), random_.percent(70) ? "Insert" : "Append");
      default: return fmt::format("vectorize({})", loop());
    }
  }

  std::string reorder() {
    std::vector<std::string> names;
    for (const IndexVar& v : loops_) names.push_back(v.name());
    random_.shuffle(names);
    names.resize(static_cast<std::size_t>(std::min<int>(static_cast<int>(names.size()), random_.between(2, 4))));
    return fmt::format("reorder({})", fmt::join(names, ", "));
  }

  /// Mostly of neighbours, since others are refused.
  std::string fuse() {
    const int k = random_.below(static_cast<int>(loops_.size()));
    const std::string inner =
        static_cast<std::size_t>(k + 1) < loops_.size() ? loops_[static_cast<std::size_t>(k + 1)].name() : loop();
    return fmt::format("fuse({}, {}, {})", loops_[static_cast<std::size_t>(k)].name(), inner, fresh());
  }

  std::string operand() {
    std::vector<std::string> names;
    for (const auto& [name, operand] : problem_.operands) names.push_back(name);
    return names.empty() ? "nothing" : random_.pick(names);
  }

  std::string bound() {
    const std::string v = loop();
    const auto extent = problem_.extents.find(v);
    const std::int64_t n = extent == problem_.extents.end() ? 4 : extent->second;
    const char* kinds[] = {"min", "max", "exact"};
    return fmt::format("bound({}, {}, {}, {})", v, fresh(), n, kinds[random_.below(3)]);
  }

  std::string parallelize() {
    const char* races[] = {"NoRaces", "Atomics", "Temporary", "ParallelReduction", "IgnoreRaces"};
    return fmt::format("parallelize({}, CPUThread, {})", loop(), races[random_.below(5)]);
  }

  std::string precompute() {
    std::vector<Expr> parts;
    parts_of(problem_.statement.rhs, parts);
    const Expr part = random_.pick(parts);
    std::vector<IndexVar> free = free_variables(part);
    if (free.empty()) return "none";
    random_.shuffle(free);
    free.resize(static_cast<std::size_t>(random_.between(1, static_cast<int>(free.size()))));
    std::vector<std::string> over, made;
    for (const IndexVar& v : free) {
      over.push_back(v.name());
      made.push_back(fresh());
    }
    return fmt::format("precompute({}, {{{}}}, {{{}}})", to_string(part), fmt::join(over, ", "), fmt::join(made, ", "));
  }

  std::string transpose() {
    const std::string name = operand();
    const auto it = problem_.operands.find(name);
    if (it == problem_.operands.end() || it->second.dimensions.empty()) return "none";
    std::vector<int> modes(it->second.dimensions.size());
    std::iota(modes.begin(), modes.end(), 0);
    random_.shuffle(modes);
    return fmt::format("transpose({}, {}){}", name, fmt::join(modes, ", "), in_order_of(name, modes));
  }

  /// A reorder that brings the loops in the order in which the copy of an operand stores its modes.
  std::string in_order_of(const std::string& operand, const std::vector<int>& modes) {
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

  Random& random_;
  const Problem& problem_;
  CheckedRequest checked_;
  Scheduled state_;
  std::vector<IndexVar> loops_;
  std::vector<std::string> accepted_;
  int made_ = 0;
};

/// The words of a directive: names and numbers, with what stands between them.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const char c : text) {
    if (words.empty() || is_word(c) != is_word(words.back().back())) words.emplace_back();
    words.back() += c;
  }
  return words;
}

}  // namespace

std::vector<std::string> draw_schedule(Random& random, const Problem& problem) { return Drawer(random, problem).run(); }

void add_schedule(Random& random, Problem& problem) {
  problem.schedule = draw_schedule(random, problem);
  while (!tolerance_of(problem)) problem.schedule.pop_back();
}

std::vector<std::string> mutate_schedule(Random& random, std::vector<std::string> schedule) {
  for (int changes = random.between(1, 3); changes > 0 && !schedule.empty(); --changes) {
    const auto at = [&] { return static_cast<std::size_t>(random.below(static_cast<int>(schedule.size()))); };
    switch (random.below(4)) {
      case 0: schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(at())); break;
      case 1: schedule.push_back(schedule[at()]); break;
      case 2: std::swap(schedule[at()], schedule[at()]); break;
      default: {
        std::vector<std::string> one = words_of(schedule[at()]);
        const std::vector<std::string> other = words_of(schedule[at()]);
        const std::size_t place = 2 * static_cast<std::size_t>(random.below(static_cast<int>((one.size() + 1) / 2)));
        const std::size_t from = 2 * static_cast<std::size_t>(random.below(static_cast<int>((other.size() + 1) / 2)));
        one[place] = other[from];
        schedule[at()] = fmt::format("{}", fmt::join(one, ""));
      }
    }
  }
  return schedule;
}

}  // namespace lacuna::fuzz
