#include "fuzz/statement/draw_schedule.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/statement/draw_directive.h"
#include "fuzz/statement/judge.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/lower/lower.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/complete/complete.h"
#include "lacuna/schedule/complete/races.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna::fuzz {
namespace {

class Drawer {
 public:
  Drawer(Random& random, const Problem& problem, bool threads = false)
      : random_(random),
        directives_(random, problem),
        checked_(check_request(request_of(problem), {})),
        threads_(threads) {}

  std::vector<std::string> run() {
    state_ = bare_loops(checked_.problem);
    const auto wanted = static_cast<std::size_t>(random_.between(1, 8));
    for (int tries = 0; tries < 32 && accepted_.size() < wanted && !breaks_; ++tries) consider();
    return accepted_;
  }
  /// Whether the schedule breaks something, which whoever runs it will find.
  bool breaks() const { return breaks_; }

 private:
  /// Draws directives and keeps them if what they make can be finished and lowered.
  void consider() {
    Schedule schedule;
    const auto accept = [&] {
      for (const Directive& d : schedule.directives) accepted_.push_back(to_string(d));
    };
    try {
      schedule = parse_schedule(threads_ ? directives_.draw_for_threads(state_) : directives_.draw(state_));
      Scheduled next = state_;
      for (const Directive& d : schedule.directives)
        next = std::visit([&](const auto& kind) { return apply(next, kind); }, d.kind);
      const Scheduled whole = finish(next, checked_.problem);
      check_races(whole.program);
      lower(whole.program, iteration::analyze(whole.program));
      state_ = std::move(next);
      accept();
    } catch (const Error&) {
      return;
    } catch (const std::exception&) {
      breaks_ = true;
      accept();
    }
  }

  Random& random_;
  DirectiveDrawer directives_;
  CheckedRequest checked_;
  bool threads_;
  Scheduled state_;
  std::vector<std::string> accepted_;
  bool breaks_ = false;
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

/// What may stand in a directive of the problem, sense or not.
std::vector<std::string> vocabulary(const Problem& problem) {
  std::vector<std::string> words = {"0",
                                    "1",
                                    "2",
                                    "3",
                                    "7",
                                    "CPUThread",
                                    "CPUVector",
                                    "NoRaces",
                                    "Atomics",
                                    "Temporary",
                                    "Gallop",
                                    "TwoFinger",
                                    "Insert",
                                    "Append",
                                    "ParallelReduction",
                                    "exact",
                                    "IgnoreRaces",
                                    "v1",
                                    problem.result()};
  for (const auto& [name, extent] : problem.extents) words.push_back(name);
  for (const auto& [name, operand] : problem.operands) words.push_back(name);
  return words;
}

/// Puts a word into a directive in the place of one of its own.
std::string with_word(Random& random, const std::string& directive, const std::string& word) {
  std::vector<std::string> words = words_of(directive);
  words[2 * static_cast<std::size_t>(random.below(static_cast<int>((words.size() + 1) / 2)))] = word;
  return fmt::format("{}", fmt::join(words, ""));
}

/// Whether a directive asks for pieces by the thousand: that is legal, and they are run through one by one.
bool runs_long(const std::string& directive) {
  if (!directive.starts_with("divide")) return false;
  const std::vector<std::string> words = words_of(directive);
  return std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w.size() > 2 && std::all_of(w.begin(), w.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  });
}

}  // namespace

std::vector<std::string> draw_schedule(Random& random, const Problem& problem) { return Drawer(random, problem).run(); }

Problem draw_scheduled_problem(Random& random, Rejections& rejections, const ScheduleWish& wish) {
  Problem problem;
  bool threads = false;
  bool breaks = false;
  do {
    problem = draw_problem(random, rejections);
    // Dense results take the most strategies.
    if (!problem.reads_result() && random.percent(30))
      problem.result_format = dense_format(problem.statement.lhs.tensor.order());
    Drawer drawer(random, problem, wish.threads);
    problem.schedule = drawer.run();
    breaks = drawer.breaks();
    while (!tolerance_of(problem)) problem.schedule.pop_back();
    threads = std::any_of(problem.schedule.begin(), problem.schedule.end(),
                          [](const std::string& d) { return d.find("CPUThread") != std::string::npos; });
  } while (!breaks && (problem.schedule.size() < wish.directives || (wish.threads && !threads)));
  if (threads && (wish.threads || random.percent(75))) problem.threads = 3;
  return problem;
}

std::vector<std::string> mutate_schedule(Random& random, const Problem& problem) {
  std::vector<std::string> schedule = problem.schedule;
  const std::vector<std::string> all = vocabulary(problem);
  for (int changes = 1 + random.weighted({6, 3, 1}); changes > 0 && !schedule.empty(); --changes) {
    const auto at = [&] { return static_cast<std::size_t>(random.below(static_cast<int>(schedule.size()))); };
    const std::size_t a = at(), b = at();
    switch (random.below(6)) {
      case 0: schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(a)); break;
      case 1: schedule.insert(schedule.begin() + static_cast<std::ptrdiff_t>(b), schedule[a]); break;
      case 2: std::swap(schedule[a], schedule[b]); break;
      case 3: schedule[a] = with_word(random, schedule[a], random.pick(all)); break;
      default: {
        const std::vector<std::string> other = words_of(schedule[b]);
        const int from = 2 * random.below(static_cast<int>((other.size() + 1) / 2));
        schedule[a] = with_word(random, schedule[a], other[static_cast<std::size_t>(from)]);
      }
    }
  }
  schedule.erase(std::remove_if(schedule.begin(), schedule.end(), runs_long), schedule.end());
  return schedule;
}

}  // namespace lacuna::fuzz
