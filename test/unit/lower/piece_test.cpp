// A kernel over pieces: the arrays of a row block where they lie in the whole matrix, with global coordinates and
// positions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <deque>

#include "lacuna/codegen/c/print.h"
#include "lacuna/jit/jit.h"
#include "lacuna/loop/passes.h"
#include "lacuna/runtime/descriptor.h"
#include "lacuna/runtime/kernel_memory.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "unit/lower/hand_program.h"

namespace lacuna::piece_test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t rows = 40, columns = 30;

const std::int32_t* ints(const Array& a) { return a.view<std::int32_t>().data(); }

/// Rows [begin, end) of a CSR matrix, in place.
Storage row_block(const Storage& A, std::int64_t begin, std::int64_t end) {
  Storage piece = A;
  const std::int64_t first = A.levels[1].pos.integer(begin), last = A.levels[1].pos.integer(end);
  LevelStorage& outer = piece.levels[0];
  outer.origin = begin;
  outer.extent = outer.positions = end - begin;
  LevelStorage& inner = piece.levels[1];
  inner.positions = last - first;
  inner.pos = Array::borrow(Type::Int32, ints(A.levels[1].pos) + begin, end - begin + 1, nullptr);
  inner.crd = Array::borrow(Type::Int32, ints(A.levels[1].crd) + first, last - first, nullptr, first);
  piece.values = Array::borrow(Type::Float64, A.values.view<double>().data() + first, last - first, nullptr, first);
  return piece;
}

/// Elements [begin, end) of a dense vector, in place.
Storage vector_block(const Storage& y, std::int64_t begin, std::int64_t end) {
  Storage piece = y;
  piece.levels[0].origin = begin;
  piece.levels[0].extent = piece.levels[0].positions = end - begin;
  piece.values = Array::borrow(Type::Float64, y.values.view<double>().data() + begin, end - begin, nullptr);
  return piece;
}

TEST(Piece, OneKernelMultipliesEveryRowBlockInPlace) {
  const Operands data{{"A", build(generate_uniform({rows, columns}, 200, 1), csr_format())},
                      {"x", generate_dense({columns}, 2)}};
  HandProgram p("y(i) = A(i,j) * x(j)", data, "dense", concrete::Assembly::Random);
  p.scalar("t");
  p.parts().tensors[0].piece = p.parts().tensors[1].piece = true;
  const auto sum = p.forall("j", p.assign("t += A(i,j) * x(j)"));
  const concrete::Program program = p.with(p.forall("i", concrete::where(p.assign("y(i) = t"), sum)));
  const Lowered lowered = lower(program, iteration::analyze(program));
  const CSource source = print_c(loop::outline(loop::partition(loop::simplify(lowered.module))));
  EXPECT_THAT(source.kernel, HasSubstr("A->levels[0].origin"));
  Jit jit({"cc", default_c_flags(), "", ""});
  const CompiledKernel kernel = jit.load(source.code, source.entry);

  Storage y = generate_dense({rows}, 3);
  const std::vector<std::int64_t> cuts{0, 13, 13, 14, rows};
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const Storage blocks[] = {vector_block(y, cuts[k], cuts[k + 1]), row_block(data.at("A"), cuts[k], cuts[k + 1]),
                              data.at("x")};
    std::deque<Descriptor> descriptors;
    std::vector<lacuna_tensor*> arguments;
    for (const Storage& each : blocks) arguments.push_back(descriptors.emplace_back(each).get());
    KernelMemory memory;
    lacuna_context context = memory.context(1);
    ASSERT_EQ(kernel.entry()(&context, arguments.data()), LACUNA_OK);
  }
  EXPECT_EQ(wrong(p, data, y), "");
}

}  // namespace
}  // namespace lacuna::piece_test
