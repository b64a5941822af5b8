#pragma once

#include <vector>

#include "lacuna/iteration/nest.h"
#include "lacuna/schedule/cost/counts.h"
#include "lacuna/schedule/cost/ledger.h"
#include "lacuna/schedule/cost/likelihood.h"
#include "lacuna/schedule/cost/space.h"

namespace lacuna::cost {

using iteration::Iteration;
using iteration::LevelUse;
using iteration::Loop;
using iteration::Nest;
using iteration::Node;
using iteration::Path;
using iteration::Use;

/// A place in the nest: which points loops come to there, and at which of them something is present.
struct Place {
  Space space;
  concrete::Formula present = concrete::Formula::always();  // over the nest's atoms
  bool covers = true;                                       // every point of every loop outside comes here
};

/// What all parts of an estimate share.
class Model {
 public:
  Model(const concrete::Program& program, const Nest& nest, const Counts& counts);

  const concrete::Program& program;
  const Nest& nest;
  const Counts& counts;
  Ledger ledger;

  /// How often a place is come to.
  double times(const Place& place) const { return place.space.size() * likelihood(place.present, chances_); }
  /// How often it is come to while `more` is present, too.
  double times(const Place& place, const concrete::Formula& more) const {
    return place.space.size() * likelihood(place.present & more, chances_);
  }
  const concrete::Tensor& tensor_of(int path) const;
  const LevelCount& count_of(int path, int level) const;
  /// How many entries an operand has room for.
  double positions_of(const TensorVar& operand) const { return counts.at(operand.name()).levels.back().positions; }
  /// Children of each parent on average.
  double children(int path, int level) const;
  /// Entries that share each coordinate, on average; one where the level is unique.
  double repetition(int path, int level) const;

  /// Along which modes a workspace comes whole (concrete/whole.h).
  const std::vector<bool>& whole_modes(const TensorVar& workspace) const { return whole_.at(workspace); }
  /// Whether each of its entries has a mark of its own.
  bool marks_each(const TensorVar& workspace) const;
  /// Whether some loop runs through the coordinates that a workspace collected.
  bool is_drained(const TensorVar& workspace) const;
  /// Says that loops come to so many children of a level, repetitions included.
  void need(int path, int level, double children);
  /// The share of a level's positions that is needed, by any path.
  double needed_share(const std::string& tensor, int level) const;

  /// The share of a temporary's coordinates that its producer touched.
  void set_filled(const TensorVar& temporary, double share);
  double filled(const TensorVar& temporary) const;

 private:
  double distinct(int path, int level) const;
  std::vector<Chance> chances_;  // by atom
  std::map<TensorVar, std::vector<bool>> whole_;
  std::map<TensorVar, double> filled_;
  std::map<std::pair<std::string, int>, double> needed_;  // shares, by tensor and level
};

/// Books what evaluating an expression at a place takes: operations where both sides are present, elements read where
/// they are needed.
void book_expression(Model& model, const Expr& e, const Place& place);

}  // namespace lacuna::cost
