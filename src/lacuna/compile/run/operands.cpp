#include "lacuna/compile/run/operands.h"

#include <optional>

#include "lacuna/support/check.h"
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

/// A kernel reads no element of an array that has none.
void check_widths(const Storage& gathered, const std::vector<concrete::LevelWidths>& wanted, const std::string& name) {
  const auto fits = [](const Array& array, Type width) { return array.empty() || array.type() == width; };
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const LevelStorage& l = gathered.levels.at(k);
    internal_check(fits(l.pos, wanted[k].pos) && fits(l.crd, wanted[k].crd),
                   "level {} of {} has other array widths than its kernel", k + 1, name);
  }
}

}  // namespace

GatheredOperands::GatheredOperands(const Plan& plan, const CheckedRequest& checked,
                                   const std::map<std::string, Storage>& operands, int threads) {
  const auto asked = [&](const std::string& name) -> const std::string& {
    for (std::size_t n = 0; n < checked.statements(); ++n) {
      const Statement& s = checked.statement(n).problem.statement;
      if (name == old_result_name(s)) return s.lhs.tensor.name();
    }
    return name;
  };
  const concrete::Program& program = plan.scheduled.program;
  std::map<std::string, std::size_t> places;
  for (const concrete::Tensor& t : program.tensors) {
    if (t.role != concrete::Role::Operand) continue;
    const OperandCopy* copy = nullptr;
    for (const OperandCopy& c : plan.scheduled.copies)
      if (c.name == t.var.name()) copy = &c;
    names_.push_back(asked(copy != nullptr ? copy->source : t.var.name()));
    const Storage& source = operands.at(names_.back());
    storages_.push_back(copy != nullptr ? copy_of(source, copy->format, t, threads) : source);
    places.emplace(t.var.name(), storages_.size() - 1);
    widths_.push_back(t.widths);
    check_widths(storages_.back(), t.widths, t.var.name());
  }
  for (const concrete::Tensor& r : program.results())
    patterns_.push_back(r.assembly == concrete::Assembly::SharedPattern ? &storages_[places.at(r.pattern_operand)]
                                                                        : nullptr);
  for (const Storage& t : storages_) descriptors_.emplace_back().emplace(t);
}

void GatheredOperands::replace(const std::string& name, const Storage& operand) {
  for (std::size_t k = 0; k < storages_.size(); ++k) {
    if (names_[k] != name) continue;
    check_widths(operand, widths_[k], name);
    storages_[k] = operand;
    descriptors_[k].emplace(storages_[k]);
  }
}

GatheredOperands::Arguments GatheredOperands::arguments(std::span<Descriptor* const> results) const {
  Arguments all(results.size() + descriptors_.size());
  std::size_t k = 0;
  for (Descriptor* result : results) all[k++] = result->get();
  for (std::optional<Descriptor>& d : descriptors_) all[k++] = d->get();
  return all;
}

}  // namespace lacuna
