#include "lacuna/codegen/c/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/support/error.h"
#include "unit/codegen/kernels.h"

namespace lacuna::print_test {
namespace {

using namespace loop;
using testing::HasSubstr;
using testing::Not;
using enum BinaryOp;

Module spmv() {
  const Var n("A1_size", int64_type), pos("A2_pos", array_type(Type::Int32)), crd("A2_crd", array_type(Type::Int32));
  const Var A("A_vals", array_type(Type::Float64)), x("x_vals", array_type(Type::Float64));
  const Var y("y_vals", array_type(Type::Float64));
  const Var i("i", int64_type), p("pA2", int64_type), j("j", int32_type), t("t", float64_type);
  Module m;
  m.name = "spmv";
  m.description = "y(i) = A(i,j) * x(j)";
  m.arguments = {"y", "A", "x"};
  m.parameters = {{y, "y->vals.data", false, true}, {n, "A->levels[0].extent"}, {pos, "A->levels[1].pos.data"},
                  {crd, "A->levels[1].crd.data"},   {A, "A->vals.data"},        {x, "x->vals.data"}};
  const Stmt add = assign(t, op(Add, t, op(Mul, load(A, p), load(x, j))));
  const Stmt row = for_loop(p, convert(load(pos, i), Type::Int64), convert(load(pos, Expr(i) + 1), Type::Int64),
                            block({declare(j, load(crd, p)), add}));
  m.body = block({comment("rows"), for_loop(i, 0, n, block({declare(t, 0.0), row, store(y, i, t)}))});
  return m;
}

TEST(PrintC, AKernelReadsAsIfWrittenByHand) {
  EXPECT_EQ(print_c(spmv()).kernel, R"(// y(i) = A(i,j) * x(j)
int32_t spmv(lacuna_context *ctx, lacuna_tensor *y, const lacuna_tensor *A, const lacuna_tensor *x) {
  (void)ctx;
  double *restrict y_vals = y->vals.data;
  const int64_t A1_size = A->levels[0].extent;
  const int32_t *restrict A2_pos = A->levels[1].pos.data;
  const int32_t *restrict A2_crd = A->levels[1].crd.data;
  const double *restrict A_vals = A->vals.data;
  const double *restrict x_vals = x->vals.data;

  // rows
  for (int64_t i = 0; i < A1_size; i++) {
    double t = 0.0;
    for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
      int32_t j = A2_crd[pA2];
      t += A_vals[pA2] * x_vals[j];
    }
    y_vals[i] = t;
  }
  return LACUNA_OK;
}
)");
}

TEST(PrintC, TheEntryPassesTheArgumentsInOrder) {
  const CSource source = print_c(spmv());
  EXPECT_EQ(source.entry, "spmv_entry");
  EXPECT_THAT(source.code, HasSubstr("int32_t spmv_entry(lacuna_context *ctx, lacuna_tensor *const *arguments) {\n"
                                     "  return spmv(ctx, arguments[0], arguments[1], arguments[2]);\n}\n"));
}

TEST(PrintC, TheHeaderDeclaresTheKernelAndWhatItTakes) {
  const std::string header = print_c(spmv()).header;
  EXPECT_THAT(header, HasSubstr("typedef struct lacuna_tensor {"));
  EXPECT_THAT(header, HasSubstr("int32_t spmv(lacuna_context *ctx, lacuna_tensor *y, const lacuna_tensor *A, const "
                                "lacuna_tensor *x);\n"));
  EXPECT_THAT(header, HasSubstr("extern \"C\""));
}

TEST(PrintC, OnlyTheUsedPartsOfThePreludeAreInTheText) {
  const std::string code = print_c(spmv()).code;
  EXPECT_THAT(code, Not(HasSubstr("static inline")));
  EXPECT_THAT(code, Not(HasSubstr("__cplusplus")));
  EXPECT_THAT(code, Not(HasSubstr("stdbool")));
  const Variables v;
  const std::string sorting = print_c(v.module(sort(v.pos, 0, v.n))).code;
  EXPECT_THAT(sorting, HasSubstr("lacuna_partition_int64(int64_t *a, int64_t low, int64_t high)"));
  EXPECT_THAT(sorting, Not(HasSubstr("lacuna_lower_bound")));
  EXPECT_THAT(sorting, Not(HasSubstr("int32_t *a")));
}

TEST(PrintC, ResultsAreWrittenBackAtTheEnd) {
  const Var out("y_vals", array_type(Type::Float64)), count("y1_count", int64_type), n("n", int64_type);
  Module m;
  m.name = "make";
  m.description = "";
  m.arguments = {"y", "A"};
  m.parameters = {{out, "y->vals.data", true, true}, {count, "y->vals.size", true}, {n, "A->levels[0].extent"}};
  m.body = block({allocate(out, n, true), assign(count, n), store(out, 0, 1.0)});
  EXPECT_EQ(print_c(m).kernel, R"(int32_t make(lacuna_context *ctx, lacuna_tensor *y, const lacuna_tensor *A) {
  const int64_t n = A->levels[0].extent;

  double *restrict y_vals = lacuna_allocate_zeroed(ctx, n, sizeof *y_vals);
  if (!y_vals) return LACUNA_OUT_OF_MEMORY;
  int64_t y1_count = n;
  y_vals[0] = 1.0;
  y->vals.data = y_vals;
  y->vals.size = y1_count;
  return LACUNA_OK;
}
)");
}

TEST(PrintC, AResultThatIsReadOrMayBeLeftIsBoundAtTheStart) {
  const Var a("a", int64_type), b("b", int64_type), c("c", int64_type);
  Module m;
  m.name = "make";
  m.arguments = {"y"};
  m.parameters = {{a, "y->a", true, true}, {b, "y->b", true, true}, {c, "y->c", true, true}};
  m.body = block({assign(a, Expr(a) + 1), assign(c, 2), if_then(eq(a, 0), assign(b, 1))});
  EXPECT_EQ(print_c(m).kernel, R"(int32_t make(lacuna_context *ctx, lacuna_tensor *y) {
  (void)ctx;
  int64_t a = y->a;
  int64_t b = y->b;

  a++;
  int64_t c = 2;
  if (a == 0) b = 1;
  y->a = a;
  y->b = b;
  y->c = c;
  return LACUNA_OK;
}
)");
}

TEST(PrintC, FunctionsTakeWhatTheyNeed) {
  auto node = std::make_shared<Record>();
  node->name = "node";
  node->fields = {{"value", float64_type}, {"keys", int32_type, 4}, {"next", ref_type(nullptr)}};
  node->fields[2].type = link_type(*node);
  const Var arena("arena", arena_type(node)), at("at", ref_type(node)), depth("depth", int64_type);
  const Var scratch("scratch", array_type(Type::Int64));
  const auto member = [](const char* name) { return Member{name, Expr()}; };
  const Function even{
      "even",
      {arena, at, depth},
      float64_type,
      block({if_then(is_null(at), return_value(0.0)),
             return_value(invoke("odd", {arena, load(arena, at, member("next")), Expr(depth) - 1}, float64_type))})};
  const Function odd{
      "odd",
      {arena, at, depth},
      float64_type,
      block({if_then(is_null(at), return_value(0.0)),
             return_value(op(Add, load(arena, at, member("value")),
                             invoke("even", {arena, load(arena, at, member("next")), depth}, float64_type)))})};
  const Function reserve{
      "reserve",
      {depth},
      int64_type,
      block({declare_array(scratch), allocate(scratch, depth, true), release(scratch), return_value(depth)})};
  const Var list("list", arena_type(node)), head("head", ref_type(node)), sum("sum", float64_type),
      got("got", int64_type);
  Module m;
  m.name = "walk";
  m.description = "s = A(i)";
  m.arguments = {"s", "A"};
  m.records = {node};
  m.functions = {even, odd, reserve, {"unused", {depth}, int64_type, return_value(depth)}};
  m.parameters = {{list, "A->levels[0].arena.data"}, {sum, "s->sum", true}};
  m.body = block({declare(got, invoke("reserve", {3}, int64_type)), declare(head, as_ref(0, node)),
                  assign(sum, invoke("even", {list, head, got}, float64_type))});
  EXPECT_EQ(print_c(m).kernel, R"(// s = A(i)
typedef struct node {
  double value;
  int32_t keys[4];
  uint32_t next;
} node;

static double odd(const node *arena, uint32_t at, int64_t depth);

static double even(const node *arena, uint32_t at, int64_t depth) {
  if (at == LACUNA_NULL) return 0.0;
  return odd(arena, arena[at].next, depth - 1);
}

static double odd(const node *arena, uint32_t at, int64_t depth) {
  if (at == LACUNA_NULL) return 0.0;
  return arena[at].value + even(arena, arena[at].next, depth);
}

static int32_t reserve(lacuna_context *ctx, int64_t depth, int64_t *result) {
  int64_t *restrict scratch = lacuna_allocate_zeroed(ctx, depth, sizeof *scratch);
  if (!scratch) return LACUNA_OUT_OF_MEMORY;
  ctx->release(ctx->state, scratch);
  *result = depth;
  return LACUNA_OK;
}

int32_t walk(lacuna_context *ctx, lacuna_tensor *s, const lacuna_tensor *A) {
  const node *restrict list = A->levels[0].arena.data;

  int64_t got;
  if (reserve(ctx, 3, &got) != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;
  uint32_t head = 0;
  double sum = even(list, head, got);
  s->sum = sum;
  return LACUNA_OK;
}
)");
}

TEST(PrintC, NamesThatAreNoIdentifiersAreRefused) {
  const auto refused = [](const std::function<void(Module&)>& change) {
    Module module = spmv();
    change(module);
    EXPECT_THROW(print_c(module), InternalError);
  };
  refused([](Module& m) { m.name = "a; int b"; });
  refused([](Module& m) { m.name = "int"; });
  refused([](Module& m) { m.name = "_spmv"; });
  refused([](Module& m) { m.name = "lacuna_entry"; });
  refused([](Module& m) { m.arguments[0] = "y*"; });
  refused([](Module& m) { m.arguments[0] = "ctx"; });
  refused([](Module& m) { m.arguments[1] = "y"; });
  refused([](Module& m) { m.parameters[0].place = "z->vals.data"; });
  refused([](Module& m) { m.parameters[0].place = "y->vals.data; exit(1)"; });
  refused([](Module& m) { m.parameters[0].var = Var("x)", array_type(Type::Float64)); });
  refused([](Module& m) { m.body = declare(Var("t\n", int64_type), 0); });
  refused([](Module& m) { m.body = declare(Var("A", int64_type), 0); });
}

TEST(PrintC, ADescriptionCannotLeaveItsComment) {
  Module module = spmv();
  module.description = "y = x\nint evil; \\";
  EXPECT_THAT(print_c(module).kernel, testing::StartsWith("// y = x int evil;  \nint32_t spmv("));
}

}  // namespace
}  // namespace lacuna::print_test
