#include "lacuna/codegen/prelude/prelude.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/support/error.h"

namespace lacuna::prelude_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Prelude, AFamilyIsWrittenForTheTypeThatIsAskedFor) {
  Prelude prelude;
  EXPECT_EQ(prelude.use("lower_bound", Type::UInt16), "lacuna_lower_bound_uint16");
  EXPECT_THAT(prelude.text(),
              HasSubstr("static inline int64_t lacuna_lower_bound_uint16(const uint16_t *a, int64_t low, "
                        "int64_t high, int64_t key)"));
  EXPECT_THAT(prelude.text(), Not(HasSubstr("int32")));
}

TEST(Prelude, LimitsAndPartsFollowTheType) {
  Prelude prelude;
  prelude.use("to", Type::Int8);
  prelude.use("to", Type::UInt64);
  prelude.use("multiply", Type::Complex64);
  EXPECT_THAT(prelude.text(), HasSubstr("if (x >= -(double)INT8_MIN) return INT8_MAX;"));
  EXPECT_THAT(prelude.text(), HasSubstr("return UINT64_MAX;"));
  EXPECT_THAT(prelude.text(), HasSubstr("static inline float _Complex lacuna_complex64(float re, float im)"));
}

TEST(Prelude, WhatIsWrittenForRealNumbersMayServeComplexOnes) {
  Prelude prelude;
  EXPECT_EQ(prelude.use("add_up", Type::Complex64), "lacuna_add_up_complex64");
  EXPECT_THAT(prelude.text(), HasSubstr("const float _Complex *from = own[thread];"));
  EXPECT_THAT(prelude.text(), HasSubstr("lacuna_add_share_complex64, used)"));
}

TEST(Prelude, WhatAFunctionCallsComesBeforeIt) {
  Prelude prelude;
  prelude.use("sort", Type::Int64);
  const std::string text = prelude.text();
  EXPECT_LT(text.find("lacuna_insertion_sort_int64(int64_t"), text.find("lacuna_sort_range_int64(int64_t"));
  EXPECT_LT(text.find("lacuna_sort_range_int64(int64_t"), text.find("lacuna_sort_int64(int64_t"));
}

TEST(Prelude, NothingIsInTheTextTwice) {
  Prelude prelude;
  prelude.use("allocate");
  const std::string once = prelude.text();
  prelude.use("allocate");
  EXPECT_EQ(prelude.text(), once);
  EXPECT_THAT(once, HasSubstr("lacuna_bytes"));
  EXPECT_THAT(once, Not(HasSubstr("lacuna_resize")));
}

TEST(Prelude, WhatNoHeaderDefinesIsAMistakeOfOurs) {
  EXPECT_THROW(Prelude().use("nonsense"), InternalError);
  EXPECT_THROW(Prelude().use("nonsense", Type::Int32), InternalError);
}

TEST(Prelude, TheDescriptorForCHasNothingOfCPlusPlus) {
  EXPECT_THAT(descriptor_text(false), HasSubstr("extern \"C\""));
  EXPECT_THAT(descriptor_text(true), Not(HasSubstr("cplusplus")));
  EXPECT_THAT(descriptor_text(true), HasSubstr("} lacuna_context;"));
}

}  // namespace
}  // namespace lacuna::prelude_test
