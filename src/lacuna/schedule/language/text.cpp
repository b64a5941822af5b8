#include "lacuna/schedule/language/text.h"

#include <algorithm>
#include <string>

#include <fmt/core.h>

namespace lacuna::schedule_text {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<Call> run() {
    std::vector<Call> calls;
    skip_blank();
    while (at_ < text_.size()) {
      calls.push_back(call());
      if (at_ < text_.size()) separator(calls.back());
    }
    return calls;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void fail(SourceRange where, const std::string& message) const {
    throw Error(message, where, std::string(text_));
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  /// Spaces, newlines and semicolons: what may stand around directives without meaning anything.
  void skip_blank() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == ';')) ++at_;
  }

  /// What stands at at_, for messages: a whole name, or one character, of which bytes beyond ASCII are shown as
  /// numbers.
  std::string shown() const {
    if (at_ >= text_.size()) return "the end of the schedule";
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    if (end > at_) return fmt::format("'{}'", text_.substr(at_, end - at_));
    const auto byte = static_cast<unsigned char>(text_[at_]);
    return byte < 0x20 || byte >= 0x7F ? fmt::format("byte 0x{:02X}", byte) : fmt::format("'{}'", text_[at_]);
  }
  SourceRange here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    return {at_, std::max(end, at_ + 1)};
  }

  Call call() {
    Call call;
    const std::size_t begin = at_;
    if (!is_letter(peek())) {
      fail(here(),
           fmt::format("expected a directive, as in split(i,io,ii,32), not {} ('lacuna help schedule' lists them)",
                       shown()));
    }
    while (is_name_character(peek())) ++at_;
    call.name_at = {begin, at_};
    call.name = part(text_, call.name_at);
    skip_spaces();
    if (peek() != '(') {
      fail(call.name_at, fmt::format("expected '(' after {}, not {}; a directive is written as in split(i,io,ii,32)",
                                     call.name, shown()));
    }
    const std::size_t open = at_;
    at_ = closing_bracket(call, open) + 1;
    call.where = {begin, at_};
    if (trimmed(text_, {open + 1, at_ - 1}).known()) call.arguments = split_at_commas(text_, {open + 1, at_ - 1});
    return call;
  }

  /// The ')' that closes the '(' at `open`; brackets in between must match.
  std::size_t closing_bracket(const Call& call, std::size_t open) const {
    std::vector<std::size_t> opened;
    for (std::size_t at = open; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '(' || c == '{') opened.push_back(at);
      if (c != ')' && c != '}') continue;
      const char wanted = text_[opened.back()] == '(' ? ')' : '}';
      if (c != wanted) {
        fail({at, at + 1}, fmt::format("this '{}' stands where the '{}' of the '{}' at column {} is missing, in {}(…)",
                                       c, wanted, text_[opened.back()], column(opened.back()), call.name));
      }
      opened.pop_back();
      if (opened.empty()) return at;
    }
    // The first bracket without its partner: the end of the text may be far away.
    const std::size_t first = opened.back();
    fail({first == open ? call.name_at.begin : first, first + 1},
         fmt::format("the '{}' of this '{}' is missing, in {}(…)", text_[first] == '(' ? ')' : '}', text_[first],
                     call.name));
  }

  std::size_t column(std::size_t at) const {
    const std::size_t newline = text_.substr(0, at).rfind('\n');
    return newline == std::string_view::npos ? at + 1 : at - newline;
  }

  /// Between two directives: a newline or semicolons, or one comma with newlines around it.
  void separator(const Call& before) {
    const std::size_t begin = at_;
    skip_blank();
    const bool newline = part(text_, {begin, at_}).find_first_of("\n;") != std::string_view::npos;
    if (peek() == ',') {
      const std::size_t comma = at_++;
      skip_blank();
      if (at_ == text_.size()) {
        fail({comma, comma + 1}, fmt::format("a directive is missing after the ',' behind {}(…)", before.name));
      }
      if (peek() == ',') fail({at_, at_ + 1}, "a directive is missing between two commas");
    } else if (at_ < text_.size() && (peek() == ')' || peek() == '}')) {
      fail({at_, at_ + 1}, fmt::format("this '{}' closes nothing", peek()));
    } else if (at_ < text_.size() && !newline) {
      fail(here(), fmt::format("expected a ',' between {}(…) and the next directive, not {}", before.name, shown()));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Call> split_calls(std::string_view text) { return Splitter(text).run(); }

SourceRange trimmed(std::string_view text, SourceRange where) {
  while (where.begin < where.end && is_space(text[where.begin])) ++where.begin;
  while (where.begin < where.end && is_space(text[where.end - 1])) --where.end;
  return where;
}

std::vector<SourceRange> split_at_commas(std::string_view text, SourceRange where) {
  std::vector<SourceRange> parts;
  std::size_t begin = where.begin;
  int depth = 0;
  for (std::size_t at = where.begin; at < where.end; ++at) {
    const char c = text[at];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c != ',' || depth > 0) continue;
    parts.push_back(trimmed(text, {begin, at}));
    begin = at + 1;
  }
  parts.push_back(trimmed(text, {begin, where.end}));
  return parts;
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_name_character);
}

}  // namespace lacuna::schedule_text
