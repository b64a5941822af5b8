#include "lacuna/distribute/execute/executor.h"

#include <algorithm>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/distribute/part/dense_part.h"

namespace lacuna {

Executor::Executor(const PreparedLaunch& prepared, const Options& options, bool keeps_kernels)
    : LaunchRunner(prepared, options),
      keeps_kernels_(keeps_kernels),
      held_(plan().tasks.size(), std::vector<LocalPart>(launch().operands.size())) {
  for (const launch::Operand& operand : launch().operands) settled_.push_back(plan().is_fetched_once(operand));
}

bool Executor::lies_there(const Transfer& transfer) const {
  const auto o = static_cast<std::size_t>(transfer.operand);
  return was_run_ && settled_[o] && !changed_[o];
}

/// What is sent for the next step is on its way while this one is computed: it depends on what was there before.
void Executor::run_tasks() {
  release();
  const std::vector<LaunchStep>& steps = plan().steps;
  if (!steps.empty()) send(steps.front());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    receive(s);
    if (s + 1 < steps.size()) send(steps[s + 1]);
    else ranks_->progress_sends();
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) compute(s, t);
  }
  ranks_->finish_sends();
  was_run_ = true;
  for (const auto& [number, part] : computed_) contributions_[number] = &part;
}

void Executor::release() {
  contributions_.clear();
  computed_.clear();
}

void Executor::send(const LaunchStep& step) {
  ranks_->finish_sends();  // of the step before
  for (const Transfer& transfer : step.transfers) {
    if (!is_mine(transfer.from) || lies_there(transfer)) continue;
    const int to = rank_of(receiver(transfer).processor);
    if (to == ranks_->rank()) arrive(transfer, sent(transfer));
    else ranks_->send(to, std::make_shared<Bytes>(to_message(sent(transfer))));
  }
}

void Executor::arrive(const Transfer& transfer, LocalPart part) {
  count(fetches_, plan().machine, bytes_to_send(part), transfer.from, receiver(transfer).processor);
  arrived_[&transfer] = std::move(part);
}

void Executor::receive(std::size_t s) {
  const LaunchStep& step = plan().steps[s];
  Arrived parts;
  for (const Transfer& transfer : step.transfers) {
    if (!is_mine(receiver(transfer).processor) || lies_there(transfer)) continue;
    if (!is_mine(transfer.from))
      arrive(transfer, from_message(ranks_->receive(rank_of(transfer.from)), transfer.what.coordinates,
                                    prepared_.tensor(static_cast<std::size_t>(transfer.operand)).shape()));
    parts[{transfer.task, transfer.operand}].push_back(std::move(arrived_.at(&transfer)));
    arrived_.erase(&transfer);
  }
  for (std::size_t t = 0; t < plan().tasks.size(); ++t)
    if (is_mine(plan().tasks[t].processor)) put_together(s, t, parts);
}

/// Sets take long to make, and are the same in each run.
const Executor::Share& Executor::share(std::size_t s, std::size_t t) {
  const auto known = shares_.find({s, t});
  if (known != shares_.end()) return known->second;
  if (!keeps_kernels_ && !shares_.empty() && shares_.begin()->first.first != s) shares_.clear();
  const LaunchStep& step = plan().steps[s];
  const Task& task = plan().tasks[t];
  Share share;
  for (const launch::Operand& operand : launch().operands) {
    share.fetched.push_back(plan().region_of(operand, task, step));
    share.used.push_back(plan().used_of(operand, task, step));
  }
  share.contributes = plan().contributes(task, step);
  if (share.contributes) share.computed = plan().used_of(launch().result, task, step);
  return shares_.emplace(std::pair(s, t), std::move(share)).first->second;
}

void Executor::put_together(std::size_t s, std::size_t t, const Arrived& arrived) {
  const Share& mine = share(s, t);
  for (std::size_t o = 0; o < launch().operands.size(); ++o) {
    if (plan().fetcher(o, t) != t) continue;
    const auto parts = arrived.find({static_cast<std::int64_t>(t), static_cast<int>(o)});
    const std::vector<IndexSet>& region = mine.fetched[o];
    const PartShape& shape = prepared_.tensor(o).shape();
    if (parts != arrived.end()) join_over(held_[t][o], parts->second, region, shape);
    else if (is_new(t, o, region)) held_[t][o] = join({}, region, shape);
  }
}

/// A region that nothing lies in is not fetched.
bool Executor::is_new(std::size_t t, std::size_t o, const std::vector<IndexSet>& region) const {
  return held_[t][o].storage.levels.size() != region.size() || held_[t][o].sets != region;
}

LocalPart Executor::sent(const Transfer& transfer) const {
  if (!transfer.neighbour) return sent_part(prepared_, transfer);
  return held_[static_cast<std::size_t>(*transfer.neighbour)][static_cast<std::size_t>(transfer.operand)];
}

void Executor::compute(std::size_t s, std::size_t t) {
  if (!is_mine(plan().tasks[t].processor) || !share(s, t).contributes) return;
  Storage result = computed(s, t);
  contribute(t, {share(s, t).computed, std::move(result)});
}

Storage Executor::computed(std::size_t s, std::size_t t) {
  const auto known = kernels_.find({s, t});
  if (known != kernels_.end()) return run_again(known->second, s, t);
  const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>& region) {
    return cut(held(t, o), region).storage;
  };
  const Request local = local_request(prepared_, plan().tasks[t], plan().steps[s], part);
  if (!keeps_kernels_) {
    ++kernels_prepared_;
    return engine_->run(local, options_);
  }
  return kernels_.emplace(std::pair(s, t), kernel_of(local)).first->second.prepared->run(local.operands);
}

Storage Executor::run_again(const Kernel& kernel, std::size_t s, std::size_t t) {
  std::map<std::string, Storage> operands = kernel.constants;
  for (std::size_t o = 0; o < launch().operands.size(); ++o)
    operands.insert_or_assign(launch().operands[o].name, cut(held(t, o), share(s, t).used[o]).storage);
  return kernel.prepared->run(operands);
}

Executor::Kernel Executor::kernel_of(const Request& local) {
  Kernel kernel{prepared_for(local), {}};
  for (const auto& [variable, name] : launch().coordinate_names)
    kernel.constants.emplace(name, local.operands.at(name));
  return kernel;
}

void Executor::contribute(std::size_t t, LocalPart part) {
  const auto [at, is_first] = computed_.try_emplace(prepared_.reduction.of(t, part.sets));
  if (is_first) at->second = std::move(part);
  else if (part.storage.format.is_dense()) add_into(part, at->second);
  else at->second = add_up({at->second, part}, part.sets, shape_of(part.storage));
}

}  // namespace lacuna
