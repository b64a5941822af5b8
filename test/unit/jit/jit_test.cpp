#include "lacuna/jit/jit.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/jit/key_lock.h"
#include "lacuna/support/error.h"
#include "unit/jit/module_runner.h"

namespace lacuna::jit_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A kernel that returns a number.
std::string returning(int number) {
  return fmt::format("int answer_entry(void *ctx, void *arguments) {{ (void)ctx; (void)arguments; return {}; }}\n",
                     number);
}

constexpr const char* entry = "answer_entry";

int answer(const CompiledKernel& kernel) { return kernel.entry()(nullptr, nullptr); }

/// But for that of the locks, which stays.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files{fs::directory_iterator(folder), fs::directory_iterator()};
  std::erase_if(files, [](const fs::path& file) { return file.filename() == KeyLock::file_name; });
  return files;
}

/// Runs in a process of its own, whose exit status it gives.
template <typename F>
pid_t forked(F run) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(run());
  return child;
}
int status_of(pid_t child) {
  int status = 1;
  return ::waitpid(child, &status, 0) == child ? status : -1;
}

class JitTest : public testing::Test {
 protected:
  JitOptions options() const { return {"cc", {"-shared", "-fPIC"}, cache_.string(), ""}; }
  fs::path only_file() const {
    const std::vector<fs::path> files = files_in(cache_);
    EXPECT_THAT(files, SizeIs(1));
    return files.at(0);
  }

  TestFolder folder_;
  fs::path cache_ = folder_.path() / "below" / "cache";
};

TEST_F(JitTest, AKernelIsCompiledOnceAndThenFoundInMemoryAndOnDisk) {
  Jit jit(options());
  const CompiledKernel made = jit.load(returning(42), entry);
  EXPECT_EQ(answer(made), 42);
  EXPECT_FALSE(made.from_disk_cache());
  EXPECT_FALSE(made.from_memory_cache());

  const CompiledKernel again = jit.load(returning(42), entry);
  EXPECT_TRUE(again.from_memory_cache());
  EXPECT_EQ(again.entry(), made.entry());

  Jit later(options());
  const CompiledKernel found = later.load(returning(42), entry);
  EXPECT_TRUE(found.from_disk_cache());
  EXPECT_EQ(answer(found), 42);
  EXPECT_THAT(later.warnings(), IsEmpty());
}

TEST_F(JitTest, OtherTextOrOtherFlagsAreAnotherKernel) {
  Jit jit(options());
  EXPECT_EQ(answer(jit.load(returning(1), entry)), 1);
  EXPECT_EQ(answer(jit.load(returning(2), entry)), 2);
  JitOptions changed = options();
  changed.flags.emplace_back("-DX");
  EXPECT_FALSE(Jit(changed).load(returning(2), entry).from_disk_cache());
  EXPECT_THAT(files_in(cache_), SizeIs(3));
}

TEST_F(JitTest, AKernelLivesAsLongAsItsLastCopy) {
  CompiledKernel kernel;
  {
    Jit jit(options());
    kernel = jit.load(returning(7), entry);
  }
  EXPECT_EQ(answer(kernel), 7);
}

TEST_F(JitTest, OnlyTheOwnerMayReadTheCache) {
  Jit jit(options());
  jit.load(returning(3), entry);
  struct stat status {};
  ASSERT_EQ(::stat(cache_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
  ASSERT_EQ(::stat(only_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
}

TEST_F(JitTest, ADamagedFileIsMadeAnew) {
  Jit(options()).load(returning(4), entry);
  const fs::path file = only_file();
  const auto size = fs::file_size(file);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size / 2));
    stream.write("damage", 6);
  }
  {
    const CompiledKernel repaired = Jit(options()).load(returning(4), entry);
    EXPECT_FALSE(repaired.from_disk_cache());
    EXPECT_EQ(answer(repaired), 4);
  }
  fs::resize_file(file, 100);
  EXPECT_EQ(answer(Jit(options()).load(returning(4), entry)), 4);
  fs::resize_file(file, 0);
  EXPECT_EQ(answer(Jit(options()).load(returning(4), entry)), 4);
  EXPECT_TRUE(Jit(options()).load(returning(4), entry).from_disk_cache());
}

TEST_F(JitTest, AFileThatHasGotTheNameOfAnotherIsMadeAnew) {
  Jit(options()).load(returning(100), entry);
  const fs::path other = only_file();
  fs::rename(other, folder_.path() / "other.so");
  Jit(options()).load(returning(5), entry);
  const fs::path file = only_file();
  fs::rename(folder_.path() / "other.so", file);
  EXPECT_EQ(answer(Jit(options()).load(returning(5), entry)), 5);
}

TEST_F(JitTest, AMissingCompilerIsReportedWithTheFix) {
  JitOptions missing = options();
  missing.compiler = "/nowhere/cc-that-is-missing";
  Jit jit(missing);
  try {
    jit.load(returning(1), entry);
    FAIL() << "compiled without a compiler";
  } catch (const RuntimeFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("there is no C compiler '/nowhere/cc-that-is-missing'"));
    EXPECT_THAT(failure.what(), HasSubstr("set LACUNA_CC"));
    EXPECT_THAT(failure.what(), HasSubstr("apt install gcc"));
  }
  missing.compiler = "cc-that-is-missing";
  EXPECT_THROW(Jit(missing).load(returning(1), entry), RuntimeFailure);
  missing.compiler = folder_.path().string();  // a folder is no program
  EXPECT_THROW(Jit(missing).load(returning(1), entry), RuntimeFailure);
}

TEST_F(JitTest, AFailureIsNotRemembered) {
  // A compiler that refuses everything until it is told otherwise.
  const fs::path compiler = folder_.path() / "my cc";
  const fs::path permission = folder_.path() / "permission";
  std::ofstream(compiler) << "#!/bin/sh\n[ -e '" << permission.string() << "' ] || { echo not now >&2; exit 3; }\n"
                          << "exec cc \"$@\"\n";
  fs::permissions(compiler, fs::perms::owner_all);
  JitOptions strict = options();
  strict.compiler = compiler.string();
  Jit jit(strict);
  EXPECT_THROW(jit.load(returning(6), entry), RuntimeFailure);
  std::ofstream(permission) << "";
  EXPECT_EQ(answer(jit.load(returning(6), entry)), 6);
}

TEST_F(JitTest, WhatTheCompilerSaysAboutBadCIsInTheMessage) {
  Jit jit(options());
  try {
    jit.load("int answer_entry(void) { return no_such_name; }", entry);
    FAIL() << "compiled bad C";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no_such_name"));
  }
  EXPECT_THAT(files_in(cache_), IsEmpty()) << "nothing half made may be left";
}

TEST_F(JitTest, ACompilerThatBlamesGoodCIsNoFaultOfTheText) {
  const fs::path compiler = folder_.path() / "cc";
  for (const char* said :
       {"kernel.c:3:1: internal compiler error: Killed", "kernel.c:1:10: fatal error: stdint.h: No such file",
        "kernel.c:1:1: error: unknown type name 'int'", "cc1: out of memory allocating 8 bytes"}) {
    std::ofstream(compiler) << "#!/bin/sh\necho \"" << said << "\" >&2\nexit 1\n";
    fs::permissions(compiler, fs::perms::owner_all);
    JitOptions broken = options();
    broken.compiler = compiler.string();
    try {
      Jit(broken).load(returning(41), entry);
      ADD_FAILURE() << "compiled by a compiler that fails";
    } catch (const RuntimeFailure& failure) {
      EXPECT_THAT(failure.what(), HasSubstr(said));
    }
  }
}

TEST_F(JitTest, WhatWasBeingCompiledByAProcessThatWasKilledGoesAtTheNextStart) {
  const pid_t child = forked([] { return 0; });
  ASSERT_EQ(status_of(child), 0);
  fs::create_directories(cache_);
  const fs::path left = cache_ / fmt::format("lacuna-{}-AbCdEf", child);
  const fs::path in_use = cache_ / fmt::format("lacuna-{}-AbCdEf", ::getppid());
  const fs::path foreign = cache_ / "lacuna-notes";
  for (const fs::path& folder : {left, in_use, foreign}) {
    fs::create_directories(folder);
    std::ofstream(folder / "kernel.c") << "int x;";
  }
  const Jit jit(options());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_use)) << "its process lives";
  EXPECT_TRUE(fs::exists(foreign)) << "it has no name of ours";
}

TEST_F(JitTest, ACommandWithArgumentsIsSplitAtBlanksAndAPathWithBlanksIsNot) {
  JitOptions with_arguments = options();
  with_arguments.compiler = "cc -DANSWER=42";
  const std::string code = "int answer_entry(void) { return ANSWER; }\n";
  EXPECT_EQ(answer(Jit(with_arguments).load(code, entry)), 42);
  with_arguments.compiler = "cc -DANSWER=43";  // another command, another kernel
  EXPECT_EQ(answer(Jit(with_arguments).load(code, entry)), 43);
}

TEST_F(JitTest, AFileWithoutTheEntryIsAFailure) {
  Jit jit(options());
  EXPECT_THROW(jit.load("int other_entry(void) { return 1; }\n", entry), RuntimeFailure);
}

TEST_F(JitTest, AnEntryThatIsNoIdentifierIsRefused) {
  Jit jit(options());
  EXPECT_THROW(jit.load(returning(1), "../answer"), InternalError);
  EXPECT_THROW(jit.load(returning(1), ""), InternalError);
}

TEST_F(JitTest, WithoutACacheFolderNothingIsLeftBehind) {
  JitOptions none = options();
  none.cache_folder.clear();
  Jit jit(none);
  EXPECT_EQ(answer(jit.load(returning(8), entry)), 8);
  EXPECT_FALSE(fs::exists(cache_));
  EXPECT_THAT(jit.warnings(), IsEmpty());
}

TEST_F(JitTest, AFileWhereTheFolderShouldBeIsWarnedOf) {
  fs::create_directories(cache_.parent_path());
  std::ofstream(cache_) << "not a folder";
  Jit jit(options());
  EXPECT_EQ(answer(jit.load(returning(9), entry)), 9);
  EXPECT_EQ(answer(jit.load(returning(10), entry)), 10);
  ASSERT_THAT(jit.warnings(), SizeIs(1));
  EXPECT_THAT(jit.warnings()[0], HasSubstr(cache_.string()));
  EXPECT_THAT(jit.warnings()[0], HasSubstr("not a folder"));
}

TEST_F(JitTest, AFolderThatCannotBeWrittenToIsWarnedOf) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  Jit(options()).load(returning(11), entry);
  fs::permissions(cache_, fs::perms::owner_read | fs::perms::owner_exec);
  Jit jit(options());
  EXPECT_TRUE(jit.load(returning(11), entry).from_disk_cache());
  EXPECT_EQ(answer(jit.load(returning(12), entry)), 12);
  EXPECT_THAT(jit.warnings(), SizeIs(1));
  fs::permissions(cache_, fs::perms::owner_all);
}

TEST_F(JitTest, AFolderOfAFileSystemThatTakesNoFilesIsWarnedOf) {
  // Nobody, root included, can make a folder or a file here.
  JitOptions nowhere = options();
  nowhere.cache_folder = "/proc/self/lacuna";
  Jit jit(nowhere);
  EXPECT_EQ(answer(jit.load(returning(13), entry)), 13);
  ASSERT_THAT(jit.warnings(), SizeIs(1));
  EXPECT_THAT(jit.warnings()[0], HasSubstr("/proc/self/lacuna"));
}

TEST_F(JitTest, AFolderThatTheCompilerCannotFillIsWarnedOf) {
  // As on a full disk, the compiler fails there and only there.
  const fs::path compiler = folder_.path() / "cc";
  std::ofstream(compiler) << "#!/bin/sh\ncase \"$*\" in *" << cache_.string()
                          << "*) echo No space left >&2; exit 1;; esac\n"
                          << "exec cc \"$@\"\n";
  fs::permissions(compiler, fs::perms::owner_all);
  JitOptions full = options();
  full.compiler = compiler.string();
  Jit jit(full);
  EXPECT_EQ(answer(jit.load(returning(21), entry)), 21);
  ASSERT_THAT(jit.warnings(), SizeIs(1));
  EXPECT_THAT(jit.warnings()[0], HasSubstr(cache_.string()));
  EXPECT_THAT(files_in(cache_), IsEmpty());
}

TEST_F(JitTest, AFolderOfAnotherUserIsNotLoadedFrom) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  Jit(options()).load(returning(14), entry);
  ASSERT_EQ(::chown(cache_.c_str(), 12345, 12345), 0);
  Jit jit(options());
  const CompiledKernel kernel = jit.load(returning(14), entry);
  EXPECT_FALSE(kernel.from_disk_cache());
  ASSERT_THAT(jit.warnings(), SizeIs(1));
  EXPECT_THAT(jit.warnings()[0], HasSubstr("another user owns it"));
}

TEST_F(JitTest, AFileOfAnotherUserIsNotLoaded) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  Jit(options()).load(returning(15), entry);
  ASSERT_EQ(::chown(only_file().c_str(), 12345, 12345), 0);
  EXPECT_FALSE(Jit(options()).load(returning(15), entry).from_disk_cache());
}

TEST_F(JitTest, AFolderThatOthersMayWriteToIsClosedToThem) {
  fs::create_directories(cache_);
  fs::permissions(cache_, fs::perms::all);
  Jit jit(options());
  jit.load(returning(16), entry);
  struct stat status {};
  ASSERT_EQ(::stat(cache_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
}

TEST_F(JitTest, TheTextIsKeptWhereItIsWanted) {
  JitOptions keeping = options();
  keeping.keep_folder = (folder_.path() / "kept").string();
  Jit jit(keeping);
  jit.load(returning(17), entry);
  const std::vector<fs::path> kept = files_in(keeping.keep_folder);
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_THAT(kept[0].filename().string(), testing::StartsWith("answer_entry-"));
  std::ifstream stream(kept[0]);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), returning(17));
  Jit(keeping).load(returning(17), entry);
  EXPECT_THAT(files_in(keeping.keep_folder), SizeIs(1));
}

TEST_F(JitTest, SeveralProcessesMayCompileTheSameKernelsAtOnce) {
  std::vector<pid_t> children;
  for (int k = 0; k < 2; k++) {
    children.push_back(forked([&] {
      int failures = 0;
      for (int number = 0; number < 3; number++)
        failures += answer(Jit(options()).load(returning(number), entry)) != number;
      return failures;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  EXPECT_THAT(files_in(cache_), SizeIs(3));
  for (int number = 0; number < 3; number++) {
    EXPECT_TRUE(Jit(options()).load(returning(number), entry).from_disk_cache());
  }
}

/// A compiler that leaves a mark every time it is started, and then does something else first.
class CountedJitTest : public JitTest {
 protected:
  JitOptions counted(const std::string& first) {
    const fs::path compiler = folder_.path() / "counting-cc";
    std::ofstream(compiler) << "#!/bin/sh\necho started >> '" << marks_.string() << "'\n"
                            << first << "\nexec cc \"$@\"\n";
    fs::permissions(compiler, fs::perms::owner_all);
    JitOptions own = options();
    own.compiler = compiler.string();
    return own;
  }
  std::uintmax_t starts() const {
    return fs::exists(marks_) ? fs::file_size(marks_) / std::string("started\n").size() : 0;
  }
  fs::path marks_ = folder_.path() / "count";
};

TEST_F(CountedJitTest, ThreadsThatWantTheSameKernelShareOneCompilation) {
  Jit jit(counted(""));
  std::vector<std::thread> threads;
  std::vector<int> answers(4);
  for (int& each : answers) threads.emplace_back([&] { each = answer(jit.load(returning(18), entry)); });
  for (std::thread& each : threads) each.join();
  EXPECT_THAT(answers, testing::Each(18));
  EXPECT_EQ(starts(), 1U);
}

/// As ranks on one computer do, and threads that have a Jit each.
TEST_F(CountedJitTest, ProcessesThatWantTheSameKernelShareOneCompilation) {
  const JitOptions slow = counted("sleep 0.5");
  const auto loads_two_at_once = [&] {
    std::vector<int> answers(2);
    std::thread other([&] { answers[0] = answer(Jit(slow).load(returning(30), entry)); });
    answers[1] = answer(Jit(slow).load(returning(30), entry));
    other.join();
    return answers == std::vector<int>{30, 30} ? 0 : 1;
  };
  std::vector<pid_t> children;
  for (int k = 0; k < 4; k++) children.push_back(forked(loads_two_at_once));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(starts(), 1U);
}

TEST_F(CountedJitTest, DifferentKernelsAreCompiledAtOnce) {
  // Each waits until both have begun.
  const JitOptions patient = counted("for n in $(seq 600); do test $(wc -l < '" + marks_.string() +
                                     "') -ge 2 && break; sleep 0.1; done; test $n -lt 600 || exit 1");
  const pid_t child = forked([&] { return answer(Jit(patient).load(returning(31), entry)) == 31 ? 0 : 1; });
  EXPECT_EQ(answer(Jit(patient).load(returning(32), entry)), 32);
  EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(starts(), 2U);
}

TEST_F(CountedJitTest, AProcessThatEndsWhileItCompilesIsNotWaitedForForEver) {
  // The first one is killed by its own compiler.
  const JitOptions deadly =
      counted("test $(wc -l < '" + marks_.string() + "') -gt 1 || { sleep 0.5; kill -9 $PPID; exit 1; }");
  const pid_t child = forked([&] { return answer(Jit(deadly).load(returning(33), entry)); });
  while (starts() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(answer(Jit(deadly).load(returning(33), entry)), 33);
  EXPECT_TRUE(WIFSIGNALED(status_of(child)));
  EXPECT_EQ(starts(), 2U);
}

TEST_F(CountedJitTest, WhatOneCannotCompileTheOthersDoNotTryOneAfterTheOther) {
  const JitOptions refusing = counted("sleep 0.5; exit 1");
  const auto refused = [&] {
    try {
      Jit(refusing).load(returning(34), entry);
    } catch (const RuntimeFailure&) {
      return 0;
    }
    return 1;
  };
  std::vector<pid_t> children;
  for (int k = 0; k < 3; k++) children.push_back(forked(refused));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(starts(), 6U);  // each in the cache, and without it
}

TEST_F(JitTest, ALockIsWaitedForNoLongerThanTold) {
  fs::create_directories(cache_);
  const KeyLock first(cache_, "a");
  EXPECT_TRUE(first.is_held());
  EXPECT_FALSE(first.has_waited());
  const KeyLock second(cache_, "a", std::chrono::milliseconds(30));
  EXPECT_FALSE(second.is_held());
  EXPECT_TRUE(second.has_waited());
  EXPECT_TRUE(KeyLock(cache_, "b").is_held());
  EXPECT_FALSE(KeyLock(cache_ / "missing", "a").is_held());
}

TEST_F(JitTest, ACompilerThatIsReplacedIsAnotherCompiler) {
  const fs::path compiler = folder_.path() / "cc";
  const auto install = [&](const std::string& comment) {
    std::ofstream(compiler) << "#!/bin/sh\n# " << comment << "\nexec cc \"$@\"\n";
    fs::permissions(compiler, fs::perms::owner_all);
  };
  JitOptions own = options();
  own.compiler = compiler.string();
  install("version 1");
  Jit(own).load(returning(19), entry);
  EXPECT_TRUE(Jit(own).load(returning(19), entry).from_disk_cache());
  install("version 2, longer");
  EXPECT_FALSE(Jit(own).load(returning(19), entry).from_disk_cache());
}

TEST_F(JitTest, AKernelInMemoryIsFoundInMicroseconds) {
  Jit jit(options());
  const std::string code = returning(20) + "/*" + std::string(8000, 'x') + "*/";
  jit.load(code, entry);
  double best = 1e9;
  for (int attempt = 0; attempt < 5; attempt++) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; k++) jit.load(code, entry);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / 100);
  }
  EXPECT_LT(best, 50) << "microseconds";  // a few, in an optimised build
}

TEST(Flags, TheOptionsFollowTheEnvironment) {
  const JitOptions options = jit_options(environment_from(
      {{"LACUNA_CC", "gcc-99"}, {"LACUNA_CACHE_DIR", "/some/where"}, {"LACUNA_KEEP_C", "/else/where"}}));
  EXPECT_EQ(options.compiler, "gcc-99");
  EXPECT_EQ(options.cache_folder, "/some/where");
  EXPECT_EQ(options.keep_folder, "/else/where");
  EXPECT_EQ(options.flags, default_c_flags());
  EXPECT_EQ(jit_options(environment_from({{"LACUNA_CACHE", "0"}, {"HOME", "/home"}})).cache_folder, "");
}

}  // namespace
}  // namespace lacuna::jit_test
