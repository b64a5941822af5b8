// Statements over tensors of many modes: right, and with loops whose text grows by as much for each further mode.

#include <algorithm>

#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::high_orders_test {
namespace {

constexpr std::string_view variables = "ijklmnopqr";

/// A statement for each mode of which `@` stands: "D(@)=A(@)+B(@)" of order 2 is "D(i,j)=A(i,j)+B(i,j)".
std::string of_order(const std::string& pattern, std::size_t order) {
  std::string indices, text;
  for (const char v : variables.substr(0, order)) indices += (indices.empty() ? "" : ",") + std::string(1, v);
  for (const char c : pattern) text += c == '@' ? indices : std::string(1, c);
  return text;
}

Request request_of(const std::string& pattern, std::size_t order, const std::string& format, std::int64_t extent,
                   std::int64_t stored) {
  std::map<std::string, std::int64_t> extents;
  for (const char v : variables.substr(0, order)) extents[std::string(1, v)] = extent;
  const RandomOperand operand{format, stored};
  return random_request(of_order(pattern, order), {{"A", operand}, {"B", operand}, {"C", operand}}, extents, format);
}

std::int64_t lines_of_loops(const std::string& pattern, std::size_t order) {
  std::int64_t lines = 0;
  Options options;
  options.target.threads = 2;
  options.stop_before_code = true;
  options.on_stage = [&](const Stage& s) {
    if (s.name == "loops") lines = std::count(s.text.begin(), s.text.end(), '\n');
  };
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  engine.prepare(request_of(pattern, order, "csf", 3, 10), options);
  return lines;
}

const std::vector<std::string> patterns{"D(@)=A(@)+B(@)",        "D(@)=A(@)*B(@)",      "D(@)=A(@)*B(@)+C(@)",
                                        "D(@)=(A(@)+B(@))*C(@)", "D(@)=A(@)+B(@)+C(@)", "D(@)=A(@)+B(@)*C(@)-A(@)"};

TEST(HighOrders, EachFurtherModeTakesAsManyLines) {
  for (const std::string& pattern : patterns) {
    const std::int64_t seven = lines_of_loops(pattern, 7), eight = lines_of_loops(pattern, 8),
                       nine = lines_of_loops(pattern, 9);
    EXPECT_GT(seven, 0) << pattern;
    EXPECT_EQ(nine - eight, eight - seven) << pattern;
    EXPECT_LE(eight - seven, 150) << pattern;
  }
}

TEST(HighOrders, SumsAndProductsAreRight) {
  for (const std::string& pattern : patterns)
    for (const std::size_t order : {4U, 5U, 7U})
      for (const std::int64_t stored : {0, 40, 90})
        EXPECT_EQ(run_and_compare(request_of(pattern, order, "csf", 3, std::min<std::int64_t>(stored, 81))), "")
            << of_order(pattern, order) << ", " << stored << " stored";
}

TEST(HighOrders, LevelsOfOtherKindsAmongThemAreRight) {
  const std::vector<std::string> formats{"dense,compressed,compressed,compressed,compressed",
                                         "compressed,dense,compressed,compressed,compressed",
                                         "compressed,compressed,compressed,compressed,dense", "coo"};
  for (const std::string& pattern : patterns)
    for (const std::string& format : formats)
      EXPECT_EQ(run_and_compare(request_of(pattern, 5, format, 3, 60)), "") << pattern << " " << format;
}

}  // namespace
}  // namespace lacuna::high_orders_test
