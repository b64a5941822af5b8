#include "unit/loop/harness.h"

namespace lacuna::loop::checks_test {
namespace {

using testing::HasSubstr;

/// Each test makes one check of the interpreter fire, and looks for the reason in the message.
class Checks : public testing::Test {
 protected:
  const Var i{"i", int64_type}, n{"n", int64_type}, k{"k", int32_type};
  const Var a{"a", array_type(Type::Int64)}, w{"w", array_type(Type::Float64)}, s{"s", float64_type};
  std::vector<std::int64_t> five = {1, 2, 3, 4, 5};

  Binding number(std::int64_t value) const { return bound(Scalar(value)); }
};

TEST_F(Checks, AReadPastTheEndIsReportedWithTheStatementAndTheValues) {
  const Module module = kernel({updated(a), input(n)}, {for_loop(i, 0, n, store(a, i, load(a, Expr(i) + 3)))});
  const std::string message = failure(module, {bound(five), number(4)});
  EXPECT_THAT(message, HasSubstr("index 5 is outside a, which has 5 elements"));
  EXPECT_THAT(message, HasSubstr("in: a[i] = a[i + 3];"));
  EXPECT_THAT(message, HasSubstr("with: i = 2"));
}

TEST_F(Checks, NegativeIndicesAreOutside) {
  const Module module = kernel({updated(a), input(n)}, {store(a, Expr(n) - 1, 0)});
  EXPECT_THAT(failure(module, {bound(five), number(0)}), HasSubstr("index -1 is outside a"));
}

TEST_F(Checks, AWritePastTheEndIsReported) {
  const Module module = kernel({updated(a), input(n)}, {store(a, n, 0)});
  EXPECT_THAT(failure(module, {bound(five), number(5)}), HasSubstr("index 5 is outside a"));
}

TEST_F(Checks, ANullArrayMayNotBeTouched) {
  const Module module = kernel({input(a), output(n)}, {assign(n, load(a, 0))});
  EXPECT_THAT(failure(module, {nothing(), number(0)}), HasSubstr("a has no memory (null)"));
}

TEST_F(Checks, AnElementThatWasNeverWrittenMayNotBeRead) {
  const Module module = kernel({output(s)}, {declare_array(w), allocate(w, 4, false), store(w, 1, 1.0),
                                             assign(s, load(w, 1)), assign(s, load(w, 2)), release(w)});
  const std::string message = failure(module, {bound(Scalar(0.0))});
  EXPECT_THAT(message, HasSubstr("w at 2 is read and was never written"));
  EXPECT_THAT(message, HasSubstr("in: s = w[2];"));
}

TEST_F(Checks, AnUpdateReadsTheElementFirst) {
  const Module module =
      kernel({}, {declare_array(w), allocate(w, 4, false), store(w, 0, 1.0, StoreOp::Add), release(w)});
  EXPECT_THAT(failure(module, {}), HasSubstr("w at 0 is read and was never written"));
}

TEST_F(Checks, ElementsThatResizingAddsAreUnwrittenAndTheOldOnesAreNot) {
  const Module module = kernel({output(s)}, {declare_array(w), allocate(w, 1, true), resize(w, 3),
                                             assign(s, load(w, 0)), assign(s, load(w, 1)), release(w)});
  EXPECT_THAT(failure(module, {bound(Scalar(0.0))}), HasSubstr("w at 1 is read and was never written"));
}

TEST_F(Checks, AVariableMustBeAssignedBeforeItIsRead) {
  const Module module = kernel({input(n), output(s)},
                               {declare(k), if_then(Expr(n) > 0, assign(k, 1)), assign(s, convert(k, Type::Float64))});
  EXPECT_EQ(run(module, {number(1), bound(Scalar(0.0))}).outputs[1].scalar, Scalar(1.0));
  EXPECT_THAT(failure(module, {number(0), bound(Scalar(0.0))}), HasSubstr("k is read before it is assigned"));
}

TEST_F(Checks, IndexArithmeticMayNotOverflow) {
  for (const auto& [e, what] :
       {std::pair(Expr(k) + 1, "`k + 1` overflows (the operands are 2147483647 and 1)"),
        std::pair(Expr(k) * k, "`k * k` overflows"), std::pair(constant(Type::Int32, -2) - k, "`-2 - k` overflows")}) {
    const Module module = kernel({output(k)}, {assign(k, e)});
    EXPECT_THAT(failure(module, {bound(Scalar(std::int32_t{2147483647}))}), HasSubstr(what));
  }
}

TEST_F(Checks, ValuesWrapWithoutAReport) {
  const Module module = kernel({output(k)}, {assign(k, value_op(BinaryOp::Add, k, constant(Type::Int32, 1)))});
  EXPECT_EQ(run(module, {bound(Scalar(std::int32_t{2147483647}))}).outputs[0].scalar,
            Scalar(std::int32_t{-2147483647 - 1}));
}

TEST_F(Checks, AnIndexThatIsNarrowedMustFit) {
  const Module module = kernel({input(n), output(k)}, {assign(k, convert(Expr(n) + 0, Type::Int32))});
  EXPECT_THAT(failure(module, {number(std::int64_t{1} << 31), bound(Scalar(0))}),
              HasSubstr("`n + 0` is 2147483648 and does not fit int32"));
}

TEST_F(Checks, AValueThatIsNarrowedWraps) {
  const Module module = kernel({input(n), output(k)}, {assign(k, convert(n, Type::Int32))});
  EXPECT_EQ(run(module, {number((std::int64_t{1} << 32) + 7), bound(Scalar(0))}).outputs[1].scalar, Scalar(7));
}

TEST_F(Checks, IndicesMayNotBeDividedByZero) {
  const Module divide = kernel({output(n)}, {assign(n, Expr(1) / n)});
  const Module remainder = kernel({output(n)}, {assign(n, Expr(1) % n)});
  EXPECT_THAT(failure(divide, {number(0)}), HasSubstr("`1 / n` divides by zero"));
  EXPECT_THAT(failure(remainder, {number(0)}), HasSubstr("`1 % n` divides by zero"));
}

TEST_F(Checks, ValuesDividedByZeroAreZero) {
  const Module module = kernel({output(n)}, {assign(n, value_op(BinaryOp::Div, 7, n))});
  EXPECT_EQ(run(module, {number(0)}).outputs[0].scalar, Scalar(std::int64_t{0}));
}

TEST_F(Checks, AnArrayThatIsSearchedMustAscend) {
  std::vector<std::int64_t> values = {1, 4, 3};
  const Module module = kernel({input(a), input(n), output(i)}, {assign(i, lower_bound(a, 0, n, 1))});
  EXPECT_NO_THROW(run(module, {bound(values), number(2), number(0)}));
  EXPECT_THAT(failure(module, {bound(values), number(3), number(0)}), HasSubstr("but descends at 2"));
}

TEST_F(Checks, ANearSearchFindsTheSameAndLooksAtLessWhenTheAnswerIsNear) {
  std::vector<std::int64_t> values(1000);
  for (std::size_t p = 0; p < values.size(); p++) values[p] = static_cast<std::int64_t>(p / 3);
  const Var low("low", int64_type), key("key", int64_type);
  const auto searching = [&](const Expr& search) {
    return kernel({input(a), input(low), input(key), output(i)}, {assign(i, search)});
  };
  const Module far = searching(lower_bound(a, low, 1000, key)), near = searching(lower_bound_near(a, low, 1000, key));
  for (std::int64_t from : {0, 1, 500, 999, 1000}) {
    for (std::int64_t wanted = -1; wanted < 336; wanted++) {
      const std::vector<Binding> bindings = {bound(values), number(from), number(wanted), number(0)};
      ASSERT_EQ(run(near, bindings).outputs[3].scalar, run(far, bindings).outputs[3].scalar) << from << " " << wanted;
    }
  }
  const std::vector<Binding> close = {bound(values), number(300), number(101), number(0)};
  EXPECT_EQ(run(near, close).counters.bytes_loaded, (3 + 2) * 8) << "at 300, 302 and 306; then at 304 and 303";
  EXPECT_EQ(run(far, close).counters.bytes_loaded, 10 * 8);
}

TEST_F(Checks, ANearSearchStaysInItsRange) {
  const Module module = kernel({input(a), input(n), output(i)}, {assign(i, lower_bound_near(a, 0, n, 9))});
  EXPECT_EQ(run(module, {bound(five), number(5), number(0)}).outputs[2].scalar, Scalar(std::int64_t{5}));
  EXPECT_THAT(failure(module, {bound(five), number(6), number(0)}), HasSubstr("the range [0, 6) is not inside a"));
}

TEST_F(Checks, ASortedArrayThatIsChangedIsLookedAtAgain) {
  const Module module = kernel({updated(a), output(i)}, {assign(i, lower_bound(a, 0, 5, 3)), store(a, 4, 0),
                                                         assign(i, lower_bound(a, 0, 5, 3))});
  EXPECT_THAT(failure(module, {bound(five), number(0)}), HasSubstr("descends at 4"));
}

TEST_F(Checks, RangesMustLieInsideTheirArray) {
  const Module sorts = kernel({updated(a)}, {sort(a, 2, 6)});
  const Module fills = kernel({updated(a)}, {fill(a, -1, 2, 0)});
  const Module backwards = kernel({updated(a)}, {fill(a, 3, 2, 0)});
  EXPECT_THAT(failure(sorts, {bound(five)}), HasSubstr("the range [2, 6) is not inside a"));
  EXPECT_THAT(failure(fills, {bound(five)}), HasSubstr("the range [-1, 2) is not inside a"));
  EXPECT_THAT(failure(backwards, {bound(five)}), HasSubstr("the range [3, 2) is not inside a"));
}

TEST_F(Checks, WhatIsSortedAsMarkedIsWhatIsMarked) {
  const Var list("list", array_type(Type::Int32)), marks("marks", array_type(Type::UInt8));
  const auto sorted = [&](std::vector<std::int32_t> places, std::vector<std::uint8_t> marked) {
    const auto count = static_cast<std::int64_t>(places.size());
    return failure(kernel({updated(list), input(marks)}, {sort_marked(list, count, marks, 3)}),
                   {bound(places), bound(marked)});
  };
  EXPECT_THAT(sorted({2, 1}, {1, 0, 1}), HasSubstr("list does not list what is marked in marks: 0 is"));
  EXPECT_THAT(sorted({2}, {1, 0, 1}), HasSubstr("list does not list what is marked in marks: 0 is"));
  EXPECT_THAT(sorted({2, 1}, {0, 1, 0}), HasSubstr("list lists 2 places, but marks has 1 marks"));
}

TEST_F(Checks, SortingReadsEveryElement) {
  const Var u("u", array_type(Type::Int32));
  const Module module = kernel(
      {}, {declare_array(u), allocate(u, 2, false), store(u, 0, constant(Type::Int32, 1)), sort(u, 0, 2), release(u)});
  EXPECT_THAT(failure(module, {}), HasSubstr("u at 1 is read and was never written"));
}

TEST_F(Checks, OnlyWhatWasAllocatedIsReleasedOrResized) {
  EXPECT_THAT(failure(kernel({output(a)}, {release(a)}), {bound(five)}),
              HasSubstr("a is released and was not allocated"));
  EXPECT_THAT(failure(kernel({output(a)}, {resize(a, 9)}), {bound(five)}),
              HasSubstr("a is resized and was not allocated"));
  const Module twice = kernel({}, {declare_array(w), allocate(w, 1, true), release(w), release(w)});
  EXPECT_THAT(failure(twice, {}), HasSubstr("w is released and was not allocated"));
}

TEST_F(Checks, ReleasedMemoryMayNotBeTouched) {
  const Module module =
      kernel({output(s)}, {declare_array(w), allocate(w, 1, true), release(w), assign(s, load(w, 0))});
  EXPECT_THAT(failure(module, {bound(Scalar(0.0))}), HasSubstr("w has no memory (null)"));
}

TEST_F(Checks, LocalMemoryMustBeReleased) {
  EXPECT_THAT(failure(kernel({}, {declare_array(w), allocate(w, 3, true)}), {}),
              HasSubstr("w is never released (3 elements)"));
  const Module loop = kernel({}, {for_loop(i, 0, 2, block({declare_array(w), allocate(w, 3, true)}))});
  EXPECT_THAT(failure(loop, {}), HasSubstr("w goes out of scope and was not released"));
  const Module twice = kernel({}, {declare_array(w), allocate(w, 1, true), allocate(w, 2, true), release(w)});
  EXPECT_THAT(failure(twice, {}), HasSubstr("its first memory was never released"));
}

TEST_F(Checks, MemoryOfAHelperFunctionMustBeReleased) {
  Module module = kernel({}, {evaluate(invoke("leak", {}, IrType{}))});
  module.functions.push_back({"leak", {}, IrType{}, block({declare_array(w), allocate(w, 2, true)})});
  EXPECT_THAT(failure(module, {}), HasSubstr("w is never released"));
}

TEST_F(Checks, CountsMustBeSane) {
  const Module module = kernel({input(n)}, {declare_array(w), allocate(w, n, true), release(w)});
  EXPECT_NO_THROW(run(module, {number(0)}));
  EXPECT_THAT(failure(module, {number(-1)}), HasSubstr("w is given a negative count: -1"));
  EXPECT_THAT(failure(module, {number(std::int64_t{1} << 62)}), HasSubstr("more than 8589934592 bytes"));
}

TEST_F(Checks, ALoopThatDoesNotEndIsStopped) {
  InterpretOptions options;
  options.max_steps = 1000;
  const Module module = kernel({output(n)}, {while_loop(true, assign(n, Expr(n) + 1))});
  EXPECT_THAT(failure(module, {number(0)}, options), HasSubstr("more than 1000 loop iterations and calls"));
}

TEST_F(Checks, CallsThatGoTooDeepAreStopped) {
  Module module = kernel({output(n)}, {assign(n, invoke("down", {n}, int64_type))});
  module.functions.push_back({"down", {i}, int64_type, return_value(invoke("down", {i}, int64_type))});
  EXPECT_THAT(failure(module, {number(0)}), HasSubstr("the calls of down go deeper than 1000"));
}

TEST_F(Checks, AFunctionMustReturnAValue) {
  Module module = kernel({output(n)}, {assign(n, invoke("some", {n}, int64_type))});
  module.functions.push_back({"some", {i}, int64_type, if_then(Expr(i) > 0, return_value(i))});
  EXPECT_THAT(failure(module, {number(0)}), HasSubstr("some ends without returning a value"));
}

TEST_F(Checks, ALoopVariableMayNotOverflow) {
  const Var i8("i8", scalar_type(Type::Int8));
  const Module module = kernel({}, {for_loop_by(i8, 0, constant(Type::Int8, 127), 5, block({comment("")}))});
  EXPECT_THAT(failure(module, {}), HasSubstr("the loop variable overflows int8"));
}

TEST_F(Checks, ShiftsStayWithinTheType) {
  const auto shifted = [&](std::int64_t by) {
    return kernel({output(n)}, {assign(n, value_op(BinaryOp::ShiftLeft, 1, by))});
  };
  EXPECT_EQ(run(shifted(62), {number(0)}).outputs[0].scalar, Scalar(std::int64_t{1} << 62));
  EXPECT_THAT(failure(shifted(64), {number(0)}), HasSubstr("shifts by more bits than there are"));
  EXPECT_THAT(failure(shifted(-1), {number(0)}), HasSubstr("shifts by more bits than there are"));
}

TEST_F(Checks, ReferencesAreFollowedInsideTheirArenaOnly) {
  const auto node = std::make_shared<const Record>(Record{"node", {{"v", float64_type, 0}, {"c", int32_type, 4}}});
  const Var arena("arena", arena_type(node)), r("r", ref_type(node));
  Module reads = kernel({input(arena), input(r), output(s)}, {assign(s, load(arena, r, {"v", {}}))});
  const Module parts = kernel({input(arena), input(n), output(k)}, {assign(k, load(arena, 0, {"c", n}))});
  std::vector<std::byte> two(48);
  const Binding memory{Scalar(), two.data(), 2};
  reads.records.push_back(node);
  EXPECT_EQ(run(reads, {memory, bound(Scalar(1U)), bound(Scalar(0.0))}).outputs[2].scalar, Scalar(0.0));
  EXPECT_THAT(failure(reads, {memory, bound(Scalar(2U)), bound(Scalar(0.0))}), HasSubstr("index 2 is outside arena"));
  EXPECT_THAT(failure(reads, {memory, bound(Scalar(null_ref_bits)), bound(Scalar(0.0))}),
              HasSubstr("the null reference is followed into arena"));
  EXPECT_THAT(failure(parts, {memory, number(4), bound(Scalar(0))}), HasSubstr("index 4 is outside a field of arena"));
}

TEST_F(Checks, FieldsAreTrackedOneByOne) {
  const auto node = std::make_shared<const Record>(Record{"node", {{"v", float64_type, 0}, {"c", int32_type, 4}}});
  const Var arena("arena", arena_type(node));
  const auto reading = [&](std::int64_t part) {
    return kernel({output(k)},
                  {declare_array(arena), allocate(arena, 2, false), store(arena, 1, {"c", 2}, constant(Type::Int32, 7)),
                   assign(k, load(arena, 1, {"c", part})), release(arena)});
  };
  EXPECT_EQ(interpret(reading(2), {bound(Scalar(0))}).outputs[0].scalar, Scalar(7));
  EXPECT_THAT(failure(reading(3), {bound(Scalar(0))}), HasSubstr("is read and was never written"));
}

TEST_F(Checks, AnIndexMustFitAReference) {
  const auto node = std::make_shared<const Record>(Record{"node", {{"v", float64_type, 0}}});
  const Var r("r", ref_type(node));
  const Module module = kernel({input(n)}, {declare(r, as_ref(n, node))});
  EXPECT_NO_THROW(interpret(module, {number(0xFFFFFFFE)}));
  EXPECT_THAT(failure(module, {number(0xFFFFFFFF)}), HasSubstr("no index that a reference can hold"));
  EXPECT_THAT(failure(module, {number(-1)}), HasSubstr("no index that a reference can hold"));
}

}  // namespace
}  // namespace lacuna::loop::checks_test
