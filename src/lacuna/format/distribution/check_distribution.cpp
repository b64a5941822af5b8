#include <algorithm>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/format/distribution/leave_out.h"
#include "lacuna/support/check.h"

namespace lacuna {

namespace {

using Kind = DistTarget::Kind;

class Checker {
 public:
  Checker(const Distribution& distribution, const Format& format, const std::string& name)
      : distribution_(distribution), format_(format), name_(name) {}

  void run() {
    if (distribution_.order() != format_.order()) {
      fail("it is for {} dimension{}, but the tensor has {}; write a letter for each of these, as in xy -> x",
           distribution_.order(), distribution_.order() == 1 ? "" : "s", format_.order());
    }
    for (const DistributionClause& clause : distribution_.clauses()) {
      for (const Share& share : clause.shares) {
        if (share.kind == Kind::NonZero) check_counted(share, clause.letters);
        if (share.kind == Kind::Block || share.kind == Kind::Ranges || share.kind == Kind::Cyclic)
          check_cut(share.modes[0], clause.letters);
      }
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    const std::string of = name_.empty() ? "" : name_ + ": ";
    user_error("{}distribution {}: {}", of, distribution_.to_string(),
               fmt::format(message, std::forward<Args>(args)...));
  }

  void check_counted(const Share& share, const std::string& letters) const {
    std::vector<int> stored(format_.map().modes().begin(),
                            format_.map().modes().begin() + static_cast<std::ptrdiff_t>(share.modes.size()));
    if (stored == share.modes) return;
    const auto text = [&](const std::vector<int>& modes) {
      std::string names;
      for (const int mode : modes) names += letters[static_cast<std::size_t>(mode)];
      return modes.size() == 1 ? "~" + names : "~(" + names + ")";
    };
    // As many levels as it takes for all of its names.
    std::size_t depth = 0;
    for (const int mode : share.modes)
      depth = std::max(depth, static_cast<std::size_t>(format_.map().level_of(mode)) + 1);
    const std::vector<int> needed(format_.map().modes().begin(),
                                  format_.map().modes().begin() + static_cast<std::ptrdiff_t>(depth));
    fail(
        "{} counts what the outermost levels store, in their order, which {} stores otherwise; write {}, or use "
        "another "
        "mode order",
        text(share.modes), format_.to_string(), text(needed));
  }

  void check_cut(int mode, const std::string& letters) const {
    if (can_leave_out(format_, mode)) return;
    const bool is_singleton = format_.level(format_.map().level_of(mode)).kind == LevelKind::Singleton;
    fail(
        "{} is stored {} a singleton level below a dense one, which has an entry at every coordinate and cannot leave "
        "out those of other parts; use another format",
        letters[static_cast<std::size_t>(mode)], is_singleton ? "in" : "below");
  }

  const Distribution& distribution_;
  const Format& format_;
  const std::string& name_;
};

}  // namespace

bool can_leave_out(const Format& format, int mode) {
  int full = format.order();  // the level from which on all coordinates are stored
  while (full > 0 && format.level(full - 1).kind == LevelKind::Dense) --full;
  const int own_level = format.map().level_of(mode);
  if (own_level >= full) return true;
  for (int k = 1; k <= own_level; ++k)
    if (format.level(k).kind == LevelKind::Singleton && format.level(k - 1).kind == LevelKind::Dense) return false;
  return true;
}

void check_distribution(const Distribution& distribution, const Format& format, const std::string& name) {
  Checker(distribution, format, name).run();
}

}  // namespace lacuna
