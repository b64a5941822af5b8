#include "lacuna/compile/plan/check_size.h"

#include <algorithm>

#include "lacuna/support/check.h"
#include "lacuna/support/machine_memory.h"
#include "lacuna/support/quantity_text.h"

namespace lacuna {
namespace {

/// The bytes of a format's values where all levels have room for everything; else those of the positions that a
/// compressed level has below such levels. Dynamic levels say themselves how many roots there may be.
double dense_bytes(const Format& format, const std::vector<std::int64_t>& dimensions, Type type) {
  double positions = 1;
  for (int k = 0; k < format.order(); ++k) {
    const LevelFormat& level = format.level(k);
    const bool keeps_room = level.spans();
    if (!keeps_room) return k > 0 && level.packed() ? positions * size_of(Type::Int32) : 0;
    positions *= static_cast<double>(dimensions[static_cast<std::size_t>(format.map().mode_of(k))]);
  }
  return positions * size_of(type);
}

}  // namespace

void check_size(const std::string& result, const Format& format, const std::vector<std::int64_t>& dimensions,
                Type type) {
  const double wanted = dense_bytes(format, dimensions, type), there = static_cast<double>(machine_memory());
  if (wanted <= there) return;
  static constexpr double most = 9e18;
  const auto text = [](double bytes) { return bytes_text(std::min(bytes, most)); };
  user_error(
      "{} would take {} in format {}, and this machine has {} of memory: store it sparsely (-f {}:{}), or make it "
      "smaller",
      result, text(wanted), format.to_string(), text(there), result, csf_format(format.order()).to_string());
}

}  // namespace lacuna
