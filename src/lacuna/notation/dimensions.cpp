#include <algorithm>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// An extent and, for messages, where it comes from.
struct Extent {
  std::int64_t size = 0;
  std::string source;
};

class Dimensions {
 public:
  Dimensions(const Statement& s, const FactsByName& facts) : statement_(s), facts_(facts) {}

  void add(const Access& access, SourceRange where) {
    const auto known = facts_.find(access.tensor.name());
    if (known == facts_.end() || !known->second.dimensions) return;
    const std::vector<std::int64_t>& dimensions = *known->second.dimensions;
    if (dimensions.size() != access.indices.size()) {
      fail(where, fmt::format("{} has {} mode(s), but is written with {} index variable(s)", access.tensor.name(),
                              dimensions.size(), access.indices.size()));
    }
    for (std::size_t mode = 0; mode < dimensions.size(); ++mode) {
      agree(access.indices[mode], where, {dimensions[mode], fmt::format("mode {} of {}", mode, access.tensor.name())});
    }
  }

  void add_operands(const Expr& e) {
    if (const auto* access = as<Access>(e)) add(*access, e.where());
    for (const Expr& child : children(e)) add_operands(child);
  }

  void add_given(const std::string& name, std::int64_t size) {
    const std::vector<IndexVar> variables = all_variables(statement_);
    const auto var = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name() == name; });
    if (var == variables.end()) {
      user_error("a size is given for {}, but the statement has no index variable of that name", name);
    }
    if (size < 0) user_error("the size given for {} is negative: {}", name, size);
    agree(*var, {}, {size, "the given size"});
  }

  std::map<IndexVar, std::int64_t> result() const {
    std::map<IndexVar, std::int64_t> sizes;
    for (const IndexVar& var : all_variables(statement_)) {
      const auto known = extents_.find(var);
      if (known == extents_.end()) {
        fail({}, fmt::format("the size of {0} cannot be told: no tensor of known dimensions is indexed by it; give it "
                             "(on the command line with -d, for example {0}:100)",
                             var.name()));
      }
      sizes.emplace(var, known->second.size);
    }
    return sizes;
  }

 private:
  void agree(const IndexVar& var, SourceRange where, const Extent& extent) {
    const auto [known, is_new] = extents_.emplace(var, extent);
    if (is_new || known->second.size == extent.size) return;
    fail(where, fmt::format("{} has size {} by {} but {} by {} (modes count from 0)", var.name(), known->second.size,
                            known->second.source, extent.size, extent.source));
  }

  [[noreturn]] void fail(SourceRange where, const std::string& message) const {
    throw Error(message, where, statement_.text);
  }

  const Statement& statement_;
  const FactsByName& facts_;
  std::map<IndexVar, Extent> extents_;
};

}  // namespace

std::map<IndexVar, std::int64_t> infer_dimensions(const Statement& s, const FactsByName& facts,
                                                  const std::map<std::string, std::int64_t>& given) {
  Dimensions dimensions(s, facts);
  dimensions.add(s.lhs, {});
  dimensions.add_operands(s.rhs);
  for (const auto& [name, size] : given) dimensions.add_given(name, size);
  return dimensions.result();
}

}  // namespace lacuna
