#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/tensors/distributed_tensor.h"
#include "lacuna/io/entry_file.h"

namespace lacuna {

/// How a file is read by parts.
struct PlacedReadOptions {
  std::optional<Format> format = {};  // of the tensor; none: the file's natural one
  /// Of a file that does not say its dimensions: what they are, given the largest coordinates. None: these.
  std::function<std::vector<std::int64_t>(std::vector<std::int64_t>)> dimensions = {};
  std::size_t chunk_bytes = std::size_t{1} << 19U;  // of text that a rank has at a time
};

/// Reads a tensor of which no rank ever has more than its parts, and a chunk of the file: each reads entries of its
/// own, chunk by chunk, and sends entries to the ranks that play the processors which hold them. Lines of a compressed
/// file are all read by the first rank, which has a chunk of them at a time. Zeros of an array file are left out unless
/// the tensor is stored dense. What a distribution counts (`~`) is counted when all is read, and moves then. Throws the
/// same Error on every rank, with file, line and reason, for what read_file does not take; the first in the file where
/// there are several. Collective.
DistributedTensor read_placed(EntryFile& file, const Distribution& distribution, const std::string& name,
                              Communicator& ranks, const PlacedReadOptions& options = {});

/// Throws Error where several ranks are to read a pipe, each for itself: it gives its bytes to one of them.
void refuse_pipe(const std::string& path, const Communicator& ranks);

}  // namespace lacuna
