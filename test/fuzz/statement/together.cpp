#include "fuzz/statement/together.h"

#include <algorithm>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna::fuzz {
namespace {

std::optional<Format> format_for(std::size_t n, int order) {
  const std::vector<std::vector<std::string>> formats = {
      {}, {"bst", "blist", "sparse"}, {"dense,ctree", "bst,btree", "csr", "dcsr", "coo"}, {"csf", "dense,bst,llist"}};
  if (order == 0 || order >= static_cast<int>(formats.size())) return std::nullopt;
  const std::vector<std::string>& known = formats[static_cast<std::size_t>(order)];
  if (n % (known.size() + 1) == 0) return std::nullopt;
  return parse_format(known[n % (known.size() + 1) - 1], order);
}

/// The problem with another statement, or nothing where that means nothing.
std::optional<Problem> beside(const Problem& problem, const std::string& name, const Expr& rhs, std::size_t n) {
  Problem other = problem;
  const Access& lhs = problem.statement.lhs;
  other.statement = {Access{TensorVar(name, lhs.tensor.order()), lhs.indices}, false, rhs, ""};
  try {
    other.statement = parse_statement(to_string(other.statement));
    check_meaning(other.statement);
  } catch (const Error&) {
    return std::nullopt;
  }
  other.result_format = format_for(n, lhs.tensor.order());
  other.result_type.reset();
  const std::vector<std::string> names = operand_names(other.statement);
  // What was an index may read as a scalar, where nothing is indexed by it.
  for (const std::string& read : names)
    if (!other.operands.contains(read)) return std::nullopt;
  std::erase_if(other.operands, [&](const auto& operand) {
    return std::find(names.begin(), names.end(), operand.first) == names.end();
  });
  const std::vector<IndexVar> variables = all_variables(other.statement);
  std::erase_if(other.extents, [&](const auto& extent) {
    return std::none_of(variables.begin(), variables.end(), [&](const auto& v) { return v.name() == extent.first; });
  });
  return other;
}

}  // namespace

std::vector<Problem> problems_beside(const Problem& problem) {
  std::vector<Problem> all;
  const std::string prefix = problem.result() + "_";
  if (problem.reads_result()) return all;  // what the others read would be what the first makes
  std::size_t n = problem.extents.size() + problem.operands.size();
  const auto add = [&](const Expr& rhs) {
    if (auto other = beside(problem, prefix + std::to_string(all.size()), rhs, n++)) all.push_back(std::move(*other));
  };
  add(problem.statement.rhs);
  const std::vector<Term> terms = terms_of(problem.statement);
  for (std::size_t t = 0; t < std::min<std::size_t>(terms.size(), 3) && terms.size() > 1; ++t) add(terms[t].expr);
  return all;
}

Request together(const Problem& problem, const std::vector<Problem>& beside) {
  Request request = request_of(problem);
  for (const Problem& p : beside) {
    const Request alone = request_of(p);
    request.further.push_back({alone.statement, alone.result_format, alone.result_type, alone.sizes});
  }
  return request;
}

}  // namespace lacuna::fuzz
