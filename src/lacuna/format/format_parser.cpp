#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/words.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/format/format.h"
#include "lacuna/format/names.h"
#include "lacuna/support/check.h"

namespace lacuna {

namespace {

/// Not all of their names, of which there are dozens.
constexpr std::string_view known_words =
    "'lacuna help formats' lists formats and levels, 'lacuna levels' the level files";

std::optional<LevelFormat> level_of_letter(char letter) {
  for (const LevelName& level : level_names()) {
    if (level.letter != 0 && level.letter == letter) return LevelFormat{level.kind, true, true};
    if (level.nonunique_letter != 0 && level.nonunique_letter == letter) return LevelFormat{level.kind, true, false};
  }
  return std::nullopt;
}

/// A recursive-descent reader of
///   format := [ level {"," level} ] [":" mode {"," mode}]        level := word ["(" property {"," property} ")"]
/// where a lone word may be a format's name or a run of letters, too.
class Parser {
 public:
  using Folders = std::span<const std::filesystem::path>;
  /// `folders`: none where the environment says them.
  Parser(std::string_view text, int order, std::optional<Folders> folders)
      : text_(text), order_(order), folders_(folders) {}

  Format parse() {
    Parsed parsed = at_end() || peek() == ':' ? empty_list() : level_list();
    std::optional<LevelMap> map;
    if (take(':')) map = mode_order(parsed.column_major);
    if (!at_end()) fail(at_, at_ + 1, "unexpected '{}' after the format", text_[at_]);
    if (!map) map = parsed.column_major ? LevelMap({1, 0}) : LevelMap::identity(order_);
    if (const std::string complaint = validate_levels(parsed.levels); !complaint.empty()) {
      fail(0, text_.size(), "{}", complaint);
    }
    return Format(std::move(parsed.levels), std::move(*map));
  }

 private:
  struct Parsed {
    std::vector<LevelFormat> levels;
    bool column_major = false;
  };
  struct Word {
    std::string_view text;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  template <typename... Args>
  [[noreturn]] void fail(std::size_t begin, std::size_t end, fmt::format_string<Args...> message,
                         Args&&... args) const {
    const std::string what = fmt::format(message, std::forward<Args>(args)...);
    throw Error(fmt::format("format, column {}: {}", begin + 1, what), {begin, std::max(end, begin + 1)},
                std::string(text_));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }
  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  Word word(const char* what) {
    skip_spaces();
    Word w{{}, at_, at_};
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    };
    while (w.end < text_.size() && belongs(text_[w.end])) ++w.end;
    w.text = text_.substr(w.begin, w.end - w.begin);
    if (w.text.empty()) {
      if (at_ == text_.size()) fail(at_, at_, "{} is missing at the end", what);
      fail(at_, at_ + 1, "expected {}, found '{}'", what, text_[at_]);
    }
    at_ = w.end;
    return w;
  }

  Parsed empty_list() {
    if (order_ != 0) fail(0, text_.size(), "the text is empty, but the tensor has {} modes; {}", order_, known_words);
    return {};
  }

  Parsed level_list() {
    const Word first = word("a format or a level");
    const char next = peek();
    const bool alone = next != ',' && next != '(';
    if (alone) {
      if (auto named = format_of_name(first)) return std::move(*named);
      if (auto letters = format_of_letters(first)) return std::move(*letters);
    }
    Parsed parsed;
    parsed.levels.push_back(level(first));
    while (take(',')) parsed.levels.push_back(level(word("a level")));
    check_count(parsed.levels.size(), first.begin, at_);
    return parsed;
  }

  std::optional<Parsed> format_of_name(const Word& w) const {
    for (const FormatName& name : format_names()) {
      if (name.name != w.text) continue;
      if (name.fixed_order != 0 && name.fixed_order != order_) {
        fail(w.begin, w.end, "{} is a format of order {}, but the tensor has {} mode{}", name.name, name.fixed_order,
             order_, order_ == 1 ? "" : "s");
      }
      return Parsed{name.make(order_).levels(), name.column_major};
    }
    return std::nullopt;
  }

  std::optional<Parsed> format_of_letters(const Word& w) const {
    Parsed parsed;
    for (const char letter : w.text) {
      const auto level = level_of_letter(letter);
      if (!level) return std::nullopt;
      parsed.levels.push_back(*level);
    }
    check_count(parsed.levels.size(), w.begin, w.end);
    return parsed;
  }

  void check_count(std::size_t levels, std::size_t begin, std::size_t end) const {
    if (levels == static_cast<std::size_t>(order_)) return;
    fail(begin, end, "the format has {} level{}, but the tensor has {} mode{}", levels, levels == 1 ? "" : "s", order_,
         order_ == 1 ? "" : "s");
  }

  LevelFormat level(const Word& w) {
    LevelFormat level = level_kind(w);
    if (!take('(')) return level;
    if (level.is_dynamic())
      fail(w.begin, w.end, "the level file of {} says what properties it has; leave the parentheses out", w.text);
    do {
      property(level, word("a property (ordered, unordered, unique, nonunique)"));
    } while (take(','));
    if (!take(')')) fail(at_, at_ + 1, "expected ')' after the properties of {}", w.text);
    return level;
  }

  LevelFormat level_kind(const Word& w) const {
    for (const LevelName& level : level_names()) {
      if (level.name == w.text) return {level.kind, level.kind != LevelKind::Hashed, true, nullptr};
    }
    if (w.text.size() == 1) {
      if (auto level = level_of_letter(w.text.front())) return *level;
    }
    const auto is_name = [&](const FormatName& name) { return name.name == w.text; };
    if (std::any_of(format_names().begin(), format_names().end(), is_name)) {
      fail(w.begin, w.end, "{} names a whole format and cannot be one level of a list; {}", w.text, known_words);
    }
    return level_of_file(w);
  }

  LevelFormat level_of_file(const Word& w) const {
    const std::vector<std::filesystem::path> folders =
        folders_ ? std::vector<std::filesystem::path>(folders_->begin(), folders_->end())
                 : schema::level_folders(read_environment());
    const std::vector<std::string> files = schema::names_of_levels(folders);
    if (std::find(files.begin(), files.end(), w.text) == files.end()) fail_at_unknown(w, files);
    return dynamic_level(
        std::make_shared<const schema::LevelFile>(schema::load_level(schema::find_level_file(w.text, folders))));
  }

  [[noreturn]] void fail_at_unknown(const Word& w, const std::vector<std::string>& files) const {
    std::vector<std::string_view> known(files.begin(), files.end());
    for (const FormatName& name : format_names()) known.push_back(name.name);
    for (const LevelName& level : level_names()) known.push_back(level.name);
    const std::string near = schema::did_you_mean(w.text, known);
    fail(w.begin, w.end, "unknown format or level \"{}\"{}", w.text,
         near.empty() ? fmt::format("; {}", known_words) : near);
  }

  void property(LevelFormat& level, const Word& w) const {
    const bool hashed = level.kind == LevelKind::Hashed;
    if (w.text == "ordered" && hashed) fail(w.begin, w.end, "a hashed level is never ordered");
    if (w.text == "ordered") level.ordered = true;
    else if (w.text == "unordered") level.ordered = false;
    else if (w.text == "unique") level.unique = true;
    else if (w.text == "nonunique" || w.text == "not-unique") level.unique = false;
    else fail(w.begin, w.end, "unknown property \"{}\"; known are ordered, unordered, unique, nonunique", w.text);
  }

  LevelMap mode_order(bool column_major) {
    skip_spaces();
    const std::size_t begin = at_;
    std::vector<int> modes;
    if (!at_end()) {
      do {
        const Word w = word("a mode number");
        int mode = 0;
        const auto [end, status] = std::from_chars(w.text.data(), w.text.data() + w.text.size(), mode);
        if (status != std::errc() || end != w.text.data() + w.text.size()) {
          fail(w.begin, w.end, "\"{}\" is not a mode number; write the modes 0 to {} in the order of the levels",
               w.text, order_ - 1);
        }
        modes.push_back(mode);
      } while (take(','));
    }
    if (modes.size() != static_cast<std::size_t>(order_)) {
      fail(begin, at_, "the mode order names {} mode{}, but the tensor has {}", modes.size(),
           modes.size() == 1 ? "" : "s", order_);
    }
    try {
      LevelMap map(modes);
      if (column_major && map.is_identity())
        fail(begin, at_, "this format's mode order is 1,0; use its row-major twin");
      return map;
    } catch (const Error& error) {
      if (error.where().known()) throw;
      fail(begin, at_, "{}", error.what());
    }
  }

  std::string_view text_;
  int order_;
  std::optional<Folders> folders_;
  std::size_t at_ = 0;
};

}  // namespace

Format parse_format(std::string_view text, int order, std::span<const std::filesystem::path> folders) {
  internal_check(order >= 0, "a format of order {}", order);
  return Parser(text, order, folders).parse();
}

Format parse_format(std::string_view text, int order) {
  internal_check(order >= 0, "a format of order {}", order);
  return Parser(text, order, std::nullopt).parse();
}

}  // namespace lacuna
