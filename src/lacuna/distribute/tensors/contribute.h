#pragma once

#include <functional>
#include <string>

#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// A tensor of entries that each rank has some of, in any order and wherever they belong: they go to the ranks that
/// hold the parts in which they are. What several entries give for one coordinate is added up, in the order of the
/// ranks; of integers that wraps, as anywhere. `before`: the same tensor, on these ranks, to which entries are added,
/// or null. Throws the same Error on every rank where ranks do not mean the same tensor, or its format does not allow
/// the distribution; ends all ranks where one fails later. Collective.
DistributedTensor contributed(CoordinateList mine, const Format& format, const Distribution& distribution,
                              const std::string& name, Communicator& ranks, const DistributedTensor* before = nullptr);

/// A tensor whose parts are already where a distribution puts them: each rank gives those of its processors, by number
/// of the part, as tensors whose coordinates count from 0 in the part (LocalPart). Their arrays are used as they are,
/// not copied. Throws the same Error on every rank where parts are missing, or of another size, type or format, and
/// where the distribution counts what is stored (`~`). Collective.
DistributedTensor adopted(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                          const Distribution& distribution, const std::vector<Storage>& parts, const std::string& name,
                          Communicator& ranks);

/// A tensor that nobody has yet: each rank makes what it has of it. `make` gives what lies at some coordinates of each
/// mode, as a tensor of that format and type whose coordinates count from 0 there. What a distribution counts (`~`) is
/// counted when all is there, and moves then. Throws the same Error on every rank where ranks do not mean the same
/// tensor, or its format does not allow the distribution, or `make` throws one. Collective.
DistributedTensor made_by_parts(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                                const Distribution& distribution, const std::string& name, Communicator& ranks,
                                const std::function<Storage(const std::vector<IndexSet>&)>& make);

/// The parts that this rank has of a tensor that is placed so, in order: by part, the coordinates of each mode. Throws
/// Error where the distribution counts what is stored (`~`).
std::vector<std::vector<IndexSet>> parts_on(const Communicator& ranks, const std::vector<std::int64_t>& dimensions,
                                            const Format& format, const Distribution& distribution,
                                            const std::string& name = {});

}  // namespace lacuna
