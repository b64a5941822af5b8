#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/tensors/distributed_tensor.h"
#include "lacuna/io/io.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// Reads a file with a progress bar, unless `quiet`.
FileContents read_with_progress(const std::string& path, ReadOptions options, bool quiet = false);
/// Builds what a file held in `format` (or its natural one). Dense files drop zeros on the way to a sparse format,
/// others only if they are told to.
Storage build_contents(const FileContents& contents, const std::optional<Format>& format, int threads,
                       bool drop_zeros = false);

/// What to do about operands for which no -i was given.
enum class MissingInput {
  Refuse,  // an error naming the operand and the fix
  Empty,   // an empty tensor: `show`, `export` and `simulate` need formats and sizes, not entries. What is dense has no
           // memory (unbacked_tensor), whether or not -i says `dense`
};

/// Loads or makes every operand of a problem. Sizes of generated operands come from -d and from operands that share
/// their variables; under MissingInput::Empty they fall back to `nominal_size`.
std::map<std::string, Storage> load_operands(const Problem& problem, MissingInput missing,
                                             std::int64_t nominal_size = 1000);

/// What ranks have of a problem's operands.
struct SharedOperands {
  std::map<std::string, Storage> whole;              // on every rank
  std::map<std::string, DistributedTensorPtr> held;  // by parts
  std::vector<std::string> notes;                    // what is on every rank although it is placed, and why
};

/// The same for several ranks: what -i names a file for and --place places somewhere is read by parts, each rank some
/// of the lines, where files allow that. Collective.
SharedOperands load_shared_operands(const Problem& problem, Communicator& ranks);

}  // namespace lacuna::tool
