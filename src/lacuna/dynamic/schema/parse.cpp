#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/level.h"
#include "lacuna/dynamic/schema/parse_fields.h"
#include "lacuna/dynamic/schema/words.h"

// The grammar (docs/reference/levels.md explains it to users; Figure 4 of the paper with constants, state and
// functions):
//
//   level     := { const | supertype | node | state | function }
//   const     := "const" NAME "=" number
//   supertype := "def" "supertype" NAME
//   node      := "def" NAME [":" NAME] "{" field {field} [sequence] "}"
//   field     := NAME ":" type
//   type      := ("elem" | NAME) [array] ["nonempty"] | "size" ["in" "[" number "," (number | "*") "]"]
//              | "bool" | "int8" | … | "uint64" | "parent"
//   array     := "[" (NAME | number) "]"
//   number    := DIGITS | NAME                                   of a constant that was defined before
//   sequence  := "seq" "=" entry {"," entry}
//   entry     := NAME | "{" NAME {"," NAME} "}"
//   state     := "state" "{" … "}"
//   function  := "fn" NAME "(" … ")" ["->" NAME] "{" … "}"
namespace lacuna::schema {
namespace {

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), in_(source) {}

  LevelDefinition parse() {
    while (!in_.at_end()) definition();
    if (level_.nodes.nodes.empty()) {
      in_.fail("the text defines no node; the shortest level is def root {{ e : elem }}");
    }
    return std::move(level_);
  }

 private:
  void definition() {
    NodeSchema& schema = level_.nodes;
    if (in_.take_if("const")) constant();
    else if (in_.take_if("def")) node_or_supertype();
    else if (in_.peek().is("state")) state();
    else if (in_.take_if("fn")) function();
    else unknown();
    if (schema.constants.size() + schema.supertypes.size() + schema.nodes.size() > most_definitions) {
      in_.fail("more than {} definitions; a level has fewer types of nodes", most_definitions);
    }
  }

  [[noreturn]] void unknown() const {
    if (in_.peek().is("}")) in_.fail("this '}}' closes nothing; take it out");
    in_.fail("expected const, def, state or fn, not {}{}", in_.found(),
             did_you_mean(in_.peek().text, {"const", "def", "state", "fn"}));
  }

  void constant() {
    Constant constant;
    constant.name = in_.definition("a constant");
    in_.expect("=", "after the name of a constant");
    constant.value = read_number(in_, level_.nodes);
    level_.nodes.constants.push_back(std::move(constant));
  }

  void node_or_supertype() {
    if (in_.take_if("supertype")) {
      level_.nodes.supertypes.push_back(in_.definition("a supertype"));
      if (in_.peek().is(":")) in_.fail("a supertype has no supertype of its own; take out the ':' and what follows");
      if (in_.peek().is("{")) in_.fail("a supertype has no fields; write them in the nodes that are of it");
      return;
    }
    NodeType node;
    node.name = in_.definition("a node");
    if (in_.take_if(":")) node.supertype = in_.name("a supertype");
    const Token open = in_.expect("{", "before the fields of a node");
    if (in_.peek().is("}")) in_.fail("{} has no fields; a node holds elements or refers to children", node.name.text);
    fields(node, open);
    level_.nodes.nodes.push_back(std::move(node));
  }

  void fields(NodeType& node, const Token& open) {
    while (!in_.peek().is("}")) {
      if (in_.at_end() || starts_definition()) {
        fail_at(source_, open.where, "the '}}' of {} is missing", node.name.text);
      }
      if (in_.peek().is(",")) in_.fail("nothing stands between fields; leave out the ','");
      if (in_.peek().is("seq")) sequence(node);
      else if (!node.sequence.empty())
        in_.fail("seq comes last in a node, so expected ',' or '}}', not {}", in_.found());
      else if (node.fields.size() == most_fields) in_.fail("more than {} fields in a node", most_fields);
      else node.fields.push_back(read_field(in_, level_.nodes));
    }
    in_.take();
  }

  bool starts_definition() const {
    const Token& word = in_.peek();
    return word.is("const") || word.is("def") || word.is("state") || word.is("fn");
  }

  void sequence(NodeType& node) {
    if (!node.sequence.empty()) in_.fail("{} has a seq already; a node has one order", node.name.text);
    if (node.fields.empty()) in_.fail("seq comes last in a node, behind its fields");
    in_.take();
    node.sequence = read_sequence(in_);
  }

  RawText raw(std::string_view open, std::string_view why) {
    const Place place = in_.raw(open, why);
    return {std::string(source_.text.substr(place.range.begin, place.range.end - place.range.begin)), place};
  }

  void state() {
    if (level_.state) in_.fail("a level has one state; write all of it between the same braces");
    in_.take();
    level_.state = raw("{", "after 'state'");
  }

  void function() {
    Function function;
    function.name = in_.definition("a function");
    function.parameters = raw("(", "after the name of a function");
    if (in_.take_if("->")) function.result = result();
    function.body = raw("{", "before the body of a function");
    level_.functions.push_back(std::move(function));
  }

  Name result() {
    if (in_.peek().kind != TokenKind::Name)
      in_.fail("expected the type that the function returns, not {}", in_.found());
    const Token word = in_.take();
    return {std::string(word.text), word.where};
  }

  const Source& source_;
  TokenReader in_;
  LevelDefinition level_;
};

}  // namespace

const Function* find_function(const LevelDefinition& level, std::string_view name) {
  for (const Function& function : level.functions) {
    if (function.name.text == name) return &function;
  }
  return nullptr;
}

LevelDefinition parse_level(std::string_view text, const std::string& source) {
  const Source named{source, text};
  check_characters(named);
  LevelDefinition level = Parser(named).parse();
  check_schema(level.nodes, named);
  check_functions(level, named);
  return level;
}

}  // namespace lacuna::schema
