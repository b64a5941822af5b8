// What the functions of a level file make is looked at before it is used: their mistakes are the file's author's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::level_functions_test {
namespace {

using ::testing::HasSubstr;

/// A list that is right. FILL: append_first and append_rest, or build.
constexpr const char* list = R"(
def head {
  first : link
}

def link {
  e : elem nonempty
  next : link
  seq = e, next
}

FILL

fn find(root : head, c : coord) -> place {
  let n = root.first;
  while (n != null && n.ec < c) { n = n.next; }
  if (n == null || n.ec != c) { return nothing; }
  return found(n.e);
}

fn insert(root : head, c : coord, v : value) -> place {
  let last : link = null;
  let n = root.first;
  while (n != null && n.ec < c) {
    last = n;
    n = n.next;
  }
  if (n != null && n.ec == c) { return found(n.e); }
  let made = new link;
  made.e = elem(c, v);
  made.next = n;
  if (last == null) { root.first = made; } else { last.next = made; }
  return added(made.e);
}

fn erase(root : head, c : coord) -> bool {
  let last : link = null;
  let n = root.first;
  while (n != null && n.ec < c) {
    last = n;
    n = n.next;
  }
  if (n == null || n.ec != c) { return false; }
  if (last == null) { root.first = n.next; } else { last.next = n.next; }
  delete n;
  return true;
}
)";

constexpr const char* append = R"(
state {
  last : link
}

fn append_first(root : head, c : coord, v : value) {
  let n = new link;
  n.e = elem(c, v);
  root.first = n;
  state.last = n;
}

fn append_rest(c : coord, v : value) {
  let n = new link;
  n.e = elem(c, v);
  state.last.next = n;
  state.last = n;
}
)";

constexpr const char* build = R"(
fn build(root : head, elems : elements) {
  let k = elems.size;
  while (k > 0) {
    k -= 1;
    let n = new link;
    n.e = elems[k];
    n.next = root.first;
    root.first = n;
  }
}
)";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.rfind(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), with);
}

class LevelFunctions : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string entries = "%%MatrixMarket matrix coordinate real general\n3 9 9\n";
    for (int j = 1; j <= 9; ++j) entries += "2 " + std::to_string(j) + " 1.5\n";
    folder_.write("A.mtx", entries);
    folder_.write("more.txt", "+ 2 4 1\n+ 1 3 1\n+ 1 5 1\n+ 1 4 1\n- 2 4\n- 1 4\n");
    folder_.write("x.tns", "1 1\n2 1\n3 1\n4 1\n5 1\n6 1\n7 1\n8 1\n9 1\n");
  }

  Ended run(const std::string& text, const std::vector<std::string>& arguments) {
    folder_.write("mine.level", text);
    std::vector<std::string> all = {LACUNA_BINARY};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, folder_.path(), {{"LACUNA_LEVELS", "."}, {"LACUNA_CACHE", "0"}});
  }
  Ended copy(const std::string& text, const std::string& format) {
    return run(text, {"run", "B(i,j) = A(i,j)", "-i", "A=A.mtx", "-f", "A:csr", "-f", "B:" + format});
  }
  Ended stream(const std::string& text) {
    return run(text, {"stream", "y(i) = A(i,j) * x(j)", "-f", "A:dense,mine", "-i", "A=A.mtx", "-i", "x=x.tns", "-f",
                      "x:dense", "-u", "more.txt"});
  }
  static void expect_blamed(const Ended& ended, const std::string& function, const std::string& why) {
    EXPECT_EQ(ended.code, 2) << ended.output << ended.error;
    EXPECT_THAT(ended.error, HasSubstr("mine.level: what its " + function + " made of level "));
    EXPECT_THAT(ended.error, HasSubstr(why));
  }
  static std::string with(const std::string& fill) { return replaced(list, "FILL", fill); }

  TemporaryFolder folder_;
};

TEST_F(LevelFunctions, AreRightHere) {
  for (const char* fill : {append, build}) {
    EXPECT_EQ(copy(with(fill), "dense,mine").code, 0);
    EXPECT_EQ(stream(with(fill)).code, 0);
  }
}

TEST_F(LevelFunctions, ThatAppendInACircleAreNamedBeforeAnythingIsPrinted) {
  const std::string text = with(replaced(append, "  state.last = n;", "  n.next = n;\n  state.last = n;"));
  for (const char* format : {"dense,mine", "bst,mine", "mine,mine"})
    expect_blamed(copy(text, format), "append_first and append_rest", "is reached twice");
}

TEST_F(LevelFunctions, ThatLoseElementsAreNamed) {
  const std::string appends = with(replaced(append, "  state.last = n;", ""));
  for (const char* format : {"dense,mine", "bst,mine"})
    expect_blamed(copy(appends, format), "append_first and append_rest", "elements were put in, but");
  const std::string builds = with(replaced(build, "elems.size", "elems.size - 1"));
  expect_blamed(copy(builds, "dense,mine"), "build", "elements were put in, but");
  const std::string inserts = replaced(with(""), "  made.next = n;", "");
  expect_blamed(copy(replaced(inserts, "last.next = made", "root.first = made"), "dense,mine"), "insert",
                "elements were put in, but");
}

TEST_F(LevelFunctions, ThatMakeAnythingElseWronglyAreNamed) {
  expect_blamed(copy(with(replaced(append, "elem(c, v)", "elem(c - 1, v)")), "dense,mine"),
                "append_first and append_rest", "comes behind");
  expect_blamed(copy(with(replaced(append, "elem(c, v)", "elem(c + 1, v)")), "dense,mine"),
                "append_first and append_rest", "coordinate 9 is outside [0, 9)");
  expect_blamed(copy(with(replaced(append, "  state.last = n;", "  state.last = n;\n  delete n;")), "dense,mine"),
                "append_first and append_rest", "is wrong");
}

/// Compiled, these would hang or crash.
TEST_F(LevelFunctions, ThatDoNotEndOrFollowNullAreFoundInATrial) {
  const auto expect_found = [&](const Ended& ended, const std::string& function, const std::string& why) {
    EXPECT_EQ(ended.code, 2) << ended.output << ended.error;
    EXPECT_THAT(ended.error, HasSubstr("mine.level: its " + function + " failed in a trial"));
    EXPECT_THAT(ended.error, HasSubstr(why));
  };
  const std::string runs_on = "loop iterations and calls", null = "the null reference is followed";
  const std::string appends = "append_first and append_rest";
  expect_found(copy(with(replaced(append, "  state.last = n;", "  while (n != null) { n = n; }")), "dense,mine"),
               appends, runs_on);
  expect_found(copy(with(replaced(append, "  state.last = n;", "  state.last = n.next;")), "bst,mine"), appends, null);
  expect_found(copy(with(replaced(build, "    k -= 1;\n", "")), "dense,mine"), "build", "was never written");
  expect_found(copy(with(replaced(build, "n.next = root.first", "k = 1")), "dense,mine"), "build", runs_on);
  const std::string inserts = with("");
  expect_found(copy(replaced(inserts, "n = n.next;\n  }\n  if (n != null && n.ec == c) { return found(n.e); }",
                             "}\n  if (n != null && n.ec == c) { return found(n.e); }"),
                    "dense,mine"),
               "insert", runs_on);
  expect_found(stream(replaced(with(append), "if (last == null) { root.first = n.next; } else { last.next = n.next; }",
                               "last.next = n.next;")),
               "erase", null);
  expect_found(stream(replaced(with(append), "if (last == null) { root.first = made; } else { last.next = made; }",
                               "last.next = made;")),
               "insert", null);
}

TEST_F(LevelFunctions, ThatFindWhatIsNotThereAreFoundInATrial) {
  const std::string never =
      replaced(with(append), "return found(n.e);\n}\n\nfn insert", "return nothing;\n}\n\nfn insert");
  const Ended ended = stream(never);
  EXPECT_EQ(ended.code, 2) << ended.error;
  EXPECT_THAT(ended.error, HasSubstr("after its insert, find does not find an element that was put in"));
}

TEST_F(LevelFunctions, ThatChangeATensorAreNamed) {
  expect_blamed(stream(replaced(with(append), "  made.next = n;", "")), "insert", "are reached from the roots");
  expect_blamed(stream(replaced(with(append), "  made.next = n;", "  made.next = made;")), "insert",
                "is reached twice");
  expect_blamed(stream(replaced(with(append), "last.next = n.next", "last.next = null")), "erase",
                "are reached from the roots");
}

}  // namespace
}  // namespace lacuna::test::level_functions_test
