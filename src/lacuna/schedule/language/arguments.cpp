#include "lacuna/schedule/language/arguments.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/support/nearest.h"

namespace lacuna {

using schedule_text::is_name;
using schedule_text::part;

void Arguments::fail(SourceRange where, const std::string& message) const {
  throw Error(message, {where.begin, std::max(where.end, where.begin + 1)}, std::string(text_));
}

std::string Arguments::shown(SourceRange where) const {
  constexpr std::size_t enough = 40;
  std::string word(part(text_, where));
  std::replace_if(
      word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  // Cut between characters, not inside one.
  std::size_t end = std::min(word.size(), enough);
  while (end < word.size() && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}{}'", word.substr(0, end), end < word.size() ? "…" : "");
}

void Arguments::require_count(std::size_t least, std::size_t most) const {
  const std::size_t given = count();
  for (const SourceRange& argument : call_.arguments) {
    if (!argument.known()) fail(argument, fmt::format("an argument is missing here; the form is {}", form_));
  }
  if (given >= least && given <= most) return;
  const std::string wanted = least == most       ? fmt::format("{}", least)
                             : most - least == 1 ? fmt::format("{} or {}", least, most)
                             : given < least     ? fmt::format("at least {}", least)
                                                 : fmt::format("at most {}", most);
  fail(call_.where, fmt::format("{} takes {} argument{}, but {} {} given", form_, wanted, wanted == "1" ? "" : "s",
                                given, given == 1 ? "is" : "are"));
}

std::string Arguments::name(SourceRange where, std::string_view what) const {
  const std::string_view word = part(text_, where);
  if (word == "inf" || word == "nan" || word == "true" || word == "false") {
    fail(where, fmt::format("{} is a number and names no {}; the form is {}", word, what, form_));
  }
  if (!is_name(word)) {
    fail(where, fmt::format("{} is no name of a {} (letters, digits and _, no digit first); the form is {}",
                            shown(where), what, form_));
  }
  return std::string(word);
}

std::string Arguments::variable(SourceRange where) const { return name(where, "variable"); }
std::string Arguments::variable(std::size_t k) const { return name(at(k), "variable"); }
std::string Arguments::tensor(std::size_t k) const { return name(at(k), "tensor"); }

std::vector<SourceRange> Arguments::items(std::size_t k) const {
  const SourceRange where = at(k);
  const std::string_view word = text(k);
  if (word.front() != '{') return {where};
  if (word.find('}') != word.size() - 1) {
    fail(where, fmt::format("{} is no list in braces, as in {{i,j}}; the form is {}", shown(where), form_));
  }
  const std::vector<SourceRange> items = schedule_text::split_at_commas(text_, {where.begin + 1, where.end - 1});
  for (const SourceRange& item : items) {
    if (!item.known()) fail(item, fmt::format("an item of the list is missing here; the form is {}", form_));
  }
  return items;
}

std::vector<std::string> Arguments::variables(std::size_t k) const {
  std::vector<std::string> names;
  for (const SourceRange& item : items(k)) names.push_back(variable(item));
  require_different(names);
  return names;
}

std::int64_t Arguments::number(SourceRange where, std::string_view what, std::int64_t least, std::int64_t most) const {
  const std::string_view word = part(text_, where);
  std::int64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, value);
  const bool whole = stop == end && failure != std::errc::invalid_argument;
  const bool too_large = whole && word.front() != '-' && (failure != std::errc() || value > most);
  if (whole && !too_large && failure == std::errc() && value >= least) return value;
  fail(where, fmt::format("the {} of {} is a whole number of at {} {}, not {}", what, form_,
                          too_large ? "most" : "least", too_large ? most : least, shown(where)));
}

void Arguments::require_different(const std::vector<std::string>& names) const {
  std::set<std::string_view> seen;
  for (const std::string& each : names) {
    if (seen.insert(each).second) continue;
    fail(call_.where, fmt::format("{} names {} twice", form_, each));
  }
}

void Arguments::fail_word(std::size_t k, std::string_view what, const std::vector<std::string_view>& known) const {
  const auto near = nearest_word(text(k), known);
  fail(at(k), fmt::format("{} is no {} of {}{}; there are {}", shown(at(k)), what, form_,
                          near ? fmt::format(", did you mean {}?", *near) : "", fmt::join(known, ", ")));
}

}  // namespace lacuna
