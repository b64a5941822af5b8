#include "lacuna/api/placed_format.h"

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

Format format_of(std::initializer_list<LevelKind> levels) {
  std::vector<LevelFormat> all;
  for (const LevelKind kind : levels) all.push_back({kind});
  return Format(all);
}

}  // namespace

PlacedFormat::PlacedFormat(Format format, Distribution distribution)
    : format_(std::move(format)), distribution_(std::move(distribution)) {
  if (format_.order() != distribution_.order())
    user_error("the format {} is for order {}, and the distribution {} for order {}", format_.to_string(),
               format_.order(), distribution_.to_string(), distribution_.order());
  check_distribution(distribution_, format_, "");
}

PlacedFormat::PlacedFormat(std::initializer_list<LevelKind> levels, Distribution distribution)
    : PlacedFormat(format_of(levels), std::move(distribution)) {}

}  // namespace lacuna
