#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "lacuna/jit/subprocess.h"
#include "unit/jit/module_runner.h"

// The program in docs/reference/kernel-abi.md is compiled and run with the header and text that print_c gives.
namespace lacuna::document_test {
namespace {

using namespace loop;

std::string program_of_the_document() {
  std::ifstream stream(LACUNA_KERNEL_ABI_DOCUMENT);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::size_t main = text.find("int main(void)");
  const std::size_t begin = text.rfind("```c\n", main) + 5;
  return text.substr(begin, text.find("```", main) - begin);
}

Module spmv() {
  const Var rows("A1_size", scalar_type(Type::Int64)), pos("A2_pos", array_type(Type::Int32));
  const Var crd("A2_crd", array_type(Type::Int32)), vals("A_vals", array_type(Type::Float64));
  const Var x("x_vals", array_type(Type::Float64)), y("y_vals", array_type(Type::Float64));
  const Var i("i", scalar_type(Type::Int64)), p("pA2", scalar_type(Type::Int64));
  Module m;
  m.name = "spmv";
  m.description = "y(i) = A(i,j) * x(j)";
  m.arguments = {"y", "A", "x"};
  m.parameters = {{y, "y->vals.data", false, true}, {rows, "A->levels[0].extent"}, {pos, "A->levels[1].pos.data"},
                  {crd, "A->levels[1].crd.data"},   {vals, "A->vals.data"},        {x, "x->vals.data"}};
  const Stmt add = store(y, i, value_op(BinaryOp::Mul, load(vals, p), load(x, load(crd, p))), StoreOp::Add);
  m.body = for_loop(i, 0, rows,
                    for_loop(p, convert(load(pos, i), Type::Int64), convert(load(pos, Expr(i) + 1), Type::Int64), add));
  return m;
}

TEST(KernelAbiDocument, ItsProgramRuns) {
  const TestFolder folder;
  const CSource source = print_c(spmv());
  std::ofstream(folder.path() / "spmv.c") << source.code;
  std::ofstream(folder.path() / "spmv.h") << source.header;
  std::ofstream(folder.path() / "main.c") << program_of_the_document();
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const ProcessResult compiled = run_process({"cc", "-std=c99", "-O1", "-fwrapv", "-Wall", "-Wextra", "-Werror",
                                              file("spmv.c"), file("main.c"), "-o", file("program")});
  ASSERT_TRUE(compiled.succeeded()) << compiled.output;
  const ProcessResult run = run_process({file("program")});
  EXPECT_TRUE(run.succeeded());
  EXPECT_EQ(run.output, "201 30\n");
}

}  // namespace
}  // namespace lacuna::document_test
