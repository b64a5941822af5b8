// Random statements on random machines, tensors placed at random, under random distributed schedules: all give what the
// definition does, or are refused.

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "distributed/on_machine.h"
#include "fuzz/statement/random.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::random_launch_test {
namespace {

using fuzz::Random;

struct Subject {
  std::string statement;
  std::vector<std::pair<std::string, int>> operands;  // name and order
  std::vector<std::string> variables;
};

const std::vector<Subject> subjects = {
    {"a(i) = B(i,j) * c(j)", {{"B", 2}, {"c", 1}}, {"i", "j"}},
    {"A(i,j) = B(i,k) * C(k,j)", {{"B", 2}, {"C", 2}}, {"i", "j", "k"}},
    {"A(i,j) = B(i,j) + C(i,j)", {{"B", 2}, {"C", 2}}, {"i", "j"}},
    {"A(i,j) += B(i,j) * C(i,k) * D(k,j)", {{"A", 2}, {"B", 2}, {"C", 2}, {"D", 2}}, {"i", "j", "k"}},
    {"A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {{"B", 3}, {"C", 2}, {"D", 2}}, {"i", "l", "j", "k"}},
    {"s = B(i,j) * c(j) + d(i)", {{"B", 2}, {"c", 1}, {"d", 1}}, {"i", "j"}},
    {"a(i) = b(i) - B(i,j) * c(j) * j", {{"b", 1}, {"B", 2}, {"c", 1}}, {"i", "j"}},
};

const std::vector<std::vector<std::string>> formats = {
    {"dense", "compressed", "bitmap", "hashed"},
    {"dense", "csr", "csc", "dcsr", "coo", "compressed,dense", "bitmap", "hashed"},
    {"dense", "csf", "coo", "dense,compressed,compressed", "compressed,dense,compressed:2,0,1"},
};

/// A random distribution of a tensor: each dimension of the machine cuts a dimension that is left, or does something
/// else.
std::string draw_distribution(Random& random, int order, std::size_t dimensions) {
  std::string letters = std::string("xyz").substr(0, static_cast<std::size_t>(order)), left = letters, targets;
  for (std::size_t d = 0; d < dimensions; ++d) {
    targets += " ";
    const int what = random.below(6);
    if (what == 0 || left.empty()) {
      targets += "*";
    } else if (what == 1) {
      targets += "0";
    } else {
      const auto k = static_cast<std::size_t>(random.below(static_cast<int>(left.size())));
      targets += left[k];
      if (what == 2) targets += "%2";
      left.erase(k, 1);
    }
  }
  return letters + " ->" + targets;
}

/// What is counted without computing is what was counted.
void expect_simulated(const DistributedRequest& request, const DistributedReport& report) {
  const Simulation simulation = simulate(request, {});
  const auto numbers = [](const Traffic& t) { return std::tuple(t.messages, t.bytes, t.farthest); };
  EXPECT_EQ(numbers(simulation.fetches), numbers(report.fetches));
  EXPECT_EQ(simulation.reductions.messages, report.reductions.messages);
  if (simulation.knows_result) {
    EXPECT_EQ(simulation.reductions.bytes, report.reductions.bytes);
  }
  EXPECT_EQ(simulation.tasks, report.tasks);
  EXPECT_EQ(std::ssize(simulation.steps), report.steps);
}

/// Who knows an operand in whole, or only parts of it, changes nothing that moves.
void expect_same_traffic(const DistributedReport& a, const DistributedReport& b) {
  const auto numbers = [](const Traffic& t) { return std::tuple(t.messages, t.bytes, t.farthest); };
  EXPECT_EQ(numbers(a.fetches), numbers(b.fetches));
  EXPECT_EQ(numbers(a.reductions), numbers(b.reductions));
}

/// The same request with other values.
DistributedRequest with_other_values(DistributedRequest request, double factor) {
  for (auto& [name, operand] : request.request.operands) {
    if (operand.format.has_values_in_nodes()) continue;
    std::vector<double> values;
    for (const double v : operand.values.view<double>()) values.push_back(v * factor + 1);
    operand.values = Array::of<double>(values);
  }
  return request;
}

/// Runs a kept plan four times, the last three with values of their own: where they go is found out in the second. The
/// first moves what `report` says; the others no more, and less where an operand stores nothing.
void expect_kept(const DistributedRequest& request, bool by_their_parts, const DistributedReport& report) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  PreparedOnMachine prepared;
  for (int n = 0; n < 4; ++n) {
    const DistributedRequest now = n == 0 ? request : with_other_values(request, n + 1);
    DistributedReport kept;
    const DistributedTensor result =
        prepared.run(engine, by_their_parts ? by_parts(now) : now, *test_ranks(), options, &kept);
    if (n == 0) expect_same_traffic(kept, report);
    EXPECT_LE(kept.fetches.bytes, report.fetches.bytes);
    EXPECT_EQ(kept.plans, n == 0 ? 1 : 0);
    const Storage got = gathered(result, *test_ranks(), Recipients::First);
    if (test_ranks()->rank() != 0) continue;
    EXPECT_EQ(wrong(now.request, stored_as(engine, got, result.format(), options)).value_or(""), "") << "run " << n;
  }
}

/// Distributes some variables, cuts another one into steps, and fetches things somewhere.
std::string draw_schedule(Random& random, const Subject& subject, const std::vector<std::int64_t>& grid) {
  std::vector<std::string> left = subject.variables, outer, directives;
  for (const std::int64_t pieces : grid) {
    if (left.empty()) break;
    const auto k = static_cast<std::size_t>(random.below(static_cast<int>(left.size())));
    const std::string v = left[k];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    const char* how = random.below(3) == 0 ? "split({0},{0}o,{0}i,{1})" : "divide({0},{0}o,{0}i,{1})";
    directives.push_back(fmt::format(fmt::runtime(how), v, pieces));
    outer.push_back(v + (random.below(5) == 0 ? "i" : "o"));
  }
  directives.push_back(fmt::format("distribute({})", fmt::join(outer, ",")));
  if (!left.empty() && random.below(2) == 0) {
    const std::string v = random.pick(left);
    directives.push_back(fmt::format("divide({0},{0}o,{0}i,{1})", v, random.between(1, 4)));
    std::string step = v + "o";
    if (random.below(2) == 0) {
      directives.push_back(fmt::format("reorder({},{})", fmt::join(outer, ","), step));
      directives.push_back(fmt::format("rotate({},{{{}}},{}s)", step, outer[0], step));
      step += "s";
    }
    directives.push_back(fmt::format("communicate({},{})", subject.operands.back().first, step));
  }
  return fmt::format("{}", fmt::join(directives, ", "));
}

class RandomLaunches : public testing::TestWithParam<int> {};

TEST_P(RandomLaunches, ComputeTheDefinition) {
  constexpr int draws = 40;
  int computed = 0;
  for (int n = 0; n < draws; ++n) {
    Random random(static_cast<std::uint64_t>(GetParam() * draws + n + 1));
    const Subject& subject = random.pick(subjects);
    std::map<std::string, std::int64_t> extents;
    for (const std::string& v : subject.variables) extents[v] = random.between(1, 9);
    std::vector<std::int64_t> grid;
    for (int d = random.between(1, 3); d > 0; --d) grid.push_back(random.between(1, 4));
    std::map<std::string, RandomOperand> operands;
    std::map<std::string, std::string> placed;
    for (const auto& [name, order] : subject.operands) {
      const std::vector<std::string>& some = formats[static_cast<std::size_t>(order - 1)];
      operands[name] = {random.pick(some), 0};
      if (random.below(3) != 0) placed[name] = draw_distribution(random, order, grid.size());
    }
    const std::string schedule = random.below(4) == 0 ? "" : draw_schedule(random, subject, grid);
    const std::string machine = fmt::format("Grid({})", fmt::join(grid, ","));
    std::string text = fmt::format("{} on {} under {}", subject.statement, machine, schedule);
    for (const auto& [name, where] : placed) text += fmt::format("; {}: {}", name, where);
    SCOPED_TRACE(text);
    Request request = random_request(subject.statement, operands, extents);
    for (auto& [name, storage] : request.operands) {
      std::int64_t size = 1;
      for (const std::int64_t d : storage.dimensions) size *= d;
      const int stored = random.below(static_cast<int>(size) + 1);
      storage = build(generate_uniform(storage.dimensions, stored, static_cast<std::uint64_t>(n)), storage.format);
    }
    try {
      const DistributedRequest distributed = on_machine(std::move(request), machine, placed, schedule);
      DistributedReport report;
      EXPECT_EQ(run_and_compare(distributed, &report), "");
      expect_simulated(distributed, report);
      DistributedReport of_parts;
      EXPECT_EQ(run_by_parts_and_compare(distributed, &of_parts), "") << "by parts";
      expect_same_traffic(of_parts, report);
      expect_kept(distributed, random.below(2) == 0, report);
      ++computed;
    } catch (const Error& e) {
      // What is refused is refused for a reason that a user can do something about: what the user said.
      EXPECT_EQ(std::string(e.what()).find("mergeby"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(computed, draws / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLaunches, testing::Range(0, 2));
/// Those that many ranks leave out (CMakeLists.txt).
INSTANTIATE_TEST_SUITE_P(MoreSeeds, RandomLaunches, testing::Range(2, 8));

}  // namespace
}  // namespace lacuna::random_launch_test
