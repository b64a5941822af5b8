#include "tools/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::tool::sources_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SourcesTest, ReadsEveryPartOfAGenerator) {
  const auto spec = parse_generator("skewed:100x200x50,nnz=500,skew=1.5");

  ASSERT_TRUE(spec.has_value());
  EXPECT_EQ(spec->kind, GeneratorSpec::Kind::Skewed);
  EXPECT_THAT(spec->size, ElementsAre(100, 200, 50));
  EXPECT_EQ(spec->nonzeros, 500);
  EXPECT_EQ(spec->skew, 1.5);
  EXPECT_EQ(order_of(*spec), 3);
}

TEST(SourcesTest, ReadsARandomDensityWithoutSize) {
  const auto spec = parse_generator("random:0.25");

  ASSERT_TRUE(spec.has_value());
  EXPECT_THAT(spec->size, IsEmpty());
  EXPECT_EQ(spec->density, 0.25);
  EXPECT_EQ(parse_generator("random:1")->density, 1.0);
}

TEST(SourcesTest, LeavesFileNamesAlone) {
  EXPECT_FALSE(parse_generator("A.mtx").has_value());
  EXPECT_FALSE(parse_generator("densest:3").has_value());
  EXPECT_TRUE(parse_generator("dense").has_value());
}

TEST(SourcesTest, RefusesWhatItCannotMake) {
  EXPECT_THROW(parse_generator("random:2.5"), Error);
  EXPECT_THROW(parse_generator("rmat:10x10,edges=3"), Error);
  EXPECT_THROW(parse_generator("banded:10x,band=1"), Error);
  EXPECT_THROW(parse_generator("banded:10x10,band=-1"), Error);
  EXPECT_THROW(parse_generator("uniform:99999999999999999999x2,nnz=1"), Error);
  EXPECT_THROW(generate(*parse_generator("rmat:10x10"), {}, Type::Float64, 1, 1), Error);
  EXPECT_THROW(generate(*parse_generator("uniform:10x10,nnz=101"), {}, Type::Float64, 1, 1), Error);
  EXPECT_THROW(generate(*parse_generator("dense:4000000000x4000000000x4000000000"), {}, Type::Float64, 1, 1), Error);
}

TEST(SourcesTest, MakesTheSameDataForTheSameSeed) {
  const GeneratorSpec spec = *parse_generator("uniform:30x20,density=0.1");
  const Storage a = generate(spec, {}, Type::Float64, 5, 1);
  const Storage b = generate(spec, {}, Type::Float64, 5, 2);
  const Storage c = generate(spec, {}, Type::Float64, 6, 1);

  EXPECT_EQ(a.stored(), 60);
  EXPECT_EQ(a.format, csr_format());
  const auto values = [](const Storage& tensor) {
    const auto view = tensor.values.view<double>();
    return std::vector<double>(view.begin(), view.end());
  };
  EXPECT_EQ(values(a), values(b));
  EXPECT_NE(values(a), values(c));
}

TEST(SourcesTest, SizesStencilsByTheirGrid) {
  const GeneratorSpec spec = *parse_generator("stencil2d:4x5");

  EXPECT_THAT(dimensions_of(spec), ElementsAre(20, 20));
  EXPECT_THAT(generate(spec, {}, Type::Float64, 1, 1).dimensions, ElementsAre(20, 20));
  EXPECT_EQ(order_of(spec), 2);
}

}  // namespace
}  // namespace lacuna::tool::sources_test
