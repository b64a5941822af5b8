#pragma once

#include <map>
#include <string>

#include "fuzz/statement/problem.h"
#include "lacuna/compile/plan/plan.h"

namespace lacuna::fuzz {

/// What a run of the fuzzer has exercised: features of each evaluation, one by one and in pairs.
class Ledger {
 public:
  void note(const Problem& problem, const Plan& plan);
  /// Each dimension with what occurred and how often, then how many of the possible pairs of dimensions' features met
  /// in one evaluation.
  std::string to_string() const;

 private:
  /// A dimension ("level x role x assembly") and a feature in it.
  using Feature = std::pair<std::string, std::string>;
  std::map<Feature, std::int64_t> counts_;
  std::map<std::pair<Feature, Feature>, std::int64_t> pairs_;
};

}  // namespace lacuna::fuzz
