#include "lacuna/reference/point_value.h"

#include <algorithm>

#include "lacuna/reference/join.h"

namespace lacuna::reference {
namespace {

const PointValue absent{};

/// What an absent operand counts as where it does not make the whole absent.
Scalar value_or_zero(const PointValue& v, Type type) { return v.present ? v.value : Scalar::zero(type); }

PointValue value_of_access(const Program& program, const Point& point) {
  std::vector<std::int64_t> coordinate;
  for (const int slot : program.slots) coordinate.push_back(point[static_cast<std::size_t>(slot)]);
  const std::optional<Scalar> value = program.entries->at(coordinate);
  return value ? PointValue{true, !program.entries->full(), *value} : absent;
}

PointValue value_of_binary(const Program& program, BinaryOp op, const PointValue& a, const PointValue& b) {
  const bool structural = a.structural || b.structural;
  switch (op) {
    case BinaryOp::Mul:
      if (!a.present || !b.present) return absent;
      return {true, structural, a.value * b.value};
    case BinaryOp::Div:
      if (!a.present) return absent;
      return {true, structural, a.value / value_or_zero(b, program.children[1].type)};
    case BinaryOp::Add:
      if (!a.present && !b.present) return absent;
      if (!a.present) return {true, structural, b.value.convert(program.type)};
      if (!b.present) return {true, structural, a.value.convert(program.type)};
      return {true, structural, a.value + b.value};
    case BinaryOp::Sub:
      if (!a.present && !b.present) return absent;
      if (!a.present) return {true, structural, -b.value.convert(program.type)};
      if (!b.present) return {true, structural, a.value.convert(program.type)};
      return {true, structural, a.value - b.value};
  }
  throw InternalError("internal error: a BinaryOp outside its enumeration");
}

bool is_absent(AbsenceRule rule, const std::vector<PointValue>& arguments) {
  const auto missing = [](const PointValue& v) { return !v.present; };
  switch (rule) {
    case AbsenceRule::ZeroWhenAllAbsent: return std::all_of(arguments.begin(), arguments.end(), missing);
    case AbsenceRule::FirstAnnihilates: return missing(arguments[0]);
    case AbsenceRule::AnyAnnihilates: return std::any_of(arguments.begin(), arguments.end(), missing);
    case AbsenceRule::NeverAbsent: return false;
  }
  throw InternalError("internal error: an AbsenceRule outside its enumeration");
}

PointValue value_of_call(const Program& program, FunctionId function, Point& point) {
  std::vector<PointValue> arguments;
  std::vector<Scalar> values;
  bool structural = false;
  for (const Program& child : program.children) {
    arguments.push_back(evaluate_at(child, point));
    values.push_back(value_or_zero(arguments.back(), child.type));
    structural = structural || arguments.back().structural;
  }
  if (is_absent(info(function).absence, arguments)) return absent;
  return {true, structural, lacuna::apply(function, values)};
}

PointValue value_of_sum(const Program& program, Point& point) {
  PointValue total{false, false, Scalar::zero(program.type)};
  const Bindings values = program.join->run(point);
  for (std::int64_t k = 0; k < values.size(); ++k) {
    point[static_cast<std::size_t>(program.slots[0])] = values[k][0];
    const PointValue body = evaluate_at(program.children[0], point);
    if (!body.present) continue;
    total = {true, total.structural || body.structural, total.value + body.value};
  }
  return total.present ? total : absent;
}

}  // namespace

PointValue evaluate_at(const Program& program, Point& point) {
  return match(
      program.expr, [&](const Access&) { return value_of_access(program, point); },
      [](const Literal& n) {
        return PointValue{true, false, n.value};
      },
      [&](const IndexValue&) {
        return PointValue{true, false, Scalar(point[static_cast<std::size_t>(program.slots[0])])};
      },
      [&](const Negate&) {
        const PointValue v = evaluate_at(program.children[0], point);
        return v.present ? PointValue{true, v.structural, -v.value} : absent;
      },
      [&](const Binary& n) {
        const PointValue left = evaluate_at(program.children[0], point);
        return value_of_binary(program, n.op, left, evaluate_at(program.children[1], point));
      },
      [&](const Call& n) { return value_of_call(program, n.function, point); },
      [&](const Cast& n) {
        const PointValue v = evaluate_at(program.children[0], point);
        return v.present ? PointValue{true, v.structural, v.value.convert(n.type)} : absent;
      },
      [&](const Sum&) { return value_of_sum(program, point); });
}

}  // namespace lacuna::reference
