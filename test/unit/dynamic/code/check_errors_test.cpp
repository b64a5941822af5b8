#include "unit/dynamic/code/refused_function.h"

namespace lacuna::schema::check_errors_test {
namespace {

TEST(FunctionErrors, TypesAreThoseOfTheLanguage) {
  EXPECT_EQ(refused_function("fn f(a : int32) {}", "4:10", "write int instead of int32"), "int32");
  EXPECT_EQ(refused_function("fn f(a : lits) {}", "4:10", "did you mean list?"), "lits");
  EXPECT_EQ(refused_function("fn f() -> nothing {}", "4:11", "nothing is no type"), "nothing");
  EXPECT_EQ(refused_function("fn f() -> elements {}", "4:11", "a function returns one number"), "elements");
  EXPECT_EQ(refused_function("fn f(a : elem) {}", "4:10", "c : coord, v : value"), "elem");
  EXPECT_EQ(refused_function("state { a : elements }", "4:13", "the state holds integers"), "elements");
  EXPECT_EQ(refused_function("state { a : int a : int }", "4:17", "the state has a field a already"), "a");
}

TEST(FunctionErrors, NamesMeanOneThing) {
  EXPECT_EQ(refused_statement("let i = 1;", "7", "i is a variable already on line 4"), "i");
  EXPECT_EQ(refused_statement("let N = 1;", "7", "N is a constant already; take another name"), "N");
  EXPECT_EQ(refused_statement("let list = 1;", "7", "list is a node already"), "list");
  EXPECT_EQ(refused_statement("let min = 1;", "7", "min is a function already"), "min");
  EXPECT_EQ(refused_statement("i = j;", "7", "there is no variable j"), "j");
  EXPECT_EQ(refused_statement("i = roots;", "7", "there is no variable roots; did you mean root?"), "roots");
  EXPECT_EQ(refused_statement("{ let x = 1; }", "3", ""), "{");
  EXPECT_EQ(refused_statement("if (b) { let x = 1; } i = x;", "29", "there is no variable x"), "x");
  EXPECT_EQ(refused_statement("g(1);", "3", "there is no function g"), "g");
  EXPECT_EQ(refused_statement("i = hsh(1);", "7", "did you mean hash?"), "hsh");
  EXPECT_EQ(refused_statement("state.x = 1;", "9", "the state has no field x; declare it: state { x : type }"), "x");
}

TEST(FunctionErrors, FieldsAreThoseOfTheNode) {
  EXPECT_EQ(refused_statement("n.m = null;", "5", "list has no field m"), "m");
  EXPECT_EQ(refused_statement("i = n.next;", "9", "list has no field next"), "next");
  EXPECT_EQ(refused_statement("i = n.kc;", "7", "kc is an array; say which slot: kc[0]"), "n.kc");
  EXPECT_EQ(refused_statement("c = n.ec[0];", "7", "ec is no array and has no slots"), "n.ec[0]");
  EXPECT_EQ(refused_statement("c = n.kc[b];", "12", "a position is an integer, and this is bool"), "b");
  EXPECT_EQ(refused_statement("i = i.x;", "7", "only nodes have fields, and this is int"), "i.x");
  EXPECT_EQ(refused_statement("c = s.ec;", "7", "ask first: if (… is NODE x), then x.ec"), "s.ec");
  EXPECT_EQ(refused_statement("i = all.length;", "11", "a sequence of elements has .size"), "length");
  EXPECT_EQ(refused_statement("c = all[0].x;", "14", "an element has a coordinate .c and a value .v"), "x");
  EXPECT_EQ(refused_statement("c = i[0];", "7", "only a sequence of elements and an array of a node"), "i[0]");
}

TEST(FunctionErrors, ValuesFitTheirPlaces) {
  EXPECT_EQ(refused_statement("i = b;", "7", "what is assigned to is int, and this is bool"), "b");
  EXPECT_EQ(refused_statement("n.n = root;", "9", "is a reference to list, and this is a reference to top"), "root");
  EXPECT_EQ(refused_statement("n = s;", "7", "is a reference to list, and this is a reference to t"), "s");
  EXPECT_EQ(refused_statement("let x : inner = s;", "19", "ask first: if (… is inner x)"), "s");
  EXPECT_EQ(refused_statement("i = null;", "7", "is int, and this is null"), "null");
  EXPECT_EQ(refused_statement("let x = null;", "11", "of which type is x? write let x : NODE = null"), "null");
  EXPECT_EQ(refused_statement("let x = all;", "7", "only parameters are sequences"), "x");
  EXPECT_EQ(refused_statement("n.d = v;", "9", "is int, and this is value"), "v");
  EXPECT_EQ(refused_statement("n.e = c;", "9", "is elem, and this is coord"), "c");
  EXPECT_EQ(refused_statement("n.q += 1;", "10", "is bool, and this is int"), "1");
  EXPECT_EQ(refused_statement("n.ev += v;", "3", "+= and -= are for integers"), "n.ev");
  EXPECT_EQ(refused_statement("N = 1;", "3", "N is a constant"), "N");
  EXPECT_EQ(refused_statement("all = all;", "3", "cannot be changed"), "all");
  EXPECT_EQ(refused_statement("all.size = 1;", "3", "only variables, fields of nodes and the state"), "all.size");
  EXPECT_EQ(refused_statement("hash(1) = 1;", "3", "only variables, fields of nodes and the state"), "hash(1)");
}

TEST(FunctionErrors, OperandsFitTheirOperators) {
  EXPECT_EQ(refused_statement("i = 1 + b;", "11", "an operand is an integer, and this is bool"), "b");
  EXPECT_EQ(refused_statement("i = 1 + v;", "11", "an operand is an integer, and this is value"), "v");
  EXPECT_EQ(refused_statement("b = !i;", "8", "an operand of &&, || and ! is bool"), "i");
  EXPECT_EQ(refused_statement("b = v == v;", "7", "values are only copied"), "v == v");
  EXPECT_EQ(refused_statement("b = n == root;", "7", "cannot be compared"), "n == root");
  EXPECT_EQ(refused_statement("b = null == null;", "7", "cannot be compared"), "null == null");
  EXPECT_EQ(refused_statement("b = n < n;", "7", "an operand is an integer"), "n");
  EXPECT_EQ(refused_statement("if (n) {}", "7", "a condition is bool, and this is a reference to list; write != null"),
            "n");
  EXPECT_EQ(refused_statement("while (1) {}", "10", "a condition is bool"), "1");
}

TEST(FunctionErrors, NodesAreAskedWhatTheyAre) {
  EXPECT_EQ(refused_statement("if (n is list x) {}", "7", "is asks which node a reference to a supertype leads to"),
            "n is list");
  EXPECT_EQ(refused_statement("if (s is list x) {}", "12", "list is no node of the supertype t"), "list");
  EXPECT_EQ(refused_statement("if (s is inner i) {}", "18", "i is a variable already"), "i");
  EXPECT_EQ(refused_statement("if (s is inner x) {} else { x.B = 1; }", "31", "there is no variable x"), "x");
  EXPECT_EQ(refused_statement("let x = new t;", "15", "it is a supertype, so say which of its nodes"), "t");
  EXPECT_EQ(refused_statement("let x = new trie;", "15", "there is no node trie to make"), "trie");
  EXPECT_EQ(refused_statement("delete s;", "10", "ask first which: if (… is NODE x)"), "s");
  EXPECT_EQ(refused_statement("delete i;", "10", "delete gives back a node, and this is int"), "i");
}

TEST(FunctionErrors, CallsFitTheirFunctions) {
  EXPECT_EQ(refused_statement("i = min(1);", "7", "min takes 2 arguments and gets 1"), "min(1)");
  EXPECT_EQ(refused_statement("i = hash();", "7", "hash takes 1 argument and gets 0"), "hash()");
  EXPECT_EQ(refused_statement("i = hash(n);", "12", "an argument is an integer"), "n");
  EXPECT_EQ(refused_statement("i = lower_bound(n.e, 1, c);", "7", "lower_bound searches an array of elements"),
            "lower_bound(n.e, 1, c)");
  EXPECT_EQ(refused_statement("i = lower_bound(n.k[0], 1, c);", "7", "lower_bound searches an array"),
            "lower_bound(n.k[0], 1, c)");
  EXPECT_EQ(refused_statement("i = lower_bound(n.k, 1, v);", "27", "a count or coordinate is an integer"), "v");
  EXPECT_EQ(refused_statement("p = found(n);", "7", "found is told the slot of a node: found(n.e[k])"), "found(n)");
  EXPECT_EQ(refused_statement("p = found(n.k);", "13", "k is an array; say which slot"), "n.k");
  EXPECT_EQ(refused_statement("n.e = elem(v, v);", "14", "the first part of an element is an integer"), "v");
  EXPECT_EQ(refused_statement("n.e = elem(c, c);", "17", "the second part of an element is a value"), "c");
  EXPECT_EQ(refused_statement("hash(1);", "3", "hash only computes something; use what it returns"), "hash(1)");
  EXPECT_EQ(refused_function("fn g(n : list) {} fn f(n : top) { g(n); }", "4:37",
                             "the parameter n of g is a reference to list"),
            "n");
  EXPECT_EQ(refused_function("fn g() {} fn f() { let x = g(); }", "4:28", "what is called here returns nothing"),
            "g()");
}

TEST(FunctionErrors, WhatChangesNodesStandsAlone) {
  const std::string change = "fn g(n : list) -> int { n.d = 1; return 1; } ";
  EXPECT_EQ(refused_function(change + "fn f(n : list) { let x = g(n) + 1; }", "4:71",
                             "this changes nodes, so it stands alone"),
            "g(n)");
  EXPECT_EQ(refused_function(change + "fn f(n : list) { if (g(n) == 1) {} }", "4:67", "let x = …; and then x"), "g(n)");
  EXPECT_EQ(refused_function(change + "fn h(n : list) -> int { return g(n); } fn f(n : list) { n.d += h(n); }", "4:109",
                             "stands alone"),
            "h(n)");
  refused_function("fn f(n : list) { n.n.n = f2(new list); } fn f2(n : list) -> list { return n; }", "4:29",
                   "stands alone");
}

TEST(FunctionErrors, FunctionsReturnWhatTheySay) {
  EXPECT_EQ(refused_function("fn f() -> int {}", "4:4", "f may end without returning int"), "f");
  EXPECT_EQ(refused_function("fn f(b : bool) -> int { if (b) { return 1; } }", "4:4", "put a return at its end"), "f");
  EXPECT_EQ(refused_function("fn f() -> int { while (true) { break; } }", "4:4", "f may end"), "f");
  EXPECT_NO_THROW(read_level_program(a_level + "fn f() -> int { while (true) {} }"));
  EXPECT_EQ(
      refused_function("fn f() { return 1; }", "4:17", "f returns nothing; leave out the value, or declare -> int"),
      "1");
  EXPECT_EQ(refused_function("fn f() -> int { return; }", "4:17", "f returns int; say which"), "return");
  EXPECT_EQ(refused_function("fn f() -> bool { return 1; }", "4:25", "what f returns is bool, and this is int"), "1");
  EXPECT_EQ(refused_function("fn f() { break; }", "4:10", "break leaves a loop, and there is none around it"), "break");
}

TEST(FunctionErrors, FunctionsWithAMeaningAreDeclaredAsTheyMustBe) {
  const std::pair<std::string, std::string> right[] = {
      {"find", "fn find(root : top, c : coord) -> place"},
      {"insert", "fn insert(root : top, c : coord, v : value) -> place"},
      {"erase", "fn erase(root : top, c : coord) -> bool"},
      {"build", "fn build(root : top, elems : elements)"},
      {"check", "fn check(root : top) -> bool"}};
  for (const auto& [name, declaration] : right) {
    EXPECT_EQ(refused_function("fn " + name + "(n : list) {}", "4:4",
                               name + " has a meaning and is declared so: " + declaration),
              name);
  }
  EXPECT_EQ(refused_function("fn append_first(root : top) {} fn append_rest() {}", "4:4",
                             "fn append_first(root : top, c : coord, v : value)"),
            "append_first");
  EXPECT_EQ(refused_function("fn append_first(r : top, c : coord, v : value) {} fn append_rest() {}", "4:54",
                             "fn append_rest(c : coord, v : value)"),
            "append_rest");
}

TEST(FunctionErrors, EveryTypeAndOperatorIsAccepted) {
  EXPECT_NO_THROW(read_level_program(
      a_level +
      "state { n : list s : t c : coord p : place i : int b : bool }\n"
      "fn f(root : top, s : t, c : coord, v : value, b : bool, all : elements) -> place {\n"
      "  let n : list = new list; let i = N; let e = all[i - 1]; state.n = n; state.s = s; state.c = i;\n"
      "  n.e = elem(i, v); n.k[0] = n.e; n.k[1] = e; n.ec += 1; n.q = !(b || n.q) && (c < i) == b; n.d = -i % 3 / 2 * "
      "4;\n"
      "  while (s is inner x) { if (x.B > 0 && x.p == null) { s = x.c[0]; } else { break; } }\n"
      "  if (s is outer y) { root.u = y; state.p = found(y.x); } else if (s == root.u) { root.u = null; }\n"
      "  i = max(hash(c), lower_bound(n.k, n.B, c)) - min(all.size, 2);\n"
      "  if (e.c == 3 || s is outer) { return nothing; } n.ev = e.v; e = n.k[1];\n"
      "  return added(n.k[i]);\n"
      "}"));
}

}  // namespace
}  // namespace lacuna::schema::check_errors_test
