#include "lacuna/notation/parse.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "lacuna/notation/lexer.h"
#include "lacuna/notation/operators.h"
#include "lacuna/support/check.h"

// Recursive descent over the grammar (docs/reference/notation.md explains it to users):
//
//   statement   := access ("=" | "+=") sum END
//   sum         := product { ("+" | "-") product }
//   product     := unary { ("*" | "/") unary }
//   unary       := ("+" | "-") unary | primary
//   primary     := NUMBER | "true" | "false" | "inf" | "nan" | "(" sum ")" | access
//                | "complex" "(" sum "," sum ")"           both of them numbers
//                | "sum" "(" NAME "," { NAME "," } sum ")"
//                | FUNCTION "(" sum { "," sum } ")" | TYPE "(" sum ")" | "cast" "(" TYPE "," sum ")"
//   access      := NAME [ "(" [ NAME { "," NAME } ] ")" ]
//
// A bare NAME is an index variable's value when the name occurs as an index anywhere in the statement. The tokens are
// therefore searched for indices before anything is parsed.
namespace lacuna {
namespace {

using notation::lex;
using notation::Token;
using notation::TokenKind;

/// Parentheses, calls and signs inside each other. Chains of operators are bounded by max_expression_depth.
constexpr int max_nesting = 200;

bool is_number_word(std::string_view name) {
  return name == "true" || name == "false" || name == "inf" || name == "nan";
}

/// Names that mean something other than a tensor when a parenthesis follows.
bool is_reserved(std::string_view name) {
  return name == "sum" || name == "complex" || find_function(name).has_value() || parse_type(name).has_value();
}

class Parser {
 public:
  /// Reads `part` of a text; `what` is "statement" or "expression", for messages.
  Parser(std::string_view text, SourceRange part, std::string_view what)
      : text_(text), what_(what), tokens_(lex(text, part, what)) {
    find_indices();
  }

  void add_index(const std::string& name) { indices_.emplace(name, IndexVar(name)); }

  Statement statement() {
    const Access lhs = left_side();
    const bool accumulate = peek().is("+=");
    if (!accumulate && !peek().is("=")) {
      fail(peek(), fmt::format("expected '=' or '+=' after {}, not {}", lhs.tensor.name(), shown(peek())));
    }
    advance();
    Expr rhs = parse_sum();
    if (peek().is("=") || peek().is("+=")) fail(peek(), "a statement assigns once; this is a second assignment");
    if (peek().is(")")) fail(peek(), "this ')' closes no parenthesis");
    if (peek().kind != TokenKind::End) fail(peek(), missing_operator());
    return {lhs, accumulate, std::move(rhs), std::string(text_)};
  }

  Expr expression() {
    Expr e = parse_sum();
    if (peek().is("=") || peek().is("+=")) fail(peek(), "an expression assigns nothing; leave out the left side");
    if (peek().is(")")) fail(peek(), "this ')' closes no parenthesis");
    if (peek().is(",")) fail(peek(), "one expression, and no list of them, stands here");
    if (peek().kind != TokenKind::End) fail(peek(), missing_operator());
    return e;
  }

 private:
  /// Bounds the recursion of the parser itself.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > max_nesting) {
        parser_.fail(parser_.peek(), fmt::format("more than {} parentheses or signs inside each other", max_nesting));
      }
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& advance() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  /// From the first byte of `begin` to the last one consumed.
  SourceRange since(const Token& begin) const { return {begin.where.begin, tokens_[at_ - 1].where.end}; }

  [[noreturn]] void fail(SourceRange where, const std::string& message) const {
    throw Error(message, where, std::string(text_));
  }
  [[noreturn]] void fail(const Token& token, const std::string& message) const { fail(token.where, message); }

  std::string shown(const Token& token) const {
    return token.kind == TokenKind::End ? fmt::format("the end of the {}", what_) : fmt::format("'{}'", token.text);
  }
  std::string missing_operator() const {
    return fmt::format("an operator is missing before {} (a product needs its '*')", shown(peek()));
  }

  void expect(std::string_view symbol, std::string_view after) {
    if (!peek().is(symbol)) {
      const bool operand = peek().kind == TokenKind::Name || peek().kind == TokenKind::Number || peek().is("(");
      fail(peek(), operand && symbol == ")" ? missing_operator()
                                            : fmt::format("expected '{}' {}, not {}", symbol, after, shown(peek())));
    }
    advance();
  }

  /// The node with the place where it was written.
  Expr placed(const Expr& e, const Token& begin) const { return make_node(e.node().kind, since(begin)); }

  /// cast(TYPE, …, which no tensor with indices can look like: types are no names of variables there.
  bool is_cast(std::size_t t) const {
    return t + 3 < tokens_.size() && tokens_[t].text == "cast" && tokens_[t + 1].is("(") &&
           parse_type(tokens_[t + 2].text).has_value() && tokens_[t + 3].is(",");
  }

  void find_indices() {
    for (std::size_t t = 0; t + 1 < tokens_.size(); ++t) {
      if (tokens_[t].kind != TokenKind::Name || !tokens_[t + 1].is("(") || is_cast(t)) continue;
      const bool is_sum = tokens_[t].text == "sum";
      if (!is_sum && is_reserved(tokens_[t].text)) continue;
      for (std::size_t k = t + 2; tokens_[k].kind == TokenKind::Name; k += 2) {
        const bool comma = tokens_[k + 1].is(",");
        if (comma || (!is_sum && tokens_[k + 1].is(")"))) {
          indices_.emplace(tokens_[k].text, IndexVar(std::string(tokens_[k].text)));
        }
        if (!comma) break;
      }
    }
  }

  IndexVar index_name() {
    const Token& token = advance();
    if (is_number_word(token.text)) fail(token, fmt::format("{} is a number and cannot be an index", token.text));
    return indices_.emplace(token.text, IndexVar(std::string(token.text))).first->second;
  }

  Access left_side() {
    const Token& name = peek();
    if (name.kind == TokenKind::End) fail(name, "an empty statement; write something like y(i) = A(i,j) * x(j)");
    if (name.kind != TokenKind::Name) {
      fail(name,
           fmt::format("a statement starts with the tensor it assigns to, as in y(i) = …, not with {}", shown(name)));
    }
    if (peek(1).is("(") && is_reserved(name.text)) {
      fail(name, fmt::format("{0}( ) is a function or a type and cannot be assigned to; call the tensor something "
                             "else, such as {0}_",
                             name.text));
    }
    return parse_access();
  }

  Access parse_access() {
    const Token& name = advance();
    if (is_number_word(name.text)) fail(name, fmt::format("{} is a number and cannot name a tensor", name.text));
    if (indices_.count(std::string(name.text)) > 0) {
      fail(name, fmt::format("{} is an index variable in this {} and cannot name a tensor, too", name.text, what_));
    }
    std::vector<IndexVar> indices;
    if (peek().is("(")) {
      advance();
      while (!peek().is(")")) {
        if (!indices.empty()) advance();  // the comma
        if (peek().kind != TokenKind::Name) fail_index(name);
        indices.push_back(index_name());
        if (!peek().is(",") && !peek().is(")")) fail_index(name);
      }
      advance();
    }
    return {tensor(name, static_cast<int>(indices.size())), indices};
  }

  /// Called where the inside of `name(…)` stops being a list of names.
  [[noreturn]] void fail_index(const Token& name) const {
    const Token& token = peek();
    if (token.is("(")) {
      fail(name, fmt::format("{0} is not a function of index notation ('lacuna help functions' lists them), and as a "
                             "tensor it takes index variables only",
                             name.text));
    }
    if (token.kind == TokenKind::End) fail(token, fmt::format("the ')' of {}(…) is missing", name.text));
    fail(token, fmt::format("the indices of {} are names with commas between, as in {}(i,j); {} cannot stand there",
                            name.text, name.text, shown(token)));
  }

  TensorVar tensor(const Token& name, int order) {
    const auto [known, is_new] = tensors_.emplace(name.text, TensorVar(std::string(name.text), order));
    if (!is_new && known->second.order() != order) {
      fail(name, fmt::format("{} has {} here but {} before; one name is one tensor", name.text, count_indices(order),
                             count_indices(known->second.order())));
    }
    return known->second;
  }
  static std::string count_indices(int order) {
    return order == 0 ? "no index" : order == 1 ? "1 index" : fmt::format("{} indices", order);
  }

  Expr parse_sum() {
    const Token& begin = peek();
    Expr e = parse_product();
    while (peek().is("+") || peek().is("-")) {
      const bool add = advance().is("+");
      const Expr right = parse_product();
      e = placed(add ? e + right : e - right, begin);
    }
    return e;
  }

  Expr parse_product() {
    const Token& begin = peek();
    Expr e = parse_unary();
    while (peek().is("*") || peek().is("/")) {
      const bool multiply = advance().is("*");
      const Expr right = parse_unary();
      e = placed(multiply ? e * right : e / right, begin);
    }
    return e;
  }

  Expr parse_unary() {
    const Token& begin = peek();
    if (!begin.is("-") && !begin.is("+")) return parse_primary();
    const Nested nested(*this);
    advance();
    // The sign belongs to the number, so that the most negative integers can be written.
    if (begin.is("-") && peek().kind == TokenKind::Number) return placed(number(advance(), true), begin);
    const Expr operand = parse_unary();
    return begin.is("-") ? placed(-operand, begin) : operand;
  }

  Expr parse_primary() {
    const Nested nested(*this);
    const Token& begin = peek();
    if (begin.kind == TokenKind::Number) return placed(number(advance(), false), begin);
    if (begin.is("(")) {
      advance();
      const Expr e = parse_sum();
      expect(")", "to close the parenthesis");
      return e;
    }
    if (begin.kind == TokenKind::Name) return placed(named(begin), begin);
    if (begin.kind == TokenKind::End) fail(begin, fmt::format("the {} ends where an operand is expected", what_));
    fail(begin, fmt::format("expected an operand, not {}", shown(begin)));
  }

  Expr named(const Token& name) {
    if (name.text == "true" || name.text == "false") return Expr(Scalar(advance().text == "true"));
    if (name.text == "inf" || name.text == "nan") {
      const bool is_inf = advance().text == "inf";
      return Expr(is_inf ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN());
    }
    if (is_cast(at_)) return explicit_cast(name);
    if (peek(1).is("(") && is_reserved(name.text)) return reserved(name);
    const auto index = indices_.find(std::string(name.text));
    if (index == indices_.end() || peek(1).is("(")) return make_expr(parse_access());
    advance();
    return Expr(index->second);
  }

  Expr explicit_cast(const Token& name) {
    const Type type = *parse_type(peek(2).text);
    at_ += 4;  // the name, '(', the type and ','
    const Expr e = parse_sum();
    if (peek().is(",")) fail(since(name), "cast takes a type and one expression, as in cast(float32, A(i,j))");
    expect(")", "to end the cast");
    return cast(type, e);
  }

  Expr reserved(const Token& name) {
    at_ += 2;  // the name and its '('
    if (name.text == "sum") return explicit_sum(name);
    std::vector<Expr> arguments;
    while (!peek().is(")")) {
      if (!arguments.empty()) expect(",", fmt::format("or ')' after an argument of {}", name.text));
      arguments.push_back(parse_sum());
      if (!peek().is(",") && !peek().is(")")) expect(")", fmt::format("to end the arguments of {}", name.text));
    }
    advance();
    if (const auto function = find_function(name.text)) {
      check_count(name, arguments.size(), static_cast<std::size_t>(info(*function).arity));
      return call(*function, std::move(arguments));
    }
    if (name.text == "complex" && arguments.size() == 2) return complex_literal(arguments);
    check_count(name, arguments.size(), 1);
    return cast(*parse_type(name.text), arguments[0]);
  }

  void check_count(const Token& name, std::size_t given, std::size_t expected) const {
    if (given == expected) return;
    fail(since(name),
         fmt::format("{0} takes {1} argument{2}, but {3} {4} given (a tensor of this name would have to be "
                     "called something else, such as {0}_)",
                     name.text, expected, expected == 1 ? "" : "s", given, given == 1 ? "is" : "are"));
  }

  Expr complex_literal(const std::vector<Expr>& parts) const {
    for (const Expr& part : parts) {
      const auto* literal = as<Literal>(part);
      if (literal == nullptr || is_complex(literal->value.type())) {
        fail(part.where(), "complex(re, im) takes two real numbers; complex128(e) converts an expression");
      }
    }
    const auto value = [&](std::size_t p) { return as<Literal>(parts[p])->value.as<double>(); };
    return Expr(Scalar(std::complex<double>(value(0), value(1))));
  }

  Expr explicit_sum(const Token& name) {
    std::vector<IndexVar> vars;
    while (peek().kind == TokenKind::Name && peek(1).is(",")) {
      vars.push_back(index_name());
      advance();
    }
    if (vars.empty()) {
      fail(name,
           "sum takes index variables and then an expression, as in sum(j, A(i,j)) (a tensor called sum would "
           "have to be called something else, such as total)");
    }
    Expr e = parse_sum();
    if (peek().is(",")) fail(peek(), "sum takes one expression, and it comes last, after the index variables");
    expect(")", "to end the sum");
    for (auto var = vars.rbegin(); var != vars.rend(); ++var) e = placed(sum(*var, e), name);
    return e;
  }

  Expr number(const Token& token, bool negative) const {
    const char* const first = token.text.data();
    const char* const last = first + token.text.size();
    if (token.text.find_first_of(".eE") != std::string_view::npos) {
      double value = 0;
      if (std::from_chars(first, last, value).ec != std::errc()) {
        fail(token, fmt::format("{} is outside the range of float64", token.text));
      }
      return Expr(negative ? -value : value);
    }
    std::uint64_t value = 0;
    if (std::from_chars(first, last, value).ec != std::errc()) {
      fail(token, fmt::format("{0} does not fit 64 bits; {0}.0 would be a floating-point number", token.text));
    }
    const std::uint64_t past_int32 = std::uint64_t{1} << 31U;
    const std::uint64_t past_int64 = std::uint64_t{1} << 63U;
    const std::uint64_t limit = negative ? 1 : 0;  // there is one negative integer more
    const std::uint64_t bits = negative ? 0 - value : value;
    if (value < past_int32 + limit) return Expr(static_cast<std::int32_t>(static_cast<std::int64_t>(bits)));
    if (value < past_int64 + limit) return Expr(static_cast<std::int64_t>(bits));
    if (negative)
      fail(token, fmt::format("-{0} does not fit 64 bits; -{0}.0 would be a floating-point number", token.text));
    return Expr(Scalar(value));
  }

  std::string_view text_;
  std::string_view what_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  std::map<std::string, IndexVar> indices_;
  std::map<std::string, TensorVar> tensors_;
};

}  // namespace

Statement parse_statement(std::string_view text) {
  try {
    return Parser(text, {0, text.size()}, "statement").statement();
  } catch (const Error& error) {
    if (error.where().known()) throw;
    throw Error(error.what(), {0, text.size()}, std::string(text));  // a bound of make_node
  }
}

Expr parse_expression(std::string_view text, SourceRange part, const std::vector<std::string>& variables) {
  internal_check(part.begin <= part.end && part.end <= text.size(), "an expression outside its text");
  try {
    Parser parser(text, part, "expression");
    for (const std::string& name : variables) parser.add_index(name);
    return parser.expression();
  } catch (const Error& error) {
    if (error.where().known()) throw;
    throw Error(error.what(), part, std::string(text));  // a bound of make_node
  }
}

}  // namespace lacuna
