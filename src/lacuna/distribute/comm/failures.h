#pragma once

#include <cstdint>

namespace lacuna {

/// What is done where one rank fails while others may be waiting for it.
enum class Failures : std::uint8_t {
  Abort,  // the message is printed, and all ranks end (MPI_Abort)
  Throw,  // all ranks of the communicator throw the same error, and the communicator may be used again
};

}  // namespace lacuna
