#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "lacuna/notation/operators.h"
#include "lacuna/reference/bindings.h"
#include "lacuna/reference/coordinate_map.h"
#include "lacuna/reference/join.h"
#include "lacuna/reference/point_value.h"
#include "unit/reference/evaluate_text.h"

namespace lacuna::internals_test {
namespace {

using namespace reference;

using ::testing::ElementsAre;

TEST(GroupIndex, ChainsTheEntriesOfAKeyInOrder) {
  const CoordinateRows rows{2, 4, {5, 1, 3, 3, 5, 2, 3, 1}};
  const GroupIndex by_row(rows, {0});
  const auto chain = [&](std::int64_t key) {
    std::vector<std::int64_t> found;
    for (auto e = by_row.first(std::vector<std::int64_t>{key}); e >= 0; e = by_row.next(e)) found.push_back(e);
    return found;
  };
  EXPECT_THAT(chain(5), ElementsAre(0, 2));
  EXPECT_THAT(chain(3), ElementsAre(1, 3));
  EXPECT_THAT(chain(4), ElementsAre());
  const GroupIndex diagonal(rows, {}, {{0, 1}});
  EXPECT_EQ(diagonal.first({}), 1);
  EXPECT_EQ(diagonal.next(1), -1);
}

TEST(Bindings, AreSortedAndUniqueWhetherOrNotTheyFitOneWord) {
  std::mt19937_64 random(3);
  for (const std::int64_t extent : {std::int64_t{50}, std::int64_t{1} << 40}) {
    Bindings bindings({extent, 3, extent});
    std::set<std::vector<std::int64_t>> expected;
    for (int k = 0; k < 2000; ++k) {
      const std::vector<std::int64_t> row{static_cast<std::int64_t>(random() % 50) * (extent / 50),
                                          static_cast<std::int64_t>(random() % 3),
                                          static_cast<std::int64_t>(random() % 4)};
      bindings.add(row);
      expected.insert(row);
    }
    bindings.sort_and_deduplicate();
    std::vector<std::vector<std::int64_t>> found;
    for (std::int64_t k = 0; k < bindings.size(); ++k) found.emplace_back(bindings[k].begin(), bindings[k].end());
    EXPECT_EQ(found, std::vector<std::vector<std::int64_t>>(expected.begin(), expected.end()));
  }
}

TEST(Bindings, OfNoVariablesAreOneOrNone) {
  Bindings bindings({});
  bindings.sort_and_deduplicate();
  EXPECT_EQ(bindings.size(), 0);
  bindings.add({});
  bindings.add({});
  bindings.sort_and_deduplicate();
  EXPECT_EQ(bindings.size(), 1);
}

TEST(CoordinateMap, DenseTensorsAreReadInAnyModeOrder) {
  const Storage columns = tensor<double>("dense,dense:1,0", {2, 3}, {{{0, 2}, 7}, {{1, 0}, 4}});
  const CoordinateMap entries(columns);
  EXPECT_EQ(entries.at(Coordinate{0, 2}), Scalar(7.0));
  EXPECT_EQ(entries.at(Coordinate{1, 0}), Scalar(4.0));
  EXPECT_EQ(entries.at(Coordinate{1, 1}), Scalar(0.0));
}

TEST(CoordinateMap, RepeatedCoordinatesAddUp) {
  const std::vector<std::int32_t> rows{1, 0, 1};
  const std::vector<std::int32_t> columns{2, 0, 2};
  const std::vector<double> values{1, 5, 3};
  const Storage coo = adopt_coo({3, 3}, {Array::of<std::int32_t>(rows), Array::of<std::int32_t>(columns)},
                                Array::of<double>(values), false, false);
  const CoordinateMap entries(coo);
  EXPECT_EQ(entries.rows().size, 2);
  EXPECT_EQ(entries.at(Coordinate{1, 2}), Scalar(4.0));
  EXPECT_EQ(entries.at(Coordinate{0, 0}), Scalar(5.0));
  EXPECT_EQ(entries.at(Coordinate{2, 2}), std::nullopt);
}

TEST(Evaluate, DoesNotDependOnTheFormatsOfSparseOperands) {
  std::mt19937 random(5);
  std::vector<std::pair<Coordinate, double>> a;
  std::vector<std::pair<Coordinate, double>> b;
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 6; ++j) {
      if (random() % 3 == 0) a.push_back({{i, j}, static_cast<double>(random() % 9)});
      if (random() % 3 == 0) b.push_back({{i, j}, static_cast<double>(random() % 9)});
    }
  }
  const auto run = [&](const std::string& text, const std::string& format) {
    return lines(evaluate(text, {{"A", tensor<double>(format, {6, 6}, a)}, {"B", tensor<double>(format, {6, 6}, b)}}));
  };
  for (const std::string text :
       {"C(i,j) = A(i,k) * B(k,j)", "C(i,j) = (A(i,j) + B(j,i)) * (A(j,i) - B(i,j))", "y(i) = max(A(i,j), B(i,i))",
        "y(i) = sum(j, A(i,j) * sum(k, B(j,k))) / A(i,i)", "s = exp(A(i,j)) * B(j,i)"}) {
    const auto expected = run(text, "csr");
    EXPECT_FALSE(expected.empty());
    for (const std::string format : {"csc", "dcsr", "coo", "bitmap", "hashed", "hashed,compressed:1,0"}) {
      EXPECT_EQ(run(text, format), expected) << text << " with " << format;
    }
  }
}

/// The definition without any join: every point of the whole space.
TEST(Evaluate, FindsEveryPointThatTheWholeSpaceHolds) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<Coordinate, std::int64_t>> a;
    std::vector<std::pair<Coordinate, std::int64_t>> b;
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        if (random() % 3 == 0) a.push_back({{i, j}, static_cast<std::int64_t>(random() % 5)});
        if (random() % 3 == 0) b.push_back({{i, j}, static_cast<std::int64_t>(random() % 5)});
      }
    }
    const std::map<Coordinate, std::int64_t> at_a(a.begin(), a.end());
    const std::map<Coordinate, std::int64_t> at_b(b.begin(), b.end());
    std::map<Coordinate, std::int64_t> expected;  // C(i,j) = (A(i,k) + B(k,j)) * max(A(k,k), B(i,j))
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        for (std::int64_t k = 0; k < 4; ++k) {
          const auto get = [](const auto& map, const Coordinate& c) { return map.count(c) > 0 ? map.at(c) : 0; };
          if (at_a.count({i, k}) + at_b.count({k, j}) == 0 || at_a.count({k, k}) + at_b.count({i, j}) == 0) continue;
          expected[{i, j}] += (get(at_a, {i, k}) + get(at_b, {k, j})) * std::max(get(at_a, {k, k}), get(at_b, {i, j}));
        }
      }
    }
    const ReferenceResult result = evaluate(
        "C(i,j) = (A(i,k) + B(k,j)) * max(A(k,k), B(i,j))",
        {{"A", tensor<std::int64_t>("csr", {4, 4}, a)}, {"B", tensor<std::int64_t>("dcsc", {4, 4}, b)}}, Type::Int64);
    std::map<Coordinate, std::int64_t> found;
    for (const auto& [coordinate, entry] : result.entries) found[coordinate] = entry.value.as<std::int64_t>();
    EXPECT_EQ(found, expected);
  }
}

/// Makes every sum visit the whole extent of its variable.
void forget_joins(Program& program, const std::vector<std::int64_t>& extents) {
  for (Program& child : program.children) forget_joins(child, extents);
  if (program.join == nullptr) return;
  Program anything;
  anything.expr = Expr(1);
  program.join = std::make_shared<const Join>(anything, program.slots, std::set<int>{}, extents);
}

Expr random_expression(std::mt19937& random, const std::vector<IndexVar>& vars, int depth) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto var = [&] { return vars[pick(vars.size())]; };
  if (depth == 0) {
    switch (pick(5)) {
      case 0: return make_expr(Access{TensorVar("d", 1), {var()}});
      case 1: return Expr(static_cast<int>(pick(3)));
      case 2: return make_expr(Access{TensorVar("B", 2), {var(), var()}});
      default: return make_expr(Access{TensorVar("A", 2), {var(), var()}});
    }
  }
  const Expr e = random_expression(random, vars, depth - 1);
  const auto other = [&] { return random_expression(random, vars, depth - 1); };
  switch (pick(10)) {
    case 0: return e + other();
    case 1: return e - other();
    case 2: return e / other();
    case 3: return call(FunctionId::And, {e, other()});
    case 4: return max(e, other());
    case 5: return pick(3) == 0 ? exp(e) : call(FunctionId::Mod, {e, other()});
    case 6: return -e;
    case 7: return sum(var(), e);
    default: return e * other();
  }
}

TEST(Join, MissesNoPointOfARandomExpression) {
  const Storage a = tensor<std::int64_t>("csr", {3, 3}, {{{0, 0}, 1}, {{0, 2}, 2}, {{2, 1}, 0}});
  const Storage b = tensor<std::int64_t>("dcsc", {3, 3}, {{{1, 1}, 3}, {{0, 2}, 4}, {{1, 0}, 5}});
  const Storage d = dense<std::int64_t>({7, 0, 9});
  MapsByName maps;
  FactsByName facts;
  for (const auto& [name, storage] : std::map<std::string, const Storage*>{{"A", &a}, {"B", &b}, {"d", &d}}) {
    maps.try_emplace(name, *storage);
    facts[name] = {storage->type, storage->dimensions};
  }
  const std::vector<IndexVar> vars{IndexVar("i"), IndexVar("j"), IndexVar("k")};
  const std::map<IndexVar, std::int64_t> sizes{{vars[0], 3}, {vars[1], 3}, {vars[2], 3}};
  std::mt19937 random(17);
  int present = 0;
  for (int round = 0; round < 400; ++round) {
    const Expr e = random_expression(random, vars, 4);
    ProgramBuilder builder(maps, facts, sizes);
    const Program program = builder.build(e, vars);
    Program slow = program;
    forget_joins(slow, builder.extents());
    Point point(builder.extents().size());
    const Bindings bindings = Join(program, {0, 1, 2}, {}, builder.extents()).run(point);
    std::set<Coordinate> found;
    for (std::int64_t n = 0; n < bindings.size(); ++n) found.emplace(bindings[n].begin(), bindings[n].end());
    for (std::int64_t n = 0; n < 27; ++n) {
      const Coordinate at{n / 9, n / 3 % 3, n % 3};
      std::copy(at.begin(), at.end(), point.begin());
      const PointValue fast = evaluate_at(program, point);
      std::copy(at.begin(), at.end(), point.begin());
      const PointValue exact = evaluate_at(slow, point);
      ASSERT_EQ(fast.present, exact.present) << to_string(e);
      if (!exact.present) continue;
      ++present;
      ASSERT_EQ(found.count(at), 1U) << to_string(e);
      ASSERT_EQ(fast.value, exact.value) << to_string(e);
      ASSERT_EQ(fast.structural, exact.structural) << to_string(e);
    }
  }
  EXPECT_GT(present, 1000);
}

TEST(Evaluate, ManyFactorsThatAreSumsStayFeasible) {
  std::string product = "y(i) = (a(i) + b(i))";
  for (int k = 0; k < 40; ++k) product += " * (a(i) + b(i) + c" + std::to_string(k) + "(i))";
  Operands operands{{"a", sparse<double>(3, {{{0}, 1}})}, {"b", sparse<double>(3, {{{1}, 1}})}};
  for (int k = 0; k < 40; ++k) operands.emplace("c" + std::to_string(k), sparse<double>(3, {{{2}, 1}}));
  EXPECT_THAT(lines(evaluate(product, operands)), ElementsAre("0: 1*", "1: 1*"));
}

}  // namespace
}  // namespace lacuna::internals_test
