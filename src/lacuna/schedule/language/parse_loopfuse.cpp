#include "lacuna/schedule/language/parse_loopfuse.h"

#include <cctype>

#include <fmt/core.h>

#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

using directive::LoopFuse;

/// No product has more operands, and no nest more branches, that a kernel could be made for.
constexpr std::int64_t most_terms = 1000;

bool begins_with_digit(std::string_view text) { return std::isdigit(static_cast<unsigned char>(text.front())) != 0; }

Expr read_operand(const Arguments& a, SourceRange where) {
  const Expr e = parse_expression(a.schedule(), where);
  if (as<Access>(e) == nullptr && as<IndexValue>(e) == nullptr)
    a.fail(where, fmt::format("{} is neither a tensor nor an access such as B(i,j); the form is {}", a.shown(where),
                              a.form()));
  return e;
}

LoopFuse::Step read_step(const Arguments& a, SourceRange where) {
  const std::string_view text = schedule_text::part(a.schedule(), where);
  for (const auto& word : step_words())
    if (same_word(word.text, text)) return {word.value, 0};
  if (begins_with_digit(text))
    return {LoopFuse::Step::Kind::Term, static_cast<int>(a.number(where, "term", 1, most_terms))};
  a.fail(where, fmt::format("{} is no step of the path of {}; there are producer, consumer and the number of a term",
                            a.shown(where), a.form()));
}

/// An empty list is a path to the outermost loop.
bool is_empty_list(std::string_view text) {
  return text.front() == '{' && text.find_first_not_of(" \t\r\n", 1) == text.size() - 1;
}

}  // namespace

DirectiveKind read_loopfuse(const Arguments& a) {
  LoopFuse l;
  if (a.count() == 1) {
    l.count = static_cast<int>(a.number(0, "n", 1, most_terms));
    return l;
  }
  if (begins_with_digit(a.text(0)) || a.text(0).front() == '-')
    l.count = static_cast<int>(a.number(0, "k", 1, most_terms));
  else
    for (const SourceRange& item : a.items(0)) l.operands.push_back(read_operand(a, item));
  l.producer = a.word(1, "side", side_words());
  if (a.count() > 2) {
    if (a.text(2).front() != '{')
      a.fail(a.at(2), fmt::format("{} is no path in braces, as in {{producer,consumer}}; the form is {}",
                                  a.shown(a.at(2)), a.form()));
    if (!is_empty_list(a.text(2)))
      for (const SourceRange& item : a.items(2)) l.path.push_back(read_step(a, item));
  }
  if (a.count() > 3) l.shared_loops = static_cast<int>(a.number(3, "loops", 0, most_terms));
  return l;
}

}  // namespace lacuna
