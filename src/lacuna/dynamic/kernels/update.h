#pragma once

#include <vector>

#include "lacuna/dynamic/kernels/operation.h"
#include "lacuna/format/format.h"
#include "lacuna/lower/context/lowered.h"

// Kernels that change entries of a tensor where they lie, one after the other (docs/decisions/0010-updates.md).
namespace lacuna {

/// How much of each update a kernel makes.
enum class UpdatePart : std::uint8_t {
  Whole,
  Places,  // the places of the levels above the last, which are made where there are none; the last is left alone
  Entries  // the entries of the last level under places that are there: above, the kernel only searches
};

struct UpdateRequest {
  Format format;
  Type type = Type::Float64;
  std::vector<Type> coordinates;  // of the levels: Int32 or Int64
  UpdateOperation operation = UpdateOperation::Add;
  UpdatePart part = UpdatePart::Whole;
  bool operator==(const UpdateRequest&) const = default;
};

/// Whether entries of tensors in this format are changed where they lie: its levels are dense and dynamic ones.
bool updates_in_place(const Format& format);

/// Whether batches of this format fall into shares that threads may make at once: the last level is dynamic and lies
/// under others, and these can be searched. Updates under different places of the levels above change different trees;
/// kernels of UpdatePart::Entries share nothing but the arrays, where each has a memory record for itself.
bool updates_in_shares(const Format& format);

/// What one update of UpdatePart::Entries takes from the memory of the last level at most: so many nodes of each type,
/// and behind those, for each pool, so many slots times 2 to the power of the largest class.
std::vector<std::int64_t> needs_of_update(const UpdateRequest& request);

/// Argument 0 of the kernel is the tensor. Argument 1 is the batch: coordinates by level in `crd`, `vals`, and of its
/// level 0, `positions` updates, an array of counts in `pos`, and `extent`, 1 where memory may grow. Updates that are
/// in the order of the levels find their roots quicker.
///
/// Counts are: the positions of each level, then those named below. They are right after each update, whatever stops
/// the kernel: it ends before an update that there is no room for.
struct UpdateCounts {
  int order = 0;
  int changed() const { return order; }       // entries that are new, or of Erase, that were there
  int done() const { return order + 1; }      // updates
  int capacity() const { return order + 2; }  // entries above dense last levels that the tensor's values have room for
  int size() const { return order + 3; }
};

/// Throws Error where a level's file has no function for the operation, and where nothing can be erased since the last
/// level is dense.
Lowered lower_update(const UpdateRequest& request);

}  // namespace lacuna
