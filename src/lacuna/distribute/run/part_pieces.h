#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "lacuna/distribute/run/cut_operand.h"
#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// What a plan of several steps takes of the parts of an operand that is not dense: parts as they are, and pieces that
/// are cut out of them by coordinates. Numbered in the order of the plan, alike on all ranks. Pieces that this rank
/// takes from stay cut: of other values, these alone are moved.
class PartPieces {
 public:
  PartPieces(const PreparedLaunch& prepared, std::size_t operand);

  std::size_t size() const { return pieces_.size(); }
  /// The piece that a transfer from a part moves.
  std::size_t of(const Transfer& transfer) const { return numbers_.at(&transfer); }
  const std::vector<IndexSet>& region(std::size_t piece) const { return pieces_[piece].region; }

  /// Cuts a piece, of a part that is here, unless it is all of that.
  void cut(std::size_t piece, const PreparedLaunch& prepared);
  /// Gives all that were cut the values that the parts have now.
  void cut_again(const PreparedLaunch& prepared);
  /// One that was cut, or is a part that is here.
  const Storage& storage(std::size_t piece, const PreparedLaunch& prepared) const;

 private:
  struct Piece {
    std::int64_t part;
    std::vector<IndexSet> region;
    bool is_cut;  // not all of the part
  };

  std::size_t operand_;
  std::vector<Piece> pieces_;
  std::map<const Transfer*, std::size_t> numbers_;
  std::map<std::size_t, CutOperand> cuts_;  // by piece
};

}  // namespace lacuna
