#include "unit/dynamic/lower/histories.h"

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"

namespace lacuna::dynamic {
namespace {

using Map = std::map<std::int64_t, double>;

class History {
 public:
  History(LevelMachine& machine, unsigned seed, const HistoryOptions& options)
      : machine_(machine), random_(seed), options_(options), maps_(static_cast<std::size_t>(options.trees)) {
    std::int64_t c = 0;
    for (std::int64_t k = 0; k < options.coordinates; k++) {
      coordinates_.push_back(c);
      const auto gaps = static_cast<std::int64_t>(options.gaps.size());
      c += options.gaps[gaps == 1 ? 0 : static_cast<std::size_t>(below(gaps))];
    }
  }

  void run() {
    for (int tree = 0; tree < options_.trees; tree++) begin(tree);
    compare();
    for (int step = 0; step < options_.steps && !::testing::Test::HasFailure(); step++) {
      // Grows first, then shrinks until nothing is left, and so on.
      const int phase = step * 6 / options_.steps;
      const double growth = phase % 2 == 0 ? 0.75 : 0.2;
      one(growth);
      if (options_.check_each) compare();
    }
    compare();
    for (std::size_t tree = 0; tree < maps_.size(); tree++) {
      while (!maps_[tree].empty()) erase(static_cast<std::int64_t>(tree), maps_[tree].begin()->first);
    }
    compare();
  }

 private:
  std::int64_t any() { return coordinates_[static_cast<std::size_t>(below(options_.coordinates))]; }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

  /// A tree that is empty, built or appended to.
  void begin(std::int64_t tree) {
    machine_.take({{Op::Make, tree}});
    Map& map = maps_[static_cast<std::size_t>(tree)];
    const bool can_build = machine_.level().has("build");
    const bool can_append = machine_.level().has("append_first");
    const std::int64_t way = below(3);
    if ((way == 1 && !can_build) || (way == 2 && !can_append) || way == 0) return;
    const std::int64_t count = below(options_.coordinates);
    for (std::int64_t k = 0; k < count; k++) map[any()] = static_cast<double>(below(100));
    std::vector<Step> steps;
    if (way == 1) steps.push_back({Op::Build, tree, static_cast<std::int64_t>(map.size())});
    for (const auto& [c, v] : map) {
      const Op op = way == 2 && steps.empty() ? Op::AppendFirst : Op::AppendRest;
      steps.push_back({op, tree, c, v});
    }
    machine_.take(steps);
  }

  void one(double growth) {
    const std::int64_t tree = below(options_.trees);
    Map& map = maps_[static_cast<std::size_t>(tree)];
    const std::int64_t c = draw(map);
    const double v = static_cast<double>(below(100));
    const double kind = std::uniform_real_distribution<double>(0, 1)(random_);
    if (kind < 0.15) {
      const Outcome found = machine_.take({{Op::Find, tree, c}})[0];
      EXPECT_EQ(found.place != nothing, map.contains(c));
      if (map.contains(c)) expect_entry(found, c, map[c]);
    } else if (kind < 0.15 + 0.85 * growth) {
      const bool adds = below(3) == 0;
      const Outcome done = machine_.take({{adds ? Op::Add : Op::Assign, tree, c, v}})[0];
      EXPECT_EQ((done.place & 1) == 1, !map.contains(c));
      map[c] = adds ? map[c] + v : v;
      expect_entry(done, c, map[c]);
    } else {
      erase(tree, c);
    }
  }

  /// Often one that is there, or at an end.
  std::int64_t draw(const Map& map) {
    const std::int64_t kind = below(8);
    if (kind < 2 && !map.empty()) return std::next(map.begin(), below(static_cast<std::int64_t>(map.size())))->first;
    if (kind == 2 && !map.empty()) return std::min(map.rbegin()->first + 1, coordinates_.back());
    if (kind == 3 && !map.empty()) return std::max<std::int64_t>(map.begin()->first - 1, 0);
    return any();
  }

  void erase(std::int64_t tree, std::int64_t c) {
    Map& map = maps_[static_cast<std::size_t>(tree)];
    const Outcome erased = machine_.take({{Op::Erase, tree, c}})[0];
    EXPECT_EQ(erased.place, map.erase(c) == 1 ? 1 : 0);
  }

  /// Of a coordinate that is stored as a difference, the place says nothing.
  void expect_entry(const Outcome& outcome, std::int64_t c, double v) const {
    EXPECT_EQ(outcome.coordinate, outcome.coordinate == -1 && has_differences() ? -1 : c);
    EXPECT_EQ(outcome.value, v);
  }

  bool has_differences() const {
    for (const schema::NodeType& node : machine_.schema().nodes)
      for (const schema::Field& field : node.fields)
        if (schema::differences_of(field)) return true;
    return false;
  }

  void compare() {
    const std::vector<Entries> all = SchemaChecker(machine_).check();
    for (std::size_t tree = 0; tree < maps_.size(); tree++) {
      EXPECT_EQ(all[tree], Entries(maps_[tree].begin(), maps_[tree].end()));
      if (!machine_.level().has("check")) continue;
      EXPECT_EQ(machine_.take({{Op::Check, static_cast<std::int64_t>(tree)}})[0].place, 1) << "check of the level";
    }
  }

  LevelMachine& machine_;
  std::mt19937_64 random_;
  HistoryOptions options_;
  std::vector<std::int64_t> coordinates_;  // that may be drawn
  std::vector<Map> maps_;
};

}  // namespace

void run_history(LevelMachine& machine, unsigned seed, const HistoryOptions& options) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  History(machine, seed, options).run();
}

std::string level_text(const std::string& name, int size) {
  const std::string text = schema::load_level(std::string(LACUNA_LEVELS_FOLDER) + "/" + name + ".level").text;
  if (size == 0) return text;
  return std::regex_replace(text, std::regex("const (\\w+) = \\d+"), "const $1 = " + std::to_string(size));
}

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const schema::LevelFile& each : schema::load_levels(LACUNA_LEVELS_FOLDER)) names.push_back(each.name);
  return names;
}

}  // namespace lacuna::dynamic
