#include "lacuna/distribute/run/step_sum.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "lacuna/distribute/parts/array_sizes.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/run/same_pattern.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

class DenseSum : public StepSum {
 public:
  DenseSum(const PartShape& shape, const std::vector<IndexSet>& region, ResultMemory& memory)
      : shape_(shape), region_(region), results_(memory) {}

  std::size_t add_share(const std::vector<IndexSet>& region) override {
    const bool is_first = shares_.empty();
    shares_.push_back(is_first ? DenseCopy() : DenseCopy(region, region_, region, shape_.format, shape_.type));
    return shares_.size() - 1;
  }
  LocalPart& begin() override { return results_.next(); }
  void add(std::size_t share) override {
    shares_[share].add(addend_.values.data(), results_.last().storage.values.mutable_data());
  }
  LocalPart& sum() override { return results_.last(); }

 private:
  PartShape shape_;
  std::vector<IndexSet> region_;
  ResultMemory& results_;
  std::vector<DenseCopy> shares_;
};

/// Of parts of any format.
class GeneralSum : public StepSum {
 public:
  std::size_t add_share(const std::vector<IndexSet>&) override { return shares_++; }
  LocalPart& begin() override { return results_.next(); }
  void add(std::size_t) override {
    LocalPart& sum = results_.last();
    sum = add_up({sum, {sum.sets, addend_}}, sum.sets, shape_of(addend_));
  }
  LocalPart& sum() override { return results_.last(); }

 private:
  ResultMemory results_;
  std::size_t shares_ = 0;
};

/// The same arrays, which whoever holds them may write over.
void look_at(const Storage& storage, Storage& view) {
  view = storage;
  each_array(
      [](Array& array) { array = Array::borrow(array.type(), array.data(), array.size(), nullptr, array.base()); },
      view);
}

bool same_widths(const Storage& a, const Storage& b) {
  bool same = true;
  each_array([&](const Array& x, const Array& y) { same = same && x.type() == y.type(); }, a, b);
  return same;
}

/// Two sums take turns: a kernel merges what was added up so far with the next addend into the other.
class EntrySum : public StepSum {
 public:
  EntrySum(PartShape shape, PrepareStatement prepare) : shape_(std::move(shape)), prepare_(std::move(prepare)) {}

  std::size_t add_share(const std::vector<IndexSet>&) override { return shares_++; }
  LocalPart& begin() override {
    turn_ = 0;
    return sums_[turn_].next();
  }
  void add(std::size_t) override {
    LocalPart& before = sums_[turn_].last();
    if (same_pattern(before.storage, addend_)) return add_values(before.storage);
    LocalPart& next = sums_[1 - turn_].next();
    next.sets = before.sets;
    merge(before.storage, next.storage);
    turn_ = 1 - turn_;
  }
  LocalPart& sum() override { return sums_[turn_].last(); }

 private:
  /// Where they lie alike, as those of a statement do that keeps the pattern of an operand.
  void add_values(Storage& sum) {
    if (sum.values.size() != values_) {
      const std::vector<IndexSet> all = {IndexSet::range(0, sum.values.size())};
      adding_ = DenseCopy(all, all, all, dense_format(1), shape_.type);
      values_ = sum.values.size();
    }
    adding_.add(addend_.values.data(), sum.values.mutable_data());
  }

  /// A kernel, and what it was given last.
  struct Merging {
    std::array<Storage, 2> views;
    Bound kernel;
  };

  void merge(const Storage& before, Storage& into) {
    const auto fits = [&](const Merging& each) {
      return same_widths(before, each.views[0]) && same_widths(addend_, each.views[1]);
    };
    auto merging = std::find_if(merging_.begin(), merging_.end(), fits);
    if (merging == merging_.end()) {
      const Request request = sum_of(before, addend_);
      merging = merging_.insert(merging, {{before, addend_}, Bound(*prepare_(request), request.operands)});
    }
    look_at(before, merging->views[0]);
    look_at(addend_, merging->views[1]);
    merging->kernel.replace("P", merging->views[0]);
    merging->kernel.replace("Q", merging->views[1]);
    merging->kernel.run_into(into);
  }

  Request sum_of(const Storage& p, const Storage& q) const {
    std::string indices;
    for (int m = 0; m < shape_.format.order(); ++m) indices += fmt::format("{}i{}", m > 0 ? "," : "", m);
    Request request{
        parse_statement(fmt::format("S({0}) = P({0}) + Q({0})", indices)), {}, shape_.format, shape_.type, {}, {}, {}};
    look_at(p, request.operands["P"]);
    look_at(q, request.operands["Q"]);
    return request;
  }

  PartShape shape_;
  PrepareStatement prepare_;
  std::array<ResultMemory, 2> sums_;
  std::size_t shares_ = 0, turn_ = 0;
  std::vector<Merging> merging_;  // by widths of integers: few
  DenseCopy adding_;
  std::int64_t values_ = -1;  // that adding_ adds
};

/// Kernels put results together in order where all levels do so that come in this order.
bool is_merged_in_order(const Format& format) {
  return std::all_of(format.levels().begin(), format.levels().end(), [](const LevelFormat& level) {
    return level.full() || (level.packed() && level.ordered && level.unique);
  });
}

}  // namespace

std::unique_ptr<StepSum> make_step_sum(const PartShape& shape, const std::vector<IndexSet>& region,
                                       ResultMemory& memory, PrepareStatement prepare) {
  if (shape.format.is_dense()) return std::make_unique<DenseSum>(shape, region, memory);
  if (is_merged_in_order(shape.format)) return std::make_unique<EntrySum>(shape, std::move(prepare));
  return std::make_unique<GeneralSum>();
}

}  // namespace lacuna
