#include "lacuna/distribute/execute/images.h"

#include <algorithm>

#include "lacuna/distribute/launch/position_cut.h"
#include "lacuna/distribute/partition/level_sets.h"

namespace lacuna {
namespace {

/// A summed variable, and where its coordinates are stored in each term that has it.
struct Narrowable {
  std::string variable;
  std::vector<std::pair<std::size_t, int>> stored;  // operand and level
  std::vector<std::size_t> others;                  // operands that it indexes beside
};

class Narrower {
 public:
  explicit Narrower(const PreparedLaunch& prepared) : prepared_(prepared), launch_(prepared.plan.launch) {}

  void narrow(std::vector<Task>& tasks) const {
    // What a task has over all steps is known where processors are outside of steps.
    const auto is_step = [](const launch::Loop& loop) { return !loop.distributed; };
    const auto first_step = std::find_if(launch_.loops.begin(), launch_.loops.end(), is_step);
    if (!std::all_of(first_step, launch_.loops.end(), is_step)) return;
    for (const IndexVar& v : all_variables(launch_.statement)) {
      const std::optional<Narrowable> each = narrowable(v.name());
      if (!each) continue;
      for (Task& task : tasks) narrow(*each, task);
    }
  }

 private:
  std::optional<Narrowable> narrowable(const std::string& variable) const {
    if (launch::has_name(launch_.result.indices, variable)) return std::nullopt;
    Narrowable out{variable, {}, {}};
    for (const Term& term : terms_of(launch_.statement)) {
      if (!launch::has_name(all_variables({{TensorVar(), {}}, false, term.expr, ""}), variable)) continue;
      const auto stored = stored_in(term.expr, variable);
      if (!stored) return std::nullopt;
      out.stored.push_back(*stored);
    }
    for (std::size_t o = 0; o < launch_.operands.size(); ++o) {
      const auto stores = [&](const auto& s) { return s.first == o; };
      if (launch::has_name(launch_.operands[o].indices, variable) &&
          std::none_of(out.stored.begin(), out.stored.end(), stores))
        out.others.push_back(o);
    }
    return out.stored.empty() || out.others.empty() ? std::nullopt : std::optional(out);
  }

  /// The factor of a term that stores some of a variable's coordinates only.
  std::optional<std::pair<std::size_t, int>> stored_in(const Expr& e, const std::string& variable) const {
    for (std::size_t o = 0; o < launch_.operands.size(); ++o) {
      if (!is_factor(e, launch_.operands[o])) continue;
      const Format& format = prepared_.tensor(o).shape().format;
      for (int k = 0; k < format.order(); ++k) {
        const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
        if (launch_.operands[o].indices[mode].name() == variable && is_sparse_from(format, k)) return std::pair(o, k);
      }
    }
    return std::nullopt;
  }

  /// Whether coordinates of a level may have nothing stored under them.
  static bool is_sparse_from(const Format& format, int k) {
    for (; k < format.order(); ++k)
      if (format.level(k).kind != LevelKind::Dense) return true;
    return false;
  }

  void narrow(const Narrowable& v, Task& task) const {
    const IndexSet box = launch_.variables.values_of(v.variable, task.at);
    const bool moves = std::any_of(v.others.begin(), v.others.end(),
                                   [&](std::size_t o) { return !is_there(o, region_of(o, task), task.processor); });
    if (!moves) return;
    IndexSet image;
    for (const auto& [o, level] : v.stored) image = image | image_in(o, level, task);
    image = image & box;
    if (image.size() > box.size() / 2) return;
    const auto [narrowed, is_first] = task.narrowed.try_emplace(v.variable, image);
    if (!is_first) narrowed->second = narrowed->second & image;
  }

  std::vector<IndexSet> region_of(std::size_t o, const Task& task) const {
    std::vector<IndexSet> region;
    for (const IndexVar& v : launch_.operands[o].indices) {
      const auto fewer = task.narrowed.find(v.name());
      const IndexSet all = launch_.variables.values_of(v.name(), task.at);
      region.push_back(fewer == task.narrowed.end() ? all : all & fewer->second);
    }
    return region;
  }

  /// Whether one part that the processor has holds all of a region.
  bool is_there(std::size_t o, const std::vector<IndexSet>& region, std::int64_t processor) const {
    const std::vector<TensorPlacement::Part>& parts = prepared_.tensor(o).placement().parts;
    return std::any_of(parts.begin(), parts.end(), [&](const TensorPlacement::Part& part) {
      return !part.what.cuts_positions() && common(part.what.coordinates, region) == region &&
             std::find(part.processors.begin(), part.processors.end(), processor) != part.processors.end();
    });
  }

  IndexSet image_in(std::size_t o, int level, const Task& task) const {
    const Storage& whole = prepared_.tensor(o).whole();
    Restriction part{region_of(o, task), std::vector<std::optional<IndexSet>>(static_cast<std::size_t>(whole.order()))};
    if (launch_.positions && launch_.positions->operand == o)
      part.positions[static_cast<std::size_t>(launch_.positions->level)] = task.positions;
    return coordinates_at(whole, level, live_positions(whole, part)[static_cast<std::size_t>(level)]);
  }

  const PreparedLaunch& prepared_;
  const launch::Launch& launch_;
};

}  // namespace

void narrow_to_images(const PreparedLaunch& prepared, std::vector<Task>& tasks) { Narrower(prepared).narrow(tasks); }

}  // namespace lacuna
