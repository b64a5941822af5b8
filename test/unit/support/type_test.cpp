#include "lacuna/support/type.h"

#include <gtest/gtest.h>

namespace lacuna::type_test {
namespace {

std::vector<Type> all_types() {
  std::vector<Type> types;
  for (int i = 0; i < type_count; ++i) types.push_back(static_cast<Type>(i));
  return types;
}

TEST(Type, NameReadsBackForEveryType) {
  for (Type type : all_types()) EXPECT_EQ(parse_type(type_name(type)), type) << type_name(type);
}

TEST(Type, SynonymsAreRead) {
  EXPECT_EQ(parse_type("double"), Type::Float64);
  EXPECT_EQ(parse_type("float"), Type::Float32);
  EXPECT_EQ(parse_type("int"), Type::Int32);
  EXPECT_EQ(parse_type("long"), Type::Int64);
  EXPECT_EQ(parse_type("uint8_t"), Type::UInt8);
  EXPECT_EQ(parse_type("complexdouble"), Type::Complex128);
  EXPECT_EQ(parse_type("Double"), std::nullopt);
  EXPECT_EQ(parse_type(""), std::nullopt);
}

TEST(Type, EveryTypeIsOfExactlyOneFamily) {
  for (Type type : all_types()) {
    EXPECT_EQ(is_integer(type) + is_float(type) + is_complex(type), 1) << type_name(type);
    EXPECT_EQ(is_integer(type), is_signed_integer(type) || is_unsigned_integer(type) || type == Type::Bool);
  }
}

TEST(Type, SizesAreThoseOfTheAbi) {
  const int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  for (Type type : all_types()) EXPECT_EQ(size_of(type), sizes[static_cast<int>(type)]) << type_name(type);
}

TEST(Type, PromotionOfRealTypesIsThatOfCpp) {
  for (Type left : all_types()) {
    for (Type right : all_types()) {
      if (is_complex(left) || is_complex(right)) continue;
      const Type expected = visit_type(left, [&](auto a) {
        return visit_type(right, [&](auto b) {
          if constexpr (std::is_arithmetic_v<decltype(a)> && std::is_arithmetic_v<decltype(b)>) {
            return type_of<decltype(a + b)>();
          } else {
            return Type::Bool;
          }
        });
      });
      EXPECT_EQ(promote(left, right), expected) << type_name(left) << ' ' << type_name(right);
    }
  }
}

TEST(Type, ComplexPromotionConvertsTheComponents) {
  EXPECT_EQ(promote(Type::Complex64, Type::Int32), Type::Complex64);
  EXPECT_EQ(promote(Type::Complex64, Type::Float64), Type::Complex128);
  EXPECT_EQ(promote(Type::Float32, Type::Complex64), Type::Complex64);
  EXPECT_EQ(promote(Type::Complex64, Type::Complex128), Type::Complex128);
}

TEST(Type, PromotionIsSymmetric) {
  for (Type a : all_types()) {
    for (Type b : all_types()) EXPECT_EQ(promote(a, b), promote(b, a));
  }
}

TEST(Type, ComplexAndRealCounterpartsMatch) {
  EXPECT_EQ(complex_of(Type::Float32), Type::Complex64);
  EXPECT_EQ(complex_of(Type::Int8), Type::Complex128);
  EXPECT_EQ(real_part_type(Type::Complex64), Type::Float32);
  EXPECT_EQ(real_part_type(Type::Complex128), Type::Float64);
  EXPECT_EQ(real_part_type(Type::UInt16), Type::UInt16);
}

TEST(Type, VisitAndTypeOfAreInverse) {
  for (Type type : all_types()) {
    EXPECT_EQ(visit_type(type, [](auto value) { return type_of<decltype(value)>(); }), type);
  }
}

}  // namespace
}  // namespace lacuna::type_test
