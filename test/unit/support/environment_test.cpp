#include "lacuna/support/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::environment_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Environment, DefaultsStandWhenNothingIsSet) {
  const Environment environment = environment_from({{"HOME", "/home/someone"}});
  EXPECT_EQ(environment.c_compiler, "cc");
  EXPECT_EQ(environment.cache_dir, "/home/someone/.cache/lacuna");
  EXPECT_TRUE(environment.disk_cache);
  EXPECT_EQ(environment.keep_c, std::nullopt);
  EXPECT_EQ(environment.threads, std::nullopt);
  EXPECT_THAT(environment.warnings, IsEmpty());
}

TEST(Environment, EverySwitchIsRead) {
  const Environment environment = environment_from({{"LACUNA_CC", "gcc-12"},
                                                    {"LACUNA_CACHE_DIR", "/var/kernels"},
                                                    {"LACUNA_CACHE", "0"},
                                                    {"LACUNA_KEEP_C", "out"},
                                                    {"LACUNA_LEVELS", "mine:/ours::/theirs:"},
                                                    {"OMP_NUM_THREADS", "6"}});
  EXPECT_EQ(environment.c_compiler, "gcc-12");
  EXPECT_EQ(environment.cache_dir, "/var/kernels");
  EXPECT_FALSE(environment.disk_cache);
  EXPECT_EQ(environment.keep_c, "out");
  EXPECT_THAT(environment.level_folders, ElementsAre("mine", "/ours", "/theirs"));
  EXPECT_EQ(environment.threads, 6);
  EXPECT_THAT(environment.warnings, IsEmpty());
}

TEST(Environment, TheCacheFollowsXdgUnlessItIsRelative) {
  EXPECT_EQ(environment_from({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).cache_dir, "/x/lacuna");
  EXPECT_EQ(environment_from({{"HOME", "/h"}, {"XDG_CACHE_HOME", "x"}}).cache_dir, "/h/.cache/lacuna");
}

TEST(Environment, WithoutAHomeThereIsNoDiskCache) {
  EXPECT_FALSE(environment_from({}).disk_cache);
  EXPECT_TRUE(environment_from({{"LACUNA_CACHE_DIR", "/c"}}).disk_cache);
}

TEST(Environment, AnEmptyValueCountsAsUnset) {
  const Environment environment = environment_from({{"LACUNA_CC", ""}, {"OMP_NUM_THREADS", ""}});
  EXPECT_EQ(environment.c_compiler, "cc");
  EXPECT_THAT(environment.warnings, IsEmpty());
}

TEST(Environment, UnknownSwitchesAreReported) {
  EXPECT_THAT(environment_from({{"LACUNA_CASHE", "0"}, {"OTHER", "1"}}).warnings,
              ElementsAre(HasSubstr("LACUNA_CASHE is unknown")));
}

TEST(Environment, ValuesThatCannotBeUsedAreReportedAndIgnored) {
  const Environment environment =
      environment_from({{"HOME", "/h"}, {"LACUNA_CACHE", "no"}, {"OMP_NUM_THREADS", "two"}});
  EXPECT_THAT(environment.warnings, ElementsAre(HasSubstr("LACUNA_CACHE must be 0 or 1, not 'no'"),
                                                HasSubstr("OMP_NUM_THREADS must be a number")));
  EXPECT_TRUE(environment.disk_cache);
  EXPECT_EQ(environment.threads, std::nullopt);
}

TEST(Environment, SaysFromWhichSizeOnPartsAreReadInPlace) {
  EXPECT_EQ(environment_from({}).in_place_from, 1'000'000);
  EXPECT_EQ(environment_from({{"LACUNA_IN_PLACE", "0"}}).in_place_from, 0);
  EXPECT_EQ(environment_from({{"LACUNA_IN_PLACE", "4096"}}).in_place_from, 4096);
  EXPECT_EQ(environment_from({{"LACUNA_IN_PLACE", "no"}}).in_place_from, std::nullopt);
  for (const char* bad : {"-1", "1MB", "yes", "99999999999999999999"}) {
    const Environment environment = environment_from({{"LACUNA_IN_PLACE", bad}});
    EXPECT_EQ(environment.in_place_from, 1'000'000) << bad;
    EXPECT_THAT(environment.warnings, ElementsAre(HasSubstr("LACUNA_IN_PLACE must be a number of bytes or no")));
  }
}

TEST(Environment, OnlyTheOutermostThreadCountIsRead) {
  EXPECT_EQ(environment_from({{"OMP_NUM_THREADS", "4,2"}}).threads, 4);
  for (const char* bad : {"0", "-3", "4x", "99999999999999999999"}) {
    EXPECT_EQ(environment_from({{"OMP_NUM_THREADS", bad}}).threads, std::nullopt) << bad;
  }
}

TEST(Environment, TheProcessEnvironmentIsRead) {
  ASSERT_EQ(setenv("LACUNA_KEEP_C", "kept", 1), 0);
  EXPECT_EQ(read_environment().keep_c, "kept");
  ASSERT_EQ(unsetenv("LACUNA_KEEP_C"), 0);
}

}  // namespace
}  // namespace lacuna::environment_test
