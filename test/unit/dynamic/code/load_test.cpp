#include "lacuna/dynamic/code/load.h"

#include <unistd.h>

#include <sys/stat.h>

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/message_of.h"

namespace lacuna::schema::load_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

/// A folder of its own, which goes away with the test.
class LoadLevel : public ::testing::Test {
 protected:
  LoadLevel()
      : folder_(fs::temp_directory_path() / fmt::format("lacuna-levels-{}-{}", getpid(), std::random_device()())) {
    fs::create_directory(folder_);
  }
  ~LoadLevel() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string refusal(const std::string& name) const {
    return message_of([&] { load_level(folder_ / name); });
  }

  const fs::path folder_;
};

const std::string small = "def root { e : elem }";

TEST_F(LoadLevel, AFileDefinesTheLevelOfItsName) {
  const LevelFile level = load_level(write("mine.level", small));
  EXPECT_EQ(level.name, "mine");
  EXPECT_EQ(level.path, folder_ / "mine.level");
  EXPECT_EQ(level.text, small);
  EXPECT_EQ(level.definition, parse_level(small, ""));
}

TEST_F(LoadLevel, AFolderIsReadInTheOrderOfNames) {
  write("b2.level", small);
  write("a1.level", small);
  write("notes.txt", "not a level");
  const std::vector<LevelFile> levels = load_levels(folder_);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].name, "a1");
  EXPECT_EQ(levels[1].name, "b2");
}

TEST_F(LoadLevel, MistakesNameTheFileTheLineAndTheColumn) {
  write("mine.level", "def root {\n  e : elme\n}");
  EXPECT_THAT(refusal("mine.level"), HasSubstr((folder_ / "mine.level").string() + ":2:7: elme is no type"));
  EXPECT_THAT(message_of([&] { load_levels(folder_); }), HasSubstr("mine.level:2:7: elme is no type"));
}

TEST_F(LoadLevel, FilesThatCannotBeReadSayWhy) {
  EXPECT_THAT(refusal("gone.level"), HasSubstr("gone.level: there is no such file"));
  fs::create_directory(folder_ / "folder.level");
  EXPECT_THAT(refusal("folder.level"), HasSubstr("folder.level: it is a folder"));
  ASSERT_EQ(mkfifo((folder_ / "pipe.level").c_str(), 0600), 0);
  EXPECT_THAT(refusal("pipe.level"), HasSubstr("pipe.level: it is not a plain file"));
  fs::create_symlink("nowhere", folder_ / "dangling.level");
  EXPECT_THAT(refusal("dangling.level"), HasSubstr("dangling.level: there is no such file"));
  fs::create_symlink("loop.level", folder_ / "loop.level");
  EXPECT_THAT(refusal("loop.level"), HasSubstr("loop.level: "));
  EXPECT_THAT(message_of([&] { load_levels(folder_ / "gone"); }), HasSubstr("cannot read the folder"));
}

TEST_F(LoadLevel, UnreadableFilesSayWhy) {
  if (geteuid() == 0) GTEST_SKIP() << "everything is readable to the superuser";
  const fs::path file = write("secret.level", small);
  fs::permissions(file, fs::perms::none);
  EXPECT_THAT(refusal("secret.level"), HasSubstr("secret.level: Permission denied"));
}

TEST_F(LoadLevel, FilesOfOtherKindsAreRefused) {
  write("mine.txt", small);
  EXPECT_THAT(refusal("mine.txt"), HasSubstr("the name of a level file ends with .level"));
  write("large.level", std::string((1U << 20) + 1, ' '));
  EXPECT_THAT(refusal("large.level"), HasSubstr("larger than 1048576 bytes"));
  write("binary.level", std::string("def root\0", 9));
  EXPECT_THAT(refusal("binary.level"), HasSubstr("binary.level:1:9: control character 0x00"));
  write("empty.level", "");
  EXPECT_THAT(refusal("empty.level"), HasSubstr("empty.level:1:1: the text defines no node"));
}

TEST_F(LoadLevel, NamesAreSearchedForFolderByFolder) {
  fs::create_directory(folder_ / "first");
  fs::create_directory(folder_ / "second");
  write("first/one.level", small);
  write("second/one.level", small);
  write("second/other.level", small);
  const std::vector<fs::path> folders = {folder_ / "gone", folder_ / "first", folder_ / "second"};
  EXPECT_EQ(find_level_file("one", folders), folder_ / "first/one.level");
  EXPECT_EQ(find_level_file("other", folders), folder_ / "second/other.level");
  EXPECT_THAT(message_of([&] { find_level_file("ohter", folders); }),
              AllOf(HasSubstr("there is no level ohter; did you mean other? (searched: "),
                    HasSubstr((folder_ / "gone").string()), HasSubstr((folder_ / "second").string())));
  EXPECT_THAT(message_of([&] { find_level_file("one", {}); }), HasSubstr("no folder was searched: set LACUNA_LEVELS"));
}

TEST(LevelNames, AreShortWordsOfLettersAndDigits) {
  EXPECT_NO_THROW(check_level_name("mine"));
  EXPECT_NO_THROW(check_level_name("my_Level2"));
  for (const char* name : {"", "2a", "_a", "Mine", "a-b", "a/b", "../a", "a.b", "a b", "\xC3\xA9"}) {
    EXPECT_THAT(message_of([&] { check_level_name(name); }), HasSubstr("cannot be the name of a level")) << name;
  }
  EXPECT_THAT(message_of([] { check_level_name(std::string(65, 'a')); }), HasSubstr("at most 64 letters"));
}

TEST_F(LoadLevel, AFileWithANameThatNoLevelMayHaveIsRefused) {
  write("2a.level", small);
  EXPECT_THAT(refusal("2a.level"), HasSubstr("2a.level: '2a' cannot be the name of a level"));
}

TEST(LevelFolders, TheUsersComeBeforeTheBuiltInOnes) {
  const auto folders = level_folders(environment_from({{"LACUNA_LEVELS", "mine:theirs"}}));
  ASSERT_EQ(folders.size(), 3U);
  EXPECT_EQ(folders[0], "mine");
  EXPECT_EQ(folders[1], "theirs");
  EXPECT_TRUE(fs::equivalent(folders[2], LACUNA_LEVELS_FOLDER));
}

TEST(LevelFolders, AFolderIsListedOnceUnderAllItsNames) {
  const std::string built_in = LACUNA_LEVELS_FOLDER;
  const auto folders = level_folders(environment_from({{"LACUNA_LEVELS", built_in + "/.:mine:mine:" + built_in}}));
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_TRUE(fs::equivalent(folders[0], LACUNA_LEVELS_FOLDER));
  EXPECT_EQ(folders[1], "mine");
}

}  // namespace
}  // namespace lacuna::schema::load_test
