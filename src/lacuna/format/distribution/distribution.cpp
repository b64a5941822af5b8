#include "lacuna/format/distribution/distribution.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/format/distribution/resolve.h"
#include "lacuna/support/check.h"

namespace lacuna {

namespace {

DistributionClause resolved(const std::vector<DistVar>& tensor, const std::vector<DistTarget>& targets,
                            const Grid& grid) {
  try {
    return distribution::resolve_clause(tensor, targets, grid);
  } catch (const distribution::ClauseMistake& mistake) {
    user_error("distribution: {}", mistake.message);
  }
}

std::string text_of(const Share& share, const std::string& letters) {
  std::string names;
  for (const int mode : share.modes) names += letters[static_cast<std::size_t>(mode)];
  switch (share.kind) {
    case DistTarget::Kind::Block: return names;
    case DistTarget::Kind::Ranges: return fmt::format("{}[{}]", names, fmt::join(share.begins, ","));
    case DistTarget::Kind::Cyclic: return fmt::format("{}%{}", names, share.number);
    case DistTarget::Kind::NonZero: return names.size() == 1 ? "~" + names : "~(" + names + ")";
    case DistTarget::Kind::Fixed: return fmt::format("{}", share.number);
    case DistTarget::Kind::Broadcast: return "*";
  }
  throw InternalError("internal error: a DistTarget::Kind outside its enumeration");
}

std::string text_of(const DistributionClause& clause) {
  std::string text = clause.letters.empty() ? "-> " : clause.letters + " -> ";
  bool after_number = false;
  for (const Share& share : clause.shares) {
    const std::string next = text_of(share, clause.letters);
    // Two numbers, or a number and a name, would read as something else.
    if (after_number) text += ' ';
    text += next;
    after_number = next.back() >= '0' && next.back() <= '9';
  }
  return text;
}

bool only_copies(const DistributionClause& clause) {
  return std::all_of(clause.shares.begin(), clause.shares.end(),
                     [](const Share& share) { return share.kind == DistTarget::Kind::Broadcast; });
}

}  // namespace

DistTarget operator~(const DistVar& name) { return nonzeros({name}); }

DistTarget nonzeros(std::vector<DistVar> fused) {
  DistTarget target;
  target.kind = DistTarget::Kind::NonZero;
  target.names = std::move(fused);
  return target;
}

DistTarget cyclic(const DistVar& name, std::int64_t block) {
  DistTarget target;
  target.kind = DistTarget::Kind::Cyclic;
  target.names = {name};
  target.number = block;
  return target;
}

DistTarget blocks(const DistVar& name, std::vector<std::int64_t> begins) {
  DistTarget target;
  target.kind = DistTarget::Kind::Ranges;
  target.names = {name};
  target.begins = std::move(begins);
  return target;
}

DistTarget broadcast() { return {}; }

Distribution::Distribution(const std::vector<DistVar>& tensor, const Machine& machine,
                           const std::vector<DistTarget>& targets)
    : machine_(machine), order_(static_cast<int>(tensor.size())), said_(1) {
  clauses_.push_back(resolved(tensor, targets, machine.level(0)));
  for (int k = 1; k < machine.levels(); ++k) {
    const auto dimensions = static_cast<std::size_t>(machine.level(k).dimensions());
    clauses_.push_back({clauses_[0].letters, std::vector<Share>(dimensions)});
  }
}

Distribution Distribution::then(const std::vector<DistVar>& tensor, const std::vector<DistTarget>& targets) const {
  if (said_ == machine_.levels()) {
    user_error("distribution: {} has {} level{}, and something is said of more", machine_.to_string(),
               machine_.levels(), machine_.levels() == 1 ? "" : "s");
  }
  if (static_cast<int>(tensor.size()) != order_) {
    user_error("distribution: the same tensor has {} dimension{} at one level and {} at another", order_,
               order_ == 1 ? "" : "s", tensor.size());
  }
  Distribution more = *this;
  more.clauses_[static_cast<std::size_t>(said_)] = resolved(tensor, targets, machine_.level(said_));
  ++more.said_;
  return more;
}

std::string Distribution::to_string() const {
  std::size_t last = clauses_.size();
  while (last > 1 && only_copies(clauses_[last - 1])) --last;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < last; ++k) texts.push_back(text_of(clauses_[k]));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace lacuna
