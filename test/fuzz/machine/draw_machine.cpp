#include "fuzz/machine/draw_machine.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/machine/run_on_machine.h"

namespace lacuna::fuzz {
namespace {

constexpr std::int64_t most_processors = 64;

std::vector<std::int64_t> draw_grid(Random& random, std::int64_t room) {
  std::vector<std::int64_t> sizes;
  for (int d = 1 + random.weighted({50, 35, 15}); d > 0; --d) {
    const bool many = random.percent(8);
    const std::int64_t size = std::min<std::int64_t>(room, many ? random.between(5, 64) : random.between(1, 4));
    sizes.push_back(size);
    room /= size;
  }
  return sizes;
}

/// What the dimensions of one grid do with a tensor: a clause of tensor distribution notation.
class ClauseDrawer {
 public:
  ClauseDrawer(Random& random, const Format& format) : random_(random), format_(format) {
    for (int m = 0; m < format.order(); ++m) left_ += letter(m);
  }

  std::string draw(const std::vector<std::int64_t>& grid) {
    std::string text = left_ + " ->";
    for (const std::int64_t size : grid) text += " " + target(size);
    return text;
  }

 private:
  static char letter(int mode) { return "xyzuvwst"[mode]; }

  std::string target(std::int64_t size) {
    switch (random_.weighted({46, 12, 16, 8, 14, 4})) {
      case 0: return block();
      case 1: {
        const std::string name = block();
        if (name == "*") return name;
        return random_.percent(50) ? fmt::format("{}%{}", name, random_.between(1, 3)) : name + begins(size);
      }
      case 2: return counted();
      case 3: return fmt::format("{}", random_.below(static_cast<int>(size)));
      case 4: return "*";
      default: return "q";  // a letter that the tensor does not have
    }
  }

  std::string begins(std::int64_t size) {
    std::vector<int> all;
    for (std::int64_t p = 1; p < size; ++p) all.push_back(random_.below(12));
    std::sort(all.begin(), all.end());
    return fmt::format("[{}]", fmt::join(all, ","));
  }

  std::string block() {
    if (left_.empty()) return "*";
    const auto k = static_cast<std::size_t>(random_.below(static_cast<int>(left_.size())));
    const char name = left_[k];
    left_.erase(k, 1);
    return {name};
  }

  /// What the outermost levels store, in their order, of dimensions that are not cut yet; else a block.
  std::string counted() {
    std::string names;
    for (int k = 0, most = random_.between(1, 3); k < std::min(most, format_.order()); ++k) {
      const char name = letter(format_.map().mode_of(k));
      if (left_.find(name) == std::string::npos) break;
      names += name;
    }
    if (names.empty() || counts_) return block();
    counts_ = true;
    for (const char name : names) left_.erase(left_.find(name), 1);
    return names.size() == 1 ? "~" + names : "~(" + names + ")";
  }

  Random& random_;
  const Format& format_;
  std::string left_;  // dimensions of the tensor that are not cut yet
  bool counts_ = false;
};

bool fits(const Format& format, const std::string& where, const Machine& machine) {
  try {
    check_distribution(parse_distribution(where, machine).distribution, format, "");
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Mostly such as the format allows, and as can be said before anything is computed: nobody can count a result.
void place(Random& random, const std::string& name, const Format& format, Problem& problem) {
  const Machine machine = *machine_of(problem);
  for (int tries = 0; tries < 4; ++tries) {
    const std::string where = draw_distribution(random, format, problem);
    const bool counts_result = name == problem.result() && !format.is_dense() && where.find('~') != std::string::npos;
    if ((counts_result || !fits(format, where, machine)) && !random.percent(3)) continue;
    problem.placed[name] = where;
    return;
  }
}

}  // namespace

std::vector<std::vector<std::int64_t>> draw_machine(Random& random) {
  std::vector<std::vector<std::int64_t>> grids;
  std::int64_t room = most_processors;
  for (int level = 1 + random.weighted({76, 19, 5}); level > 0; --level) {
    grids.push_back(draw_grid(random, room));
    for (const std::int64_t size : grids.back()) room /= size;
  }
  return grids;
}

std::string draw_distribution(Random& random, const Format& format, const Problem& problem) {
  std::string text;
  for (std::size_t level = 0; level < problem.machine.size(); ++level) {
    if (level > 0 && random.percent(25)) break;
    text += (level > 0 ? "; " : "") + ClauseDrawer(random, format).draw(problem.machine[level]);
  }
  return text;
}

Problem draw_problem_on_machine(Random& random, Rejections& rejections) {
  Problem problem = draw_problem(random, rejections);
  const bool placed = !random.percent(8);
  problem.machine = draw_machine(random);
  for (const auto& [name, operand] : problem.operands)
    if (placed && random.percent(65)) place(random, name, operand.format, problem);
  const int order = problem.statement.lhs.tensor.order();
  if (placed && !problem.reads_result() && random.percent(60))
    place(random, problem.result(), problem.result_format.value_or(csf_format(order)), problem);
  if (random.percent(65)) problem.schedule = draw_launch(random, problem);
  // The loops that are distributed say how many processors there are.
  if (!placed && !problem.schedule.empty() && random.percent(30)) problem.machine.clear();
  return problem;
}

}  // namespace lacuna::fuzz
