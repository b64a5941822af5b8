#include "lacuna/distribute/run/part_pieces.h"

#include <algorithm>

namespace lacuna {

PartPieces::PartPieces(const PreparedLaunch& prepared, std::size_t operand) : operand_(operand) {
  const LaunchPlan& plan = prepared.plan;
  std::map<std::int64_t, std::vector<std::size_t>> of_part;
  for (const LaunchStep& step : plan.steps) {
    for (const Transfer& transfer : step.transfers) {
      if (static_cast<std::size_t>(transfer.operand) != operand || !transfer.part) continue;
      const std::vector<IndexSet>& region = transfer.what.coordinates;
      std::vector<std::size_t>& beside = of_part[*transfer.part];
      auto known =
          std::find_if(beside.begin(), beside.end(), [&](std::size_t k) { return pieces_[k].region == region; });
      if (known == beside.end()) {
        known = beside.insert(known, pieces_.size());
        const Restriction& all = plan.placements[operand].parts[static_cast<std::size_t>(*transfer.part)].what;
        pieces_.push_back({*transfer.part, region, all.coordinates != region});
      }
      numbers_.emplace(&transfer, *known);
    }
  }
}

void PartPieces::cut(std::size_t k, const PreparedLaunch& prepared) {
  const Piece& piece = pieces_[k];
  if (piece.is_cut) cuts_[k].refresh(prepared.tensor(operand_).part(piece.part), piece.region);
}

void PartPieces::cut_again(const PreparedLaunch& prepared) {
  for (auto& [k, piece] : cuts_) piece.refresh(prepared.tensor(operand_).part(pieces_[k].part), pieces_[k].region);
}

const Storage& PartPieces::storage(std::size_t k, const PreparedLaunch& prepared) const {
  return pieces_[k].is_cut ? cuts_.at(k).storage() : prepared.tensor(operand_).part(pieces_[k].part).storage;
}

}  // namespace lacuna
