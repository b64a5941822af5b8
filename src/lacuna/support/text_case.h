#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lacuna {

// <cctype> depends on the locale and is undefined for bytes above 127: words of our languages are ASCII.

inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) { return lower_case(c); });
  return small;
}

inline bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

}  // namespace lacuna
