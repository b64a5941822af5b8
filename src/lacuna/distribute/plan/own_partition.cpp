#include "lacuna/distribute/plan/own_partition.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/distribute/parts/partition.h"
#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna::launch {
namespace {

class OwnPartitioner {
 public:
  OwnPartitioner(const directive::Distribute& d, const std::vector<CutTarget>& targets, const Statement& statement,
                 const Distribution& distribution, const std::map<std::string, Format>& formats, const Format& result)
      : d_(d), targets_(targets), distribution_(distribution) {
    if (statement.lhs.tensor.name() == d.onto) add({statement.lhs, result, true});
    for (const Access& access : accesses(statement.rhs))
      if (access.tensor.name() == d.onto) add({access, formats.at(d.onto), false});
  }

  OwnPartition run() {
    const Machine& machine = distribution_.machine();
    if (d_.machine_level >= machine.levels())
      refuse("distribute", "{} is placed on {}, which has no level [{}]", d_.onto, machine.to_string(),
             d_.machine_level);
    for (int k = 0; k < d_.machine_level; ++k) first_ += static_cast<std::size_t>(machine.level(k).dimensions());
    OwnPartition out;
    const Seen& access = access_that_counts();
    const std::vector<std::size_t> along = dimensions_in(access);
    for (std::size_t t = 0; t < targets_.size(); ++t) out.cuts.push_back(cut_of(t, along[t], access));
    std::size_t dimension = 0;
    for (int k = 0; k <= d_.machine_level; ++k)
      for (const Share& share : distribution_.clauses()[static_cast<std::size_t>(k)].shares) {
        if (share.kind == DistTarget::Kind::Fixed) out.face[dimension] = share.number;
        ++dimension;
      }
    return out;
  }

 private:
  /// The tensor, somewhere in the statement.
  struct Seen {
    Access access;
    Format format;
    bool is_result;

    const std::string& variable(int mode) const { return access.indices[static_cast<std::size_t>(mode)].name(); }
  };

  void add(Seen seen) {
    check_distribution(distribution_, seen.format, d_.onto);
    accesses_.push_back(std::move(seen));
  }
  const std::vector<Share>& shares() const {
    return distribution_.clauses()[static_cast<std::size_t>(d_.machine_level)].shares;
  }

  /// Whether it cuts a mode that has this variable in an access of the tensor.
  static bool cuts(const Share& share, const Seen& access, const std::string& variable) {
    const auto has_it = [&](int mode) { return access.variable(mode) == variable; };
    if (!share.partitions()) return false;
    if (!counts_positions(share, access.format)) return has_it(share.modes[0]);
    return std::any_of(share.modes.begin(), share.modes.end(), has_it);
  }

  /// By target, the dimension of the machine along which it is cut in an access of the tensor; as far as there is one.
  std::vector<std::size_t> dimensions_in(const Seen& access) const {
    std::vector<std::size_t> dimensions;
    for (const CutTarget& target : targets_) {
      const auto found = std::find_if(shares().begin(), shares().end(),
                                      [&](const Share& share) { return cuts(share, access, target.root); });
      if (found == shares().end()) break;
      dimensions.push_back(static_cast<std::size_t>(found - shares().begin()));
    }
    return dimensions;
  }

  /// What the result will store, nobody knows yet.
  bool is_about_stored(const Seen& access) const {
    return counts_positions(distribution_, access.format) ||
           std::any_of(targets_.begin(), targets_.end(), [](const CutTarget& t) { return t.is_over_stored; });
  }

  /// The first that cuts all targets.
  const Seen& access_that_counts() const {
    std::size_t most = 0;
    for (const Seen& access : accesses_) {
      if (access.is_result && accesses_.size() > 1 && is_about_stored(access)) continue;
      most = std::max(most, dimensions_in(access).size());
      if (most == targets_.size()) return access;
    }
    refuse("distribute",
           "{} is not partitioned by the distribution of {}, {} on {}; distribute a variable that is, or name "
           "the machine, M",
           d_.variables[most], d_.onto, distribution_.to_string(), distribution_.machine().to_string());
  }

  LoopCut cut_of(std::size_t target, std::size_t dimension, const Seen& access) const {
    const Share& share = shares()[dimension];
    if (counts_positions(share, access.format)) check_positions(share, targets_[target], access);
    else if (targets_[target].is_over_stored)
      refuse("distribute",
             "{} runs over stored entries, and {} is cut by coordinates, {}; distribute {}, or name the "
             "machine, M",
             d_.variables[target], d_.onto, distribution_.to_string(), targets_[target].root);
    return {share, distribution_.machine().level(d_.machine_level).size(static_cast<int>(dimension)),
            first_ + dimension};
  }

  /// What is stored is cut in a loop over the positions of the levels that are counted, all of them.
  void check_positions(const Share& share, const CutTarget& target, const Seen& access) const {
    if (access.is_result)
      refuse("distribute",
             "{} is cut by what it stores, {}, which nobody knows yet; name an operand, or the machine, M", d_.onto,
             distribution_.to_string());
    if (is_inside_another_cut())
      refuse("distribute", "{} is cut by what it stores within what others leave it, {}; name the machine, M[{}]",
             d_.onto, distribution_.to_string(), d_.machine_level);
    const auto counted = [&](int level_count) { return counted_level(access.format, level_count - 1); };
    const int levels = static_cast<int>(share.modes.size());
    if (target.stored_in == d_.onto && counted(target.levels) == counted(levels)) return;
    std::string variable, fused;
    for (const int mode : share.modes) {
      const std::string both = variable + access.variable(mode);
      if (!variable.empty()) fused += fmt::format("fuse({},{},{}), ", variable, access.variable(mode), both);
      variable = both;
    }
    refuse("distribute",
           "{0} is cut by what it stores, {1}; distribute its positions instead: {2}pos({3},{3}p,{4}), "
           "distribute({{{3}p}},{{{3}po}},{{{3}pi}},{0})",
           d_.onto, distribution_.to_string(), fused, variable, to_string(make_expr(access.access)));
  }
  bool is_inside_another_cut() const {
    for (int k = 0; k < d_.machine_level; ++k)
      for (const Share& share : distribution_.clauses()[static_cast<std::size_t>(k)].shares)
        if (share.partitions()) return true;
    return false;
  }

  const directive::Distribute& d_;
  const std::vector<CutTarget>& targets_;
  const Distribution& distribution_;
  std::vector<Seen> accesses_;
  std::size_t first_ = 0;  // dimension of this level
};

}  // namespace

OwnPartition own_partition(const directive::Distribute& d, const std::vector<CutTarget>& targets,
                           const Statement& statement, const std::map<std::string, Distribution>& placed,
                           const std::map<std::string, Format>& formats, const Format& result) {
  const std::vector<std::string> names = operand_names(statement);
  if (d.onto != statement.lhs.tensor.name() && std::find(names.begin(), names.end(), d.onto) == names.end())
    refuse("distribute", "{} is no tensor of the statement; write M for the machine that it runs on, or one of {}, {}",
           d.onto, statement.lhs.tensor.name(), fmt::join(names, ", "));
  const auto found = placed.find(d.onto);
  if (found == placed.end())
    refuse("distribute", "{0} has no distribution; place it, as in \"{0}: x -> x\", or name the machine, M", d.onto);
  return OwnPartitioner(d, targets, statement, found->second, formats, result).run();
}

}  // namespace lacuna::launch
