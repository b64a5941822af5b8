#include <algorithm>
#include <set>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

using launch::Operand;

/// What a task computed of the result.
struct Contribution {
  std::int64_t processor;
  LocalPart part;
};

/// All processors of a machine, one after the other.
class InProcess {
 public:
  InProcess(Engine& engine, const DistributedRequest& request, const Options& options)
      : engine_(engine),
        request_(request),
        options_(options),
        prepared_(prepare_launch(request)),
        held_(plan().tasks.size(), std::vector<LocalPart>(launch().operands.size())) {
    report_.tasks = std::ssize(plan().tasks);
    report_.steps = std::ssize(plan().steps);
  }

  Storage run() {
    for (const LaunchStep& step : plan().steps) {
      fetch(step);
      for (std::size_t t = 0; t < plan().tasks.size(); ++t) compute(step, t);
    }
    return collect();
  }
  const DistributedReport& report() const { return report_; }

 private:
  const LaunchPlan& plan() const { return prepared_.plan; }
  const launch::Launch& launch() const { return plan().launch; }

  void count(Traffic& traffic, const LocalPart& part, std::int64_t from, std::int64_t to) const {
    if (from == to) return;
    ++traffic.messages;
    traffic.bytes += bytes_to_send(part);
    traffic.farthest = std::max(traffic.farthest, distance(plan().machine, from, to));
  }

  /// All transfers read what was there before the step.
  void fetch(const LaunchStep& step) {
    std::map<std::pair<std::int64_t, int>, std::vector<LocalPart>> arrived;
    for (const Transfer& transfer : step.transfers) {
      LocalPart part = sent(transfer);
      count(report_.fetches, part, transfer.from, plan().tasks[static_cast<std::size_t>(transfer.task)].processor);
      arrived[{transfer.task, transfer.operand}].push_back(std::move(part));
    }
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
      for (std::size_t o = 0; o < launch().operands.size(); ++o) {
        const auto parts = arrived.find({static_cast<std::int64_t>(t), static_cast<int>(o)});
        const std::vector<IndexSet> region = plan().region_of(launch().operands[o], plan().tasks[t], step);
        if (parts != arrived.end()) held_[t][o] = join(parts->second, region, shape_of(prepared_.tensor(o).whole()));
        else if (is_new(t, o, region)) held_[t][o] = join({}, region, shape_of(prepared_.tensor(o).whole()));
      }
    }
  }
  /// A region that nothing lies in is not fetched.
  bool is_new(std::size_t t, std::size_t o, const std::vector<IndexSet>& region) const {
    return held_[t][o].storage.levels.size() != region.size() || held_[t][o].sets != region;
  }

  LocalPart sent(const Transfer& transfer) const {
    const auto o = static_cast<std::size_t>(transfer.operand);
    if (transfer.neighbour) return held_[static_cast<std::size_t>(*transfer.neighbour)][o];
    const DistributedTensor& tensor = prepared_.tensor(o);
    // Which entries are meant is said in positions of the whole.
    if (transfer.what.cuts_positions()) return local_part(tensor.whole(), transfer.what);
    return cut(tensor.part(*transfer.part), transfer.what.coordinates);
  }

  void compute(const LaunchStep& step, std::size_t t) {
    const Task& task = plan().tasks[t];
    const std::vector<IndexSet> region = plan().used_of(launch().result, task, step);
    const std::optional<Statement> statement = launch().local_statement(plan().at(task, step));
    if (!statement || volume_of(region) == 0) return;
    Request local{*statement, {}, local_format(), prepared_.sum_type, {}, launch().local_schedule};
    for (std::size_t o = 0; o < launch().operands.size(); ++o) {
      const Operand& operand = launch().operands[o];
      local.operands[operand.name] = cut(held_[t][o], plan().used_of(operand, task, step)).storage;
    }
    add_values(local, task, step);
    add_sizes(local, task, step);
    contributions_.push_back({task.processor, {region, engine_.run(local, options_)}});
  }

  Format local_format() const { return made_of_arrays(prepared_.result_format); }

  /// The coordinates in the whole, where a variable's value is used.
  void add_values(Request& local, const Task& task, const LaunchStep& step) const {
    for (const auto& [variable, name] : launch().coordinate_names) {
      const IndexSet set = plan().used_of({"", "", {IndexVar(variable)}, 0}, task, step)[0];
      std::vector<std::int64_t> coordinates;
      set.for_each_interval([&](const Interval& run) {
        for (std::int64_t c = run.begin; c < run.end; ++c) coordinates.push_back(c);
      });
      local.operands[name] = adopt_dense({set.size()}, Array::of<std::int64_t>(coordinates), LevelMap::identity(1));
    }
  }

  /// Variables that no operand bounds.
  void add_sizes(Request& local, const Task& task, const LaunchStep& step) const {
    std::set<std::string> bound;
    for (const Access& access : accesses(local.statement.rhs))
      for (const IndexVar& v : access.indices) bound.insert(v.name());
    std::set<std::string> used;
    for (const IndexVar& v : all_variables(local.statement)) used.insert(v.name());
    for (const auto& [variable, name] : launch().local_names) {
      if (bound.count(name) != 0 || used.count(name) == 0) continue;
      local.sizes[name] = plan().used_of({"", "", {IndexVar(variable)}, 0}, task, step)[0].size();
    }
  }

  /// Contributions go to the processors that own the result, where somebody said which, and are added up there.
  Storage collect() {
    const Operand& result = launch().result;
    std::vector<std::int64_t> dimensions;
    for (const IndexVar& v : result.indices) dimensions.push_back(launch().values_of(v, {}).size());
    const PartShape shape{local_format(), prepared_.sum_type, Scalar::zero(prepared_.sum_type)};
    count_reductions(dimensions, shape);
    std::vector<LocalPart> parts;
    if (request_.request.statement.accumulate) {
      const Storage& old = request_.request.operands.at(result.tensor);
      parts.push_back(whole_part(convert_type(convert(old, shape.format), shape.type)));
    }
    for (Contribution& each : contributions_) parts.push_back(std::move(each.part));
    const bool sums = launch().adds_up() || request_.request.statement.accumulate;
    const Storage sum =
        (sums ? add_up(parts, all_of(dimensions), shape) : join(parts, all_of(dimensions), shape)).storage;
    return stored_as(engine_, convert_type(sum, prepared_.result_type), prepared_.result_format, options_);
  }

  void count_reductions(const std::vector<std::int64_t>& dimensions, const PartShape& shape) {
    const auto placed = request_.placed.find(launch().result.tensor);
    if (placed == request_.placed.end()) return;
    const Storage nothing = empty_tensor(shape.type, dimensions, shape.format);
    const Partition owners = partition(nothing, placed->second, launch().result.tensor);
    for (std::int64_t colour = 0; colour < owners.colours(); ++colour) {
      for (const std::int64_t owner : owners.processors_of(colour)) {
        for (const Contribution& each : contributions_) {
          if (volume_of(common(each.part.sets, owners.part(colour).coordinates)) == 0) continue;
          count(report_.reductions, cut(each.part, owners.part(colour).coordinates), each.processor, owner);
        }
      }
    }
  }

  Engine& engine_;
  const DistributedRequest& request_;
  const Options& options_;
  PreparedLaunch prepared_;
  std::vector<std::vector<LocalPart>> held_;  // by task and operand: what was fetched last
  std::vector<Contribution> contributions_;
  DistributedReport report_;
};

}  // namespace

Storage run_in_process(Engine& engine, const DistributedRequest& request, const Options& options,
                       DistributedReport* report) {
  InProcess run(engine, request, options);
  Storage result = run.run();
  if (report != nullptr) *report = run.report();
  return result;
}

}  // namespace lacuna
