#include "lacuna/api/assignment.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Variables made without a name are numbered through the whole process. Within a statement they are numbered anew, so
/// that evaluating the same code again finds its kernel.
class Naming {
 public:
  explicit Naming(const Statement& written) {
    std::vector<TensorVar> tensors = {written.lhs.tensor};
    for (const Access& access : accesses(written.rhs)) tensors.push_back(access.tensor);
    const std::vector<IndexVar> variables = all_variables(written);
    for (const IndexVar& var : variables) {
      if (!has_generated_name(var)) taken_.insert(var.name());
    }
    // Names that the user chose stand; two tensors of one name are told apart by a number.
    for (const TensorVar& tensor : tensors) {
      if (!tensor.name().empty() && tensors_.count(tensor) == 0) rename(tensor, tensor.name());
    }
    // Nobody takes these for a name that he gave, or for a variable of his program.
    int unnamed = 0;
    for (const TensorVar& tensor : tensors) {
      if (tensors_.count(tensor) == 0) rename(tensor, free_numbered("unnamed_", unnamed));
    }
    int number = 0;
    for (const IndexVar& var : variables) {
      if (has_generated_name(var)) variables_.emplace(var, IndexVar(free_numbered("i", number)));
    }
  }

  TensorVar of(const TensorVar& tensor) const { return tensors_.at(tensor); }
  Access of(const Access& access) const { return renamed(access, renaming()); }
  Expr of(const Expr& e) const { return renamed(e, renaming()); }

 private:
  Renaming renaming() const {
    return {[this](const TensorVar& tensor) { return of(tensor); }, [this](const IndexVar& var) { return of(var); }};
  }
  IndexVar of(const IndexVar& var) const {
    const auto found = variables_.find(var);
    return found == variables_.end() ? var : found->second;
  }

  void rename(const TensorVar& tensor, const std::string& wanted) {
    std::string name = wanted;
    for (int number = 2; !taken_tensors_.insert(name).second; ++number) name = fmt::format("{}{}", wanted, number);
    taken_.insert(name);
    tensors_.emplace(tensor, TensorVar(name, tensor.order()));
  }

  std::string free_numbered(const std::string& prefix, int& number) const {
    std::string name;
    do {
      name = fmt::format("{}{}", prefix, ++number);
    } while (taken_.count(name) != 0);
    return name;
  }

  std::set<std::string> taken_;
  std::set<std::string> taken_tensors_;
  std::map<TensorVar, TensorVar> tensors_;
  std::map<IndexVar, IndexVar> variables_;
};

void check_order(const Destination& destination) {
  if (!destination.dimensions) return;
  const std::size_t order = destination.dimensions->size();
  if (order == destination.indices.size()) return;
  user_error("{} has {} mode(s), but is assigned through {} index variable(s)",
             destination.tensor.name().empty() ? "the tensor" : destination.tensor.name(), order,
             destination.indices.size());
}

}  // namespace

bool has_generated_name(const IndexVar& var) {
  const std::string& name = var.name();
  return name.size() > 1 && name[0] == 'i' && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

void check_identifier(const std::string& what, const std::string& name) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const bool digit_first = !name.empty() && name[0] >= '0' && name[0] <= '9';
  if (name.find_first_not_of(letters) == std::string::npos && !digit_first) return;
  user_error("'{}' cannot be the name of {}: use letters, digits and _, and no digit first", name, what);
}

ValuePtr assign(const Destination& destination, bool accumulate, const Expression& right) {
  check_order(destination);
  const Statement written{{destination.tensor, destination.indices}, accumulate, right.expr(), ""};
  for (const IndexVar& var : all_variables(written)) check_identifier("an index variable", var.name());
  const Naming naming(written);
  Statement statement{naming.of(written.lhs), accumulate, naming.of(written.rhs), ""};
  statement.text = to_string(statement);
  check_meaning(statement);

  std::map<std::string, ValuePtr> operands;
  std::map<std::string, Distribution> placed;
  for (const Capture& capture : right.captures()) {
    const std::string& name = naming.of(capture.tensor).name();
    operands.emplace(name, capture.value);
    if (capture.placed) placed.emplace(name, *capture.placed);
  }
  const std::string& result_name = statement.lhs.tensor.name();
  if (destination.placed) placed.emplace(result_name, *destination.placed);
  if (accumulate) {
    if (!destination.old)
      user_error("{} has no dimensions yet, so nothing can be added to it; assign with =", result_name);
    operands.emplace(result_name, destination.old);
  }

  FactsByName facts;
  std::map<std::string, Format> formats;
  for (const auto& [name, value] : operands) {
    facts[name] = {value->type(), value->dimensions()};
    formats.emplace(name, value->format());
  }
  facts[result_name] = {destination.type, destination.dimensions};
  const std::map<IndexVar, std::int64_t> sizes = infer_dimensions(statement, facts);
  check_divisions(statement, facts);

  Storage result;
  result.type = destination.type;
  for (const IndexVar& var : statement.lhs.indices) result.dimensions.push_back(sizes.at(var));
  result.format = destination.format ? *destination.format : infer_result_format(statement, formats);
  return std::make_shared<Value>(std::move(statement), std::move(operands), std::move(result), std::move(placed),
                                 destination.kept);
}

}  // namespace lacuna
