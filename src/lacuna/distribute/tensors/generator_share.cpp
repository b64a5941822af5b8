#include "lacuna/distribute/tensors/generator_share.h"

#include "lacuna/distribute/comm/numbers.h"

namespace lacuna {

GeneratorShare share_of(Communicator& ranks) {
  return {ranks.rank(), ranks.ranks(), [&ranks](std::int64_t mine) {
            std::vector<std::int64_t> all;
            for (const std::vector<std::int64_t>& each : gather_numbers(ranks, {mine})) all.push_back(each.at(0));
            return all;
          }};
}

}  // namespace lacuna
