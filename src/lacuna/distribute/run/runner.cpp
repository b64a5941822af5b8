#include "lacuna/distribute/run/runner.h"

#include <algorithm>

#include "lacuna/distribute/parts/array_sizes.h"
#include "lacuna/distribute/run/local_request.h"
#include "lacuna/support/check.h"

namespace lacuna {

void Runner::run(Engine& engine, Communicator& ranks, const std::vector<bool>& changed,
                 const std::function<void(std::size_t step)>& reduce) {
  engine_ = &engine;
  changed_ = changed;
  kernels_prepared_ = 0;
  if (!plan().steps.empty()) {
    if (!fetches_) {
      fetches_.emplace(prepared_, again_, ranks);
      changed_.assign(changed_.size(), true);
    }
    fetches_->begin(0, changed_, ranks);
    for (std::size_t s = 0; s < plan().steps.size(); ++s) run_step(s, ranks, reduce);
    fetches_->end(changed_, ranks);  // until others have read what they read here
    traffic_ = fetches_->take_traffic();
  }
  ranks.finish_receives();
  ranks.finish_sends();
}

/// What comes from other processors is on its way while pieces are computed that need nothing of it. What is sent for
/// the next step is on its way while this one is computed: it depends on what was there before. So are the
/// contributions that the step before completed.
void Runner::run_step(std::size_t s, Communicator& ranks, const std::function<void(std::size_t step)>& reduce) {
  std::vector<Work>& works = works_of(s);
  const auto waits = [](const Work& work) { return work.waits; };
  // Where nothing waits here, others may have nothing to compute before this comes.
  if (std::none_of(works.begin(), works.end(), waits)) ranks.progress_sends();
  for (Work& work : works)
    if (!work.waits) compute(s, work);
  ranks.finish_receives();
  const bool is_last = s + 1 == plan().steps.size(), reduces = s > 0 && reduces_early_;
  if (is_last) ranks.progress_sends();
  fetches_->finish(s, changed_, ranks);
  if (!is_last || reduces) ranks.finish_sends();
  if (reduces) reduce(s - 1);
  if (!is_last) fetches_->begin(s + 1, changed_, ranks);
  for (Work& work : works)
    if (work.waits) compute(s, work);
  if (!again_) forget(s);
}

void Runner::forget(std::size_t s) {
  works_[s].clear();
  fetches_->forget(s);
}

/// Looked up when the step begins for the first time.
std::vector<Runner::Work>& Runner::works_of(std::size_t s) {
  if (works_.size() > s) return works_[s];
  std::vector<Work>& works = works_.emplace_back();
  const LaunchStep& step = plan().steps[s];
  for (auto& [t, task] : fetches_->tasks()) {
    if (!plan().contributes(plan().tasks[t], step)) continue;
    const std::size_t first = works.size();
    for (Piece& piece : task.pieces) {
      Work work = work_of(s, t, piece);
      if (works.size() == first) {
        add_to_sum(work, {});
      } else {
        work.waits = work.waits || works[first].waits;  // so that the first is there
        add_to_sum(work, works[first].contribution);
      }
      works.push_back(std::move(work));
    }
  }
  return works;
}

Runner::Work Runner::work_of(std::size_t s, std::size_t t, Piece& piece) const {
  const LaunchStep& step = plan().steps[s];
  Work work{t, &piece};
  work.computed = plan().used_of(plan().launch.result, piece.task, step);
  work.waits = plan().steps.size() > 1;  // what the next step needs is to be sent first
  for (std::size_t o = 0; o < plan().launch.operands.size(); ++o) {
    const Fetches::Source source = fetches_->source(t, piece, o);
    const auto rows = piece.rows.find(o);
    UsedPart used(plan().used_of(plan().launch.operands[o], piece.task, step),
                  rows == piece.rows.end() ? std::nullopt : std::optional(rows->second));
    work.waits = work.waits || source.fetch->waits(s, source.task);
    work.operands.push_back({source, std::move(used)});
  }
  return work;
}

/// `contribution`: that of other pieces of the task in this step.
void Runner::add_to_sum(Work& work, std::optional<std::size_t> contribution) {
  work.contribution = contribution ? *contribution : prepared_.reduction.of(work.task, work.computed);
  std::unique_ptr<StepSum>& sum = sums_[work.contribution];
  if (sum == nullptr)
    sum = make_step_sum({prepared_.local_format(), prepared_.sum_type, Scalar::zero(prepared_.sum_type)}, work.computed,
                        buffers_[{work.task, prepared_.reduction.contributions[work.contribution].buffer}],
                        [this, task = work.task](const Request& request) { return prepared_for(request, task); });
  work.sum = sum.get();
  work.share = sum->add_share(work.computed);
}

void Runner::compute(std::size_t s, Work& work) {
  if (!work.kernel) prepare(s, work);
  else refresh(s, work);
  if (work.share == 0) {
    LocalPart& first = work.sum->begin();
    first.sets = work.computed;
    work.kernel->run_into(first.storage);
    keep_pattern(work, first.storage);
  } else {
    work.kernel->run_into(work.sum->addend());
    keep_pattern(work, work.sum->addend());
    work.sum->add(work.share);
  }
  contributions_[work.contribution] = &work.sum->sum();
}

/// A result that has the pattern of an operand shares its arrays. Where these are written over in a later step, it gets
/// copies, which are made once: patterns do not change.
void Runner::keep_pattern(Work& work, Storage& result) {
  if (!work.pattern) {
    const auto is_lent = [&](const Array& array) {
      return std::any_of(work.operands.begin(), work.operands.end(), [&](const Operand& operand) {
        return operand.source.fetch->lends(array, operand.source.task);
      });
    };
    work.pattern.emplace();
    each_array([&](const Array& array) { work.pattern->push_back(is_lent(array) ? array.copy() : Array()); }, result);
  }
  std::size_t k = 0;
  const auto keep = [&](Array& array) {
    const Array& copy = (*work.pattern)[k++];
    if (!copy.empty()) array = copy;
  };
  each_array(keep, result);
}

void Runner::prepare(std::size_t s, Work& work) {
  const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>&) {
    Operand& operand = work.operands[o];
    if (const auto known = work.piece->cut.find(o); known != work.piece->cut.end())
      return operand.used.first(known->second);
    return operand.used.first(operand.source.fetch->at(s, operand.source.task));
  };
  const Request local = local_request(prepared_, work.piece->task, plan().steps[s], part);
  work.kernel.emplace(*prepared_for(local, work.task), local.operands);
  work.piece->cut.clear();
}

/// The operands that are others than in the run before.
void Runner::refresh(std::size_t s, Work& work) const {
  for (std::size_t o = 0; o < work.operands.size(); ++o) {
    auto& [source, used] = work.operands[o];
    const News news = source.fetch->news(s, source.task, changed_[o]);
    if (news == News::None) continue;
    if (const Storage* elsewhere = used.next(source.fetch->at(s, source.task), news))
      work.kernel->replace(plan().launch.operands[o].name, *elsewhere);
  }
}

/// With the device that the processor of a task is.
Options Runner::options_of(std::size_t task) const {
  Options options = options_;
  const std::vector<std::shared_ptr<Device>>& devices = options.target.devices;
  if (devices.empty()) return options;
  const std::int64_t memory = plan().machine.memory_of(plan().tasks[task].processor);
  const std::size_t number = static_cast<std::size_t>(memory) % devices.size();
  options.target.on = devices[number];
  if (options.target.on == nullptr)
    user_error("processor {} runs on device {} of {}, which was not opened", plan().tasks[task].processor, number,
               devices.size());
  return options;
}

/// What has to run the same kernel shares it: it keeps the operands that it was prepared with.
std::shared_ptr<Prepared> Runner::prepared_for(const Request& local, std::size_t task) {
  const Options options = options_of(task);
  const auto [at, is_first] = kernels_.try_emplace(request_key(local, options));
  if (is_first) {
    at->second = std::make_shared<Prepared>(engine_->prepare(local, options));
    ++kernels_prepared_;
  }
  return at->second;
}

}  // namespace lacuna
