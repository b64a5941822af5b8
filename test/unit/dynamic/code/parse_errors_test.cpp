#include "unit/dynamic/code/refused_function.h"

namespace lacuna::schema::parse_errors_test {
namespace {

TEST(FunctionParseErrors, WordsOfOtherLanguagesAreTranslated) {
  EXPECT_EQ(refused_statement("n->l = null;", "4", "fields of a node are written with a '.'"), "->");
  EXPECT_EQ(refused_statement("i++;", "4", "write += 1"), "++");
  EXPECT_EQ(refused_statement("i--;", "4", "write -= 1"), "--");
  EXPECT_EQ(refused_statement("i = i & 1;", "9", "there are no operators on bits"), "&");
  EXPECT_EQ(refused_statement("i = i | 1;", "9", "or is written ||"), "|");
  EXPECT_EQ(refused_statement("i = b ? 1 : 2;", "9", "write if and else"), "?");
  EXPECT_EQ(refused_statement("i = 'a';", "7", "there are no characters"), "'");
  EXPECT_EQ(refused_statement("i = \"a\";", "7", "there are no strings"), "\"");
  EXPECT_EQ(refused_statement("for (i = 0; i < 1; i += 1) {}", "3", "there is no for; write while"), "for");
  EXPECT_EQ(refused_statement("while (b) { continue; }", "15", "there is no continue; write if"), "continue");
  EXPECT_EQ(refused_statement("if (i = 1) {}", "9", "equality is written =="), "=");
}

TEST(FunctionParseErrors, CharactersAndNumbers) {
  EXPECT_EQ(refused_statement("i = @;", "7", "'@' means nothing in a function"), "@");
  EXPECT_EQ(refused_statement("i = \xC3;", "7", "byte 0xC3"), "\xC3");
  EXPECT_EQ(refused_statement("i = 3x;", "7", "'3x' is neither a number nor a name"), "3x");
  EXPECT_EQ(refused_statement("i = 99999999999999999999;", "7", "integers have 64 bits"), "99999999999999999999");
  refused_statement("i = " + std::string(65, 'a') + ";", "7", "a name of 65 characters");
}

TEST(FunctionParseErrors, WhatEndsTooEarlyIsNamed) {
  EXPECT_EQ(refused_function("state { x : }", "4:13", "expected the name of a type, not the end of the state"), "}");
  EXPECT_EQ(refused_function("fn f(x) {}", "4:7", "not the end of the parameters"), ")");
  EXPECT_EQ(refused_function("fn f() { let }", "4:14", "not the end of the function"), "}");
}

TEST(FunctionParseErrors, StatementsAreWhole) {
  refused_function("fn f() {\n  let x = 1\n}", "6:1", "expected ';' behind the value of a variable, not the end");
  EXPECT_EQ(refused_statement("let = 1;", "7", "expected the name of a variable, not '='"), "=");
  EXPECT_EQ(refused_statement("let x;", "8", "expected '=' with the value of the variable, not ';'"), ";");
  EXPECT_EQ(refused_statement("let x : = 1;", "11", "expected the name of a type"), "=");
  EXPECT_EQ(refused_statement("let if = 1;", "7", "'if' is a word of the language"), "if");
  EXPECT_EQ(refused_statement("n.n;", "6", "only a call stands alone"), ";");
  EXPECT_EQ(refused_statement("if b {}", "6", "expected '(' behind if, not 'b'"), "b");
  EXPECT_EQ(refused_statement("if (b) i = 1;", "10", "expected '{' behind the condition of if, not 'i'"), "i");
  EXPECT_EQ(refused_statement("if (b) {} else i = 1;", "18", "expected '{' behind else, not 'i'"), "i");
  EXPECT_EQ(refused_statement("while (b) i = 1;", "13", "expected '{' behind the condition of while"), "i");
  EXPECT_EQ(refused_statement("return 1 2;", "12", "expected ';' behind return, not '2'"), "2");
  EXPECT_EQ(refused_statement("break 1;", "9", "expected ';' behind break"), "1");
  EXPECT_EQ(refused_statement("else {}", "3", "'else' is a word of the language"), "else");
}

TEST(FunctionParseErrors, ExpressionsAreWhole) {
  EXPECT_EQ(refused_statement("i = ;", "7", "expected an expression, not ';'"), ";");
  EXPECT_EQ(refused_statement("i = 1 +;", "10", "expected an expression, not ';'"), ";");
  EXPECT_EQ(refused_statement("i = (1; );", "9", "expected ')' behind the expression, not ';'"), ";");
  EXPECT_EQ(refused_statement("b = 1 < 2 < 3;", "13", "comparisons are not chained"), "<");
  EXPECT_EQ(refused_statement("i = min(1, );", "14", "expected an expression behind ','"), ")");
  EXPECT_EQ(refused_statement("i = n.3;", "9", "expected the name of a field behind '.', not '3'"), "3");
  EXPECT_EQ(refused_statement("i = state;", "12", "expected '.' behind state"), ";");
  EXPECT_EQ(refused_statement("n = new;", "10", "expected the name of a node, not ';'"), ";");
  EXPECT_EQ(refused_statement("n.e = elem;", "13", "expected '(' behind elem"), ";");
}

TEST(FunctionParseErrors, ParametersAndStateHaveTypes) {
  EXPECT_EQ(refused_function("fn f(a) {}", "4:7", "expected ':' and a type behind the name of a parameter"), ")");
  EXPECT_EQ(refused_function("fn f(a : int b : int) {}", "4:14", "expected ',' between parameters, not 'b'"), "b");
  EXPECT_EQ(refused_function("fn f(a : int,) {}", "4:14", "expected a parameter behind ','"), ")");
  EXPECT_EQ(refused_function("fn f() -> {}", "4:11", "expected the type that the function returns"), "{");
  EXPECT_EQ(refused_function("state { a }", "4:11", "expected ':' and a type behind the name of a field of the state"),
            "}");
  EXPECT_EQ(refused_function("state { a : int, b : int }", "4:16", "nothing stands between fields"), ",");
}

TEST(FunctionParseErrors, DeepNestingIsRefusedAndDoesNotOverflow) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
  };
  for (const int count : {1000, 100000}) {
    const std::vector<std::string> deep = {"i = " + repeated("- ", count) + "1;", "b = " + repeated("!", count) + "b;",
                                           "i = 1" + repeated(" + 1", count) + ";",
                                           "n = n" + repeated(".n", count) + ";",
                                           "if (b) {}" + repeated(" else if (b) {}", count)};
    for (const std::string& statement : deep) {
      try {
        read_level_program(a_level + "fn f(n : list, b : bool, i : int) { " + statement + "}");
        ADD_FAILURE() << statement.substr(0, 40);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("inside each other"));
      }
    }
  }
  EXPECT_NO_THROW(read_level_program(a_level + "fn f(i : int) { i = 1" + repeated(" + 1", 250) + "; }"));
  EXPECT_NO_THROW(
      read_level_program(a_level + "fn f(i : int) { i = " + repeated("(", 150) + "1" + repeated(")", 150) + "; }"));
}

TEST(FunctionParseErrors, CaretsStandUnderTheMistake) {
  try {
    read_level_program("def a {\n  e : elem\n}\nfn f(n : a) {\n  n.f = 1;\n}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(describe_with_caret(error),
              "t.level:5:5: a has no field f\n"
              "    n.f = 1;\n"
              "      ^");
  }
}

}  // namespace
}  // namespace lacuna::schema::parse_errors_test
