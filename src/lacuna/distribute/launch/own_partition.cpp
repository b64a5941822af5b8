#include "lacuna/distribute/launch/own_partition.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/notation/check.h"

namespace lacuna::launch {
namespace {

class OwnPartitioner {
 public:
  OwnPartitioner(const directive::Distribute& d, const std::vector<std::string>& roots, const Statement& statement,
                 const Distribution& distribution)
      : d_(d), roots_(roots), statement_(statement), distribution_(distribution) {}

  OwnPartition run() {
    const Machine& machine = distribution_.machine();
    if (d_.machine_level >= machine.levels())
      user_error("distribute: {} lies on {}, which has no level [{}]", d_.onto, machine.to_string(), d_.machine_level);
    for (int k = 0; k < d_.machine_level; ++k) first_ += static_cast<std::size_t>(machine.level(k).dimensions());
    OwnPartition out;
    const std::vector<std::size_t> along = dimensions();
    for (std::size_t t = 0; t < roots_.size(); ++t) out.cuts.push_back(cut_of(t, along[t]));
    for (std::size_t k = 0; k < shares().size(); ++k)
      if (shares()[k].kind == DistTarget::Kind::Fixed) out.face[first_ + k] = shares()[k].number;
    return out;
  }

 private:
  const std::vector<Share>& shares() const {
    return distribution_.clauses()[static_cast<std::size_t>(d_.machine_level)].shares;
  }

  /// By target, the dimension of the machine along which it is cut in an access of the tensor; as far as there is one.
  std::vector<std::size_t> dimensions_in(const Access& access) const {
    std::vector<std::size_t> dimensions;
    for (const std::string& root : roots_) {
      const auto cuts = [&](const Share& share) {
        return share.partitions() && std::any_of(share.modes.begin(), share.modes.end(), [&](int mode) {
                 return access.indices[static_cast<std::size_t>(mode)].name() == root;
               });
      };
      const auto found = std::find_if(shares().begin(), shares().end(), cuts);
      if (found == shares().end()) break;
      dimensions.push_back(static_cast<std::size_t>(found - shares().begin()));
    }
    return dimensions;
  }

  /// In the first access that cuts all targets.
  std::vector<std::size_t> dimensions() const {
    std::vector<Access> all{statement_.lhs};
    for (const Access& access : accesses(statement_.rhs)) all.push_back(access);
    std::vector<std::size_t> most;
    for (const Access& access : all) {
      if (access.tensor.name() != d_.onto) continue;
      std::vector<std::size_t> some = dimensions_in(access);
      if (some.size() > most.size()) most = std::move(some);
    }
    if (most.size() < roots_.size())
      user_error("distribute: {} is not cut where {} lies, {} on {}; distribute what is, or name the machine, M",
                 d_.variables[most.size()], d_.onto, distribution_.to_string(), distribution_.machine().to_string());
    return most;
  }

  LoopCut cut_of(std::size_t target, std::size_t dimension) const {
    const Share& share = shares()[dimension];
    const std::int64_t pieces = distribution_.machine().level(d_.machine_level).size(static_cast<int>(dimension));
    if (share.kind == DistTarget::Kind::NonZero)
      user_error(
          "distribute: {0} is cut by what it stores, {1}; deal its positions out: pos({2},{2}p,{0}), "
          "divide({2}p,{2}po,{2}pi,{3}), distribute({2}po), after fusing the variables that are counted together",
          d_.onto, distribution_.to_string(), d_.variables[target], pieces);
    return {share, pieces, first_ + dimension};
  }

  const directive::Distribute& d_;
  const std::vector<std::string>& roots_;
  const Statement& statement_;
  const Distribution& distribution_;
  std::size_t first_ = 0;  // dimension of this level
};

}  // namespace

OwnPartition own_partition(const directive::Distribute& d, const std::vector<std::string>& roots,
                           const Statement& statement, const std::map<std::string, Distribution>& placed) {
  const std::vector<std::string> names = operand_names(statement);
  if (d.onto != statement.lhs.tensor.name() && std::find(names.begin(), names.end(), d.onto) == names.end())
    user_error(
        "distribute: {} is no tensor of the statement; write M for the machine that it runs on, or one of {}, {}",
        d.onto, statement.lhs.tensor.name(), fmt::join(names, ", "));
  const auto found = placed.find(d.onto);
  if (found == placed.end())
    user_error("distribute: {0} lies nowhere in particular; place it, as in \"{0}: x -> x\", or name the machine, M",
               d.onto);
  return OwnPartitioner(d, roots, statement, found->second).run();
}

}  // namespace lacuna::launch
