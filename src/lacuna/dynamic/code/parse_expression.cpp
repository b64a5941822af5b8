#include "lacuna/dynamic/code/parse_expression.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/code_words.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// Nobody nests more; what reads programs may recurse.
constexpr int deepest = 300;

struct Infix {
  std::string_view symbol;
  CodeOp op;
  int tightness;
};
constexpr std::array<Infix, 13> infixes{{{"||", CodeOp::Or, 1},
                                         {"&&", CodeOp::And, 2},
                                         {"==", CodeOp::Eq, 3},
                                         {"!=", CodeOp::Ne, 3},
                                         {"<", CodeOp::Lt, 3},
                                         {"<=", CodeOp::Le, 3},
                                         {">", CodeOp::Gt, 3},
                                         {">=", CodeOp::Ge, 3},
                                         {"+", CodeOp::Add, 4},
                                         {"-", CodeOp::Sub, 4},
                                         {"*", CodeOp::Mul, 5},
                                         {"/", CodeOp::Div, 5},
                                         {"%", CodeOp::Mod, 5}}};
constexpr int comparison_tightness = 3;

Place joined(const Place& a, const Place& b) { return {{a.range.begin, b.range.end}}; }

class ExpressionReader {
 public:
  explicit ExpressionReader(CodeReader& in) : in_(in) {}

  CodeExpr binary(int least) {
    CodeReader::Nested nested(in_);
    CodeExpr left = unary();
    bool compared = false;
    while (true) {
      if (in_.peek().is("is")) {
        left = type_test(std::move(left));
        continue;
      }
      const auto infix =
          std::find_if(infixes.begin(), infixes.end(), [&](const Infix& each) { return in_.peek().is(each.symbol); });
      if (infix == infixes.end() || infix->tightness < least) return left;
      if (infix->tightness == comparison_tightness) {
        if (compared) in_.fail("comparisons are not chained; write a < b && b < c");
        compared = true;
      }
      in_.take();
      nested.add();
      CodeExpr right = binary(infix->tightness + 1);
      CodeExpr whole;
      whole.where = joined(left.where, right.where);
      Operation operation{infix->op, {}};
      operation.operands.push_back(std::move(left));
      operation.operands.push_back(std::move(right));
      whole.kind = std::move(operation);
      left = std::move(whole);
    }
  }

 private:
  CodeExpr type_test(CodeExpr operand) {
    in_.take();
    IsNode test;
    test.node = in_.name("a node");
    CodeExpr whole;
    whole.where = joined(operand.where, test.node.where);
    test.operand.push_back(std::move(operand));
    whole.kind = std::move(test);
    return whole;
  }

  CodeExpr unary() {
    CodeReader::Nested nested(in_);
    const bool negates = in_.peek().is("-");
    if (!negates && !in_.peek().is("!")) return postfix();
    const Token symbol = in_.take();
    CodeExpr operand = unary();
    CodeExpr whole;
    whole.where = joined(symbol.where, operand.where);
    Operation operation{negates ? CodeOp::Negate : CodeOp::Not, {}};
    operation.operands.push_back(std::move(operand));
    whole.kind = std::move(operation);
    return whole;
  }

  CodeExpr postfix() {
    CodeReader::Nested nested(in_);
    CodeExpr base = primary();
    while (in_.peek().is(".") || in_.peek().is("[")) {
      nested.add();
      base = in_.peek().is(".") ? member(std::move(base)) : element(std::move(base));
    }
    return base;
  }

  CodeExpr member(CodeExpr base) {
    in_.take();
    // Fields may have any name that schemas accept, so words of functions, too.
    if (in_.peek().kind != TokenKind::Name) in_.fail("expected the name of a field behind '.', not {}", in_.found());
    const Token word = in_.take();
    Access access;
    access.name = {std::string(word.text), word.where};
    CodeExpr whole;
    whole.where = joined(base.where, word.where);
    const auto* use = std::get_if<Use>(&base.kind);
    if (use == nullptr || use->name != "state") access.base.push_back(std::move(base));
    if (in_.peek().is("[")) whole.where = joined(whole.where, subscript(access.index));
    whole.kind = std::move(access);
    return whole;
  }

  CodeExpr element(CodeExpr base) {
    At at;
    CodeExpr whole;
    const Place begin = base.where;
    at.parts.push_back(std::move(base));
    whole.where = joined(begin, subscript(at.parts));
    whole.kind = std::move(at);
    return whole;
  }

  Place subscript(CodeExprs& into) {
    in_.take();
    into.push_back(binary(0));
    return in_.expect("]", "behind the position").where;
  }

  CodeExpr primary() {
    const Token& word = in_.peek();
    CodeExpr whole;
    whole.where = word.where;
    if (word.kind == TokenKind::Number) {
      whole.kind = number();
    } else if (in_.take_if("true")) {
      whole.kind = BoolLiteral{true};
    } else if (in_.take_if("false")) {
      whole.kind = BoolLiteral{false};
    } else if (in_.take_if("null")) {
      whole.kind = NullLiteral();
    } else if (in_.take_if("nothing")) {
      whole.kind = NothingLiteral();
    } else if (in_.take_if("new")) {
      NewNode made{in_.name("a node")};
      whole.where = joined(whole.where, made.node.where);
      whole.kind = std::move(made);
    } else if (in_.take_if("(")) {
      whole = binary(0);
      in_.expect(")", "behind the expression");
    } else if (word.is("state")) {
      in_.take();
      if (!in_.peek().is(".")) in_.fail("expected '.' behind state, whose fields are read one by one");
      whole.kind = Use{"state"};
    } else if (word.kind == TokenKind::Name) {
      name(whole);
    } else {
      in_.fail("expected an expression, not {}", in_.found());
    }
    return whole;
  }

  NumberLiteral number() {
    const Token word = in_.peek();
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
    if (status != std::errc()) in_.fail("{} is too large; integers have 64 bits", shown(word.text));
    in_.take();
    return {value};
  }

  void name(CodeExpr& whole) {
    const std::string_view written = in_.peek().text;
    // elem is a word of schemas, and makes an element here.
    if (written == "elem") {
      const Token word = in_.take();
      call(whole, {"elem", word.where});
      return;
    }
    Name name = in_.name("a variable or function");
    if (in_.peek().is("(")) call(whole, std::move(name));
    else whole.kind = Use{std::move(name.text)};
  }

  void call(CodeExpr& whole, Name function) {
    in_.expect("(", "behind elem, which makes an element of a coordinate and a value");
    CallExpr call;
    call.function = std::move(function);
    while (!in_.peek().is(")")) {
      call.arguments.push_back(binary(0));
      if (!in_.take_if(",")) break;
      if (in_.peek().is(")")) in_.fail("expected an expression behind ',', not ')'");
    }
    whole.where = joined(whole.where, in_.expect(")", "behind the arguments of a call").where);
    whole.kind = std::move(call);
  }

  CodeReader& in_;
};

}  // namespace

void CodeReader::deeper(int by) {
  if (depth_ + by > 3 * deepest) fail("more than {} expressions and statements inside each other", deepest);
  depth_ += by;
}

Name CodeReader::name(std::string_view what) {
  const Token& word = expect_word(fmt::format("the name of {}", what));
  const bool taken =
      is_reserved(word.text) || std::find(code_keywords.begin(), code_keywords.end(), word.text) != code_keywords.end();
  if (taken) {
    if (word.is("for")) fail("there is no for; write while");
    if (word.is("continue")) fail("there is no continue; write if");
    fail("'{}' is a word of the language and not the name of {}", word.text, what);
  }
  return take_name();
}

Name CodeReader::type() {
  expect_word("the name of a type");
  return take_name();
}

CodeExpr read_expression(CodeReader& in) { return ExpressionReader(in).binary(0); }

}  // namespace lacuna::schema
