// The steps from a recursive coroutine to a loop with a stack, in the paper's notation.

#include <fmt/format.h>

#include "lacuna/dynamic/lower/coroutine.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/references.h"

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

/// A loop over states with a stack. A state says what comes next by its number; 0 is the end.
class StateLoop {
 public:
  StateLoop(const Coroutine& coroutine, std::string root) : coroutine_(coroutine), root_(std::move(root)) {}

  std::string run() {
    text_.open(fmt::format("iter({}* n)", root_));
    text_.line(fmt::format("state = {}; p = 0;", coroutine_.begin_of(root_)));
    text_.open("while (state != 0)");
    for (int k = 1; k <= coroutine_.count(); ++k) {
      text_.open(fmt::format("if (state == {})", k));
      step(k, coroutine_.at(k));
      text_.close();
    }
    text_.close();
    text_.close();
    return text_.take();
  }

 private:
  void step(int k, const State& s) {
    const bool counts = s.first && s.is_array;
    if (counts) text_.open(fmt::format("if (p < {})", count_of(s)));
    if (s.is_child) {
      go_down(s);
    } else {
      yield_element(s, text_);
      go_on(s);
    }
    if (!counts) return;
    text_.turn("else");
    text_.line("p = 0;");
    int last = k;
    while (coroutine_.at(last).next != 0) last = coroutine_.at(last).next;
    go_behind(coroutine_.at(last));
    text_.close();
  }

  void go_down(const State& s) {
    const bool guarded = !schema::is_nonempty(*s.field);
    if (guarded) text_.open(fmt::format("if ({})", child_of(s)));
    const int to = s.next != 0 ? s.next : s.is_array ? s.group : s.after;
    const std::string slot = s.next == 0 && s.is_array ? "p + 1" : "p";
    if (!s.is_tail()) text_.line(fmt::format("s.push({}, n, {});", to, slot));
    text_.line(fmt::format("n = {}; p = 0; state = begin_of(n);", child_of(s)));
    if (!guarded) return;
    text_.turn("else");
    go_on(s);
    text_.close();
  }

  /// To the next slot, or to what is behind the group.
  void go_on(const State& s) {
    if (s.next != 0) return text_.line(fmt::format("state = {};", s.next));
    if (s.is_array) return text_.line(fmt::format("p++; state = {};", s.group));
    go_behind(s);
  }

  void go_behind(const State& s) {
    if (s.after != 0) return text_.line(fmt::format("state = {};", s.after));
    text_.line(coroutine_.needs_stack() ? "if (s.empty()) state = 0; else (state, n, p) = s.pop();" : "state = 0;");
  }

  const Coroutine& coroutine_;
  std::string root_;
  Text text_;
};

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

std::string Coroutine::without_recursion() const { return StateLoop(*this, schema::root_of(schema_).name.text).run(); }

}  // namespace lacuna::dynamic
