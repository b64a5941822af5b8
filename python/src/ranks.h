#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "statement.h"

namespace lacuna::python {

/// The ranks of an MPI communicator of Python's, or this process alone.
class Ranks {
 public:
  /// `handle`: as ranks_of takes it. Collective. Throws Error for a communicator that cannot be used, and
  /// RuntimeFailure where MPI is not found.
  explicit Ranks(std::optional<std::uint64_t> handle);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  /// Leaves the communicator as it is unless close() was called: its end is collective, and objects of Python end at
  /// any time.
  ~Ranks() { static_cast<void>(ranks_.release()); }

  /// Collective.
  void close() { ranks_.reset(); }
  /// Throws Error after close().
  Communicator& communicator() const;

 private:
  std::unique_ptr<Communicator> ranks_;
};

/// A statement that ranks compute together. Plan and kernels are kept for operands of the same patterns.
class StatementOnRanks {
 public:
  /// `machine`: as parse_machine reads it; a line of all ranks where it is empty. `placed`: by tensor, such as
  /// "xy -> x". Throws Error for what one of the texts says wrongly.
  StatementOnRanks(std::shared_ptr<Ranks> ranks, const std::string& text, StatementOptions options,
                   const std::string& machine, const std::map<std::string, std::string>& placed);

  /// Operands in whole, the same on all ranks; the result in whole, on all. Collective: throws the same on all.
  Storage run(const std::map<std::string, Storage>& operands);
  /// What each rank does and what moves when, as text. Collective.
  std::string plan(const std::map<std::string, Storage>& operands) const;

 private:
  DistributedRequest request(const std::map<std::string, Storage>& operands) const;

  std::shared_ptr<Ranks> ranks_;
  Statement statement_;
  Machine machine_;
  std::map<std::string, Distribution> placed_;
  PreparedOnMachine prepared_;
};

void define_ranks(nb::module_& m);

}  // namespace lacuna::python
