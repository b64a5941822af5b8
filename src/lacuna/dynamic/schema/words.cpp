#include "lacuna/dynamic/schema/words.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "lacuna/support/nearest.h"
#include "lacuna/support/text_case.h"

namespace lacuna::schema {

std::optional<Type> metadata_type(std::string_view word) {
  for (const Type type : metadata_types) {
    if (type_name(type) == word) return type;
  }
  return std::nullopt;
}

bool is_reserved(std::string_view word) {
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end() || metadata_type(word).has_value();
}

std::string did_you_mean(std::string_view written, const std::vector<std::string_view>& known) {
  const auto near = nearest_word(written, known);
  // All words of one letter are near to each other; only a capital makes one mean another.
  if (near && written.size() == 1 && !same_word(*near, written)) return {};
  return near ? fmt::format("; did you mean {}?", *near) : std::string();
}

}  // namespace lacuna::schema
