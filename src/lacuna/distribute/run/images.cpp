#include "lacuna/distribute/run/images.h"

#include <algorithm>
#include <map>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/distribute/sets/level_sets.h"
#include "lacuna/format/distribution/leave_out.h"

namespace lacuna {
namespace {

using Part = TensorPlacement::Part;

/// The parts of a tensor that lie in the memory of each processor.
class PartsByMemory {
 public:
  explicit PartsByMemory(const DistributedTensor& tensor) : machine_(tensor.machine()) {
    for (const Part& part : tensor.placement().parts)
      for (const std::int64_t processor : part.processors) {
        std::vector<const Part*>& parts = parts_[machine_.memory_of(processor)];
        if (parts.empty() || parts.back() != &part) parts.push_back(&part);
      }
  }

  const std::vector<const Part*>& of(std::int64_t processor) const {
    static const std::vector<const Part*> none;
    const auto found = parts_.find(machine_.memory_of(processor));
    return found == parts_.end() ? none : found->second;
  }

 private:
  const Machine& machine_;
  std::map<std::int64_t, std::vector<const Part*>> parts_;
};

/// A summed variable, and where its coordinates are stored in each term that has it.
struct Narrowable {
  std::string variable;
  std::vector<std::pair<std::size_t, int>> stored;  // operand and level
  std::vector<std::size_t> others;                  // operands that it indexes beside
};

class Narrower {
 public:
  Narrower(const PreparedLaunch& prepared, Communicator& ranks)
      : prepared_(prepared), launch_(prepared.plan.launch), ranks_(ranks) {
    for (std::size_t o = 0; o < launch_.operands.size(); ++o) held_.emplace_back(prepared.tensor(o));
  }

  void narrow(std::vector<Task>& tasks) const {
    // What a task has over all steps is known where processors are outside of steps.
    const auto is_step = [](const launch::Loop& loop) { return !loop.distributed; };
    const auto first_step = std::find_if(launch_.loops.begin(), launch_.loops.end(), is_step);
    if (!std::all_of(first_step, launch_.loops.end(), is_step)) return;
    for (const IndexVar& v : all_variables(launch_.statement)) {
      const std::optional<Narrowable> each = narrowable(v.name());
      if (each) narrow(*each, tasks);
    }
  }

 private:
  std::optional<Narrowable> narrowable(const std::string& variable) const {
    if (launch::has_name(launch_.result.indices, variable)) return std::nullopt;
    Narrowable out{variable, {}, {}};
    for (const Term& term : terms_of(launch_.statement)) {
      if (!launch::has_name(all_variables(term.expr), variable)) continue;
      const auto stored = stored_in(term.expr, variable);
      if (!stored) return std::nullopt;
      out.stored.push_back(*stored);
    }
    for (std::size_t o = 0; o < launch_.operands.size(); ++o) {
      if (!can_leave_out(o, variable)) return std::nullopt;
      const auto stores = [&](const auto& s) { return s.first == o; };
      if (launch::has_name(launch_.operands[o].indices, variable) &&
          std::none_of(out.stored.begin(), out.stored.end(), stores))
        out.others.push_back(o);
    }
    return out.stored.empty() || out.others.empty() ? std::nullopt : std::optional(out);
  }

  bool can_leave_out(std::size_t o, const std::string& variable) const {
    const std::vector<IndexVar>& indices = launch_.operands[o].indices;
    for (std::size_t m = 0; m < indices.size(); ++m)
      if (indices[m].name() == variable &&
          !lacuna::can_leave_out(prepared_.tensor(o).shape().format, static_cast<int>(m)))
        return false;
    return true;
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
      if (!format.level(k).full()) return true;
    return false;
  }

  void narrow(const Narrowable& v, std::vector<Task>& tasks) const {
    std::vector<Task*> moving;
    for (Task& task : tasks) {
      const auto moves = [&](std::size_t o) { return !is_there(o, region_of(o, task), task.processor); };
      if (std::any_of(v.others.begin(), v.others.end(), moves)) moving.push_back(&task);
    }
    std::vector<IndexSet> images = images_of(v, moving);
    unite(v, moving, images);
    for (std::size_t t = 0; t < moving.size(); ++t) narrow(v, images[t], *moving[t]);
  }

  /// Tasks of one memory that have the same values of a variable.
  struct Fellows {
    IndexSet box, image;
    std::vector<std::size_t> tasks = {};
  };

  /// What they need comes to all of them together.
  void unite(const Narrowable& v, const std::vector<Task*>& tasks, std::vector<IndexSet>& images) const {
    std::map<std::int64_t, std::vector<Fellows>> by_memory;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      std::vector<Fellows>& beside = by_memory[prepared_.plan.machine.memory_of(tasks[t]->processor)];
      const IndexSet box = launch_.variables.values_of(v.variable, tasks[t]->at);
      auto found = std::find_if(beside.begin(), beside.end(), [&](const Fellows& each) { return each.box == box; });
      if (found == beside.end()) found = beside.insert(found, {box, {}});
      found->image = found->image | images[t];
      found->tasks.push_back(t);
    }
    for (const auto& [memory, beside] : by_memory)
      for (const Fellows& each : beside)
        for (const std::size_t t : each.tasks) images[t] = each.image;
  }

  void narrow(const Narrowable& v, const IndexSet& all, Task& task) const {
    const IndexSet box = launch_.variables.values_of(v.variable, task.at), image = all & box;
    if (image == box || !is_worth_it(box, image, held_at(v, task.processor))) return;
    const auto [narrowed, is_first] = task.narrowed.try_emplace(v.variable, image);
    if (!is_first) narrowed->second = narrowed->second & image;
  }

  /// To number anew what is scattered costs a copy of the entries, and to pack it: for the sake of less that moves. An
  /// interval costs nothing.
  static bool is_worth_it(const IndexSet& box, const IndexSet& image, const IndexSet& held) {
    return image.is_interval() || 8 * (image - held).size() <= 7 * (box - held).size();
  }

  /// The values of a variable at which a processor has something of all operands that it indexes: where nothing of them
  /// is fetched, if they lie alike otherwise.
  IndexSet held_at(const Narrowable& v, std::int64_t processor) const {
    std::optional<IndexSet> held;
    for (const std::size_t o : v.others) {
      const std::size_t mode = launch::place_of(launch_.operands[o].indices, v.variable).value();
      IndexSet here;
      for (const Part* part : held_[o].of(processor)) here = here | part->what.coordinates[mode];
      held = held ? *held & here : here;
    }
    return held.value_or(IndexSet());
  }

  /// The coordinates that each task's entries have.
  std::vector<IndexSet> images_of(const Narrowable& v, const std::vector<Task*>& tasks) const {
    std::vector<IndexSet> images(tasks.size());
    bool are_known = true;
    for (const auto& [o, level] : v.stored) {
      are_known = are_known && prepared_.tensor(o).is_whole();
      const std::vector<std::int64_t> here = prepared_.tensor(o).parts_counted_here();
      for (std::size_t t = 0; t < tasks.size(); ++t) images[t] = images[t] | image_in(o, level, *tasks[t], here);
    }
    return are_known || tasks.empty() ? images : unions_over(ranks_, images);
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
    const std::vector<const Part*>& parts = held_[o].of(processor);
    return std::any_of(parts.begin(), parts.end(), [&](const Part* part) {
      return !part->what.cuts_positions() && common(part->what.coordinates, region) == region;
    });
  }

  /// As far as this rank knows, which has some of the parts.
  IndexSet image_in(std::size_t o, int level, const Task& task, const std::vector<std::int64_t>& parts) const {
    const DistributedTensor& tensor = prepared_.tensor(o);
    Restriction what = whole_of(tensor.dimensions());
    what.coordinates = region_of(o, task);
    if (launch_.deals_out(o)) {
      what.positions[static_cast<std::size_t>(launch_.positions->level)] = task.positions;
      if (task.stretch) what.stretches.push_back(*task.stretch);
    }
    if (tensor.is_whole())
      return coordinates_at(tensor.whole(), level,
                            live_positions(tensor.whole(), what)[static_cast<std::size_t>(level)]);
    IndexSet image;
    for (const std::int64_t p : parts) {
      const Restriction& part = tensor.placement().parts[static_cast<std::size_t>(p)].what;
      if (!have_bounds_apart(part, what) && !is_empty(common(part, what)))
        image = image | stored_coordinates(tensor.part(p), what, level);
    }
    return image;
  }

  const PreparedLaunch& prepared_;
  const launch::Launch& launch_;
  Communicator& ranks_;
  std::vector<PartsByMemory> held_;  // by operand
};

}  // namespace

void narrow_to_images(const PreparedLaunch& prepared, std::vector<Task>& tasks, Communicator& ranks) {
  Narrower(prepared, ranks).narrow(tasks);
}

}  // namespace lacuna
