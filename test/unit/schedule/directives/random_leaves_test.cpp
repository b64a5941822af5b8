// Random sums of products, in random layouts, by the leaf that their variables are those of: right or refused.

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/concrete/leaf.h"
#include "lacuna/jit/blas.h"
#include "support/random_request.h"
#include "support/reference_check.h"

namespace lacuna::random_leaves_test {
namespace {

class LeafDrawer {
 public:
  explicit LeafDrawer(unsigned seed) : random_(seed) {}

  Request draw() {
    const auto shapes = concrete::leaf_shapes();
    const concrete::LeafShape& shape = shapes[below(shapes.size())];
    const auto role = [&](bool any, const std::string& names) { return any ? names.substr(0, 1 + below(2)) : ""; };
    const std::string rows = role(shape.rows, "ij"), columns = role(shape.columns, "lm"),
                      inner = role(shape.inner, "kn");
    const std::string batch = below(3) == 0 ? "b" : "";
    std::string C = shuffled(rows + columns + batch), A = shuffled(rows + inner + batch);
    std::string text = fmt::format("C({}) = {}A({})", listed(C), below(3) == 0 ? "-2 * " : "", listed(A));
    std::map<std::string, RandomOperand> operands;
    operands["A"] = operand(A, batch);
    if (shape.operands() == 2) {
      const std::string B = shuffled(inner + columns + batch);
      text += fmt::format(" * B({})", listed(B));
      operands["B"] = operand(B, batch);
    }
    Request request = random_request(text, operands, extents(), C.empty() ? "" : dense_format(C.size()));
    request.schedule = parse_schedule(schedule(shape, batch, rows + columns + inner));
    return request;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string shuffled(std::string s) {
    std::shuffle(s.begin(), s.end(), random_);
    return s;
  }
  static std::string listed(const std::string& variables) {
    return fmt::format("{}", fmt::join(variables.begin(), variables.end(), ","));
  }
  static std::map<std::string, std::int64_t> extents() {
    return {{"b", 3}, {"i", 4}, {"j", 3}, {"k", 5}, {"l", 2}, {"m", 4}, {"n", 3}};
  }

  std::string dense_format(std::size_t order) {
    std::vector<int> modes(order);
    std::iota(modes.begin(), modes.end(), 0);
    if (below(3) == 0) std::shuffle(modes.begin(), modes.end(), random_);
    return fmt::format("{}:{}", fmt::join(std::vector<std::string>(order, "dense"), ","), fmt::join(modes, ","));
  }
  /// Dense, or with blocks at what is stored of the batches.
  RandomOperand operand(const std::string& variables, const std::string& batch) {
    if (batch.empty() || variables[0] != 'b' || below(2) == 0) return {dense_format(variables.size()), -1};
    std::int64_t entries = 1;
    for (const char v : variables) entries *= extents().at(std::string(1, v));
    return {"compressed" + std::string(variables.size() > 1 ? "," : "") +
                fmt::format("{}", fmt::join(std::vector<std::string>(variables.size() - 1, "dense"), ",")),
            entries / 4};
  }

  std::string schedule(const concrete::LeafShape& shape, const std::string& batch, const std::string& inside) {
    std::vector<std::string> loops, outer;
    for (const char v : shuffled(inside)) loops.emplace_back(1, v);
    if (!batch.empty()) outer.push_back(batch);
    std::string text;
    if (below(3) == 0) {
      std::string& v = loops[below(loops.size())];
      text = fmt::format("{}({},vo,vi,{}), ", below(2) == 0 ? "split" : "divide", v, 1 + below(4));
      v = "vi";
      outer.emplace_back("vo");
    }
    outer.insert(outer.end(), loops.begin(), loops.end());
    if (outer.size() > 1) text += fmt::format("reorder({}), ", fmt::join(outer, ","));
    text += fmt::format("substitute({{{}}},{})", fmt::join(loops, ","), shape.name);
    if (outer.size() > loops.size() && below(3) == 0)
      text += fmt::format(", parallelize({},CPUThread,Temporary)", outer.front());
    return text;
  }

  std::mt19937 random_;
};

TEST(RandomLeaves, AreRightOrRefused) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options, compiled;
  options.target.threads = compiled.target.threads = 2;
  options.target.backend = Target::Backend::Interpreter;
  const unsigned to_compile = blas() == nullptr ? 0 : 40;
  constexpr int all = 1500;
  int right = 0;
  for (unsigned seed = 0; seed < all; ++seed) {
    const Request request = LeafDrawer(seed).draw();
    const std::string what = request.statement.text + " by " + to_string(request.schedule);
    try {
      EXPECT_EQ(wrong(request, engine.run(request, options)).value_or(""), "") << seed << ": " << what;
      if (seed < to_compile) {
        EXPECT_EQ(wrong(request, engine.run(request, compiled)).value_or(""), "") << seed << " compiled: " << what;
      }
      ++right;
    } catch (const Error& refused) {
      EXPECT_THAT(refused.what(),
                  testing::AnyOf(testing::StartsWith("substitute: "), testing::StartsWith("parallelize: "),
                                 testing::StartsWith("reorder: ")))
          << seed << ": " << what;
    }
  }
  EXPECT_GT(right, all / 3);
}

}  // namespace
}  // namespace lacuna::random_leaves_test
