#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lacuna {

/// The word that somebody who wrote `written` most likely meant: the known one with the fewest letters to insert, drop,
/// change or swap with their neighbours, capitals counting as small letters. None when more than a third of the letters
/// (but at least one) would have to change. The first of several equally near ones.
std::optional<std::string_view> nearest_word(std::string_view written, std::span<const std::string_view> known);

}  // namespace lacuna
