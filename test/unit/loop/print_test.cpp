#include "unit/loop/harness.h"

namespace lacuna::loop::print_test {
namespace {

class Print : public testing::Test {
 protected:
  const Var i{"i", int64_type}, n{"n", int64_type}, f{"f", bool_type}, x{"x", float64_type};
  const Var a{"a", array_type(Type::Float64)}, c{"crd", array_type(Type::Int32)};
};

TEST_F(Print, UsesAsFewParenthesesAsC) {
  EXPECT_EQ(to_string(Expr(i) * 2 + n), "i * 2 + n");
  EXPECT_EQ(to_string((Expr(i) + n) * 2), "(i + n) * 2");
  EXPECT_EQ(to_string(Expr(i) - (Expr(n) - 1)), "i - (n - 1)");
  EXPECT_EQ(to_string(Expr(i) - n - 1), "i - n - 1");
  EXPECT_EQ(to_string(!(Expr(f) && (Expr(i) < n))), "!(f && i < n)");
  EXPECT_EQ(to_string((Expr(f) || f) && f), "(f || f) && f");
  EXPECT_EQ(to_string(negate(negate(x))), "-(-x)");
  EXPECT_EQ(to_string(select(Expr(i) < n, Expr(i) + 1, n)), "i < n ? i + 1 : n");
}

TEST_F(Print, ShowsFloatsAsFloatsAndNullAsNull) {
  EXPECT_EQ(to_string(Expr(1.0)), "1.0");
  EXPECT_EQ(to_string(Expr(0.1)), "0.1");
  EXPECT_EQ(to_string(Expr(std::int64_t{-3})), "-3");
  EXPECT_EQ(to_string(null_ref(std::make_shared<const Record>())), "null");
}

TEST_F(Print, ANearSearchSaysSo) {
  const Expr key = constant(Type::Int32, 7);
  EXPECT_EQ(to_string(lower_bound(c, i, n, key)), "lower_bound(crd, i, n, 7)");
  EXPECT_EQ(to_string(lower_bound_near(c, i, n, key)), "lower_bound_near(crd, i, n, 7)");
}

TEST_F(Print, StatementsAreOneALine) {
  EXPECT_EQ(to_string(assign(i, Expr(i) + 1)), "i++;\n");
  EXPECT_EQ(to_string(assign(i, Expr(i) + n)), "i += n;\n");
  EXPECT_EQ(to_string(atomic(store(a, i, x, StoreOp::Add))), "atomic a[i] += x;\n");
  EXPECT_EQ(to_string(store(a, i, x, StoreOp::Min)), "a[i] min= x;\n");
  EXPECT_EQ(to_string(block({declare_array(a), allocate(a, n, true), resize(a, Expr(n) + 1), release(a)})),
            "float64[] a;\na = allocate_zeroed(n);\na = resize(a, n + 1);\nrelease(a);\n");
  EXPECT_EQ(to_string(block({sort(c, 0, n), fill(a, 0, n, 0.0)})), "sort(crd, 0, n);\nfill(a, 0, n, 0.0);\n");
  EXPECT_EQ(to_string(for_loop_by(i, 0, n, 4, assign(x, 0.0), LoopMode::Parallel, {{x, StoreOp::Add}})),
            "parallel for (int64 i = 0; i < n; i += 4) reduce(x +=) {\n  x = 0.0;\n}\n");
}

TEST_F(Print, LoopsSayHowTheyAreToRun) {
  const auto head = [&](LoopOptions options) {
    const std::string text = to_string(for_loop(i, 0, n, block({}), std::move(options)));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(head({.unroll = 4}), "for (int64 i = 0; i < n; i++) unroll(4) {");
  EXPECT_EQ(head({.mode = LoopMode::Parallel, .reductions = {{x, StoreOp::Max}}, .step = 2, .grain = 8}),
            "parallel for (int64 i = 0; i < n; i += 2) reduce(x max=) grain(8) {");
}

TEST_F(Print, ChainsElseIf) {
  EXPECT_EQ(to_string(if_then(f, assign(x, 0.0), if_then(Expr(i) < n, assign(x, 1.0), assign(x, 2.0)))),
            "if (f) {\n  x = 0.0;\n} else if (i < n) {\n  x = 1.0;\n} else {\n  x = 2.0;\n}\n");
}

TEST_F(Print, CommentsStayOnOneLine) { EXPECT_EQ(to_string(comment("a\nb")), "// a b\n"); }

TEST_F(Print, AWholeModule) {
  const auto node = std::make_shared<const Record>(Record{
      "node", {{"crd", int32_type, 4}, {"next", ref_type(std::make_shared<const Record>(Record{"node", {}})), 0}}});
  const Var arena("nodes", arena_type(node)), k("k", int64_type);
  Module module = kernel({}, {store(a, 0, convert(load(arena, i, {"crd", Expr(n) - 1}), Type::Float64))});
  module.name = "first";
  module.description = "a(i) = B(i,j)";
  module.arguments = {"a", "B"};
  module.records = {node};
  module.parameters = {{a, "A->vals.data", false, true},
                       {arena, "B->levels[0].arena.data", false, false},
                       {n, "A->levels[0].positions", true, false}};
  module.functions = {{"same", {k}, int64_type, return_value(k)}};
  EXPECT_EQ(to_string(module),
            "record node {\n"
            "  int32 crd[4];\n"
            "  node* next;\n"
            "}\n"
            "\n"
            "int64 same(int64 k) {\n"
            "  return k;\n"
            "}\n"
            "\n"
            "// a(i) = B(i,j)\n"
            "kernel first(a, B) {\n"
            "  inout float64[] a = A->vals.data;\n"
            "  in node[] nodes = B->levels[0].arena.data;\n"
            "  out int64 n = A->levels[0].positions;\n"
            "\n"
            "  a[0] = float64(nodes[i].crd[n - 1]);\n"
            "}\n");
}

TEST(Names, AreUniqueValidAndCloseToWhatWasWanted) {
  NameSupply names;
  EXPECT_EQ(names.unique("i"), "i");
  EXPECT_EQ(names.unique("i"), "i_2");
  EXPECT_EQ(names.unique("i"), "i_3");
  EXPECT_EQ(names.unique("i_2"), "i_2_2");
  EXPECT_EQ(names.unique("int"), "int_");
  EXPECT_EQ(names.unique("int"), "int_2");
  EXPECT_EQ(names.unique("exp"), "exp_") << "a kernel may call the function";
  EXPECT_EQ(names.unique("sqrtf"), "sqrtf_");
  EXPECT_EQ(names.unique("INT64_MAX"), "INT64_MAX_") << "a macro of stdint.h";
  EXPECT_EQ(names.unique("SIZE_MAX"), "SIZE_MAX_");
  EXPECT_EQ(names.unique("INTENSITY"), "INTENSITY");
  EXPECT_EQ(names.unique("a-b c"), "a_b_c");
  EXPECT_EQ(names.unique("2x"), "v2x");
  EXPECT_EQ(names.unique("_x"), "v_x");
  EXPECT_EQ(names.unique(""), "v");
  EXPECT_EQ(names.unique("lacuna_x"), "vlacuna_x") << "names of the headers begin so";
  EXPECT_EQ(names.unique("LACUNA_OK"), "vLACUNA_OK");
  EXPECT_EQ(names.unique("\xc3\xa4"), "v__");
}

TEST(Names, OfCAreKnown) {
  for (const char* name : {"int", "main", "exp", "expf", "square", "INT64_MAX", "lacuna_x", "class"})
    EXPECT_TRUE(is_name_of_c(name)) << name;
  for (const char* name : {"spmv", "x", "int_", "my_square", "Lacuna_x"}) EXPECT_FALSE(is_name_of_c(name)) << name;
}

TEST(Names, AvoidWhatIsReserved) {
  NameSupply names;
  names.reserve("A");
  EXPECT_EQ(names.unique("A"), "A_2");
}

}  // namespace
}  // namespace lacuna::loop::print_test
