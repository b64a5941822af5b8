#include "tools/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/support/nearest.h"
#include "lacuna/support/type.h"

namespace lacuna::tool {
namespace {

template <typename T>
std::optional<T> read_whole(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// 8e3 is 8000, and 2.5 none.
std::optional<std::int64_t> read_count(const std::string& text) {
  if (const auto whole = read_whole<std::int64_t>(text)) return whole;
  const auto real = read_whole<double>(text);
  constexpr double most_exact = 9007199254740992;  // every whole number up to 2^53 is a double
  if (!real || std::abs(*real) > most_exact || *real != std::trunc(*real)) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::string bounds_text(std::int64_t least, std::int64_t most) {
  return most == std::numeric_limits<std::int64_t>::max() ? fmt::format("of at least {}", least)
                                                          : fmt::format("from {} to {}", least, most);
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return {[=](std::string& text) {
            const std::optional<std::int64_t> value = read_count(text);
            if (!value || *value < least || *value > most)
              return fmt::format("must be a whole number {}, not '{}'", bounds_text(least, most), text);
            text = std::to_string(*value);
            return std::string();
          },
          ""};
}

CLI::Validator real_number(double least, double most) {
  return {[=](std::string& text) {
            const auto value = read_whole<double>(text);
            if (value && *value >= least && *value <= most) return std::string();
            return fmt::format("must be a number from {} to {}, not '{}'", least, most, text);
          },
          ""};
}

CLI::Validator positive_number() {
  return {[](std::string& text) {
            const auto value = read_whole<double>(text);
            if (value && *value > 0 && std::isfinite(*value)) return std::string();
            return fmt::format("must be a number above 0, not '{}'", text);
          },
          ""};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[=](std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            const std::vector<std::string_view> known(words.begin(), words.end());
            const std::optional<std::string_view> near = nearest_word(text, known);
            return fmt::format("must be {}{}, not '{}'{}", words.size() > 1 ? "one of " : "", fmt::join(words, ", "),
                               text, near ? fmt::format("; did you mean {}?", *near) : "");
          },
          fmt::format("{{{}}}", fmt::join(words, ","))};
}

std::string unknown_type_message(const std::string& written) {
  std::vector<std::string_view> known;
  for (int t = 0; t < type_count; ++t) known.push_back(type_name(static_cast<Type>(t)));
  const std::optional<std::string_view> near = nearest_word(written, known);
  return fmt::format(
      "'{}' is no element type; {}", written,
      near ? fmt::format("did you mean {}?", *near)
           : "there are bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128");
}

}  // namespace lacuna::tool
