#include "lacuna/support/nearest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lacuna/support/text_case.h"

namespace lacuna {
namespace {

/// Longer words are nobody's misspelling; the table below stays small.
constexpr std::size_t longest_word = 64;

/// The optimal string alignment distance (Damerau and Levenshtein, each letter edited at most once).
std::size_t distance(std::string_view a, std::string_view b) {
  // rows[k][m] is the distance between the first k letters of a and the first m of b.
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t k = 0; k <= a.size(); ++k) rows[k][0] = k;
  for (std::size_t m = 0; m <= b.size(); ++m) rows[0][m] = m;
  for (std::size_t k = 1; k <= a.size(); ++k) {
    for (std::size_t m = 1; m <= b.size(); ++m) {
      const std::size_t change = rows[k - 1][m - 1] + (lower_case(a[k - 1]) == lower_case(b[m - 1]) ? 0 : 1);
      rows[k][m] = std::min({rows[k - 1][m] + 1, rows[k][m - 1] + 1, change});
      const bool swapped = k > 1 && m > 1 && lower_case(a[k - 1]) == lower_case(b[m - 2]) &&
                           lower_case(a[k - 2]) == lower_case(b[m - 1]);
      if (swapped) rows[k][m] = std::min(rows[k][m], rows[k - 2][m - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view written, std::span<const std::string_view> known) {
  if (written.size() > longest_word) return std::nullopt;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const std::string_view word : known) {
    const std::size_t d = distance(written, word);
    if (d >= least) continue;
    least = d;
    nearest = word;
  }
  return nearest;
}

}  // namespace lacuna
