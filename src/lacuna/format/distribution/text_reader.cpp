#include "lacuna/format/distribution/text_reader.h"

#include <charconv>

namespace lacuna::distribution {

bool TextReader::take(char c) {
  if (peek() != c || at_ == text_.size()) return false;
  read_ = ++at_;
  return true;
}

bool TextReader::take(std::string_view word) {
  skip_spaces();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  read_ = at_;
  return true;
}

void TextReader::expect(std::string_view word, std::string_view after) {
  if (take(word)) return;
  if (at_end()) fail_here("expected '{}' after {}, but the text ends", word, after);
  fail_here("expected '{}' after {}, found {}", word, after, found());
}

std::string_view TextReader::word() {
  skip_spaces();
  const std::size_t begin = at_;
  if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '_')) {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
  }
  if (at_ > begin) read_ = at_;
  return text_.substr(begin, at_ - begin);
}

std::int64_t TextReader::number(std::string_view what_for) {
  skip_spaces();
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  if (at_ == begin) fail_here("{} is missing", what_for);
  read_ = at_;
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text_.data() + begin, text_.data() + at_, value);
  if (status != std::errc() || value > std::int64_t{1} << 62)
    fail({begin, at_}, "{} of {} is too large", what_for, text_.substr(begin, at_ - begin));
  return value;
}

}  // namespace lacuna::distribution
