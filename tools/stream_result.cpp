#include "tools/stream_result.h"

#include <fmt/core.h>

#include "tools/verify.h"

namespace lacuna::tool {

StreamedResult::StreamedResult(Engine& engine, const Request& request, const std::string& updated, const KeepingUp& how,
                               std::int64_t batch, const Options& options)
    : engine_(engine), how_(how), options_(options), updated_(updated), operands_(request.operands) {
  if (how_.incremental) {
    incremental_ = std::make_unique<IncrementalResult>(engine, request, updated, options, batch);
  } else {
    full_ = engine.prepare(request, options);
    result_ = full_.run();
    request_ = request;
    request_.operands.clear();
  }
  operands_.at(updated) = {};  // nobody reads it between evaluations, so that it changes in place
}

double StreamedResult::compile_ms() const {
  return incremental_ ? incremental_->compile_ms() : full_.compile_report().compile_ms;
}

std::vector<std::string> StreamedResult::notes() const {
  return incremental_ ? incremental_->notes() : full_.compile_report().notes;
}

void StreamedResult::before(const UpdatedTensor& tensor, const UpdateBatch& batch) {
  if (!incremental_) return;
  result_ = {};
  change_.emplace(engine_, tensor, batch.coordinates(tensor.dimensions()), options_);
}

void StreamedResult::after(const UpdatedTensor& tensor) {
  if (incremental_) {
    incremental_->add(change_->difference(tensor, incremental_->change_type()));
    return;
  }
  operands_.at(updated_) = tensor.storage();
  if (!full_.holds_for(operands_)) {
    Request request = request_;
    request.operands = operands_;
    full_ = engine_.prepare(request, options_);
  }
  full_.run_into(operands_, result_);
  operands_.at(updated_) = {};
}

void StreamedResult::check(const UpdatedTensor& tensor, int batch) {
  if (!incremental_) return;
  const bool renews = how_.full_every > 0 && batch % how_.full_every == 0;
  if (!renews && !how_.check) return;
  const Storage kept = incremental_->result();
  const Storage full = incremental_->evaluate(tensor.storage(), renews);
  if (!how_.check) return;
  if (const auto found = difference(kept, full, tolerance_for(full)))
    throw RuntimeFailure(
        fmt::format("after batch {} the result of the changes is not what the whole statement gives: {}. Where numbers "
                    "cancel or are not finite, --full-every evaluates in full now and then",
                    batch, *found));
}

const Storage& StreamedResult::now() {
  if (incremental_) result_ = incremental_->result();
  return result_;
}

}  // namespace lacuna::tool
