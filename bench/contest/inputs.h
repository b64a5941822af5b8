#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::contest {

/// The data that kernels run on, each made when it is first asked for and then kept: generated, the same in every run,
/// and a user's own Matrix Market files.
class Inputs {
 public:
  /// `shrink` divides every size; `folder` (or empty) holds .mtx files, which are inputs under their names;
  /// unreadable ones are left out, and named on stderr. Throws RuntimeFailure when the folder cannot be read.
  Inputs(int shrink, const std::string& folder);

  /// "rmat", "stencil", "banded", "uniform", then the files: 1 M rows, 5 to 11 M non-zeros.
  std::vector<std::string> matrices() const;
  /// The generated ones with a quarter of the rows, for wide dense factors.
  std::vector<std::string> quarter_matrices() const;
  /// Square ones whose square is of a size that one computes: "rmat-32k", "stencil", square files.
  std::vector<std::string> factors();
  /// "uniform-3d", "skewed-3d": order 3.
  std::vector<std::string> tensors() const;

  /// As large as the small and middle ones of the paper on loop nest restructuring (SparseLNR, Table 1): "rmat-11k",
  /// "rmat-62k", "rmat-334k", "banded-36k", "stencil-171k", "uniform-207k"; then the files.
  std::vector<std::string> nest_matrices() const;
  /// Tensors of order 3 for nests: "uniform-12k", "skewed-12k", and "two-165k" whose last mode has size 2.
  std::vector<std::string> nest_tensors() const;

  /// A matrix of any of these lists, in csr.
  const Storage& matrix(const std::string& name);
  /// A tensor, in csf.
  const Storage& tensor(const std::string& name);

  std::int64_t shrunk(std::int64_t size) const { return size / shrink_; }

 private:
  Storage make(const std::string& name) const;
  std::optional<CoordinateList> make_for_nests(const std::string& name) const;

  int shrink_;
  std::map<std::string, Storage> made_;
  std::vector<std::string> files_;  // which of them were read
};

/// The pattern of a csr matrix with the columns of its entries rotated by `shift`: as many in each row, elsewhere.
Storage rotated(const Storage& matrix, std::int64_t shift);
/// Its entries in random order, the same in every run.
CoordinateList shuffled(const CoordinateList& entries);

}  // namespace lacuna::contest
