#include "unit/loop/harness.h"

namespace lacuna::loop::shelves_test {
namespace {

using testing::HasSubstr;

/// Arrays that iterations make and leave to others.
class Shelves : public testing::Test {
 protected:
  const Var i{"i", int64_type}, b{"b", array_type(Type::Int64)}, n{"n", int64_type};
  const Var w{"w", array_type(Type::Int64)}, a{"a", array_type(Type::Int64)};
  const Var shelf{"shelf", shelf_type(array_type(Type::Int64))};
  std::vector<std::int64_t> values = std::vector<std::int64_t>(8);

  Stmt make_shelf() const { return block({declare_array(shelf), allocate(shelf, 8, true)}); }
  Stmt make_array() const { return block({declare_array(w), allocate(w, 2, false), store(w, 0, 7)}); }
  std::string failing(std::vector<Stmt> body) {
    const Module module = kernel({updated(b), input(n)}, {make_shelf(), block(std::move(body))});
    verify(module);
    return failure(module, {bound(values), bound(Scalar(std::int64_t{8}))});
  }
  std::string refusal(std::vector<Parameter> parameters, std::vector<Stmt> body) {
    try {
      verify(kernel(std::move(parameters), std::move(body)));
    } catch (const InternalError& error) {
      return error.what();
    }
    return "(accepted)";
  }
};

TEST_F(Shelves, ArraysOutliveTheIterationsThatMadeThem) {
  const Stmt made =
      block({declare_array(w), allocate(w, Expr(i) + 1, false), store(w, i, Expr(i) * i), keep(shelf, i, w)});
  const Stmt used = block({declare_array(a), take(a, shelf, i), store(b, i, load(a, i)), release(a)});
  const Module module = kernel({updated(b)}, {make_shelf(), for_loop(i, 0, 8, made, LoopMode::Parallel),
                                              for_loop(i, 0, 8, used, LoopMode::Parallel), release(shelf)});
  run(module, {bound(values)});
  EXPECT_EQ(values, (std::vector<std::int64_t>{0, 1, 4, 9, 16, 25, 36, 49}));
  EXPECT_EQ(simplify(module).body, module.body) << "what moves is not dead";
}

TEST_F(Shelves, AResultMayComeFromAShelf) {
  const Var out("out", array_type(Type::Int64));
  const Module module = kernel({output(out)}, {make_shelf(), make_array(), store(w, 1, 5), keep(shelf, 3, w),
                                               take(out, shelf, 3), release(shelf)});
  EXPECT_EQ(elements<std::int64_t>(run(module, {nothing()}).outputs[0]), (std::vector<std::int64_t>{7, 5}));
}

TEST_F(Shelves, AMoveLeavesNothingBehind) {
  EXPECT_THAT(failing({make_array(), keep(shelf, 0, w), store(b, 0, load(w, 0))}), HasSubstr("w has no memory (null)"));
  EXPECT_THAT(failing({make_array(), keep(shelf, 0, w), keep(shelf, 1, w)}),
              HasSubstr("w is put on shelf and was not allocated"));
  EXPECT_THAT(failing({make_array(), keep(shelf, 0, w), take(w, shelf, 0), release(w), take(w, shelf, 0)}),
              HasSubstr("shelf keeps no array at 0"));
}

TEST_F(Shelves, WhatIsKnownOfAnArrayMovesWithIt) {
  EXPECT_THAT(
      failing({make_array(), keep(shelf, 2, w), take(w, shelf, 2), store(b, 0, load(w, 0)), store(b, 1, load(w, 1))}),
      HasSubstr("w at 1 is read and was never written"));
}

TEST_F(Shelves, NoMemoryIsLost) {
  EXPECT_THAT(failing({make_array(), keep(shelf, 0, w), allocate(w, 1, true), keep(shelf, 0, w)}),
              HasSubstr("shelf keeps an array at 0 already, which would be lost"));
  EXPECT_THAT(failing({make_array(), keep(shelf, 5, w), release(shelf)}),
              HasSubstr("shelf is released and still keeps an array at 5"));
  EXPECT_THAT(failing({make_array(), keep(shelf, 5, w), allocate(w, 1, true), take(w, shelf, 5)}),
              HasSubstr("w takes an array from shelf and its own memory was never released"));
  EXPECT_THAT(failing({make_array(), keep(shelf, 5, w)}), HasSubstr("shelf is never released"));
}

TEST_F(Shelves, PlacesLieOnTheShelf) {
  EXPECT_THAT(failing({make_array(), keep(shelf, n, w)}), HasSubstr("index 8 is outside shelf, which has 8 elements"));
  EXPECT_THAT(failing({make_array(), release(w), take(w, shelf, Expr(n) - 9)}), HasSubstr("index -1 is outside shelf"));
  EXPECT_THAT(failing({release(shelf), make_array(), keep(shelf, 0, w)}), HasSubstr("shelf has no memory (null)"));
}

TEST_F(Shelves, IterationsMayNotMeetAtAPlace) {
  const auto kept_at = [&](const Expr& place) {
    return for_loop(i, 0, 8, block({make_array(), keep(shelf, place, w)}), LoopMode::Parallel);
  };
  const Stmt taken =
      for_loop(i, 0, 8, block({declare_array(w), take(w, shelf, Expr(i) / 2), release(w)}), LoopMode::Parallel);
  EXPECT_THAT(failing({kept_at(Expr(i) / 2)}), HasSubstr("a race: shelf at"));
  EXPECT_THAT(failing({kept_at(i), taken}), HasSubstr("a race: shelf at"));
}

TEST_F(Shelves, AreVariablesOfOneFunction) {
  EXPECT_THAT(refusal({output(shelf)}, {}), HasSubstr("the shelf shelf is a parameter"));
  EXPECT_THAT(refusal({output(b)}, {make_shelf(), keep(shelf, 0, b), release(shelf)}),
              HasSubstr("the parameter b is put on a shelf"));
  EXPECT_THAT(refusal({updated(b)}, {make_shelf(), take(b, shelf, 0), release(shelf)}),
              HasSubstr("the memory of b is changed"));
  EXPECT_THAT(refusal({}, {make_shelf(), make_array(), for_loop(i, 0, 8, keep(shelf, i, w), LoopMode::Parallel)}),
              HasSubstr("iterations of the parallel loop over i all change w"));
  EXPECT_THAT(refusal({}, {make_array(), keep(shelf, 0, w)}), HasSubstr("shelf is used where it is not declared"));
}

TEST_F(Shelves, HoldArraysOfOneTypeOnly) {
  const Var x("x", array_type(Type::Float64));
  EXPECT_THROW(keep(shelf, 0, x), InternalError);
  EXPECT_THROW(keep(w, 0, w), InternalError);
  EXPECT_THROW(take(w, shelf, 1.0), InternalError);
  EXPECT_THROW(load(shelf, 0), InternalError);
  EXPECT_THROW(store(shelf, 0, 1), InternalError);
  EXPECT_THROW(allocate(shelf, 1, false), InternalError);
  EXPECT_THROW(resize(shelf, 1), InternalError);
  EXPECT_THROW(shelf_type(shelf.type()), InternalError);
}

TEST_F(Shelves, ArePrinted) {
  EXPECT_EQ(to_string(block({make_shelf(), keep(shelf, Expr(n) - 1, w), take(w, shelf, n), release(shelf)})),
            "int64[][] shelf;\nshelf = allocate_zeroed(8);\nshelf[n - 1] = keep(w);\nw = take(shelf[n]);\n"
            "release(shelf);\n");
}

}  // namespace
}  // namespace lacuna::loop::shelves_test
