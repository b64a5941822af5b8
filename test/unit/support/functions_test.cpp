#include "lacuna/support/functions.h"

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/support/error.h"

namespace lacuna::functions_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using F = FunctionId;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename... Values>
Scalar call(FunctionId id, Values... values) {
  const std::vector<Scalar> arguments = {Scalar(values)...};
  return lacuna::apply(id, arguments);
}

Type call_type(FunctionId id, std::vector<Type> arguments) { return result_type(id, arguments); }

std::vector<Scalar> arguments_of(const FunctionInfo& function, Scalar value) {
  return std::vector<Scalar>(static_cast<std::size_t>(function.arity), value);
}

TEST(Functions, TheTableIsInTheOrderOfTheEnumeration) {
  int index = 0;
  for (const FunctionInfo& function : function_table()) {
    EXPECT_EQ(static_cast<int>(function.id), index++);
    EXPECT_EQ(&info(function.id), &function);
    EXPECT_EQ(find_function(function.name), function.id);
    EXPECT_FALSE(function.meaning.empty());
  }
  EXPECT_EQ(index, static_cast<int>(F::IsFinite) + 1);
}

TEST(Functions, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const FunctionInfo& function : function_table()) EXPECT_TRUE(names.insert(function.name).second);
  EXPECT_EQ(find_function("sinus"), std::nullopt);
  EXPECT_EQ(find_function("Sin"), std::nullopt);
}

// A function that is absent where its arguments are must be zero there, or the absent entries would have a wrong value.
TEST(Functions, TheAbsenceRuleAgreesWithTheValueAtZero) {
  for (const FunctionInfo& function : function_table()) {
    const auto at_zero = lacuna::apply(function.id, arguments_of(function, Scalar(0.0)));
    if (function.absence == AbsenceRule::ZeroWhenAllAbsent || function.absence == AbsenceRule::AnyAnnihilates) {
      EXPECT_TRUE(at_zero.is_zero()) << function.name;
    }
    if (function.absence == AbsenceRule::FirstAnnihilates) {
      EXPECT_TRUE(call(function.id, 0.0, 3.0).is_zero()) << function.name;
    }
    if (function.absence == AbsenceRule::NeverAbsent && function.id != F::Heaviside) {
      EXPECT_FALSE(at_zero.is_zero()) << function.name;
    }
  }
}

TEST(Functions, EveryCallHasItsResultType) {
  for (const FunctionInfo& function : function_table()) {
    for (int i = 0; i < type_count; ++i) {
      const auto type = static_cast<Type>(i);
      const std::vector<Type> types(static_cast<std::size_t>(function.arity), type);
      const auto arguments = arguments_of(function, Scalar(1).convert(type));
      try {
        const Type expected = result_type(function.id, types);
        EXPECT_EQ(lacuna::apply(function.id, arguments).type(), expected) << function.name << ' ' << type_name(type);
      } catch (const Error&) {
        EXPECT_TRUE(is_complex(type)) << function.name << ' ' << type_name(type);
        EXPECT_THROW(lacuna::apply(function.id, arguments), Error);
      }
    }
  }
}

TEST(Functions, TypesFollowTheTypeRules) {
  EXPECT_EQ(call_type(F::Min, {Type::Int8, Type::Bool}), Type::Int32);
  EXPECT_EQ(call_type(F::Sqrt, {Type::Int32}), Type::Float64);
  EXPECT_EQ(call_type(F::Sqrt, {Type::Float32}), Type::Float32);
  EXPECT_EQ(call_type(F::Sqrt, {Type::Complex64}), Type::Complex64);
  EXPECT_EQ(call_type(F::Abs, {Type::Complex64}), Type::Float32);
  EXPECT_EQ(call_type(F::Arg, {Type::Int32}), Type::Float64);
  EXPECT_EQ(call_type(F::Eq, {Type::Complex64, Type::Int8}), Type::Bool);
  EXPECT_EQ(call_type(F::Pow, {Type::Complex64, Type::Float64}), Type::Complex128);
}

TEST(Functions, ComplexArgumentsAreRefusedWhereTheyMeanNothing) {
  EXPECT_THAT(
      [] {
        call_type(F::Max, {Type::Complex64, Type::Int32});
      },
      ThrowsMessage<Error>(HasSubstr("max is not defined for complex arguments (complex64)")));
  EXPECT_THROW(call_type(F::Lt, {Type::Complex128, Type::Int32}), Error);
}

TEST(Functions, AWrongNumberOfArgumentsIsRefused) {
  EXPECT_THAT([] { call_type(F::Sqrt, {}); },
              ThrowsMessage<Error>(HasSubstr("sqrt takes 1 argument, but 0 are given")));
  EXPECT_THAT([] { call(F::Fma, 1, 2, 3, 4); },
              ThrowsMessage<Error>(HasSubstr("fma takes 3 arguments, but 4 are given")));
}

TEST(Functions, MinAndMaxKeepTheFirstOnTiesAndNaN) {
  EXPECT_EQ(call(F::Min, 2, 1), Scalar(1));
  EXPECT_EQ(call(F::Max, 2, 1.5), Scalar(2.0));
  EXPECT_EQ(call(F::Min, nan, 1.0), Scalar(nan));
  EXPECT_EQ(call(F::Min, 1.0, nan), Scalar(1.0));
  EXPECT_TRUE(std::signbit(call(F::Max, -0.0, 0.0).as<double>()));
}

TEST(Functions, AbsOfTheMostNegativeIntegerWraps) {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(call(F::Abs, lowest), Scalar(lowest));
  EXPECT_EQ(call(F::Abs, -3), Scalar(3));
  EXPECT_EQ(call(F::Abs, std::complex<float>(3, -4)), Scalar(5.0F));
  EXPECT_FALSE(std::signbit(call(F::Abs, -0.0).as<double>()));
}

TEST(Functions, ModIsTotal) {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(call(F::Mod, -7, 3), Scalar(-1));
  EXPECT_EQ(call(F::Mod, 7, 0), Scalar(0));
  EXPECT_EQ(call(F::Mod, lowest, std::int64_t{-1}), Scalar(std::int64_t{0}));
  EXPECT_EQ(call(F::Mod, 7.5, 2), Scalar(1.5));
}

TEST(Functions, SignAndHeavisideFollowTheirDefinitions) {
  EXPECT_EQ(call(F::Sign, -2.5), Scalar(-1.0));
  EXPECT_EQ(call(F::Sign, nan), Scalar(0.0));
  EXPECT_EQ(call(F::Sign, 3U), Scalar(1U));
  EXPECT_EQ(call(F::Heaviside, 0, 0.5), Scalar(0.5));
  EXPECT_EQ(call(F::Heaviside, -1, 0.5), Scalar(0.0));
  EXPECT_EQ(call(F::Heaviside, 7, 0.5), Scalar(1.0));
}

TEST(Functions, LogicIsOnNotEqualZero) {
  EXPECT_EQ(call(F::And, 2, 0.5), Scalar(true));
  EXPECT_EQ(call(F::And, 2, 0), Scalar(false));
  EXPECT_EQ(call(F::Or, 0, std::complex<float>(0, 1)), Scalar(true));
  EXPECT_EQ(call(F::Not, -0.0), Scalar(true));
}

TEST(Functions, ComparisonsConvertTogetherAsInCpp) {
  EXPECT_EQ(call(F::Lt, -1, 1U), Scalar(false));
  EXPECT_EQ(call(F::Eq, 1, true), Scalar(true));
  EXPECT_EQ(call(F::Ne, nan, nan), Scalar(true));
}

TEST(Functions, Float32IsEvaluatedInFloat) {
  EXPECT_EQ(call(F::Sin, 0.3F), Scalar(std::sin(0.3F)));
  EXPECT_EQ(call(F::Pow, 1.1F, 7.0F), Scalar(std::pow(1.1F, 7.0F)));
}

TEST(Functions, ComplexPartsAreTakenApart) {
  const std::complex<double> z(3, -4);
  EXPECT_EQ(call(F::Real, z), Scalar(3.0));
  EXPECT_EQ(call(F::Imag, z), Scalar(-4.0));
  EXPECT_EQ(call(F::Imag, 5), Scalar(0));
  EXPECT_EQ(call(F::Conj, z), Scalar(std::complex<double>(3, 4)));
  EXPECT_EQ(call(F::Norm, z), Scalar(25.0));
  EXPECT_EQ(call(F::Arg, -1), Scalar(std::acos(-1.0)));
  EXPECT_EQ(call(F::Square, z), Scalar(std::complex<double>(-7, -24)));
}

TEST(Functions, ClassificationLooksAtEveryPart) {
  EXPECT_EQ(call(F::IsNan, std::complex<double>(1, nan)), Scalar(true));
  EXPECT_EQ(call(F::IsInf, std::complex<double>(-infinity, nan)), Scalar(true));
  EXPECT_EQ(call(F::IsFinite, std::complex<double>(1, infinity)), Scalar(false));
  EXPECT_EQ(call(F::IsFinite, 3), Scalar(true));
}

TEST(Functions, EveryUnaryFunctionHasAKnownValue) {
  EXPECT_NEAR(call(F::Cbrt, 27.0).as<double>(), 3.0, 1e-15);
  EXPECT_EQ(call(F::Exp2, 10), Scalar(1024.0));
  EXPECT_EQ(call(F::Log, 0.0), Scalar(-infinity));
  EXPECT_EQ(call(F::Log2, 8.0), Scalar(3.0));
  EXPECT_EQ(call(F::Log10, 1000.0), Scalar(3.0));
  EXPECT_EQ(call(F::Tgamma, 5.0), Scalar(24.0));
  EXPECT_EQ(call(F::Floor, -1.5), Scalar(-2.0));
  EXPECT_EQ(call(F::Ceil, -1.5), Scalar(-1.0));
  EXPECT_EQ(call(F::Round, 2.5), Scalar(3.0));
  EXPECT_EQ(call(F::Rint, 2.5), Scalar(2.0));
  EXPECT_EQ(call(F::Trunc, -1.5), Scalar(-1.0));
  EXPECT_EQ(call(F::Floor, 7), Scalar(7));
  EXPECT_EQ(call(F::Cube, -3), Scalar(-27));
}

TEST(Functions, EveryBinaryFunctionHasAKnownValue) {
  EXPECT_EQ(call(F::Pow, 2, -1), Scalar(0.5));
  EXPECT_EQ(call(F::Hypot, 3, 4), Scalar(5.0));
  EXPECT_EQ(call(F::Atan2, 0, 1), Scalar(0.0));
  EXPECT_EQ(call(F::Fmod, -7, 3), Scalar(-1.0));
  EXPECT_EQ(call(F::Remainder, 8, 3), Scalar(-1.0));
  EXPECT_EQ(call(F::Copysign, 2, -0.0), Scalar(-2.0));
  EXPECT_EQ(call(F::Fdim, 5, 3), Scalar(2.0));
  EXPECT_EQ(call(F::Fdim, 3, 5), Scalar(0.0));
  EXPECT_EQ(call(F::Fma, 2, 3, 4), Scalar(10.0));
}

}  // namespace
}  // namespace lacuna::functions_test
