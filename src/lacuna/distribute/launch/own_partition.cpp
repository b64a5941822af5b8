#include "lacuna/distribute/launch/own_partition.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/distribute/partition/partition.h"
#include "lacuna/distribute/partition/restriction.h"
#include "lacuna/notation/check.h"

namespace lacuna::launch {
namespace {

class OwnPartitioner {
 public:
  OwnPartitioner(const directive::Distribute& d, const std::vector<CutTarget>& targets, const Statement& statement,
                 const Distribution& distribution, const Format& format)
      : d_(d), targets_(targets), distribution_(distribution), format_(format) {
    check_distribution(distribution, format, d.onto);
    std::vector<Access> all{statement.lhs};
    for (const Access& access : accesses(statement.rhs)) all.push_back(access);
    for (const Access& access : all)
      if (access.tensor.name() == d.onto) accesses_.push_back(access);
  }

  OwnPartition run() {
    const Machine& machine = distribution_.machine();
    if (d_.machine_level >= machine.levels())
      user_error("distribute: {} lies on {}, which has no level [{}]", d_.onto, machine.to_string(), d_.machine_level);
    for (int k = 0; k < d_.machine_level; ++k) first_ += static_cast<std::size_t>(machine.level(k).dimensions());
    OwnPartition out;
    const Access& access = access_that_counts();
    const std::vector<std::size_t> along = dimensions_in(access);
    for (std::size_t t = 0; t < targets_.size(); ++t) out.cuts.push_back(cut_of(t, along[t], access));
    for (std::size_t k = 0; k < shares().size(); ++k)
      if (shares()[k].kind == DistTarget::Kind::Fixed) out.face[first_ + k] = shares()[k].number;
    return out;
  }

 private:
  const std::vector<Share>& shares() const {
    return distribution_.clauses()[static_cast<std::size_t>(d_.machine_level)].shares;
  }
  static const std::string& variable_of(const Access& access, int mode) {
    return access.indices[static_cast<std::size_t>(mode)].name();
  }

  /// Whether it cuts a mode that has this variable in an access of the tensor.
  bool cuts(const Share& share, const Access& access, const std::string& variable) const {
    const auto has_it = [&](int mode) { return variable_of(access, mode) == variable; };
    if (!share.partitions()) return false;
    if (!counts_positions(share, format_)) return has_it(share.modes[0]);
    return std::any_of(share.modes.begin(), share.modes.end(), has_it);
  }

  /// By target, the dimension of the machine along which it is cut in an access of the tensor; as far as there is one.
  std::vector<std::size_t> dimensions_in(const Access& access) const {
    std::vector<std::size_t> dimensions;
    for (const CutTarget& target : targets_) {
      const auto found = std::find_if(shares().begin(), shares().end(),
                                      [&](const Share& share) { return cuts(share, access, target.root); });
      if (found == shares().end()) break;
      dimensions.push_back(static_cast<std::size_t>(found - shares().begin()));
    }
    return dimensions;
  }

  /// The first that cuts all targets.
  const Access& access_that_counts() const {
    std::size_t most = 0;
    for (const Access& access : accesses_) {
      most = std::max(most, dimensions_in(access).size());
      if (most == targets_.size()) return access;
    }
    user_error("distribute: {} is not cut where {} lies, {} on {}; distribute what is, or name the machine, M",
               d_.variables[most], d_.onto, distribution_.to_string(), distribution_.machine().to_string());
  }

  LoopCut cut_of(std::size_t target, std::size_t dimension, const Access& access) const {
    const Share& share = shares()[dimension];
    if (counts_positions(share, format_)) check_positions(share, targets_[target], access);
    else if (!targets_[target].stored_in.empty())
      user_error("distribute: {} runs over stored entries, and {} is cut by coordinates, {}; distribute {}",
                 d_.variables[target], d_.onto, distribution_.to_string(), targets_[target].root);
    return {share, distribution_.machine().level(d_.machine_level).size(static_cast<int>(dimension)),
            first_ + dimension};
  }

  /// What is stored is cut in a loop over the positions of the levels that are counted, all of them.
  void check_positions(const Share& share, const CutTarget& target, const Access& access) const {
    if (is_inside_another_cut())
      user_error("distribute: {} is cut by what it stores within what others leave it, {}; name the machine, M[{}]",
                 d_.onto, distribution_.to_string(), d_.machine_level);
    const auto counted = [&](int levels) { return counted_level(format_, levels - 1); };
    const int levels = static_cast<int>(share.modes.size());
    if (target.stored_in == d_.onto && counted(target.levels) == counted(levels)) return;
    std::string variable, fused;
    for (const int mode : share.modes) {
      const std::string both = variable + variable_of(access, mode);
      if (!variable.empty()) fused += fmt::format("fuse({},{},{}), ", variable, variable_of(access, mode), both);
      variable = both;
    }
    user_error(
        "distribute: {0} is cut by what it stores, {1}; deal its positions out: {2}pos({3},{3}p,{4}), "
        "distribute({{{3}p}},{{{3}po}},{{{3}pi}},{0})",
        d_.onto, distribution_.to_string(), fused, variable, to_string(make_expr(access)));
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
  const Format& format_;
  std::vector<Access> accesses_;  // of the tensor
  std::size_t first_ = 0;         // dimension of this level
};

}  // namespace

OwnPartition own_partition(const directive::Distribute& d, const std::vector<CutTarget>& targets,
                           const Statement& statement, const std::map<std::string, Distribution>& placed,
                           const std::map<std::string, Format>& formats) {
  const std::vector<std::string> names = operand_names(statement);
  if (d.onto != statement.lhs.tensor.name() && std::find(names.begin(), names.end(), d.onto) == names.end())
    user_error(
        "distribute: {} is no tensor of the statement; write M for the machine that it runs on, or one of {}, {}",
        d.onto, statement.lhs.tensor.name(), fmt::join(names, ", "));
  const auto found = placed.find(d.onto);
  if (found == placed.end())
    user_error("distribute: {0} lies nowhere in particular; place it, as in \"{0}: x -> x\", or name the machine, M",
               d.onto);
  return OwnPartitioner(d, targets, statement, found->second, formats.at(d.onto)).run();
}

}  // namespace lacuna::launch
