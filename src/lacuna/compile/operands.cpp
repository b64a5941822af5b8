#include "lacuna/compile/operands.h"

#include <optional>

#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

/// The same numbers in an array of another integer type, which holds them.
Array widened(const Array& array, Type type) {
  if (array.data() == nullptr || array.type() == type) return array;
  Array out = Array::allocate(type, array.size(), false);
  for (std::int64_t k = 0; k < array.size(); ++k)
    Scalar(array.integer(k)).convert(type).store(static_cast<char*>(out.mutable_data()) + k * size_of(type));
  return out;
}

/// The copy of an operand that a kernel reads. Converting keeps arrays that do not change, in their own widths.
Storage copy_of(const Storage& source, const Format& format, const concrete::Tensor& wanted, int threads) {
  Storage copy = convert(source, format, threads);
  for (std::size_t k = 0; k < wanted.widths.size(); ++k) {
    copy.levels[k].pos = widened(copy.levels[k].pos, wanted.widths[k].pos);
    copy.levels[k].crd = widened(copy.levels[k].crd, wanted.widths[k].crd);
  }
  return copy;
}

}  // namespace

GatheredOperands::GatheredOperands(const Plan& plan, const CheckedRequest& checked,
                                   const std::map<std::string, Storage>& operands, int threads) {
  const auto source = [&](const std::string& name) -> const Storage& {
    for (std::size_t n = 0; n < checked.statements(); ++n) {
      const Statement& s = checked.statement(n).problem.statement;
      if (name == old_result_name(s)) return operands.at(s.lhs.tensor.name());
    }
    return operands.at(name);
  };
  const concrete::Program& program = plan.scheduled.program;
  std::map<std::string, std::size_t> places;
  for (const concrete::Tensor& t : program.tensors) {
    if (t.role != concrete::Role::Operand) continue;
    const OperandCopy* copy = nullptr;
    for (const OperandCopy& c : plan.scheduled.copies)
      if (c.name == t.var.name()) copy = &c;
    storages_.push_back(copy != nullptr ? copy_of(source(copy->source), copy->format, t, threads)
                                        : source(t.var.name()));
    places.emplace(t.var.name(), storages_.size() - 1);
    const Storage& g = storages_.back();
    for (std::size_t k = 0; k < t.widths.size(); ++k) {
      const LevelStorage& l = g.levels[k];
      const bool fits = (l.pos.data() == nullptr || l.pos.type() == t.widths[k].pos) &&
                        (l.crd.data() == nullptr || l.crd.type() == t.widths[k].crd);
      internal_check(fits, "level {} of {} has other array widths than its kernel", k + 1, t.var.name());
    }
  }
  for (const concrete::Tensor& r : program.results())
    patterns_.push_back(r.assembly == concrete::Assembly::SharedPattern ? &storages_[places.at(r.pattern_operand)]
                                                                        : nullptr);
  for (const Storage& t : storages_) descriptors_.emplace_back(t);
}

GatheredOperands::Arguments GatheredOperands::arguments(std::span<Descriptor* const> results) const {
  Arguments all(results.size() + descriptors_.size());
  std::size_t k = 0;
  for (Descriptor* result : results) all[k++] = result->get();
  for (Descriptor& d : descriptors_) all[k++] = d.get();
  return all;
}

}  // namespace lacuna
