#include "golden/tokens.h"

#include <array>
#include <cctype>
#include <string_view>

namespace lacuna::golden {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 22> operators = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                        "*=",  "/=",  "%=",  "&=", "|=", "^="};

class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  std::vector<std::string> run() {
    while (at_ < text_.size()) {
      if (starts("//") || text_[at_] == '#') skip_to("\n");
      else if (starts("/*")) skip_to("*/");
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      else take(length());
    }
    return std::move(found_);
  }

 private:
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string::npos ? text_.size() : found + end.size();
  }

  void take(std::size_t length) {
    found_.push_back(text_.substr(at_, length));
    at_ += length;
  }

  std::size_t length() const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    std::size_t n = 0;
    while (at_ + n < text_.size() && (is_word(text_[at_ + n]) || (is_number && text_[at_ + n] == '.'))) ++n;
    if (n > 0) return n;
    for (const std::string_view each : operators)
      if (starts(each)) return each.size();
    return 1;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> tokens(const std::string& text) { return Scanner(text).run(); }

}  // namespace lacuna::golden
