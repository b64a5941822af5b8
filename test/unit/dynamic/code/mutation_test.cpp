#include <random>

#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"

// Level files whose functions were changed at random are refused at a place in them, or are levels.
namespace lacuna::schema::mutation_test {
namespace {

constexpr const char* words[] = {
    "let", "if", "else", "while", "return", "break", "new",  "delete", "is",    "null", "(", ")", "{",
    "}",   "[",  "]",    ";",     "=",      "==",    "+=",   "n",      "n.e",   "n.ec", "k", "c", "v",
    "1",   "-1", "!",    "root",  "true",   "place", "elem", "found",  "state", ".",    ",", ":", "int"};

class Mutator {
 public:
  std::string mutant_of(std::string text) {
    const std::size_t functions = std::min(text.find("\nfn "), text.find("\nstate "));
    const std::size_t at = functions + below(text.size() - functions);
    const std::string word = words[below(std::size(words))];
    switch (below(4)) {
      case 0: return text.erase(at, below(6));
      case 1: return text.insert(at, " " + word + " ");
      case 2: return text.insert(at, text.substr(at, below(30)));
      default: {
        const std::size_t begin = text.find_first_of(" (", at);
        if (begin == std::string::npos) return text;
        const std::size_t end = std::min(text.find_first_of(" ;,().", begin + 1), text.size());
        return text.replace(begin + 1, end - begin - 1, word);
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::mt19937_64 random_{20260101};
};

TEST(FunctionMutants, AreRefusedAtAPlaceOrAreLevels) {
  const std::vector<LevelFile> levels = load_levels(LACUNA_LEVELS_FOLDER);
  Mutator mutator;
  int accepted = 0;
  constexpr int mutants = 3000;
  for (int k = 0; k < mutants; ++k) {
    const std::string text = mutator.mutant_of(levels[static_cast<std::size_t>(k) % levels.size()].text);
    try {
      read_program(parse_level(text, "m.level"), {"m.level", text});
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(std::string(error.what()).substr(0, 8), "m.level:") << text;
      ASSERT_FALSE(describe_with_caret(error).empty());
    }
  }
  EXPECT_GT(accepted, mutants / 20);
  EXPECT_LT(accepted, mutants * 3 / 4);
}

}  // namespace
}  // namespace lacuna::schema::mutation_test
