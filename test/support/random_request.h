#pragma once

#include <map>
#include <string>

#include "lacuna/engine/engine.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/generate.h"

namespace lacuna {

/// How an operand of a random request is stored, and how many entries it has.
struct RandomOperand {
  std::string format;
  std::int64_t stored = -1;  // -1: every entry
};

/// A request for a statement over random operands, seeded by where they first occur. `extents` by variable name; the
/// result's format is inferred if none is given.
inline Request random_request(const std::string& text, const std::map<std::string, RandomOperand>& operands,
                              const std::map<std::string, std::int64_t>& extents,
                              const std::string& result_format = {}) {
  Request request;
  request.statement = parse_statement(text);
  const Access& lhs = request.statement.lhs;
  if (!result_format.empty()) request.result_format = parse_format(result_format, lhs.tensor.order());
  std::vector<Access> all = accesses(request.statement.rhs);
  if (request.statement.accumulate) all.push_back(lhs);
  std::uint64_t seed = 1;
  for (const Access& access : all) {
    const std::string& name = access.tensor.name();
    const RandomOperand& operand = operands.at(name);
    std::vector<std::int64_t> dimensions;
    std::int64_t entries = 1;
    for (const IndexVar& v : access.indices) entries *= dimensions.emplace_back(extents.at(v.name()));
    if (operand.stored >= 0) entries = operand.stored;
    const Format format = parse_format(operand.format, access.tensor.order());
    request.operands.emplace(name, build(generate_uniform(dimensions, entries, seed++), format));
  }
  return request;
}

}  // namespace lacuna
