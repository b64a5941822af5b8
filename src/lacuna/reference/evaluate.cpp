#include "lacuna/reference/evaluate.h"

#include <algorithm>

#include "lacuna/reference/join.h"
#include "lacuna/reference/point_value.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using namespace reference;  // the folder's inner parts

using Coordinate = std::vector<std::int64_t>;

class Evaluation {
 public:
  Evaluation(const Statement& s, const std::map<std::string, Storage>& operands, Type result_type,
             const std::map<IndexVar, std::int64_t>& dimensions)
      : statement_(s), dimensions_(dimensions) {
    check_meaning(s);
    result_.type = result_type;
    result_.dimensions = extents_of(s.lhs);
    if (s.accumulate) read(s.lhs, operands);
    for (const Access& access : accesses(s.rhs)) read(access, operands);
    compute_type_ = compute_type(s, facts_, result_type);
    statement_ = with_wide_sums(s, facts_, compute_type_);
    check_divisions(s, facts_);
  }

  ReferenceResult run() {
    if (statement_.accumulate) add_old_contents();
    for (const Term& term : terms_of(statement_)) add_term(term);
    for (auto& [coordinate, entry] : result_.entries) entry.value = entry.value.convert(result_.type);
    return std::move(result_);
  }

 private:
  Coordinate extents_of(const Access& access) const {
    Coordinate extents;
    for (const IndexVar& var : access.indices) {
      const auto known = dimensions_.find(var);
      if (known == dimensions_.end()) user_error("no size is given for the index variable {}", var.name());
      extents.push_back(known->second);
    }
    return extents;
  }

  void read(const Access& access, const std::map<std::string, Storage>& operands) {
    const std::string& name = access.tensor.name();
    const auto found = operands.find(name);
    if (found == operands.end()) user_error("the tensor {} is not given", name);
    if (found->second.dimensions != extents_of(access)) {
      user_error("the dimensions of {} are not the sizes of the index variables that it is written with", name);
    }
    if (facts_.count(name) > 0) return;
    facts_[name] = {found->second.type, found->second.dimensions};
    entries_.try_emplace(name, found->second);
  }

  /// Where the left side repeats a variable, only coordinates that agree are written.
  bool is_written(std::span<const std::int64_t> coordinate) const {
    const auto& indices = statement_.lhs.indices;
    for (std::size_t m = 0; m < indices.size(); ++m) {
      const auto first = std::find(indices.begin(), indices.end(), indices[m]) - indices.begin();
      if (coordinate[m] != coordinate[static_cast<std::size_t>(first)]) return false;
    }
    return true;
  }

  void add_old_contents() {
    const CoordinateMap& old = entries_.at(statement_.lhs.tensor.name());
    old.visit([&](std::span<const std::int64_t> coordinate, const Scalar& value) {
      const Scalar kept = is_written(coordinate) ? value.convert(compute_type_) : value;
      result_.entries[Coordinate(coordinate.begin(), coordinate.end())] = {kept, !old.full()};
    });
  }

  void add_term(const Term& term) {
    std::vector<IndexVar> variables;
    for (const IndexVar& var : all_variables(statement_)) {
      if (contains(statement_.lhs.indices, var) || contains(term.sums, var)) variables.push_back(var);
    }
    ProgramBuilder builder(entries_, facts_, dimensions_);
    const Program program = builder.build(term.expr, variables);
    std::vector<int> slots(variables.size());
    for (std::size_t v = 0; v < slots.size(); ++v) slots[v] = static_cast<int>(v);
    const Join join(program, slots, {}, builder.extents());

    Point point(builder.extents().size());
    const Bindings bindings = join.run(point);
    for (std::int64_t k = 0; k < bindings.size(); ++k) {
      const auto values = bindings[k];
      std::copy(values.begin(), values.end(), point.begin());
      const PointValue value = evaluate_at(program, point);
      if (value.present) add(written_coordinate(variables, values), value, term.negative);
    }
  }

  Coordinate written_coordinate(const std::vector<IndexVar>& variables, std::span<const std::int64_t> values) const {
    Coordinate coordinate;
    for (const IndexVar& var : statement_.lhs.indices) {
      const auto v = std::find(variables.begin(), variables.end(), var) - variables.begin();
      coordinate.push_back(values[static_cast<std::size_t>(v)]);
    }
    return coordinate;
  }

  void add(const Coordinate& coordinate, const PointValue& value, bool negative) {
    const ReferenceEntry zero{Scalar::zero(compute_type_), false};
    ReferenceEntry& entry = result_.entries.try_emplace(coordinate, zero).first->second;
    const Scalar converted = value.value.convert(compute_type_);
    entry.value = negative ? entry.value - converted : entry.value + converted;
    entry.structural = entry.structural || value.structural;
  }

  Statement statement_;
  const std::map<IndexVar, std::int64_t>& dimensions_;
  FactsByName facts_;
  MapsByName entries_;
  Type compute_type_ = Type::Float64;
  ReferenceResult result_;
};

}  // namespace

ReferenceResult evaluate_reference(const Statement& s, const std::map<std::string, Storage>& operands, Type result_type,
                                   const std::map<IndexVar, std::int64_t>& dimensions) {
  return Evaluation(s, operands, result_type, dimensions).run();
}

}  // namespace lacuna
