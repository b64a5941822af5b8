#pragma once

#include <map>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::iteration {

/// A path: one tensor accessed with one list of index variables. Accesses that repeat it share its cursors, and so do
/// those of temporaries that have a value for each of its entries.
struct Path {
  TensorVar tensor;
  std::vector<IndexVar> indices;    // by mode
  std::vector<int> modes;           // by level
  std::vector<IndexVar> variables;  // by level
  Access access() const { return {tensor, indices}; }
};

/// The paths of a program, in the order of its text: those of all that is read but temporaries of order 0.
class Paths {
 public:
  Paths() = default;
  explicit Paths(const concrete::Program& program);

  std::size_t size() const { return all_.size(); }
  const Path& operator[](std::size_t p) const { return all_[p]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  /// The number of an access's path; -1 where there is none.
  int of(const Access& access) const;
  /// Where a workspace is read. Its levels are in the order of the loops there that visit their coordinates.
  const Path& first_of(const TensorVar& tensor) const;
  /// How often each path is read in a statement.
  std::vector<int> reads(const concrete::Stmt& s) const;
  bool is_read(std::size_t path, const concrete::Stmt& s) const { return reads(s)[path] > 0; }

 private:
  void collect(const concrete::Program& program, const concrete::Stmt& s, std::vector<IndexVar>& loops);

  std::vector<Path> all_;
  std::map<TensorVar, TensorVar> stored_by_;  // of temporaries that have a value for each entry of an operand
};

}  // namespace lacuna::iteration
