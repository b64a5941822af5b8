#include <random>

#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/properties.h"

// Level files that were changed at random are refused at a place in them, or are levels that print, read back equal and
// have properties and a layout.
namespace lacuna::schema::schema_mutation_test {
namespace {

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  std::string draw() {
    std::string text = texts_[below(texts_.size())] + functions;
    for (std::size_t count = 1 + below(3); count > 0; --count) mutate(text);
    return text;
  }

 private:
  static constexpr const char* functions =
      "\nstate { node : a }\nfn build(elems, sz, ret) {\n  if (sz > 0) { x[0] = '{'; } // }\n}\n";

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, below(12));
    switch (below(6)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2: text.insert(at, text.substr(at, length)); break;
      case 3: text.insert(at, words[below(std::size(words))]); break;
      case 4: replace_word(text, at); break;
      default: text = text.substr(0, at) + texts_[below(texts_.size())]; break;
    }
  }

  /// A mutant that is a list of words still is more often a level than one that is not.
  void replace_word(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_of("abcdefghijklmnopqrstuvwxyzBN0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = text.find_first_of(" \n:{}[],", begin);
    text.replace(begin, end == std::string::npos ? end : end - begin, words[below(std::size(words))]);
  }

  static constexpr const char* words[] = {
      "def",    "supertype",  "elem",  "size",  "in",    "nonempty",  "diff", "parent",     "seq", "const",
      "state",  "fn",         "bool",  "int8",  "uint8", "{",         "}",    "[",          "]",   "(",
      ")",      ":",          ",",     "=",     "*",     "0",         "1",    "2147483647", "e",   "n",
      "B",      "l",          "r",     "c",     "N",     "//",        "/*",   "*/",         "'",   "\"",
      "[0, 0]", " nonempty ", " def ", "btree", "a",     "9999999999"};

  std::vector<std::string> texts_;
  std::mt19937_64 random_{20260101};
};

void check_mutant(const std::string& text, int& accepted) {
  LevelDefinition level;
  try {
    level = parse_level(text, "m.level");
  } catch (const Error& error) {
    ASSERT_EQ(std::string(error.what()).substr(0, 8), "m.level:") << text;
    ASSERT_LE(error.where().begin, error.text().size()) << text;
    ASSERT_FALSE(describe_with_caret(error).empty());
    return;
  }
  ++accepted;
  ASSERT_EQ(parse_level(to_string(level), "again"), level) << text;
  const NodeSchema& schema = level.nodes;
  ASSERT_FALSE(layout_of(schema).empty());
  is_ordered(schema);
  ASSERT_FALSE(root_of(schema).fields.empty());
  recursion_of(schema);
  for (const NodeType& node : schema.nodes) {
    const Bounds elements = elements_of(node);
    ASSERT_LE(elements.least, elements.most.value_or(elements.least)) << text;
  }
}

TEST(LevelMutants, AreRefusedAtAPlaceOrAreLevels) {
  std::vector<std::string> texts;
  for (const LevelFile& level : load_levels(LACUNA_LEVELS_FOLDER)) {
    // Functions are kept as text here, so that most mutants of theirs are levels.
    texts.push_back(level.text.substr(0, std::min(level.text.find("\nfn "), level.text.find("\nstate "))));
  }
  Mutator mutator(texts);
  int accepted = 0;
  constexpr int mutants = 20000;
  for (int k = 0; k < mutants; ++k) {
    ASSERT_NO_FATAL_FAILURE(check_mutant(mutator.draw(), accepted));
  }
  // Neither side may be all there is, or the test would see half of what it is for.
  EXPECT_GT(accepted, mutants / 20);
  EXPECT_LT(accepted, mutants / 2);
}

}  // namespace
}  // namespace lacuna::schema::schema_mutation_test
