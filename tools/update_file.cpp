#include "tools/update_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "lacuna/support/check.h"
#include "tools/missing_file.h"
#include "tools/value_text.h"

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
    : path_(path), dimensions_(std::move(dimensions)), type_(type), file_(nullptr, gzclose_r) {
  require_file(path);
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    user_error("cannot read updates from {}: it is a folder, not a file", path);
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rbe"));
  if (!file_) throw RuntimeFailure(fmt::format("cannot read updates from {}: {}", path, std::strerror(errno)));
  size_ = std::filesystem::file_size(path, unknown);
  if (unknown) size_ = 0;
}

double UpdateFile::progress() const {
  return size_ == 0 ? 1 : static_cast<double>(gzoffset(file_.get())) / static_cast<double>(size_);
}

bool UpdateFile::fill() {
  constexpr std::size_t step = std::size_t{1} << 16U;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + step);
  errno = 0;
  const int size = gzread(file_.get(), buffer_.data() + before, step);
  buffer_.resize(before + static_cast<std::size_t>(std::max(size, 0)));
  int fault = Z_OK;
  const char* const message = gzerror(file_.get(), &fault);
  if (fault == Z_ERRNO)
    throw RuntimeFailure(fmt::format("cannot read updates from {}: {}", path_, std::strerror(errno)));
  if (fault != Z_OK && fault != Z_STREAM_END) user_error("{}: the compressed data are damaged: {}", path_, message);
  return size > 0;
}

std::optional<std::string> UpdateFile::next_line() {
  std::size_t newline = buffer_.find('\n', at_);
  while (newline == std::string::npos) {
    const std::size_t searched = buffer_.size() - at_;
    if (!fill()) break;
    newline = buffer_.find('\n', searched);
  }
  if (newline == std::string::npos && at_ == buffer_.size()) return std::nullopt;
  const std::size_t end = std::min(newline, buffer_.size());
  std::string line = buffer_.substr(at_, end - at_);
  at_ = std::min(end + 1, buffer_.size());
  return line;
}

template <typename... Args>
void UpdateFile::refuse(const std::string& line, fmt::format_string<Args...> what, Args&&... args) const {
  throw Error(fmt::format("{}:{}: {}", path_, line_, fmt::format(what, std::forward<Args>(args)...)),
              {0, std::min<std::size_t>(line.size(), 80)}, line.substr(0, 80));
}

std::optional<UpdateLine> UpdateFile::next() {
  while (const std::optional<std::string> line = next_line()) {
    ++line_;
    const std::size_t first = line->find_first_not_of(" \t\r");
    if (first == std::string::npos || (*line)[first] == '#' || (*line)[first] == '%') continue;
    return parse(*line);
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
  const ParsedValue value = parse_value(word, type_);
  if (!value.value)
    refuse(line, "value '{}' {}, and the tensor holds {}", word.substr(0, 40), value.fault, type_name(type_));
  update.value = *value.value;
  return update;
}

}  // namespace lacuna::tool
