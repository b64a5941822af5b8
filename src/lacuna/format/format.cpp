#include "lacuna/format/format.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/format/names.h"
#include "lacuna/support/check.h"

namespace lacuna {

namespace {

const LevelFormat compressed{LevelKind::Compressed, true, true};
const LevelFormat dense{LevelKind::Dense, true, true};

Format uniform_format(int order, const LevelFormat& level) {
  internal_check(order >= 0, "a format of order {}", order);
  return Format(std::vector<LevelFormat>(static_cast<std::size_t>(order), level));
}

bool is_letter_of_level(char c) {
  return std::any_of(level_names().begin(), level_names().end(), [&](const LevelName& level) {
    return c != 0 && (level.letter == c || level.nonunique_letter == c);
  });
}

bool can_lack_order(LevelKind kind) { return kind == LevelKind::Compressed || kind == LevelKind::Singleton; }

bool goes_with_nodes(const LevelFormat& level) {
  return level.full() || level.is_dynamic() || level.kind == LevelKind::Compressed;
}

}  // namespace

bool LevelFormat::locates() const {
  if (is_dynamic()) return find_function(definition->program, "find") != nullptr;
  return kind == LevelKind::Dense || kind == LevelKind::Bitmap || kind == LevelKind::Hashed;
}

bool LevelFormat::operator==(const LevelFormat& other) const {
  if (kind != other.kind || ordered != other.ordered || unique != other.unique) return false;
  if (definition == other.definition) return true;
  return definition && other.definition && definition->name == other.definition->name &&
         definition->text == other.definition->text;
}

std::string LevelFormat::name() const {
  if (is_dynamic()) return definition->name;
  for (const LevelName& each : level_names()) {
    if (each.kind == kind) return std::string(each.name);
  }
  throw InternalError("internal error: a LevelKind outside its enumeration");
}

void check_name_is_free(std::string_view name) {
  const auto same = [&](const auto& known) { return known.name == name; };
  if (std::any_of(format_names().begin(), format_names().end(), same) ||
      std::any_of(level_names().begin(), level_names().end(), same))
    user_error("{} is a format or a level of arrays already; take another name", name);
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_letter_of_level))
    user_error("{} would be read as letters, one a level of arrays; take a name with another letter in it", name);
}

schema::ElementTypes schema::element_types(const Format& format, int level, Type coordinate, Type value) {
  if (level + 1 == format.order()) return {coordinate, value};
  return {coordinate, format.level(level + 1).is_dynamic() ? Type::UInt32 : Type::Int64};
}

LevelFormat dynamic_level(std::shared_ptr<const schema::LevelFile> definition) {
  internal_check(definition != nullptr, "a dynamic level without a definition");
  check_name_is_free(definition->name);
  const bool ordered = schema::is_ordered(definition->definition.nodes);
  return {LevelKind::Dynamic, ordered, true, std::move(definition)};
}

LevelMap::LevelMap(std::vector<int> mode_of_level) : mode_of_level_(std::move(mode_of_level)) {
  std::vector<bool> seen(mode_of_level_.size(), false);
  for (const int mode : mode_of_level_) {
    if (mode < 0 || mode >= size()) {
      user_error("the mode order names mode {}, but the tensor's modes are 0 to {}", mode, size() - 1);
    }
    if (seen[static_cast<std::size_t>(mode)]) user_error("the mode order names mode {} twice", mode);
    seen[static_cast<std::size_t>(mode)] = true;
  }
}

LevelMap LevelMap::identity(int order) {
  internal_check(order >= 0, "a level map of order {}", order);
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  return LevelMap(std::move(modes));
}

int LevelMap::level_of(int mode) const {
  const auto found = std::find(mode_of_level_.begin(), mode_of_level_.end(), mode);
  internal_check(found != mode_of_level_.end(), "no level holds mode {}", mode);
  return static_cast<int>(found - mode_of_level_.begin());
}

bool LevelMap::is_identity() const { return std::is_sorted(mode_of_level_.begin(), mode_of_level_.end()); }

std::string validate_levels(const std::vector<LevelFormat>& levels) {
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const LevelFormat& level = levels[k];
    if (level.is_dynamic()) {
      const auto other = std::find_if_not(levels.begin(), levels.end(), goes_with_nodes);
      if (other == levels.end()) continue;
      return fmt::format(
          "level {} is {}, but beside a dynamic level, here {}, only dense, compressed and dynamic ones "
          "can be",
          other - levels.begin(), other->name(), level.name());
    }
    if (!level.ordered && !can_lack_order(level.kind) && level.kind != LevelKind::Hashed) {
      return fmt::format("level {} is {}, which is always ordered; drop \"unordered\"", k, level.name());
    }
    if (!level.unique && !can_lack_order(level.kind)) {
      return fmt::format("level {} is {}, which is always unique; drop \"nonunique\"", k, level.name());
    }
    if (level.kind == LevelKind::Singleton && k == 0) {
      return "the first level is a singleton, which needs a level above it; make it compressed(nonunique)";
    }
    if (!level.unique && k + 1 < levels.size() && levels[k + 1].kind != LevelKind::Singleton) {
      return fmt::format("level {} is nonunique, so level {} must be a singleton, but it is {}", k, k + 1,
                         levels[k + 1].name());
    }
  }
  return "";
}

Format::Format(std::vector<LevelFormat> levels, LevelMap map) : levels_(std::move(levels)), map_(std::move(map)) {
  // A hash table has no order to promise, whatever the caller's LevelFormat defaulted to.
  for (LevelFormat& level : levels_) {
    if (level.kind == LevelKind::Hashed) level.ordered = false;
  }
  if (const std::string complaint = validate_levels(levels_); !complaint.empty()) throw Error(complaint);
  if (map_.size() != order()) {
    user_error("the format has {} levels, but its mode order names {} modes", order(), map_.size());
  }
}

bool Format::has_nodes() const {
  return std::any_of(levels_.begin(), levels_.end(), [](const LevelFormat& level) { return level.is_dynamic(); });
}

Format::Format(const std::vector<LevelFormat>& levels)
    : Format(levels, LevelMap::identity(static_cast<int>(levels.size()))) {}

bool Format::is_dense() const {
  return std::all_of(levels_.begin(), levels_.end(), [](const LevelFormat& level) { return level.full(); });
}

int Format::levels_above_full() const {
  int levels = order();
  while (levels > 0 && level(levels - 1).full()) --levels;
  return levels;
}

bool Format::is_coordinate() const {
  if (order() == 0 || level(0).kind != LevelKind::Compressed) return false;
  if (order() > 1 && level(0).unique) return false;
  for (int k = 1; k < order(); ++k) {
    if (level(k).kind != LevelKind::Singleton) return false;
    if (k + 1 < order() && level(k).unique) return false;
  }
  return true;
}

Format dense_format(int order) { return uniform_format(order, dense); }
Format csr_format() { return Format({dense, compressed}); }
Format csc_format() { return Format({dense, compressed}, LevelMap({1, 0})); }
Format dcsr_format() { return Format({compressed, compressed}); }
Format dcsc_format() { return Format({compressed, compressed}, LevelMap({1, 0})); }

Format coo_format(int order) {
  internal_check(order >= 0, "a format of order {}", order);
  std::vector<LevelFormat> levels;
  for (int k = 0; k < order; ++k) {
    levels.push_back({k == 0 ? LevelKind::Compressed : LevelKind::Singleton, true, k + 1 == order});
  }
  return Format(levels);
}

Format csf_format(int order) { return uniform_format(order, compressed); }
Format bitmap_format(int order) { return uniform_format(order, {LevelKind::Bitmap, true, true}); }
Format hashed_format(int order) { return uniform_format(order, {LevelKind::Hashed, false, true}); }

Format array_format_of(const Format& format) {
  std::vector<LevelFormat> levels = format.levels();
  std::replace_if(
      levels.begin(), levels.end(), [](const LevelFormat& level) { return level.is_dynamic(); }, compressed);
  return Format(std::move(levels), format.map());
}

}  // namespace lacuna
