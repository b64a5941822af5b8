#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/support/functions.h"
#include "unit/jit/module_runner.h"

// Every operator, conversion and function on every type it takes, compiled, against the interpreter and so against
// Scalar: one kernel each, with an output array for every case.
namespace lacuna::operations_test {
namespace {

using namespace loop;

constexpr Type all_types[] = {Type::Bool,    Type::Int8,      Type::Int16,     Type::Int32,  Type::Int64,
                              Type::UInt8,   Type::UInt16,    Type::UInt32,    Type::UInt64, Type::Float32,
                              Type::Float64, Type::Complex64, Type::Complex128};

std::vector<Scalar> interesting_reals() {
  const double inf = std::numeric_limits<double>::infinity();
  return {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e10, -1e19, 300.7, inf, -inf, std::nan("")};
}

std::vector<Scalar> interesting_integers() {
  const auto least = std::numeric_limits<std::int64_t>::min();
  std::vector<Scalar> values = {0, 1, -1, 2, 3, -7, 100};
  for (int bits : {7, 8, 15, 16, 31, 32}) {
    for (std::int64_t offset : {-1, 0}) values.emplace_back((std::int64_t{1} << bits) + offset);
  }
  for (std::int64_t each : {least, least + 1, -(std::int64_t{1} << 31), std::int64_t{-128}, -(least + 1)}) {
    values.emplace_back(each);
  }
  return values;
}

std::vector<Scalar> interesting_values(Type type) {
  std::vector<Scalar> values;
  if (is_complex(type)) {
    for (const Scalar& re : {Scalar(0.0), Scalar(1.5), Scalar(-2.0), Scalar(std::nan(""))}) {
      for (const Scalar& im : {Scalar(0.0), Scalar(-0.5), Scalar(3.0)}) {
        values.push_back(Scalar(std::complex<double>(re.as<double>(), im.as<double>())).convert(type));
      }
    }
    return values;
  }
  for (const Scalar& each : is_float(type) ? interesting_reals() : interesting_integers()) {
    values.push_back(each.convert(type));
  }
  return values;
}

/// A store for each case, in one loop, and the memory that it works on.
class Cases {
 public:
  Cases() {
    for (Type type : all_types) {
      const std::vector<Scalar> values = interesting_values(type);
      const std::size_t n = values.size();
      for (std::size_t argument = 0, stride = 1; argument < 3; argument++, stride *= n) {
        add_input(fmt::format("{}_{}", type_name(type), argument), type);
        for (std::size_t k = 0; k < count; k++) values[k / stride % n].store(cell(memory_.size() - 1, k));
      }
    }
  }

  /// Argument `number` of a case, of a type.
  Expr argument(int number, Type type) const {
    return load(parameters_[static_cast<std::size_t>(type) * 3 + static_cast<std::size_t>(number)].var, k_);
  }

  void add(const std::string& what, const Expr& result) {
    const Var out(fmt::format("out_{}", names_.size()), array_type(result.scalar()));
    names_.push_back(what);
    parameters_.push_back({out, "", false, true});
    memory_.emplace_back(count * 16);
    stores_.push_back(store(out, k_, result));
  }

  void expect_same_as_interpreted() {
    Module module;
    module.name = "cases";
    module.parameters = parameters_;
    module.body = for_loop(k_, 0, std::int64_t{count}, block(stores_));
    Jit jit(without_cache());
    CompiledModule compiled(module, jit);
    TestContext context;
    ASSERT_EQ(compiled.run(bindings(), context), LACUNA_OK);
    const std::vector<std::vector<std::byte>> results = memory_;
    interpret(module, bindings());
    for (std::size_t c = 0; c < names_.size(); c++) expect_same_case(c, results);
  }

 private:
  static constexpr std::size_t count = 500;

  void add_input(const std::string& name, Type type) {
    parameters_.push_back({Var("in_" + name, array_type(type)), "", false, false});
    memory_.emplace_back(count * 16);
  }

  void* cell(std::size_t parameter, std::size_t k) {
    const auto size = static_cast<std::size_t>(size_of(parameters_[parameter].var.type().scalar));
    return memory_[parameter].data() + k * size;
  }

  std::vector<Binding> bindings() {
    std::vector<Binding> all;
    for (auto& each : memory_) all.push_back({Scalar(), each.data(), std::int64_t{count}});
    return all;
  }

  static bool same_bits(const Scalar& a, const Scalar& b) {
    if (!(a == b)) return false;
    if (!is_float(a.type())) return true;
    return std::isnan(a.as<double>()) || std::signbit(a.as<double>()) == std::signbit(b.as<double>());
  }

  void expect_same_case(std::size_t c, const std::vector<std::vector<std::byte>>& compiled) {
    const std::size_t parameter = parameters_.size() - names_.size() + c;
    const Type type = parameters_[parameter].var.type().scalar;
    const auto size = static_cast<std::size_t>(size_of(type));
    for (std::size_t k = 0; k < count; k++) {
      const Scalar is = Scalar::load(type, compiled[parameter].data() + k * size);
      const Scalar should_be = Scalar::load(type, cell(parameter, k));
      ASSERT_TRUE(same_bits(is, should_be)) << names_[c] << " of element " << k << " is " << is.to_string()
                                            << " compiled and " << should_be.to_string() << " interpreted";
    }
  }

  const Var k_{"k", scalar_type(Type::Int64)};
  std::vector<Parameter> parameters_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<Stmt> stores_;
  std::vector<std::string> names_;
};

TEST(Operations, EveryFunctionIsTheInterpretersOnEveryType) {
  Cases cases;
  int added = 0;
  for (const FunctionInfo& function : function_table()) {
    for (Type type : all_types) {
      const std::vector<Type> types(static_cast<std::size_t>(function.arity), type);
      std::vector<Expr> arguments;
      for (int k = 0; k < function.arity; k++) arguments.push_back(cases.argument(k, type));
      try {
        if (argument_type(function.id, types) != type) continue;
      } catch (const Error&) {
        continue;  // not for complex numbers
      }
      cases.add(fmt::format("{} of {}", function.name, type_name(type)), math(function.id, arguments));
      added++;
    }
  }
  EXPECT_GT(added, 200);
  cases.expect_same_as_interpreted();
}

TEST(Operations, EveryConversionIsTheInterpreters) {
  Cases cases;
  for (Type from : all_types) {
    for (Type to : all_types) {
      // A second conversion and a sum show whether the first was left to C where that is not the same.
      const Expr once = convert(cases.argument(0, from), to);
      cases.add(fmt::format("{} to {}", type_name(from), type_name(to)), once);
      if (is_complex(to) || is_complex(from)) continue;
      const Expr sum = value_op(BinaryOp::Add, once, convert(cases.argument(1, from), to));
      cases.add(fmt::format("sum of {} as {}", type_name(from), type_name(to)), convert(sum, Type::Float64));
      cases.add(fmt::format("{} compared as {}", type_name(from), type_name(to)),
                once < convert(cases.argument(1, Type::UInt32), to));
    }
  }
  cases.expect_same_as_interpreted();
}

TEST(Operations, EveryOperatorIsTheInterpretersOnEveryType) {
  Cases cases;
  using enum BinaryOp;
  for (Type type : all_types) {
    const Expr a = cases.argument(0, type);
    const Expr b = cases.argument(1, type);
    for (BinaryOp op : {Add, Sub, Mul, Div, Mod, Min, Max, Eq, Ne, Lt, Le, Gt, Ge, BitAnd, BitOr, BitXor}) {
      const bool is_order = op == Min || op == Max || (op >= Lt && op <= Ge);
      const bool is_bits = op == Mod || op >= BitAnd;
      if ((is_order && is_complex(type)) || (is_bits && (!is_integer(type) || type == Type::Bool))) continue;
      if (type == Type::Bool && !(op == Eq || op == Ne)) continue;
      const Expr result = value_op(op, a, b);
      cases.add(fmt::format("operator {} of {}", static_cast<int>(op), type_name(type)), result);
      // Inside another operation, a result narrower than int must have been cut to its type.
      if (is_integer(type) && result.scalar() == type) {
        cases.add(fmt::format("operator {} of {}, halved", static_cast<int>(op), type_name(type)),
                  convert(value_op(Div, result, constant(type, 2)), Type::Int64));
      }
    }
    if (type != Type::Bool) cases.add(fmt::format("minus {}", type_name(type)), negate(a));
  }
  cases.expect_same_as_interpreted();
}

TEST(Operations, FactorsAndAddendsKeepTheOrderThatTheyAreGivenIn) {
  Cases cases;
  const auto real = [&](int k) { return cases.argument(k, Type::Float64); };
  const auto integer = [&](int k) { return bit_and(convert(cases.argument(k, Type::Int8), Type::Int64), 7); };
  const auto op = [](BinaryOp o, const Expr& a, const Expr& b) { return value_op(o, a, b); };
  using enum BinaryOp;
  for (BinaryOp outer : {Add, Sub, Mul, Div}) {
    for (BinaryOp inner : {Add, Sub, Mul, Div}) {
      cases.add("left", op(outer, op(inner, real(0), real(1)), real(2)));
      cases.add("right", op(outer, real(0), op(inner, real(1), real(2))));
      cases.add("minus", op(outer, negate(real(0)), op(inner, negate(real(1)), real(2))));
      cases.add("integers left", op(outer, op(inner, integer(0), integer(1)), integer(2)));
      cases.add("integers right", op(outer, integer(0), op(inner, integer(1), integer(2))));
    }
  }
  const Expr x = real(0) < real(1), y = real(1) <= real(2), z = eq(integer(0), integer(1));
  cases.add("logic", (x && y) || (y && z));
  cases.add("logic 2", (x || y) && (y || !z));
  cases.add("logic 3", eq(x < y, z) || !(x && z));
  cases.add("choice", select(x, select(y, real(0), real(1)), select(z, real(1), real(2))));
  cases.add("chosen", op(Mul, select(x, real(0), real(1)), real(2)));
  cases.expect_same_as_interpreted();
}

}  // namespace
}  // namespace lacuna::operations_test
