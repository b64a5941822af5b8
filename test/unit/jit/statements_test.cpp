#include <numeric>

#include <gtest/gtest.h>

#include "lacuna/loop/layout.h"
#include "unit/jit/module_runner.h"

// Statements that work on memory, compiled and run.
namespace lacuna::statements_test {
namespace {

using namespace loop;

template <typename T>
Binding memory(std::vector<T>& values) {
  return {Scalar(), values.data(), static_cast<std::int64_t>(values.size())};
}
Binding number(std::int64_t value) { return {Scalar(value), nullptr, 0}; }

Module module_of(std::vector<Parameter> parameters, std::vector<Stmt> body, std::vector<Function> functions = {}) {
  Module module;
  module.name = "kernel";
  module.parameters = std::move(parameters);
  module.functions = std::move(functions);
  module.body = block(std::move(body));
  return module;
}

/// Appends the squares below n to a list that starts with room for one and doubles.
Module growing_list() {
  const Var n("n", int64_type), list("list", array_type(Type::Int64)), count("count", int64_type);
  const Var room("room", int64_type), scratch("scratch", array_type(Type::Int32)), i("i", int64_type);
  return module_of(
      {{n, ""}, {list, "", true, true}, {count, "", true, true}},
      {declare_array(scratch), allocate(scratch, n, true), declare(room, 1), allocate(list, room, false),
       assign(count, 0),
       for_loop(i, 0, n,
                block({if_then(eq(count, room), block({assign(room, Expr(room) * 2), resize(list, room)})),
                       store(list, count, Expr(i) * i + convert(load(scratch, i), Type::Int64)), increment(count)})),
       release(scratch)});
}

TEST(CompiledStatements, ListsGrowAndAreHandedOut) {
  Jit jit(without_cache());
  CompiledModule module(growing_list(), jit);
  TestContext context;
  ASSERT_EQ(module.run({number(100), {}, number(0)}, context), LACUNA_OK);
  EXPECT_EQ(module.levels()[2].origin, 100);
  EXPECT_EQ(context.live(), 1U) << "only the result may stay";
  const auto* list = static_cast<const std::int64_t*>(module.levels()[1].crd.data);
  for (std::int64_t k = 0; k < 100; k++) EXPECT_EQ(list[k], k * k);
}

TEST(CompiledStatements, EveryAllocationMayFail) {
  Jit jit(without_cache());
  CompiledModule module(growing_list(), jit);
  int failures = 0;
  for (;; failures++) {
    TestContext context;
    context.fail_after(failures);
    const std::int32_t status = module.run({number(100), {}, number(0)}, context);
    if (status == LACUNA_OK) break;
    EXPECT_EQ(status, LACUNA_OUT_OF_MEMORY);
    EXPECT_EQ(module.levels()[1].crd.data, nullptr) << "a failed kernel hands nothing out";
  }
  EXPECT_EQ(failures, 2 + 7);  // scratch, list, and room for 2, 4, … 128
}

TEST(CompiledStatements, ACountThatCannotBeIsOutOfMemory) {
  Jit jit(without_cache());
  CompiledModule module(growing_list(), jit);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{1} << 62}) {
    TestContext context;
    EXPECT_EQ(module.run({number(n), {}, number(0)}, context), LACUNA_OUT_OF_MEMORY);
  }
}

TEST(CompiledStatements, ParallelLoopsHaveTheirOwnMemoryAndReportItsEnd) {
  const Var n("n", int64_type), sums("sums", array_type(Type::Int64)), total("total", int64_type);
  const Var w("w", array_type(Type::Int64)), i("i", int64_type), k("k", int64_type);
  const Stmt iteration = block({declare_array(w), allocate(w, Expr(i) + 1, true), fill(w, 0, Expr(i) + 1, i),
                                for_loop(k, 0, Expr(i) + 1, store(sums, i, load(w, k), StoreOp::Add)),
                                assign(total, value_op(BinaryOp::Add, total, load(sums, i))), release(w)});
  const Module module = module_of({{n, ""}, {sums, "", false, true}, {total, "", true, true}},
                                  {for_loop(i, 0, n, iteration, LoopMode::Parallel, {{total, StoreOp::Add}})});
  Jit jit(without_cache());
  CompiledModule compiled(module, jit);
  std::vector<std::int64_t> sums_of_rows(50);
  TestContext several(3);
  ASSERT_EQ(compiled.run({number(50), memory(sums_of_rows), number(1000)}, several), LACUNA_OK);
  std::int64_t expected = 1000;
  for (std::int64_t row = 0; row < 50; row++) expected += row * (row + 1);
  EXPECT_EQ(compiled.levels()[2].origin, expected);
  TestContext failing(3);
  failing.fail_after(20);
  EXPECT_EQ(compiled.run({number(50), memory(sums_of_rows), number(0)}, failing), LACUNA_OUT_OF_MEMORY);
}

TEST(CompiledStatements, ThreadsAddUpWhatTheyReduceAndUpdateAtomically) {
  const Var n("n", int64_type), counts("counts", array_type(Type::Int64)), sum("sum", scalar_type(Type::Int64));
  const Var most("most", array_type(Type::Float64)), i("i", int64_type);
  const Expr slot = bit_and(i, 3);
  const Stmt iteration = block({atomic(store(counts, slot, 1, StoreOp::Add)), assign(sum, Expr(sum) + i),
                                atomic(store(most, slot, convert(i, Type::Float64), StoreOp::Max))});
  const Module module = module_of({{n, ""}, {counts, "", false, true}, {sum, "", true, true}, {most, "", false, true}},
                                  {for_loop(i, 0, n, iteration, LoopMode::Parallel, {{sum, StoreOp::Add}})});
  Jit jit(without_cache());
  CompiledModule compiled(module, jit);
  std::vector<std::int64_t> counted(4);
  std::vector<double> greatest(4);
  TestContext context(3);
  ASSERT_EQ(compiled.run({number(40000), memory(counted), number(5), memory(greatest)}, context), LACUNA_OK);
  EXPECT_EQ(counted, std::vector<std::int64_t>(4, 10000));
  EXPECT_EQ(compiled.levels()[2].origin, 5 + std::int64_t{40000} * 39999 / 2);
  EXPECT_EQ(greatest, (std::vector<double>{39996, 39997, 39998, 39999}));
}

TEST(CompiledStatements, EveryWidthIsSortedAndSearched) {
  constexpr Type types[] = {Type::Int8,  Type::Int16,  Type::Int32,  Type::Int64,
                            Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64};
  std::vector<Parameter> parameters;
  std::vector<Stmt> body;
  const Var found("found", array_type(Type::Int64));
  parameters.push_back({found, "", false, true});
  std::vector<std::vector<std::byte>> arrays;
  std::vector<std::int64_t> results(std::size(types));
  std::vector<Binding> bindings = {memory(results)};
  for (Type type : types) {
    const Var array(std::string("a_") + std::string(type_name(type)), array_type(type));
    parameters.push_back({array, "", false, true});
    body.push_back(sort(array, 0, 100));
    const Expr key = 50;
    body.push_back(store(found, std::int64_t(parameters.size()) - 2,
                         lower_bound(array, 0, 100, key) * 1000 + lower_bound_near(array, 30, 100, key)));
    arrays.emplace_back(100 * 8);
    for (std::int64_t k = 0; k < 100; k++) {
      Scalar((k * 37 + 11) % 100).convert(type).store(arrays.back().data() + k * size_of(type));
    }
    bindings.push_back({Scalar(), arrays.back().data(), 100});
  }
  Jit jit(without_cache());
  CompiledModule compiled(module_of(parameters, body), jit);
  TestContext context;
  ASSERT_EQ(compiled.run(bindings, context), LACUNA_OK);
  EXPECT_EQ(results, std::vector<std::int64_t>(std::size(types), 50050));
  for (std::size_t t = 0; t < std::size(types); t++) {
    for (std::int64_t k = 0; k < 100; k++) {
      const Scalar element = Scalar::load(types[t], arrays[t].data() + k * size_of(types[t]));
      ASSERT_EQ(element.as<std::int64_t>(), k) << type_name(types[t]);
    }
  }
}

TEST(CompiledStatements, RecordsLieAsTheirLayoutSays) {
  auto record = std::make_shared<Record>();
  record->name = "cell";
  record->fields = {{"flag", scalar_type(Type::Bool)},     {"z", scalar_type(Type::Complex64)},
                    {"small", scalar_type(Type::Int8), 3}, {"next", ref_type(nullptr)},
                    {"wide", scalar_type(Type::Float64)},  {"half", scalar_type(Type::Int16)}};
  record->fields[3].type = link_type(*record);
  const Var arena("cells", arena_type(record));
  const auto set = [&](const char* field, const Expr& value, const Expr& sub = {}) {
    return store(arena, as_ref(1, record), Member{field, sub}, value);
  };
  Module module =
      module_of({{arena, "", false, true}}, {set("flag", true), set("z", Scalar(std::complex<float>(2, 3))),
                                             set("small", constant(Type::Int8, -7), 2), set("next", null_ref(record)),
                                             set("wide", 0.25), set("half", constant(Type::Int16, 300))});
  module.records = {record};
  const RecordLayout layout = record_layout(*record);
  std::vector<std::byte> cells(static_cast<std::size_t>(2 * layout.size));
  Jit jit(without_cache());
  CompiledModule compiled(module, jit);
  TestContext context;
  ASSERT_EQ(compiled.run({{Scalar(), cells.data(), 2}}, context), LACUNA_OK);
  const auto field = [&](std::size_t number, std::int64_t element = 0) {
    const FieldLayout& at = layout.fields[number];
    return Scalar::load(record->fields[number].type.scalar,
                        cells.data() + layout.size + at.offset + element * at.stride);
  };
  EXPECT_EQ(field(0), Scalar(true));
  EXPECT_EQ(field(1), Scalar(std::complex<float>(2, 3)));
  EXPECT_EQ(field(2, 2), Scalar(std::int8_t{-7}));
  EXPECT_EQ(field(3), Scalar(null_ref_bits));
  EXPECT_EQ(field(4), Scalar(0.25));
  EXPECT_EQ(field(5), Scalar(std::int16_t{300}));
}

}  // namespace
}  // namespace lacuna::statements_test
