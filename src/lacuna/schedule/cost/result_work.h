#pragma once

#include <vector>

#include "lacuna/concrete/row_piece.h"
#include "lacuna/schedule/cost/model.h"

namespace lacuna::cost {

/// Books what it takes to assemble the result, and counts its entries.
class ResultWork {
 public:
  explicit ResultWork(Model& model);

  /// Around the body of each loop that assigns to the result; `visits`: the coordinates that it comes to.
  void enter(const Loop& loop, double visits);
  void leave(const Loop& loop, double visits, bool covers);
  void store(const concrete::Assign& assign, const Place& place);
  /// So many entries by a product of matrices.
  void store_product(double entries, bool adds);
  /// Around the body of a loop that adds to a piece of a row in registers, at `place`.
  bool in_registers() const { return in_registers_; }
  void enter_registers() { in_registers_ = true; }
  void leave_registers(const concrete::RowPiece& piece, const Place& place);
  /// After all loops.
  void finish();

  /// How often all loops run: twice where entries are counted before they are stored.
  double passes() const { return model_.program.result().assembly == concrete::Assembly::Insert ? 2 : 1; }
  double entries() const { return entries_; }
  double bytes() const { return bytes_; }

 private:
  const concrete::Tensor& tensor() const { return model_.program.result(); }
  const Format& format() const { return tensor().format; }
  ArrayKey array(ArrayKind kind, int level = 0) const { return {tensor().var.name(), level, kind}; }
  int width(ArrayKind kind, int level) const;
  int level_of(const IndexVar& var) const;
  double extent(int level) const;
  double size(int first, int last) const;
  double under(int level) const;
  void append(double times, bool accumulate);
  void stream(const Place& place, double times);
  double distinct(const concrete::Assign& assign, const Place& place) const;
  double appended_bytes() const;
  bool is_shared_out() const;
  void put_together();
  void finish_in_place(double span, int value);
  void finish_entries();
  void sum_counts(double parents);

  Model& model_;
  std::vector<IndexVar> variables_;  // by level
  int first_ = 0, last_ = -1;        // the compressed levels that are appended to
  std::vector<double> counts_;       // entries, by level
  std::vector<double> before_;       // those of the level below when each open loop was entered
  double stored_ = 0;                // values stored, repetitions included
  double entries_ = 0, bytes_ = 0;
  bool in_registers_ = false;
  bool needs_fill_ = false, skips_parents_ = false;
  double distinct_share_absent_ = 1;  // of all coordinates, by no store so far
};

}  // namespace lacuna::cost
