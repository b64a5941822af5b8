#include "lacuna/distribute/plan/automatic.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/distribute/plan/spread.h"
#include "lacuna/support/check.h"

namespace lacuna::launch {
namespace {

using Kind = DistTarget::Kind;

class Distributor {
 public:
  Distributor(const Statement& statement, const Machine& machine, const std::map<IndexVar, std::int64_t>& extents,
              const std::map<std::string, Distribution>& placed, const std::map<std::string, PlacedOperand>& operands)
      : statement_(statement), machine_(machine), extents_(extents), placed_(placed), operands_(operands) {}

  std::vector<Schedule> make() {
    if (all_variables(statement_).empty())
      user_error("{} has no loops that could be distributed; leave the machine out", statement_.text);
    std::vector<Schedule> all;
    for (const Leader& leader : leaders()) all.push_back(made([&] { follow(leader); }));
    for (const Spread& spread : spreads(statement_, machine_.sizes(), extents_, operands_))
      all.push_back(made([&] { deal(spread); }));
    std::erase_if(all, [](const Schedule& s) { return s.empty(); });
    return all;
  }

 private:
  /// An access of a tensor that lies in parts.
  struct Leader {
    Access access;
    const Distribution* distribution;
    bool is_operand;
  };

  template <typename Is>
  static bool has_share(const Distribution& d, const Is& is) {
    return std::any_of(d.clauses().begin(), d.clauses().end(), [&](const DistributionClause& clause) {
      return std::any_of(clause.shares.begin(), clause.shares.end(), is);
    });
  }
  static bool partitions(const Distribution& d) {
    return has_share(d, [](const Share& share) { return share.partitions(); });
  }
  static bool is_by_counts(const Distribution& d) {
    return has_share(d, [](const Share& share) { return share.kind == Kind::NonZero; });
  }
  const Distribution* parts_of(const std::string& name) const {
    const auto found = placed_.find(name);
    return found != placed_.end() && partitions(found->second) ? &found->second : nullptr;
  }

  /// The result, and then operands, the largest first. What a result stores, nobody knows yet: where it is to lie by
  /// that (`~`), as an operand does, that comes first.
  std::vector<Leader> leaders() const {
    std::vector<Leader> all;
    for (const Access& access : accesses(statement_.rhs))
      if (const Distribution* d = parts_of(access.tensor.name())) all.push_back({access, d, true});
    std::stable_sort(all.begin(), all.end(), [&](const Leader& a, const Leader& b) {
      return operands_.at(a.access.tensor.name()).stored > operands_.at(b.access.tensor.name()).stored;
    });
    const Distribution* result = parts_of(statement_.lhs.tensor.name());
    if (result == nullptr) return all;
    const auto alike = std::find_if(all.begin(), all.end(), [&](const Leader& each) {
      return is_by_counts(*result) && result->clauses() == each.distribution->clauses();
    });
    if (alike != all.end()) std::rotate(all.begin(), alike, alike + 1);
    all.insert(alike == all.end() ? all.begin() : all.begin() + 1, Leader{statement_.lhs, result, false});
    return all;
  }

  template <typename Make>
  Schedule made(const Make& make) {
    schedule_ = {};
    positions_left_.clear();
    names_.clear();
    for (const IndexVar& v : all_variables(statement_)) names_.insert(v.name());
    make();
    schedule_.text = to_string(schedule_);
    return schedule_;
  }

  void follow(const Leader& leader) {
    std::map<int, std::string> left;  // by mode: what is left of its variable
    for (int m = 0; m < leader.access.tensor.order(); ++m)
      left[m] = leader.access.indices[static_cast<std::size_t>(m)].name();
    const auto& clauses = leader.distribution->clauses();
    for (std::size_t level = 0; level < clauses.size(); ++level)
      follow(leader, clauses[level], machine_.level(static_cast<int>(level)), left);
  }

  void follow(const Leader& leader, const DistributionClause& clause, const Grid& grid,
              std::map<int, std::string>& left) {
    if (!positions_left_.empty()) return deal_more_positions(clause, grid);
    directive::Distribute d;
    d.machine_level = static_cast<int>(&clause - leader.distribution->clauses().data());
    for (std::size_t k = 0; k < clause.shares.size(); ++k) {
      const Share& share = clause.shares[k];
      const std::int64_t pieces = grid.size(static_cast<int>(k));
      if (!share.partitions()) continue;
      if (share.kind == Kind::NonZero && leader.is_operand && clause.shares.size() == 1 && schedule_.empty() &&
          is_stored_first(leader, share))
        return deal_positions(leader, share, pieces);
      std::string& variable = left[share.modes[0]];
      if (std::find(d.variables.begin(), d.variables.end(), variable) != d.variables.end()) continue;
      d.variables.push_back(variable);
      d.outer.push_back(fresh(variable + "o"));
      d.inner.push_back(fresh(variable + "i"));
      d.pieces.push_back(pieces);
      variable = d.inner.back();
    }
    if (cuts_its_own_way(clause)) d.onto = leader.access.tensor.name();
    if (!d.variables.empty()) schedule_.directives.push_back({d, {}});
  }

  /// Otherwise than `divide` cuts a loop.
  static bool cuts_its_own_way(const DistributionClause& clause) {
    const auto has = [&](Kind kind) {
      return std::any_of(clause.shares.begin(), clause.shares.end(), [&](const Share& s) { return s.kind == kind; });
    };
    return (has(Kind::Ranges) || has(Kind::Cyclic)) && !has(Kind::NonZero);
  }

  /// Below a level of the machine that has a share of the positions, which are no boxes: in equal shares, too.
  void deal_more_positions(const DistributionClause& clause, const Grid& grid) {
    for (std::size_t k = 0; k < clause.shares.size(); ++k)
      if (clause.shares[k].partitions()) divide_positions(grid.size(static_cast<int>(k)));
  }

  void divide_positions(std::int64_t pieces) {
    const std::string outer = fresh(positions_left_ + "o"), inner = fresh(positions_left_ + "i");
    schedule_.directives.push_back({directive::Split{positions_left_, outer, inner, pieces, true}, {}});
    schedule_.directives.push_back({directive::Distribute{{outer}, {}, {}, {}, 0}, {}});
    positions_left_ = inner;
  }

  /// Whether its loops can be fused, and whether each entry is one and a factor of every term: else it is dealt out in
  /// blocks.
  bool is_stored_first(const Leader& leader, const Share& share) const {
    const Format& format = operands_.at(leader.access.tensor.name()).format;
    if (!format.level(format.order() - 1).unique) return false;
    const Operand operand{"", leader.access.tensor.name(), leader.access.indices};
    for (const Term& term : terms_of(statement_))
      if (!is_factor_once(term.expr, operand)) return false;
    for (std::size_t k = 0; k < share.modes.size(); ++k)
      if (format.map().mode_of(static_cast<int>(k)) != share.modes[k]) return false;
    return true;
  }

  /// fuse(i,j,f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,n), distribute(fpo)
  void deal_positions(const Leader& leader, const Share& share, std::int64_t pieces) {
    const auto variable_of = [&](int mode) { return leader.access.indices[static_cast<std::size_t>(mode)].name(); };
    directive::Reorder reorder;
    for (const int mode : share.modes) reorder.variables.push_back(variable_of(mode));
    for (const IndexVar& v : all_variables(statement_))
      if (std::find(reorder.variables.begin(), reorder.variables.end(), v.name()) == reorder.variables.end())
        reorder.variables.push_back(v.name());
    if (reorder.variables.size() > 1) schedule_.directives.push_back({reorder, {}});
    std::string loop = variable_of(share.modes[0]);
    for (std::size_t k = 1; k < share.modes.size(); ++k) {
      const std::string fused = fresh("f");
      schedule_.directives.push_back({directive::Fuse{loop, variable_of(share.modes[k]), fused}, {}});
      loop = fused;
    }
    positions_left_ = fresh(loop + "p");
    schedule_.directives.push_back({directive::Pos{loop, positions_left_, make_expr(leader.access)}, {}});
    divide_positions(pieces);
  }

  /// distribute({i,j},{io,jo},{ii,ji},…), and what is left of a variable that comes again: distribute({ii},…)
  void deal(const Spread& spread) {
    const std::vector<std::int64_t> sizes = machine_.sizes();
    std::map<std::string, std::string> left;
    directive::Distribute d;
    const auto finish = [&] { schedule_.directives.push_back({std::exchange(d, {}), {}}); };
    for (std::size_t k = 0; k < spread.size(); ++k) {
      std::string& inner = left.try_emplace(spread[k], spread[k]).first->second;
      if (std::find(d.inner.begin(), d.inner.end(), inner) != d.inner.end()) finish();
      const std::string variable = inner;
      inner = fresh(variable + "i");
      d.variables.push_back(variable);
      d.outer.push_back(fresh(variable + "o"));
      d.inner.push_back(inner);
      d.pieces.push_back(sizes[k]);
    }
    finish();
  }

  std::string fresh(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  const Statement& statement_;
  const Machine& machine_;
  const std::map<IndexVar, std::int64_t>& extents_;
  const std::map<std::string, Distribution>& placed_;
  const std::map<std::string, PlacedOperand>& operands_;
  std::set<std::string> names_;
  Schedule schedule_;
  std::string positions_left_;  // the loop over those that a processor has, if positions are dealt out
};

}  // namespace

std::vector<Schedule> automatic_distributions(const Statement& statement, const Machine& machine,
                                              const std::map<IndexVar, std::int64_t>& extents,
                                              const std::map<std::string, Distribution>& placed,
                                              const std::map<std::string, PlacedOperand>& operands) {
  return Distributor(statement, machine, extents, placed, operands).make();
}

}  // namespace lacuna::launch
