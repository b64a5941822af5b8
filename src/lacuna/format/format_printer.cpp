#include <fmt/format.h>

#include "lacuna/format/format.h"
#include "lacuna/format/names.h"
#include "lacuna/support/error.h"

namespace lacuna {

namespace {

std::string level_text(const LevelFormat& level) {
  const std::string text = level.name();
  if (level.is_dynamic()) return text;
  const bool unordered = !level.ordered && level.kind != LevelKind::Hashed;
  if (unordered && !level.unique) return text + "(unordered,nonunique)";
  if (unordered) return text + "(unordered)";
  if (!level.unique) return text + "(nonunique)";
  return text;
}

}  // namespace

std::string Format::to_string() const {
  if (order() == 0) return "dense";
  if (order() == 1) return level_text(level(0));
  for (const FormatName& name : format_names()) {
    if (name.fixed_order != 0 && name.fixed_order != order()) continue;
    if (name.make(order()) == *this) return std::string(name.name);
  }
  const std::string modes = map_.is_identity() ? "" : fmt::format(":{}", fmt::join(map_.modes(), ","));
  for (const FormatName& name : format_names()) {
    if (name.fixed_order == 0 && name.make(order()).levels() == levels_) return std::string(name.name) + modes;
  }
  std::vector<std::string> texts;
  for (const LevelFormat& level : levels_) texts.push_back(level_text(level));
  return fmt::format("{}{}", fmt::join(texts, ","), modes);
}

}  // namespace lacuna
