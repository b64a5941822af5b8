#include <cstddef>

#include "lacuna/loop/layout.h"
#include "unit/loop/harness.h"

namespace lacuna::loop::build_test {
namespace {

using testing::HasSubstr;

class Build : public testing::Test {
 protected:
  const Var i{"i", int64_type}, c{"c", int32_type}, x{"x", float64_type}, f{"f", bool_type};
  const Var a{"a", array_type(Type::Int32)};
  const std::shared_ptr<const Record> node =
      std::make_shared<const Record>(Record{"node", {{"crd", int32_type, 4}, {"v", float64_type, 0}}});
  const Var arena{"arena", arena_type(node)};

  template <typename F>
  static std::string refusal(F&& build) {
    try {
      build();
    } catch (const InternalError& error) {
      return error.what();
    }
    return "(accepted)";
  }
};

TEST_F(Build, ComparingVariablesGivesAnExpression) {
  EXPECT_EQ(to_string(i < i), "i < i");
  EXPECT_EQ(to_string(x >= x), "x >= x");
}

TEST_F(Build, IntegerConstantsTakeTheTypeOfTheOtherOperand) {
  EXPECT_EQ((load(a, i) + 1).scalar(), Type::Int32);
  EXPECT_EQ((1 + Expr(c)).scalar(), Type::Int32);
  EXPECT_EQ(std::get<Binary>((Expr(c) < 5).node().kind).right.scalar(), Type::Int32);
  EXPECT_THAT(refusal([&] { Expr(c) + (std::int64_t{1} << 40); }), HasSubstr("have different types"));
}

TEST_F(Build, RefusesOperandsThatDoNotFitTogether) {
  EXPECT_THAT(refusal([&] { Expr(i) + c; }), HasSubstr("the operands `i` and `c` have different types"));
  EXPECT_THAT(refusal([&] { Expr(x) % x; }), HasSubstr("no such operation"));
  EXPECT_THAT(refusal([&] { Expr(i) && f; }), HasSubstr("is not a bool"));
  EXPECT_THAT(refusal([&] { select(i, i, i); }), HasSubstr("is not a bool"));
  EXPECT_THAT(refusal([&] { load(a, x); }), HasSubstr("`x` is no index of a"));
  EXPECT_THAT(refusal([&] { load(x, i); }), HasSubstr("x is no array"));
  EXPECT_THAT(refusal([&] { assign(c, i); }), HasSubstr("the value `i` has another type than c"));
  EXPECT_THAT(refusal([&] { store(a, i, std::int64_t{1} << 40); }), HasSubstr("does not fit a"));
  EXPECT_THAT(refusal([&] { while_loop(i, nullptr); }), HasSubstr("is no bool"));
  EXPECT_THAT(refusal([&] { math(FunctionId::Sqrt, {i}); }), HasSubstr("should have been converted to float64"));
  EXPECT_THAT(refusal([&] { for_loop_by(i, 0, 1, 0, nullptr); }), HasSubstr("the step of the loop over i is 0"));
}

TEST_F(Build, RefusesFieldsThatDoNotExist) {
  EXPECT_THAT(refusal([&] { load(arena, i, {"w", {}}); }), HasSubstr("the record node has no field w"));
  EXPECT_THAT(refusal([&] { load(arena, i, {"crd", {}}); }), HasSubstr("is an array and needs an index"));
  EXPECT_THAT(refusal([&] { load(arena, i, {"v", i}); }), HasSubstr("is no array"));
  EXPECT_THAT(refusal([&] { load(arena, i); }), HasSubstr("name the field"));
  EXPECT_THAT(refusal([&] { load(a, i, {"v", {}}); }), HasSubstr("holds no records"));
}

TEST_F(Build, FoldsConstantConditions) {
  const Stmt one = assign(i, 1), two = assign(i, 2);
  EXPECT_EQ(if_then(true, one, two), one);
  EXPECT_EQ(if_then(false, one, two), two);
  EXPECT_EQ(to_string(Expr(true) && f), "f");
  EXPECT_EQ(to_string(Expr(f) || true), "true");
}

TEST_F(Build, FlattensBlocks) {
  const Stmt one = assign(i, 1), two = assign(i, 2);
  EXPECT_EQ(block({nullptr, one}), one);
  EXPECT_EQ(std::get<Block>(block({one, block({two, one}), nullptr})->kind).statements, (std::vector{one, two, one}));
}

TEST_F(Build, ConversionsToTheSameTypeVanish) {
  const Expr e(i);
  EXPECT_EQ(&convert(e, Type::Int64).node(), &e.node());
  EXPECT_EQ(to_string(convert(e, Type::Int32)), "int32(i)");
}

TEST(Layout, IsThatOfC) {
  struct Plain {
    std::int8_t a;
    double b;
    std::int16_t c[3];
    std::uint32_t next;
  };
  Record record{"plain",
                {{"a", scalar_type(Type::Int8), 0}, {"b", float64_type, 0}, {"c", scalar_type(Type::Int16), 3}}};
  record.fields.push_back({"next", ref_type(std::make_shared<const Record>(record)), 0});
  const RecordLayout layout = record_layout(record);
  EXPECT_EQ(layout.fields[0].offset, static_cast<std::int64_t>(offsetof(Plain, a)));
  EXPECT_EQ(layout.fields[1].offset, static_cast<std::int64_t>(offsetof(Plain, b)));
  EXPECT_EQ(layout.fields[2].offset, static_cast<std::int64_t>(offsetof(Plain, c)));
  EXPECT_EQ(layout.fields[3].offset, static_cast<std::int64_t>(offsetof(Plain, next)));
  EXPECT_EQ(layout.fields[2].stride, 2);
  EXPECT_EQ(layout.size, static_cast<std::int64_t>(sizeof(Plain)));
  EXPECT_EQ(layout.alignment, static_cast<std::int64_t>(alignof(Plain)));
}

TEST(Layout, ComplexNumbersAreAlignedAsTheirParts) {
  const Record record{"r", {{"a", scalar_type(Type::Float32), 0}, {"z", scalar_type(Type::Complex64), 0}}};
  EXPECT_EQ(record_layout(record).fields[1].offset, 4);
  EXPECT_EQ(record_layout(record).size, 12);
}

TEST(Layout, RecordsHoldScalarsAndReferencesOnly) {
  EXPECT_THROW(record_layout(Record{"r", {{"a", array_type(Type::Int8), 0}}}), InternalError);
}

}  // namespace
}  // namespace lacuna::loop::build_test
