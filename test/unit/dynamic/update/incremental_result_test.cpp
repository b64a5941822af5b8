// Results that follow an operand: random histories of updates beside evaluations in full.

#include "lacuna/dynamic/update/incremental_result.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/update/batch_change.h"
#include "lacuna/dynamic/update/order_for_change.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "support/message_of.h"
#include "unit/compile/interpreted.h"

namespace lacuna::incremental_result_test {
namespace {

using testing::HasSubstr;

/// A statement over tensors of 12 in each mode; G is what changes.
struct Case {
  const char* statement;
  const char* format;                         // of G
  const char* result;                         // the result's format; null: inferred
  std::map<std::string, const char*> others;  // formats; dense where none is said
};

class IncrementalResultTest : public testing::TestWithParam<bool> {
 protected:
  static constexpr std::int64_t size = 12;

  Options options() const { return GetParam() ? interpreted() : Options{}; }

  Storage random_tensor(int order, const Format& format, Type type) {
    const std::vector<std::int64_t> dimensions(static_cast<std::size_t>(order), size);
    const std::int64_t count = format.is_dense() ? (order == 1 ? size : size * size) : 30;
    const CoordinateList list =
        generate_uniform(dimensions, std::min<std::int64_t>(count, order == 1 ? 6 : count), ++seed_, type);
    return stored_as(engine_, build(list, array_format_of(format)), format);
  }

  Request request_of(const Case& c, Type type) {
    Request request;
    request.statement = parse_statement(c.statement);
    std::vector<Access> read = accesses(request.statement.rhs);
    if (request.statement.accumulate) read.push_back(request.statement.lhs);
    for (const Access& a : read) {
      const std::string& name = a.tensor.name();
      const int order = a.tensor.order();
      const auto other = c.others.find(name);
      const std::string format = name == "G" ? c.format : other != c.others.end() ? other->second : "dense";
      if (request.operands.count(name) == 0)
        request.operands.emplace(name, order == 0 ? random_tensor(0, Format(), type)
                                                  : random_tensor(order, parse_format(format, order), type));
    }
    if (c.result != nullptr) request.result_format = parse_format(c.result, request.statement.lhs.tensor.order());
    return request;
  }

  /// Some updates, applied to the operand and, as changes, to the result.
  void step(UpdatedTensor& tensor, IncrementalResult& result, Type type) {
    CoordinateList list{tensor.dimensions(), {}, Array::allocate(type, below(20) + 1, false)};
    for (std::size_t m = 0; m < list.dimensions.size(); ++m) {
      std::vector<std::int64_t> column;
      for (std::int64_t n = 0; n < list.size(); ++n) column.push_back(below(size));
      list.coordinates.push_back(Array::of(std::span<const std::int64_t>(column)));
    }
    for (std::int64_t n = 0; n < list.size(); ++n)
      Scalar(below(9) - 4).convert(type).store(static_cast<char*>(list.values.mutable_data()) + n * size_of(type));
    const bool erases = tensor.format().level(tensor.format().order() - 1).is_dynamic();
    const BatchChange change(engine_, tensor, list, options());
    for (std::int64_t k = below(3); k >= 0; --k)
      tensor.update(static_cast<UpdateOperation>(below(erases ? 3 : 2)), list);
    result.add(change.difference(tensor, result.change_type()));
  }

  void expect_agreement(const Case& c, Type type, int steps) {
    SCOPED_TRACE(fmt::format("{} with G:{} of {}", c.statement, c.format, type_name(type)));
    Request request = request_of(c, type);
    IncrementalResult result(engine_, request, "G", options(), 20);
    UpdatedTensor tensor(engine_, request.operands.at("G"), options());
    std::vector<std::pair<Storage, Storage>> kept;
    for (int n = 0; n < steps && !HasFailure(); ++n) {
      if (below(4) == 0) {
        const Storage now = result.result();
        kept.emplace_back(now, in_coordinates(now));
      }
      step(tensor, result, type);
      request.operands.at("G") = tensor.storage();
      const ReferenceResult expected = reference_result(request, result.result().type);
      CompareOptions tolerance;
      tolerance.relative = tolerance.absolute = is_integer(type)                        ? 0
                                                : real_part_type(type) == Type::Float32 ? 1e-4
                                                                                        : 1e-9;
      const Storage now = result.result();
      EXPECT_EQ(difference(now, to_storage(expected, now.format), tolerance).value_or(""), "");
      for (const auto& [coordinate, entry] : expected.entries)
        if (!now.format.is_dense() && entry.structural) {
          EXPECT_TRUE(is_stored(now, coordinate));
        }
      request.operands.at("G") = {};
    }
    CompareOptions exact;
    exact.same_pattern = true;
    exact.relative = 0;
    for (const auto& [storage, was] : kept) EXPECT_EQ(difference(storage, was, exact).value_or(""), "");
  }

  static Storage in_coordinates(const Storage& t) {
    return build(coordinates_of(t), t.order() == 0 ? Format() : coo_format(t.order()));
  }
  static bool is_stored(const Storage& t, const std::vector<std::int64_t>& coordinate) {
    bool found = false;
    for_each(t, [&](std::span<const std::int64_t> c, const Scalar&) {
      found = found || std::equal(c.begin(), c.end(), coordinate.begin());
    });
    return found;
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
  std::mt19937_64 random_{11};
  std::uint64_t seed_ = 0;
};

const Case cases[] = {
    {"y(i) = G(i,j) * x(j)", "bst,ctree", "dense", {}},
    {"y(i) = G(j,i) * x(j) + G(i,j) * z(j) - b(i)", "dense,btree", "dense", {}},
    {"s = A(i,j) * G(i,j)", "bst,ctree", "dense", {{"A", "csr"}}},
    {"C(i,k) = A(i,j) * G(j,k)", "dense,btree:1,0", "dense,btree", {{"A", "csr"}}},
    {"C(i,k) = G(i,j) * B(j,k)", "btree,llist", "bst,ctree", {{"B", "dcsr"}}},
    {"y(i) += x(i) * sum(j, c(j) - G(i,j))", "btree,dense", "dense", {}},
    {"y(i) = T(i,j,k) * G(j,k)", "ctree,ttree", "btree", {{"T", "csf"}}},
    {"C(i,l) = A(i,j) * G(j,k) * D(k,l) + G(l,i)", "bst,ctree", "dense,btree", {{"A", "csr"}, {"D", "csc"}}},
    {"A(i,i) = G(i,j) * x(j)", "dense,rbtree", "dense,dense:1,0", {}},
    {"C(i,k) = G(i,j) * B(j,k)", "dense,btree", nullptr, {{"B", "csr"}}},
    {"y(j) = G(i,j)", "bst,ctree", nullptr, {}},
    {"C(j,i) = 2 * G(i,j)", "bst,ctree", nullptr, {}},
};

TEST_P(IncrementalResultTest, AgreesWithEvaluationInFull) {
  const bool interpreted = GetParam();
  for (std::size_t k = 0; k < std::size(cases); ++k) {
    // Compiling takes most of the time.
    if (interpreted || k % 2 == 1) expect_agreement(cases[k], Type::Float64, interpreted ? 12 : 60);
    if (interpreted) expect_agreement(cases[k], Type::Int32, 12);
  }
  expect_agreement(cases[0], Type::UInt8, 20);
  if (interpreted) expect_agreement(cases[4], Type::Complex64, 10);
}

TEST_P(IncrementalResultTest, IsEvaluatedInFullWhenAsked) {
  Request request = request_of(cases[0], Type::Float64);
  IncrementalResult result(engine_, request, "G", options(), 20);
  UpdatedTensor tensor(engine_, request.operands.at("G"), options());
  const Storage before = result.result();
  for (std::int64_t j = 0; j < size; ++j)
    tensor.update(UpdateOperation::Add, std::vector<std::int64_t>{1, j}, Scalar(5.0));
  const Storage full = result.evaluate(tensor.storage(), false);
  EXPECT_EQ(difference(before, result.result()).value_or(""), "");
  EXPECT_NE(difference(full, result.result()).value_or(""), "");
  result.evaluate(tensor.storage(), true);
  EXPECT_EQ(difference(full, result.result()).value_or(""), "");
}

TEST_P(IncrementalResultTest, IsStoredAsTheOperandIsWhereNoFormatIsAskedFor) {
  const auto format = [&](const char* statement, const char* operand) {
    Request request = request_of({statement, operand, nullptr, {{"B", "csr"}}}, Type::Float64);
    return IncrementalResult(engine_, request, "G", options()).result().format.to_string();
  };
  EXPECT_EQ(format("C(i,k) = G(i,j) * B(j,k)", "dense,btree"), "dense,btree");
  EXPECT_EQ(format("y(j) = G(i,j)", "bst,ctree"), "ctree");
  EXPECT_EQ(format("C(j,i) = 2 * G(i,j)", "bst,ctree"), "bst,ctree");
  EXPECT_EQ(format("y(i) = G(i,j) * x(j)", "dense,btree"), "dense");
}

INSTANTIATE_TEST_SUITE_P(, IncrementalResultTest, testing::Bool(),
                         [](const auto& each) { return each.param ? "Interpreted" : "Compiled"; });

class RefusedIncrementalResult : public IncrementalResultTest {};

TEST_P(RefusedIncrementalResult, NamesWhatIsInTheWay) {
  const auto refusal = [&](const Case& c) {
    Request request = request_of(c, Type::Float64);
    return message_of([&] { IncrementalResult(engine_, request, "G", options()); });
  };
  EXPECT_THAT(refusal({"y(i) = G(i,j) * x(j)", "bst,ctree", "compressed", {}}),
              HasSubstr("y cannot be kept up to date in the format compressed"));
  EXPECT_THAT(refusal({"c = G(i,j) * G(j,i)", "bst,ctree", "dense", {}}), HasSubstr("reads it more than once"));
}

INSTANTIATE_TEST_SUITE_P(, RefusedIncrementalResult, testing::Values(true));

TEST(OrderForChangeTest, PutsTheVariablesOfTheChangeFirst) {
  const IndexVar i("i"), j("j"), k("k"), l("l");
  const auto order = [&](const Format& format, const std::vector<IndexVar>& indices, std::int64_t size = 20) {
    const std::vector<std::int64_t> dimensions(indices.size(), size);
    const Storage a = build(generate_uniform(dimensions, 15, 1), format);
    const auto found =
        order_for_change(a, {TensorVar("A", static_cast<int>(indices.size())), indices}, {TensorVar("dG", 2), {j, k}});
    return found ? found->to_string() : "as it is";
  };
  EXPECT_EQ(order(csr_format(), {i, j}), csc_format().to_string());
  EXPECT_EQ(order(csr_format(), {i, j}, 1000), dcsc_format().to_string());
  EXPECT_EQ(order(csf_format(3), {i, l, k}, 1000), Format(csf_format(3).levels(), LevelMap({2, 0, 1})).to_string());
  EXPECT_EQ(order(csr_format(), {j, i}), "as it is");
  EXPECT_EQ(order(csr_format(), {i, l}), "as it is");
  EXPECT_EQ(order(hashed_format(2), {i, j}), "as it is");
  EXPECT_EQ(order(dense_format(2), {i, j}), "as it is");
}

/// Whatever is stored elsewhere: what is looked up, and what is not there.
TEST(BatchChangeTest, IsWhatCameWentOrHasAnotherValue) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const Format format = parse_format("bst,ctree", 2);
  UpdatedTensor tensor(engine, stored_as(engine, empty_tensor(Type::Int8, {5, 5}, array_format_of(format)), format));
  const auto set = [&](std::int64_t i, std::int64_t j, int value) {
    tensor.update(UpdateOperation::Assign, std::vector<std::int64_t>{i, j}, Scalar(value).convert(Type::Int8));
  };
  set(0, 1, -100);
  set(2, 2, 7);
  set(3, 3, 1);
  CoordinateList touched{{5, 5}, {}, Array::allocate(Type::UInt8, 6, true)};
  const std::vector<std::int64_t> rows{4, 0, 2, 3, 2, 1}, columns{4, 1, 2, 3, 2, 1};
  touched.coordinates = {Array::of(std::span<const std::int64_t>(rows)),
                         Array::of(std::span<const std::int64_t>(columns))};
  const BatchChange change(engine, tensor, touched);
  set(0, 1, 100);
  set(3, 3, 1);
  set(4, 4, 0);
  tensor.update(UpdateOperation::Erase, std::vector<std::int64_t>{2, 2});
  std::map<std::vector<std::int64_t>, int> found;
  for_each(change.difference(tensor, Type::Int32), [&](std::span<const std::int64_t> c, const Scalar& v) {
    found[{c[0], c[1]}] = v.as<int>();
  });
  EXPECT_EQ(found, (std::map<std::vector<std::int64_t>, int>{{{0, 1}, 200}, {{2, 2}, -7}, {{4, 4}, 0}}));
}

}  // namespace
}  // namespace lacuna::incremental_result_test
