#include "lacuna/dynamic/code/parse_expression.h"

#include <fmt/core.h>
#include "lacuna/dynamic/schema/words.h"

// The grammar (docs/reference/levels.md explains it to users):
//
//   state      := { NAME ":" type }
//   parameters := [NAME ":" type {"," NAME ":" type}]
//   body       := {statement}
//   block      := "{" {statement} "}"
//   statement  := "let" NAME [":" type] "=" expression ";" | expression ("=" | "+=" | "-=") expression ";"
//               | "if" "(" condition ")" block ["else" (block | if)] | "while" "(" condition ")" block
//               | "return" [expression] ";" | "break" ";" | "delete" expression ";" | expression ";"
//   condition  := expression ["is" NODE NAME]
//   expression := operators of C, loosest first: || && (== != < <= > >= is) (+ -) (* / %) (! -), then primaries
//   primary    := (NUMBER | "true" | "false" | "null" | "nothing" | "new" NODE | NAME | NAME "(" … ")" | "state")
//                 {"." NAME | "[" expression "]"}
namespace lacuna::schema {
namespace {

class BodyReader {
 public:
  explicit BodyReader(CodeReader& in) : in_(in) {}

  CodeBlock statements() {
    CodeReader::Nested nested(in_);
    CodeBlock block;
    while (!in_.at_end() && !in_.peek().is("}")) block.push_back(statement());
    return block;
  }

 private:
  CodeBlock block(std::string_view why) {
    in_.expect("{", why);
    CodeBlock statements = this->statements();
    in_.expect("}", "behind the statements");
    return statements;
  }

  CodeStmt statement() {
    CodeReader::Nested nested(in_);
    CodeStmt statement;
    statement.where = in_.peek().where;
    if (in_.take_if("let")) statement.kind = let();
    else if (in_.take_if("if")) statement.kind = if_statement();
    else if (in_.take_if("while")) {
      WhileStmt loop;
      loop.condition = condition("while");
      loop.body = block("behind the condition of while");
      statement.kind = std::move(loop);
    } else if (in_.take_if("return")) {
      ReturnStmt result;
      if (!in_.peek().is(";")) result.value = read_expression(in_);
      end("return");
      statement.kind = std::move(result);
    } else if (in_.take_if("break")) {
      end("break");
      statement.kind = BreakStmt();
    } else if (in_.take_if("delete")) {
      DeleteStmt removal{read_expression(in_)};
      end("delete");
      statement.kind = std::move(removal);
    } else {
      statement.kind = assignment_or_call();
    }
    return statement;
  }

  void end(std::string_view what) { in_.expect(";", fmt::format("behind {}", what)); }

  LetStmt let() {
    LetStmt let;
    let.name = in_.name("a variable");
    if (in_.take_if(":")) let.type_name = in_.type();
    in_.expect("=", "with the value of the variable");
    let.value = read_expression(in_);
    end("the value of a variable");
    return let;
  }

  Condition condition(std::string_view what) {
    in_.expect("(", fmt::format("behind {}", what));
    Condition condition;
    condition.expr = read_expression(in_);
    if (in_.peek().is("=")) in_.fail("this would assign; equality is written ==");
    const bool can_bind = std::holds_alternative<IsNode>(condition.expr.kind) && in_.peek().kind == TokenKind::Name;
    if (can_bind) condition.binding = in_.name("a variable");
    in_.expect(")", fmt::format("behind the condition of {}", what));
    return condition;
  }

  IfStmt if_statement() {
    IfStmt branches;
    branches.condition = condition("if");
    branches.then_branch = block("behind the condition of if");
    if (!in_.take_if("else")) return branches;
    if (in_.peek().is("if")) branches.else_branch.push_back(statement());
    else branches.else_branch = block("behind else");
    return branches;
  }

  std::variant<LetStmt, AssignStmt, IfStmt, WhileStmt, ReturnStmt, BreakStmt, DeleteStmt, CallStmt>
  assignment_or_call() {
    CodeExpr expression = read_expression(in_);
    const bool adds = in_.peek().is("+=");
    const bool subtracts = in_.peek().is("-=");
    if (!adds && !subtracts && !in_.peek().is("=")) {
      if (!std::holds_alternative<CallExpr>(expression.kind)) {
        in_.fail("expected '=' behind what is assigned to, not {}; only a call stands alone", in_.found());
      }
      end("a call");
      return CallStmt{std::move(expression)};
    }
    in_.take();
    AssignStmt assignment;
    assignment.target = std::move(expression);
    assignment.op = adds ? AssignOp::Add : subtracts ? AssignOp::Sub : AssignOp::Set;
    assignment.value = read_expression(in_);
    end("an assignment");
    return assignment;
  }

  CodeReader& in_;
};

Variable read_variable(CodeReader& in, std::string_view what) {
  Variable variable;
  variable.name = in.name(what);
  in.expect(":", fmt::format("and a type behind the name of {}", what));
  variable.type_name = in.type();
  return variable;
}

/// Where the text of a part lies, and in what: the whole file, or the part alone where a program made it.
class Part {
 public:
  Part(const Source& source, const RawText& raw) : source_(source), range_(raw.where.range) {
    if (!source.text.empty() && range_.end >= range_.begin && range_.end <= source.text.size()) return;
    source_.text = raw.text;
    range_ = {0, raw.text.size()};
  }
  CodeReader reader(std::string_view whole) const { return {source_, range_, whole}; }

 private:
  Source source_;
  SourceRange range_;
};

CodeFunction read_function(const Function& function, const Source& source) {
  CodeFunction read;
  read.name = function.name;
  read.result_name = function.result;
  const Part parameters(source, function.parameters);
  CodeReader in = parameters.reader("parameters");
  while (!in.at_end()) {
    read.parameters.push_back(read_variable(in, "a parameter"));
    if (in.at_end()) break;
    in.expect(",", "between parameters");
    if (in.at_end()) in.fail("expected a parameter behind ','");
  }
  const Part body(source, function.body);
  CodeReader text = body.reader("function");
  read.body = BodyReader(text).statements();
  if (!text.at_end()) text.fail("expected a statement, not {}", text.found());
  return read;
}

}  // namespace

const CodeFunction* find_function(const LevelProgram& program, std::string_view name) {
  for (const CodeFunction& each : program.functions) {
    if (each.name.text == name) return &each;
  }
  return nullptr;
}

LevelProgram parse_program(const LevelDefinition& level, const Source& source) {
  LevelProgram program;
  if (level.state) {
    const Part part(source, *level.state);
    CodeReader in = part.reader("state");
    while (!in.at_end()) {
      if (in.peek().is(",") || in.peek().is(";"))
        in.fail("nothing stands between fields; leave out the {}", in.found());
      program.state.push_back(read_variable(in, "a field of the state"));
    }
  }
  for (const Function& each : level.functions) program.functions.push_back(read_function(each, source));
  return program;
}

LevelProgram read_program(const LevelDefinition& level, const Source& source) {
  LevelProgram program = parse_program(level, source);
  check_program(program, level.nodes, source);
  return program;
}

}  // namespace lacuna::schema
