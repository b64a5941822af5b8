// The steps from a recursive coroutine to a loop with a stack, in the paper's notation.

#include <fmt/format.h>

#include "lacuna/format/schema/properties.h"
#include "lacuna/format/schema/references.h"
#include "lacuna/lower/dynamic/coroutine.h"

namespace lacuna::dynamic {
namespace {

const std::string& target_of(const State& s) { return std::get<schema::ChildField>(s.field->type).type.text; }

/// Lines, indented by two blanks a level of braces.
class Text {
 public:
  void line(const std::string& text) { out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + text + "\n"; }
  void open(const std::string& text) {
    line(text + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  /// `} else {`, or how else a block ends and another begins.
  void turn(const std::string& text) {
    --depth_;
    line("} " + text + " {");
    ++depth_;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  int depth_ = 0;
};

std::string count_of(const State& s) {
  const auto array = schema::array_of(*s.field);
  if (const auto* number = std::get_if<schema::Number>(&*array)) return fmt::format("{}", number->value);
  return "n->" + std::get<schema::Name>(*array).text;
}

std::string slot_of(const State& s) { return s.is_array ? "[p]" : ""; }
std::string child_of(const State& s) { return fmt::format("n->{}{}", s.field->name.text, slot_of(s)); }
std::string element_of(const State& s) {
  return fmt::format("{{n->{0}c{1}, n->{0}v{1}}}", s.field->name.text, slot_of(s));
}

void yield_element(const State& s, Text& text) {
  const std::string empty =
      schema::is_nonempty(*s.field) ? "" : fmt::format("if (n->{}c{} >= 0) ", s.field->name.text, slot_of(s));
  text.line(empty + "yield " + element_of(s) + ";");
}

/// The states of a node, group by group; `step` writes one of them.
template <typename Step>
void each_state(const Coroutine& coroutine, int begin, Text& text, const Step& step) {
  for (int g = begin; g != 0;) {
    const State& first = coroutine.at(g);
    if (first.is_array) text.open(fmt::format("for (p = 0; p < {}; p++)", count_of(first)));
    for (int s = g; s != 0; s = coroutine.at(s).next) step(coroutine.at(s));
    if (first.is_array) text.close();
    int last = g;
    while (coroutine.at(last).next != 0) last = coroutine.at(last).next;
    g = coroutine.at(last).after;
  }
}

}  // namespace

std::string Coroutine::recursive() const {
  Text text;
  for (const schema::NodeType& node : schema_.nodes) {
    text.open(fmt::format("iter_{0}({0}* n)", node.name.text));
    text.open("if (n)");
    each_state(*this, begin_of(node.name.text), text, [&](const State& s) {
      if (s.is_child) text.line(fmt::format("yield iter_{}({});", target_of(s), child_of(s)));
      else yield_element(s, text);
    });
    text.close();
    text.close();
  }
  for (const schema::Name& supertype : schema_.supertypes) {
    text.open(fmt::format("iter_{0}({0}* n)", supertype.text));
    for (const std::size_t t : schema::targets_of(schema_, {{supertype.text, {}}, {}, false})) {
      const std::string& node = schema_.nodes[t].name.text;
      text.line(fmt::format("if (n is {0}) yield iter_{0}(n);", node));
    }
    text.close();
  }
  return text.take();
}

std::string Coroutine::guarded() const {
  Text text;
  const std::string& root = schema::root_of(schema_).name.text;
  text.open(fmt::format("iter({}* n)", root));
  text.open("while (n)");
  for (std::size_t k = 0; k < schema_.nodes.size(); ++k) {
    const std::string& node = schema_.nodes[k].name.text;
    if (k == 0) text.open(fmt::format("if (n is {})", node));
    else text.turn(fmt::format("else if (n is {})", node));
    bool goes_on = false;
    each_state(*this, begin_of(node), text, [&](const State& s) {
      goes_on = goes_on || s.is_tail();
      const std::string guard = schema::is_nonempty(*s.field) ? "" : fmt::format("if ({}) ", child_of(s));
      if (s.is_tail()) text.line(fmt::format("n = {};", child_of(s)));
      else if (s.is_child) text.line(fmt::format("{}yield iter({});", guard, child_of(s)));
      else yield_element(s, text);
    });
    if (!goes_on) text.line("n = NULL;");
  }
  text.close();
  text.close();
  text.close();
  return text.take();
}

std::string Coroutine::without_recursion() const {
  Text text;
  const auto number = [](int state) { return fmt::format("{}", state); };
  const auto above = [&] {
    text.line(needs_stack() ? "if (s.empty()) state = 0; else (state, n, p) = s.pop();" : "state = 0;");
  };
  const std::string& root = schema::root_of(schema_).name.text;
  text.open(fmt::format("iter({}* n)", root));
  text.line(fmt::format("state = {}; p = 0;", begin_of(root)));
  text.open("while (state != 0)");
  for (int k = 1; k <= count(); ++k) {
    const State& s = at(k);
    const std::string behind = s.next != 0    ? "state = " + number(s.next) + ";"
                               : s.is_array   ? "p++; state = " + number(s.group) + ";"
                               : s.after != 0 ? "state = " + number(s.after) + ";"
                                              : "";
    text.open(fmt::format("if (state == {})", k));
    const bool counts = s.first && s.is_array;
    if (counts) text.open(fmt::format("if (p < {})", count_of(s)));
    if (s.is_child) {
      const bool guarded = !schema::is_nonempty(*s.field);
      if (guarded) text.open(fmt::format("if ({})", child_of(s)));
      const std::string to = s.next != 0 ? number(s.next) : s.is_array ? number(s.group) : number(s.after);
      const std::string slot = s.next == 0 && s.is_array ? "p + 1" : "p";
      if (!s.is_tail()) text.line(fmt::format("s.push({}, n, {});", to, slot));
      text.line(fmt::format("n = {}; p = 0; state = begin_of(n);", child_of(s)));
      if (guarded) {
        text.turn("else");
        if (behind.empty()) above();
        else text.line(behind);
        text.close();
      }
    } else {
      yield_element(s, text);
      if (behind.empty()) above();
      else text.line(behind);
    }
    if (counts) {
      text.turn("else");
      text.line("p = 0;");
      int last = k;
      while (at(last).next != 0) last = at(last).next;
      if (at(last).after != 0) text.line("state = " + number(at(last).after) + ";");
      else above();
      text.close();
    }
    text.close();
  }
  text.close();
  text.close();
  return text.take();
}

}  // namespace lacuna::dynamic
