#include "fuzz/statement/draw.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "fuzz/statement/judge.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna::fuzz {
namespace {

/// Where element types come from: one for all, or any.
class Types {
 public:
  explicit Types(Random& random) : random_(random) {
    const int how = random.weighted({42, 20, 38});
    if (how == 1) common_ = any();
    mixed_ = how == 2;
  }
  Type draw() { return mixed_ || random_.percent(5) ? any() : common_; }

 private:
  Type any() { return static_cast<Type>(random_.below(type_count)); }
  Random& random_;
  Type common_ = Type::Float64;
  bool mixed_ = false;
};

std::optional<Type> draw_width(Random& random) {
  constexpr Type widths[] = {Type::Int64,  Type::Int8,   Type::Int16, Type::UInt8,
                             Type::UInt16, Type::UInt32, Type::UInt64};
  const int which = random.weighted({70, 16, 2, 2, 2, 2, 3, 3});
  if (which == 0) return std::nullopt;
  return widths[which - 1];
}

Operand draw_operand(Random& random, Types& types, std::vector<std::int64_t> dimensions, bool special,
                     Rejections& rejections) {
  Operand operand;
  operand.dimensions = std::move(dimensions);
  operand.format = draw_format(random, static_cast<int>(operand.dimensions.size()));
  operand.type = types.draw();
  operand.pos = draw_width(random);
  operand.crd = draw_width(random);
  draw_entries(random, operand, special, rejections);
  return operand;
}

std::vector<std::int64_t> dimensions_of(const Access& access, const std::map<std::string, std::int64_t>& extents) {
  std::vector<std::int64_t> dimensions;
  for (const IndexVar& v : access.indices) dimensions.push_back(extents.at(v.name()));
  return dimensions;
}

/// A variable that repeats makes tensors larger than the space that the definition visits: A(i,i,i) of 900 each.
void require_small(const std::vector<std::int64_t>& dimensions, Rejections& rejections) {
  constexpr std::int64_t most_elements = 250'000;
  std::int64_t elements = 1;
  for (const std::int64_t d : dimensions) elements *= std::max<std::int64_t>(1, d);
  if (elements <= most_elements) return;
  ++rejections.data;
  user_error("a tensor of {} elements is too large", elements);
}

/// Draws one problem. Throws Error when it is not legal.
Problem draw_once(Random& random, Rejections& rejections) {
  Problem p;
  // Through the text, as a user writes it: names become what the parser takes them for.
  const std::string text = to_string(draw_statement(random, p.extents));
  try {
    p.statement = parse_statement(text);
  } catch (const Error& error) {
    throw InternalError(fmt::format("the printed statement {} does not parse: {}", text, error.what()));
  }
  try {
    check_meaning(p.statement);
  } catch (const Error&) {
    ++rejections.meaning;
    throw;
  }
  require_small(dimensions_of(p.statement.lhs, p.extents), rejections);
  Types types(random);
  const bool special = random.percent(5);
  std::vector<Access> read = accesses(p.statement.rhs);
  if (p.statement.accumulate) read.push_back(p.statement.lhs);
  for (const Access& a : read) {
    if (p.operands.count(a.tensor.name()) > 0) continue;
    require_small(dimensions_of(a, p.extents), rejections);
    p.operands.emplace(a.tensor.name(), draw_operand(random, types, dimensions_of(a, p.extents), special, rejections));
  }
  if (p.reads_result()) {
    // The command line says one format and one type of it, old and new.
    const Operand& old = p.operands.at(p.result());
    p.result_format = old.format;
    p.result_type = old.type;
  } else {
    if (random.percent(60)) p.result_format = draw_result_format(random, p.statement.lhs.tensor.order());
    if (random.percent(30)) p.result_type = types.draw();
  }
  p.threads = random.percent(25) ? 3 : 1;
  FactsByName facts;
  for (const auto& [name, operand] : p.operands) facts[name] = {operand.type, operand.dimensions};
  try {
    compute_type(p.statement, facts);
    check_divisions(p.statement, facts);
  } catch (const Error&) {
    ++rejections.types;
    throw;
  }
  if (!tolerance_of(p)) {
    ++rejections.judge;
    user_error("rounding may decide the result");
  }
  return p;
}

/// Another size of the same class: 3 or 4, 5 to 8, …
std::int64_t similar_extent(Random& random, std::int64_t extent) {
  if (extent < 3) return extent;
  std::int64_t low = 3;
  while (2 * (low - 1) < extent) low = 2 * (low - 1) + 1;
  return low + random.below(static_cast<int>(low - 1));
}

}  // namespace

std::optional<Problem> redraw(Random& random, const Problem& problem) {
  Problem p = problem;
  std::map<std::int64_t, std::int64_t>
      extents;  // equal ones stay equal: a tensor may be read through several variables
  for (auto& [variable, extent] : p.extents)
    extent = extents.emplace(extent, similar_extent(random, extent)).first->second;
  Rejections rejections;
  for (auto& [name, operand] : p.operands) {
    for (std::int64_t& d : operand.dimensions) d = extents.at(d);
    const bool special = std::any_of(operand.entries.begin(), operand.entries.end(), [](const Entry& e) {
      return !std::isfinite(std::abs(e.value.as<std::complex<double>>()));
    });
    operand.entries.clear();
    draw_entries(random, operand, special, rejections);
  }
  if (rejections.data > 0 || !tolerance_of(p)) return std::nullopt;
  return p;
}

Problem draw_problem(Random& random, Rejections& rejections) {
  for (;;) {
    try {
      return draw_once(random, rejections);
    } catch (const Error&) {
      continue;  // counted; draw again
    }
  }
}

}  // namespace lacuna::fuzz
