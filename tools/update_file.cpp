#include "tools/update_file.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "lacuna/support/error.h"
#include "tools/missing_file.h"

namespace lacuna::tool {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blank = " \t\r";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blank, end);
  }
  return words;
}

template <typename T>
std::optional<T> number(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

UpdateFile::UpdateFile(const std::string& path, std::vector<std::int64_t> dimensions, Type type)
    : path_(path), dimensions_(std::move(dimensions)), type_(type), file_(path) {
  require_file(path);
  std::error_code unknown;
  size_ = std::filesystem::file_size(path, unknown);
  if (!file_ || unknown)
    throw RuntimeFailure(fmt::format("cannot read updates from {}: {}", path,
                                     unknown ? unknown.message() : std::string(std::strerror(errno))));
}

template <typename... Args>
void UpdateFile::refuse(const std::string& line, fmt::format_string<Args...> what, Args&&... args) const {
  throw Error(fmt::format("{}:{}: {}", path_, line_, fmt::format(what, std::forward<Args>(args)...)),
              {0, std::min<std::size_t>(line.size(), 80)}, line.substr(0, 80));
}

std::optional<UpdateLine> UpdateFile::next() {
  std::string line;
  while (std::getline(file_, line)) {
    ++line_;
    read_ += line.size() + 1;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#' || line[first] == '%') continue;
    return parse(line);
  }
  return std::nullopt;
}

UpdateLine UpdateFile::parse(const std::string& line) const {
  const std::vector<std::string_view> words = words_of(line);
  UpdateLine update;
  if (words[0] == "+") update.operation = UpdateOperation::Add;
  else if (words[0] == "=") update.operation = UpdateOperation::Assign;
  else if (words[0] == "-") update.operation = UpdateOperation::Erase;
  else refuse(line, "an update begins with + (add), = (set) or - (erase), not '{}'", words[0].substr(0, 20));
  const bool erases = update.operation == UpdateOperation::Erase;
  const std::size_t order = dimensions_.size();
  if (words.size() != order + (erases ? 1 : 2))
    refuse(line, "'{}' needs {} coordinates{}, but {} words follow it", words[0], order, erases ? "" : " and a value",
           words.size() - 1);
  for (std::size_t m = 0; m < order; ++m) {
    const auto c = number<std::int64_t>(words[m + 1]);
    if (!c) refuse(line, "coordinate '{}' is no integer", words[m + 1].substr(0, 40));
    if (*c < 1 || *c > dimensions_[m])
      refuse(line, "coordinate {} is outside 1 … {}, mode {} of the tensor", *c, dimensions_[m], m + 1);
    update.coordinate.push_back(*c - 1);
  }
  update.value = Scalar::zero(type_);
  if (erases) return update;
  const std::string_view word = words.back();
  if (is_integer(type_) || type_ == Type::Bool) {
    const auto value = number<std::int64_t>(word);
    if (!value) refuse(line, "value '{}' is no integer, and the tensor holds {}", word.substr(0, 40), type_name(type_));
    update.value = Scalar(*value).convert(type_);
  } else {
    const auto value = number<double>(word);
    if (!value) refuse(line, "value '{}' is no number", word.substr(0, 40));
    update.value = Scalar(*value).convert(type_);
  }
  return update;
}

}  // namespace lacuna::tool
