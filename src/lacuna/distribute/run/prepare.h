#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/reduction.h"
#include "lacuna/distribute/run/execute.h"
#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// A request with its tensors where they belong and its plan.
struct PreparedLaunch {
  std::map<std::string, DistributedTensorPtr> tensors;  // by name: a tensor that is used twice lies there once
  LaunchPlan plan;
  ReductionPlan reduction;
  Format result_format;                                  // as asked for, or inferred
  Type result_type = Type::Float64;                      // likewise
  Type computed_type = Type::Float64;                    // of the right side
  Type sum_type = Type::Float64;                         // in which contributions are computed and added up
  bool accumulates = false;                              // to what the result held before
  std::optional<Distribution> result_distribution = {};  // where the result is asked to be
  std::optional<TensorPlacement> placed_result = {};     // the same, as far as that is known before it is there
  bool moves_result = false;                             // what it stores has to be counted: it is brought there then
  std::shared_ptr<const TensorLayout> result_layout = nullptr;  // where it is at first

  /// How the result is stored while it is computed: what nodes would hold, in arrays.
  Format local_format() const;
  /// The tensor of an operand of the launch.
  const DistributedTensor& tensor(std::size_t operand) const {
    return *tensors.at(plan.launch.operands[operand].tensor);
  }
};

/// The rank that plays a processor of a plan.
int rank_of(const LaunchPlan& plan, std::int64_t processor, const Communicator& ranks);

/// Checks a request, and cuts up what it has in whole, with the parts of this rank. Throws Error for a user's mistake.
PreparedLaunch start_launch(const DistributedRequest& request, const Communicator& ranks);
/// Plans it, for which ranks tell each other what they have to know of operands that are held by parts: collective
/// where there are any.
void finish_launch(PreparedLaunch& launch, Communicator& ranks);
/// Both.
PreparedLaunch prepare_launch(const DistributedRequest& request, Communicator& ranks);

enum class SentValues : std::uint8_t { Themselves, Numbers };
/// What a transfer takes out of a part of its operand, or out of the whole; with the values, or with their numbers
/// there (ValueMap).
LocalPart sent_part(const PreparedLaunch& launch, const Transfer& transfer, SentValues values = SentValues::Themselves);
/// What it takes that out of.
const Storage& sent_from(const PreparedLaunch& launch, const Transfer& transfer);

/// The dimensions of the result.
std::vector<std::int64_t> dimensions_of(const PreparedLaunch& launch);

/// The format of the result: what is asked for, or inferred.
Format result_format_of(const DistributedRequest& request);

/// What has to be the same on every rank that runs a request, item by item.
std::vector<std::string> fingerprint(const DistributedRequest& request);
/// Whether two requests have the same fingerprint, but for their operands.
bool asks_the_same(const DistributedRequest& a, const DistributedRequest& b);

}  // namespace lacuna
