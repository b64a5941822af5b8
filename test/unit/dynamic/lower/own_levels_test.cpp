#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"
#include "unit/dynamic/lower/histories.h"

// Levels that are no files of this repository: what a user writes goes through the same test.
namespace lacuna::dynamic::own_levels_test {
namespace {

/// Two lists, the upper one leading to every few nodes of the lower one: a skip list of two lanes. Nodes of the upper
/// lane have arrays of references without bound, so that a stretch is found by its number.
constexpr const char* lanes = R"(
const WIDTH = 4

def lanes {
  s : stretch[N] nonempty
  N : size
  seq = {s}
}

// A stretch of the lower lane; up to WIDTH elements, one a node.
def stretch {
  first : station
  count : int32
}

def station {
  e : elem nonempty
  next : station
  seq = e, next
}

// The number of the last stretch that begins at or before c, or else 0.
fn stretch_of(root : lanes, c : coord) -> int {
  let low = 0;
  let high = root.N;
  while (high - low > 1) {
    let middle = (low + high) / 2;
    if (root.s[middle].first.ec <= c) { low = middle; } else { high = middle; }
  }
  return low;
}

fn find(root : lanes, c : coord) -> place {
  if (root.N == 0) { return nothing; }
  let n = root.s[stretch_of(root, c)].first;
  while (n != null && n.ec < c) { n = n.next; }
  if (n == null || n.ec != c) { return nothing; }
  return found(n.e);
}

fn open_stretch(root : lanes, k : int) {
  root.N += 1;
  let j = root.N - 1;
  while (j > k) {
    root.s[j] = root.s[j - 1];
    j -= 1;
  }
  root.s[k] = new stretch;
}

// Moves the stations behind the first half to a stretch of their own.
fn halve(root : lanes, k : int) {
  open_stretch(root, k + 1);
  let a = root.s[k];
  let b = root.s[k + 1];
  let last = a.first;
  let j = 1;
  while (j < a.count / 2) {
    last = last.next;
    j += 1;
  }
  b.first = last.next;
  b.count = a.count - a.count / 2;
  last.next = null;
  a.count = a.count / 2;
}

fn insert(root : lanes, c : coord, v : value) -> place {
  if (root.N == 0) { open_stretch(root, 0); }
  let k = stretch_of(root, c);
  let here = root.s[k];
  let last : station = null;
  let n = here.first;
  while (n != null && n.ec < c) {
    last = n;
    n = n.next;
  }
  if (n != null && n.ec == c) { return found(n.e); }
  let m = new station;
  m.e = elem(c, v);
  m.next = n;
  if (last == null) { here.first = m; } else { last.next = m; }
  here.count += 1;
  if (here.count > WIDTH) { halve(root, k); }
  return added(m.e);
}

fn erase(root : lanes, c : coord) -> bool {
  if (root.N == 0) { return false; }
  let k = stretch_of(root, c);
  let here = root.s[k];
  let last : station = null;
  let n = here.first;
  while (n != null && n.ec < c) {
    last = n;
    n = n.next;
  }
  if (n == null || n.ec != c) { return false; }
  if (last == null) { here.first = n.next; } else { last.next = n.next; }
  delete n;
  here.count -= 1;
  if (here.count == 0) {
    delete here;
    while (k < root.N - 1) {
      root.s[k] = root.s[k + 1];
      k += 1;
    }
    root.N -= 1;
  }
  return true;
}

fn build(root : lanes, elems : elements) {
  let k = 0;
  while (k < elems.size) {
    if (k % WIDTH == 0) { open_stretch(root, root.N); }
    let here = root.s[root.N - 1];
    let m = new station;
    m.e = elems[k];
    let n = here.first;
    while (n != null && n.next != null) { n = n.next; }
    if (n == null) { here.first = m; } else { n.next = m; }
    here.count += 1;
    k += 1;
  }
}

fn check(root : lanes) -> bool {
  let k = 0;
  while (k < root.N) {
    if (root.s[k].count == 0 || root.s[k].count > WIDTH || root.s[k].first == null) { return false; }
    k += 1;
  }
  return true;
}
)";

/// One node that holds all, without order, names of fields that mean something in C, and no root beside it.
constexpr const char* heap = R"(
def struct {
  int : elem[double] nonempty
  double : size
}

fn find(root : struct, c : coord) -> place {
  let auto = 0;
  while (auto < root.double) {
    if (root.intc[auto] == c) { return found(root.int[auto]); }
    auto += 1;
  }
  return nothing;
}

fn insert(root : struct, c : coord, v : value) -> place {
  let switch = find(root, c);
  if (switch != nothing) { return switch; }
  root.double += 1;
  root.int[root.double - 1] = elem(c, v);
  return added(root.int[root.double - 1]);
}

fn erase(root : struct, c : coord) -> bool {
  let k = 0;
  while (k < root.double && root.intc[k] != c) { k += 1; }
  if (k == root.double) { return false; }
  root.int[k] = root.int[root.double - 1];
  root.double -= 1;
  return true;
}

fn append_first(root : struct, c : coord, v : value) {
  state.exp = root;
  append_rest(c, v);
}

fn append_rest(c : coord, v : value) {
  let main = state.exp;
  main.double += 1;
  main.int[main.double - 1] = elem(c, v);
}

state { exp : struct }
)";

class OwnLevels : public testing::Test {
 protected:
  OwnLevels() {
    std::string name = (std::filesystem::temp_directory_path() / "lacuna-levels-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw RuntimeFailure("no folder for a test");
    folder_ = name;
  }
  ~OwnLevels() override { std::filesystem::remove_all(folder_); }

  /// The text of a level, by way of a file in a folder that is searched before the built-in ones.
  std::string found(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / (name + ".level")) << text;
    const std::vector<std::filesystem::path> folders = {folder_, LACUNA_LEVELS_FOLDER};
    return schema::load_level(schema::find_level_file(name, folders)).text;
  }

  std::filesystem::path folder_;
};

TEST_F(OwnLevels, GoThroughTheSameTest) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    LevelMachine machine(found("lanes", lanes), "lanes");
    run_history(machine, seed, {.coordinates = 90});
  }
}

TEST_F(OwnLevels, MayUseNamesThatMeanSomethingInC) {
  for (unsigned seed = 1; seed <= 4; seed++) {
    LevelMachine machine(found("heap", heap), "heap", Type::Int64);
    run_history(machine, seed);
  }
}

/// Roots that are nodes like others, with functions that can be changed.
TEST(NodesAsRoots, GoThroughTheSameTest) {
  int levels = 0;
  for (const schema::LevelFile& file : schema::load_levels(LACUNA_TEST_LEVELS)) {
    EXPECT_TRUE(file.nodes.has_head) << file.name;
    if (find_function(file.program, "erase") == nullptr) continue;
    ++levels;
    for (unsigned seed = 1; seed <= 6; seed++) {
      LevelMachine machine(file.text, file.name, seed % 2 == 0 ? Type::Int32 : Type::Int64);
      run_history(machine, seed, {.coordinates = 40, .steps = 200, .trees = 3});
    }
  }
  EXPECT_EQ(levels, 4);
}

/// The examples of the document that can be changed.
std::vector<std::string> examples() {
  std::vector<std::string> found;
  std::ifstream stream(LACUNA_LEVELS_DOCUMENT);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (inside && line.starts_with("```")) inside = false;
    else if (line == "```level") found.emplace_back(), inside = true;
    else if (inside) found.back() += line + "\n";
  }
  std::erase_if(found, [](const std::string& text) { return text.find("fn insert(") == std::string::npos; });
  return found;
}

TEST(LevelsDocument, ExamplesGoThroughTheSameTest) {
  const std::vector<std::string> texts = examples();
  EXPECT_EQ(texts.size(), 2U);
  for (const std::string& text : texts) {
    for (unsigned seed = 1; seed <= 6; seed++) {
      LevelMachine machine(text, "document");
      run_history(machine, seed);
    }
  }
}

}  // namespace
}  // namespace lacuna::dynamic::own_levels_test
