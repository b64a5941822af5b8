#pragma once

#include <string>

#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// Writes the file that write_file does, of a tensor in parts: these are put together as blocks that follow each other
/// in the file, some for each rank, which rank 0 writes one after the other. So no rank has more than its blocks, with
/// about as many entries as those of the others, and one that is written. Rank 0 has all of .rb files, whose columns,
/// rows and values are apart. `name` is the tensor's in messages. Throws the same Error on every rank where the file
/// cannot hold such a tensor, and where rank 0 cannot write it. The file is there when any rank returns. Collective.
void write_placed(const DistributedTensor& tensor, const std::string& path, const std::string& name,
                  Communicator& ranks);

}  // namespace lacuna
