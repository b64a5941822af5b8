#pragma once

#include <map>
#include <optional>
#include <set>

#include "lacuna/concrete/row_piece.h"
#include "lacuna/schedule/cost/model.h"

namespace lacuna::cost {

/// Books what scalars and workspaces take, and says how full they get.
class TemporaryWork {
 public:
  explicit TemporaryWork(Model& model) : model_(model) {}

  /// A where is come to: what its producer leaves behind starts empty. Returns those temporaries, for close().
  std::set<TensorVar> open(const concrete::Where& where, const Place& place);
  /// Its producer is done.
  void close(const std::set<TensorVar>& temporaries);
  /// An assignment to one of them; `present`: where its value is.
  void store(const concrete::Assign& assign, const Place& present);

  /// Around the body of a loop that adds to a piece of a workspace's row in registers, at `place`.
  void enter_registers(const TensorVar& workspace) { in_registers_ = workspace; }
  bool in_registers() const { return in_registers_.has_value(); }
  void leave_registers(const concrete::RowPiece& piece, const Place& place);

  /// How many coordinates a temporary has.
  double coordinates(const TensorVar& t) const;

 private:
  double marks(const TensorVar& t) const;
  double extent(const TensorVar& t, int mode) const;
  void own_targets(const concrete::Stmt& s, std::set<TensorVar>& made) const;
  double touch(const concrete::Tensor& target, const Place& present);
  bool walks_children_only(const concrete::Formula& outside, const concrete::Formula& inside) const;
  Model& model_;
  std::optional<TensorVar> in_registers_;
  std::map<TensorVar, Place> opened_;  // where each temporary is filled from
};

}  // namespace lacuna::cost
