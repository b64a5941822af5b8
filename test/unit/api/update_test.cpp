// Tensors that change: insert, assign and erase, one at a time and many, in place and by making the tensor anew.

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna::update_test {
namespace {

using ::testing::HasSubstr;

using Cells = std::map<std::vector<std::int64_t>, double>;

template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Cells cells_of(const Tensor<double>& a) {
  Cells cells;
  for (const auto& [coordinates, value] : a) cells[coordinates] = value;
  return cells;
}

/// One format of each way to be updated: in place, and made anew.
class ChangingTensor : public testing::TestWithParam<const char*> {
 protected:
  Tensor<double> empty() const { return Tensor<double>("A", {4, 5}, parse_format(GetParam(), 2)); }
};

TEST_P(ChangingTensor, InsertAddsAssignReplacesEraseTakesOut) {
  Tensor<double> a = empty();
  a.insert({1, 2}, 2.0);
  a.insert({1, 2}, 3.0);
  EXPECT_EQ(a.at({1, 2}), 5.0);
  EXPECT_FALSE(a.assign({1, 2}, 7.0));
  EXPECT_TRUE(a.assign({0, 4}, 1.0));
  EXPECT_EQ(cells_of(a), (Cells{{{1, 2}, 7.0}, {{0, 4}, 1.0}}));
  EXPECT_TRUE(a.erase({1, 2}));
  EXPECT_FALSE(a.erase({1, 2}));
  EXPECT_FALSE(a.erase({3, 3}));
  EXPECT_EQ(cells_of(a), (Cells{{{0, 4}, 1.0}}));
  EXPECT_EQ(a.stored(), 1);
}

TEST_P(ChangingTensor, BatchesCountWhatIsNewAndWhatWasThere) {
  Tensor<double> a = empty();
  EXPECT_EQ(a.insert({{3, 0, 3}, {1, 2, 1}}, {1.0, 2.0, 4.0}), 2);
  EXPECT_EQ(cells_of(a), (Cells{{{0, 2}, 2.0}, {{3, 1}, 5.0}}));
  EXPECT_EQ(a.assign({{3, 2, 2}, {1, 0, 0}}, {9.0, 1.0, 8.0}), 1);
  EXPECT_EQ(cells_of(a), (Cells{{{0, 2}, 2.0}, {{2, 0}, 8.0}, {{3, 1}, 9.0}}));
  EXPECT_EQ(a.erase({{3, 1, 2}, {1, 1, 0}}), 2);
  EXPECT_EQ(cells_of(a), (Cells{{{0, 2}, 2.0}}));
  const std::vector<std::vector<std::int64_t>> none(2);
  EXPECT_EQ(a.insert(none, {}), 0);
}

TEST_P(ChangingTensor, CopiesAndResultsStayWhatTheyWere) {
  const IndexVar i("i"), j("j");
  Tensor<double> a = empty();
  a.insert({1, 2}, 2.0);
  const Tensor<double> snapshot = a;
  Tensor<double> y({4}), read_later({4});
  Tensor<double> ones({5});
  for (std::int64_t c = 0; c < 5; ++c) ones.insert({c}, 1.0);
  read_later(i) = a(i, j) * ones(j);
  a.insert({1, 2}, 5.0);
  a.insert({1, 3}, 1.0);
  y(i) = a(i, j) * ones(j);
  a.erase({1, 2});
  EXPECT_EQ(snapshot.at({1, 2}), 2.0);
  EXPECT_EQ(snapshot.stored(), 1);
  EXPECT_EQ(read_later.at({1}), 2.0);
  EXPECT_EQ(y.at({1}), 8.0);
  y(i) = a(i, j) * ones(j);
  EXPECT_EQ(y.at({1}), 1.0);

  Tensor<double> changed = snapshot;
  changed.assign({0, 0}, 4.0);
  EXPECT_EQ(cells_of(changed), (Cells{{{0, 0}, 4.0}, {{1, 2}, 2.0}}));
  EXPECT_EQ(cells_of(snapshot), (Cells{{{1, 2}, 2.0}}));
  changed = a;
  a.assign({0, 1}, 1.0);
  EXPECT_EQ(cells_of(changed), (Cells{{{1, 3}, 1.0}}));
}

TEST_P(ChangingTensor, IsOverwrittenByAnAssignment) {
  const IndexVar i("i"), j("j");
  Tensor<double> a = empty();
  a.insert({1, 2}, 2.0);
  Tensor<double> b = a;
  a.insert({0, 0}, 1.0);
  a(i, j) = b(i, j) * 3.0;
  a.insert({2, 2}, 1.0);
  EXPECT_EQ(cells_of(a), (Cells{{{1, 2}, 6.0}, {{2, 2}, 1.0}}));
}

TEST_P(ChangingTensor, RefusesWhatLiesOutsideAndChangesNothing) {
  Tensor<double> a = empty();
  a.insert({1, 2}, 2.0);
  EXPECT_THAT(error_of([&] { a.insert({4, 0}, 1.0); }), HasSubstr("(4,0) is outside A, whose dimensions are 4 x 5"));
  EXPECT_THAT(error_of([&] { a.assign({0, -1}, 1.0); }), HasSubstr("is outside A"));
  EXPECT_THAT(error_of([&] { a.erase({0, 5}); }), HasSubstr("is outside A"));
  EXPECT_THAT(error_of([&] { a.erase({0}); }), HasSubstr("A has 2 dimension(s), and (0) has 1"));
  EXPECT_THAT(error_of([&] { a.assign({{0, 1}, {0, 5}}, {1.0, 1.0}); }), HasSubstr("coordinate 5 of mode 1"));
  EXPECT_THAT(error_of([&] { a.insert({{0, 1}, {0, 5}}, {1.0, 1.0}); }), HasSubstr("5"));
  EXPECT_THAT(error_of([&] { a.insert({{0, 1}, {0}}, {1.0, 1.0}); }), HasSubstr("2 entries need as many coordinates"));
  EXPECT_THAT(error_of([&] {
                a.erase(std::vector<std::vector<std::int64_t>>{{0, 1}});
              }),
              HasSubstr("needs as many vectors of coordinates, not 1"));
  EXPECT_EQ(cells_of(a), (Cells{{{1, 2}, 2.0}}));
}

INSTANTIATE_TEST_SUITE_P(Formats, ChangingTensor,
                         testing::Values("dense,btree", "bst,ctree", "ctree,bst:1,0", "csr", "coo",
                                         "compressed,btree"));

TEST(UpdateTest, NothingIsErasedFromADenseLevel) {
  Tensor<double> a("A", {2, 3}, dense_format(2)), b({2, 3}, parse_format("btree,dense", 2));
  EXPECT_THAT(error_of([&] { a.erase({0, 0}); }), HasSubstr("nothing can be erased from A: its format, dense"));
  EXPECT_THAT(error_of([&] { b.erase({0, 0}); }), HasSubstr("assign 0 instead"));
  EXPECT_FALSE(a.assign({0, 1}, 2.0));
  EXPECT_TRUE(b.assign({0, 1}, 2.0));
  EXPECT_EQ(a.at({0, 1}), 2.0);
  EXPECT_EQ(b.at({0, 1}), 2.0);
}

TEST(UpdateTest, OtherTypesAndWideCoordinatesAreUpdated) {
  Tensor<std::complex<float>> a({3, std::int64_t{1} << 40}, parse_format("bst,btree", 2));
  a.insert({2, std::int64_t{1} << 39}, {1.0F, 2.0F});
  a.insert({2, std::int64_t{1} << 39}, {1.0F, -2.0F});
  EXPECT_EQ(a.at({2, std::int64_t{1} << 39}), (std::complex<float>(2.0F, 0.0F)));
  Tensor<std::int8_t> b({300}, parse_format("ctree", 1));
  EXPECT_EQ(b.insert({{7, 7, 9}}, {100, 100, 1}), 2);
  EXPECT_EQ(b.at({7}), static_cast<std::int8_t>(200));
  Tensor<bool> c({3}, parse_format("bst", 1));
  c.insert({1}, true);
  c.insert({1}, true);
  EXPECT_EQ(c.at({1}), true);
}

/// Batches so large that threads share them, where there are several processors.
TEST(UpdateTest, LargeBatchesGiveWhatSingleUpdatesGive) {
  for (const char* format : {"dense,btree", "ctree,rbtree"}) {
    SCOPED_TRACE(format);
    Tensor<double> a({200, 500}, parse_format(format, 2));
    Cells wanted;
    std::mt19937_64 random(7);
    const auto draw = [&](std::int64_t below) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
    };
    for (int round = 0; round < 4; ++round) {
      std::vector<std::vector<std::int64_t>> batch(2);
      std::vector<double> values;
      for (int k = 0; k < 30'000; ++k) {
        batch[0].push_back(draw(200));
        batch[1].push_back(draw(500));
        values.push_back(static_cast<double>(draw(100)));
      }
      const Tensor<double> before = a;
      const Cells held = wanted;
      std::int64_t changed = 0;
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::vector<std::int64_t> c = {batch[0][k], batch[1][k]};
        if (round == 3) {
          changed += std::ssize(wanted);
          wanted.erase(c);
          changed -= std::ssize(wanted);
        } else {
          changed += wanted.contains(c) ? 0 : 1;
          wanted[c] = round == 1 ? values[k] : wanted[c] + values[k];
        }
      }
      if (round == 3) EXPECT_EQ(a.erase(batch), changed);
      else if (round == 1) EXPECT_EQ(a.assign(batch, values), changed);
      else EXPECT_EQ(a.insert(batch, values), changed);
      EXPECT_TRUE(cells_of(a) == wanted);
      EXPECT_TRUE(cells_of(before) == held);
    }
  }
}

/// For the thread sanitizer: a snapshot is read and computed with while its tensor is updated.
TEST(UpdateTest, ASnapshotIsReadWhileTheTensorIsUpdated) {
  Tensor<double> a({16, 64}, parse_format("dense,btree", 2));
  for (std::int64_t c = 0; c < 64; ++c) a.insert({c % 16, c}, 1.0);
  for (int round = 0; round < 10; ++round) {
    double sum = 0;
    std::thread reader([snapshot = a, &sum] {
      for (const auto& entry : snapshot) sum += entry.value;
    });
    for (std::int64_t c = 0; c < 64; ++c) a.insert({c % 16, c}, 1.0);
    reader.join();
    EXPECT_EQ(sum, 64.0 * (round + 1));
  }
}

}  // namespace
}  // namespace lacuna::update_test
