// Ranks of one computer read parts of kept plans where they lie: also where they lie elsewhere each time, and where who
// has them is done, and gives them back, before others look.

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "distributed/on_machine.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/tensor/build.h"
#include "support/forwarding_ranks.h"

namespace lacuna::in_place_test {
namespace {

/// The test's ranks, which read each other's memory from the first byte on, if they may.
class Neighbourly : public ForwardingRanks {
 public:
  using ForwardingRanks::ForwardingRanks;
  void send_in_place(int to, std::span<const std::byte> message) override {
    bytes_sent += message.size();
    ForwardingRanks::send_in_place(to, message);
  }
  std::optional<std::int64_t> in_place_from(int other) const override {
    return ranks_.in_place_from(other) ? std::optional<std::int64_t>(1) : std::nullopt;
  }

  std::size_t bytes_sent = 0;
};

constexpr std::int64_t n = 96, width = 64;

class InPlaceParts : public testing::Test {
 protected:
  InPlaceParts() : ranks_(*test_ranks()) {
    options_.target.backend = Target::Backend::Interpreter;
    const std::string grid = "Grid(" + std::to_string(ranks_.ranks()) + ")";
    request_ = on_machine(random_request("a(i,k) = B(i,j) * c(j,k)", {{"B", {"csr", 4 * n}}, {"c", {"dense", -1}}},
                                         {{"i", n}, {"j", n}, {"k", width}}),
                          grid, {{"a", "xy -> x"}, {"B", "xy -> x"}, {"c", "xy -> x"}}, "");
  }
  void SetUp() override {
    for (int r = 0; r < ranks_.ranks(); ++r)
      if (ranks_.ranks() == 1 || !ranks_.in_place_from(r)) GTEST_SKIP() << "the ranks do not read each other's memory";
  }

  Storage values(int turn) const { return generate_dense({n, width}, static_cast<std::uint64_t>(turn + 1)); }
  DistributedTensorPtr parts(const std::string& name, const Storage& tensor) {
    return by_parts(tensor, request_.placed.at(name), name, ranks_);
  }
  DistributedRequest with(const DistributedTensorPtr& B, const DistributedTensorPtr& c) const {
    DistributedRequest out = request_;
    out.request.operands.clear();
    out.held = {{"B", B}, {"c", c}};
    return out;
  }
  void expect_product(const DistributedTensor& result, const Storage& c) {
    Request now = request_.request;
    now.operands["c"] = c;
    const Storage got = gathered(result, ranks_, Recipients::First);
    if (ranks_.rank() == 0) {
      EXPECT_EQ(wrong(now, got).value_or(""), "");
    }
  }

  Neighbourly ranks_;
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
  Options options_;
  DistributedRequest request_;
  PreparedOnMachine prepared_;
};

/// Two take turns, as in an iteration: from the second time on, nothing is copied, and next to nothing is sent.
TEST_F(InPlaceParts, AreWhereTheyWereBefore) {
  const DistributedTensorPtr B = parts("B", request_.request.operands.at("B"));
  const std::vector<DistributedTensorPtr> c{parts("c", values(0)), parts("c", values(1))};
  std::int64_t bytes = 0;
  for (int run = 0; run < 7; ++run) {
    const std::size_t sent = ranks_.bytes_sent;
    DistributedReport report;
    const DistributedTensor result =
        prepared_.run(engine_, with(B, c[static_cast<std::size_t>(run % 2)]), ranks_, options_, &report);
    EXPECT_LT(ranks_.bytes_sent - sent, 4096U);  // a part has six times that, and more
    EXPECT_GT(report.fetches.messages, 0);       // which are counted, since processors send them
    if (run == 0) bytes = report.fetches.bytes;
    EXPECT_EQ(report.fetches.bytes, bytes);
    expect_product(result, values(run % 2));
  }
  for (const DistributedTensorPtr& each : c)
    for (const auto& [number, part] : each->parts()) EXPECT_TRUE(part.storage.values.shared_place().has_value());
}

TEST_F(InPlaceParts, MayLieElsewhereEachTime) {
  const DistributedTensorPtr B = parts("B", request_.request.operands.at("B"));
  for (int run = 0; run < 12; ++run) {
    const DistributedTensor result = prepared_.run(engine_, with(B, parts("c", values(run))), ranks_, options_);
    expect_product(result, values(run));
  }
}

/// More of them than a plan keeps, each several times.
TEST_F(InPlaceParts, MayBeMany) {
  const DistributedTensorPtr B = parts("B", request_.request.operands.at("B"));
  std::vector<DistributedTensorPtr> c;
  for (int k = 0; k < 6; ++k) c.push_back(parts("c", values(k)));
  for (const int turn : {0, 1, 0, 1, 2, 2, 3, 4, 3, 4, 5, 0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0}) {
    const DistributedTensor result =
        prepared_.run(engine_, with(B, c[static_cast<std::size_t>(turn)]), ranks_, options_);
    expect_product(result, values(turn));
  }
}

/// A rank that is done gives back its tensors and its plan while others are late.
TEST_F(InPlaceParts, StayUntilOthersHaveOpenedThem) {
  for (int run = 0; run < 4; ++run) {
    PreparedOnMachine prepared;
    std::optional<DistributedTensor> result;
    {
      const DistributedTensorPtr B = parts("B", request_.request.operands.at("B")), c = parts("c", values(run));
      if (ranks_.rank() == run % ranks_.ranks()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      result = prepared.run(engine_, with(B, c), ranks_, options_);
      prepared = PreparedOnMachine();
    }
    expect_product(*result, values(run));
  }
}

/// Copies of a part on several ranks, of which tasks of another one take the nearest each.
TEST_F(InPlaceParts, MayBeOfSeveralRanks) {
  const auto random = [](const std::string& statement, const std::map<std::string, RandomOperand>& operands) {
    return random_request(statement, operands, {{"i", 12}, {"l", 12}, {"j", n}, {"k", width}});
  };
  for (const char* grid : {"Grid(2,2)", "Grid(3,2)", "Grid(2,3)", "Grid(5,2)"}) {
    for (DistributedRequest request :
         {on_machine(random("a(i,l) = B(i,l,j) * c(j)", {{"B", {"csf", 5000}}, {"c", {"dense", -1}}}), grid,
                     {{"a", "xy -> xy"}, {"B", "xyz -> xy"}, {"c", "x -> x*"}}, ""),
          on_machine(random("a(i,l,k) = B(i,l,j) * c(j,k)", {{"B", {"csf", 2000}}, {"c", {"dense", -1}}}), grid,
                     {{"a", "xyz -> xy"}, {"B", "xyz -> xy"}, {"c", "xy -> *x"}}, "")}) {
      SCOPED_TRACE(grid);
      PreparedOnMachine prepared;
      for (int run = 0; run < 4; ++run) {
        Storage& c = request.request.operands.at("c");
        c = generate_dense(c.dimensions, static_cast<std::uint64_t>(run + 1));
        const DistributedTensor result = prepared.run(engine_, by_parts(request, ranks_), ranks_, options_);
        const Storage got = gathered(result, ranks_, Recipients::First);
        if (ranks_.rank() == 0) {
          EXPECT_EQ(wrong(request.request, got).value_or(""), "") << "run " << run;
        }
      }
    }
  }
}

/// The same tensor twice: what goes round as a message, and what is read in place and moves to where that can be.
TEST_F(InPlaceParts, MayBeSentAsWell) {
  Request statement = random_request("a(i,k) = M(i,l) * c(l,k) + B(i,j) * c(j,k)",
                                     {{"B", {"csr", 4 * n}}, {"M", {"csr", 0}}, {"c", {"dense", -1}}},
                                     {{"i", n}, {"j", n}, {"l", n}, {"k", width}});
  statement.operands["M"] = build(generate_banded(n, n, 2, 1), csr_format());
  const DistributedRequest request =
      on_machine(std::move(statement), "Grid(" + std::to_string(ranks_.ranks()) + ")",
                 {{"a", "xy -> x"}, {"B", "xy -> x"}, {"M", "xy -> x"}, {"c", "xy -> x"}}, "");
  const DistributedRequest held = by_parts(request, ranks_);
  std::vector<DistributedTensorPtr> c;
  for (int k = 0; k < 2; ++k) c.push_back(parts("c", values(k)));
  for (int run = 0; run < 8; ++run) {
    DistributedRequest now = held;
    now.held["c"] = c[static_cast<std::size_t>(run % 2)];
    const DistributedTensor result = prepared_.run(engine_, now, ranks_, options_);
    Request expected = request.request;
    expected.operands["c"] = values(run % 2);
    const Storage got = gathered(result, ranks_, Recipients::First);
    if (ranks_.rank() == 0) {
      EXPECT_EQ(wrong(expected, got).value_or(""), "") << "run " << run;
    }
  }
}

/// The product becomes the operand of the next one, in memory of the one before the last.
TEST_F(InPlaceParts, MayBeResults) {
  const DistributedTensorPtr B = parts("B", request_.request.operands.at("B"));
  Storage expected = values(0);
  auto c = parts("c", expected);
  std::vector<std::optional<DistributedTensor>> results(3);
  for (int run = 0; run < 9; ++run) {
    std::optional<DistributedTensor>& result = results[static_cast<std::size_t>(run % 3)];
    prepared_.run_into(result, engine_, with(B, c), ranks_, options_);
    expect_product(*result, expected);
    expected = gathered(*result, ranks_, Recipients::All);
    c = std::make_shared<const DistributedTensor>(*result);
  }
}

/// An iteration: after some runs, each product is computed where others read it in the next one, and nothing is copied.
TEST_F(InPlaceParts, AreComputedWhereTheyAreRead) {
  const DistributedTensorPtr B = parts("B", request_.request.operands.at("B"));
  Storage expected = values(0);
  DistributedTensorPtr c = parts("c", expected);
  std::set<const void*> memory;
  for (int run = 0; run < 12; ++run) {
    c = std::make_shared<const DistributedTensor>(prepared_.run(engine_, with(B, c), ranks_, options_));
    expect_product(*c, expected);
    expected = gathered(*c, ranks_, Recipients::All);
    if (run < 6) continue;
    for (const auto& [number, part] : c->parts()) {
      EXPECT_TRUE(part.storage.values.shared_place().has_value()) << "run " << run;
      memory.insert(part.storage.values.data());
    }
    EXPECT_LE(memory.size(), 2 * c->parts().size());  // which take turns
  }
}

}  // namespace
}  // namespace lacuna::in_place_test
