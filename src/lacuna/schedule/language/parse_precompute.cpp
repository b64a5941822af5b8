#include "lacuna/schedule/language/parse_precompute.h"

#include <algorithm>

#include <fmt/core.h>

#include "lacuna/format/names.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

using directive::Precompute;

bool begins_format(std::string_view argument) {
  const std::string_view word = argument.substr(0, argument.find_first_of("(: \t\r\n"));
  const auto same = [&](const auto& known) { return same_word(known.name, word); };
  return std::any_of(format_names().begin(), format_names().end(), same) ||
         std::any_of(level_names().begin(), level_names().end(), same);
}

/// A name that would read as a call or as a type where the workspace is used: w(i).
bool is_reserved(std::string_view name) {
  return name == "sum" || name == "complex" || find_function(name).has_value() || parse_type(name).has_value();
}

std::string workspace_name(const Arguments& a, std::size_t k) {
  std::string name = a.tensor(k);
  if (!is_reserved(name)) return name;
  a.fail(a.at(k),
         fmt::format("{0}( ) is a function or a type and cannot be a workspace; call it something else, such as {0}_",
                     name));
}

Format workspace_format(const Arguments& a, std::size_t k, int order) {
  const SourceRange where{a.at(k).begin, a.at(a.count() - 1).end};
  // The reader of formats counts columns: it gets the format at its place in the line.
  const std::string_view before = a.schedule().substr(0, where.begin);
  const std::size_t newline = before.rfind('\n');
  const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
  std::string text = std::string(where.begin - line, ' ') + lower_case(schedule_text::part(a.schedule(), where));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= '\t' && c <= '\r'; }, ' ');
  try {
    return parse_format(text, order);
  } catch (const Error& error) {
    const SourceRange inner = error.where().known() ? error.where() : SourceRange{0, text.size()};
    a.fail({std::max(inner.begin + line, where.begin), inner.end + line},
           fmt::format("the format of the workspace of {}: {}", a.form(), error.what()));
  }
}

}  // namespace

DirectiveKind read_precompute(const Arguments& a) {
  Precompute p;
  p.variables = a.variables(1);
  p.producer_variables = a.variables(2);
  if (p.variables.size() != p.producer_variables.size()) {
    a.fail({a.at(1).begin, a.at(2).end},
           fmt::format("the lists of {} are equally long, one producer's variable for each of the workspace's; these "
                       "have {} and {}",
                       a.form(), p.variables.size(), p.producer_variables.size()));
  }
  std::vector<std::string> known = p.variables;
  known.insert(known.end(), p.producer_variables.begin(), p.producer_variables.end());
  p.expr = parse_expression(a.schedule(), a.at(0), known);
  std::size_t k = 3;
  if (k < a.count() && !begins_format(a.text(k))) p.name = workspace_name(a, k++);
  if (k < a.count()) p.format = workspace_format(a, k, static_cast<int>(p.variables.size()));
  return p;
}

}  // namespace lacuna
