#include "lacuna/distribute/plan/position_cut.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/notation/parse.h"

namespace lacuna::launch {
namespace {

bool same_names(const std::vector<IndexVar>& a, const std::vector<IndexVar>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const IndexVar& x, const IndexVar& y) { return x.name() == y.name(); });
}

std::size_t operand_of(const Launch& launch, const Access& access) {
  const std::string& name = access.tensor.name();
  std::optional<std::size_t> found;
  for (std::size_t o = 0; o < launch.operands.size(); ++o) {
    const Operand& operand = launch.operands[o];
    if (operand.tensor != name || (!access.indices.empty() && !same_names(access.indices, operand.indices))) continue;
    if (found) refuse("pos", "{} is used with several lists of variables; say which, as in {}(i,j)", name, name);
    found = o;
  }
  if (!found) refuse("pos", "{} is no operand of the statement", name);
  return *found;
}

/// The entries of an operand can be partitioned only where each contributes by itself.
void check_factor(const Expr& e, const Operand& operand) {
  if (!is_factor_once(e, operand))
    refuse("distribute",
           "the entries of {} can be partitioned only where it is a factor of every term once, and in "
           "{} it is not",
           operand.tensor, to_string(e));
}

}  // namespace

bool is_factor(const Expr& e, const Operand& operand) {
  if (const auto* access = as<Access>(e))
    return access->tensor.name() == operand.tensor && access->indices == operand.indices;
  if (const auto* negate = as<Negate>(e)) return is_factor(negate->operand, operand);
  const auto* binary = as<Binary>(e);
  if (binary == nullptr) return false;
  if (binary->op == BinaryOp::Mul) return is_factor(binary->left, operand) || is_factor(binary->right, operand);
  return binary->op == BinaryOp::Div && is_factor(binary->left, operand);
}

bool is_factor_once(const Expr& e, const Operand& operand) {
  int times = 0;
  for (const Access& access : accesses(e)) times += access.tensor.name() == operand.tensor ? 1 : 0;
  return times == 1 && is_factor(e, operand);
}

PositionCut position_cut(const Launch& launch, const std::map<std::string, Format>& formats,
                         const LoopVariables::Positions& positions) {
  const std::size_t number = operand_of(launch, *as<Access>(positions.access));
  const Operand& operand = launch.operands[number];
  const Format& format = formats.at(operand.tensor);
  for (std::size_t k = 0; k < positions.fused.size(); ++k) {
    const IndexVar& v = operand.indices[static_cast<std::size_t>(format.map().mode_of(static_cast<int>(k)))];
    if (v.name() != positions.fused[k])
      refuse("pos", "{} runs over {}, but the outermost levels of {} store {}", positions.name,
             fmt::join(positions.fused, ","), operand.tensor, v.name());
  }
  for (const Term& term : terms_of(launch.statement)) check_factor(term.expr, operand);
  // Spans of dense levels are as long as each other, and are not cut: a part of one would be none.
  return {number, counted_level(format, static_cast<int>(positions.fused.size()) - 1), positions.name};
}

}  // namespace lacuna::launch
