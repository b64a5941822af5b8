#include <cstddef>
#include <random>

#include "lacuna/loop/layout.h"
#include "unit/loop/harness.h"

// A matrix whose rows are lists of blocks in an arena: what a dynamic level looks like to the loop IR. The lists are
// built by one kernel and multiplied by a vector by another, both put together by hand.
namespace lacuna::loop::block_list_test {
namespace {

constexpr int block_size = 4;

/// The record as a C++ program would have it.
struct Block {
  std::int32_t count;
  std::int32_t crd[block_size];
  double val[block_size];
  std::uint32_t next;
};

class BlockLists : public testing::Test {
 protected:
  BlockLists() {
    record_->name = "block";
    record_->fields = {{"count", int32_type, 0},
                       {"crd", int32_type, block_size},
                       {"val", float64_type, block_size},
                       {"next", link_type(*record_), 0}};
  }

  Expr field(const Expr& node, const char* name, const Expr& sub = {}) const {
    return load(blocks_, node, {name, sub});
  }

  /// y(i) = A(i,j) * x(j), an outer loop over the nodes of a row and an inner one over the run that a node holds.
  Module multiply(LoopMode inner) const {
    const Var n("n", int64_type), x("x", array_type(Type::Float64)), y("y", array_type(Type::Float64));
    const Var i("i", int64_type), k("k", int32_type), sum("sum", float64_type), node("node", ref_type(record_));
    const Expr product = value_op(BinaryOp::Mul, field(node, "val", k), load(x, field(node, "crd", k)));
    const std::vector<Reduction> reductions =
        inner == LoopMode::Serial ? std::vector<Reduction>{} : std::vector<Reduction>{{sum, StoreOp::Add}};
    const Stmt run = for_loop(k, constant(Type::Int32, 0), field(node, "count"),
                              assign(sum, value_op(BinaryOp::Add, sum, product)), inner, reductions);
    Module module = kernel({input(n), input(heads_), input(blocks_), input(x), updated(y)},
                           {for_loop(i, 0, n,
                                     block({declare(sum, 0.0), declare(node, load(heads_, i)),
                                            while_loop(!is_null(node), block({run, assign(node, field(node, "next"))})),
                                            store(y, i, sum)}))});
    module.records = {record_};
    return module;
  }

  /// Appends the rows of a CSR matrix, with an arena that grows.
  Module build() const {
    const Var n("n", int64_type), pos("pos", array_type(Type::Int32)), crd("crd", array_type(Type::Int32));
    const Var vals("vals", array_type(Type::Float64)), used("used", int64_type), room("room", int64_type);
    const Var i("i", int64_type), p("p", int32_type), last("last", ref_type(record_)), fill("fill", int32_type);
    const Var fresh("fresh", ref_type(record_));
    const Stmt grow = if_then(eq(used, room), block({assign(room, Expr(room) * 2), resize(blocks_, room)}));
    const Stmt link = if_then(is_null(last), store(heads_, i, fresh), store(blocks_, last, {"next", {}}, fresh));
    const Stmt new_block =
        block({grow, declare(fresh, as_ref(used, record_)), increment(used),
               store(blocks_, fresh, {"next", {}}, null_ref(record_)), link, assign(last, fresh), assign(fill, 0)});
    const Stmt append =
        block({if_then(is_null(last) || eq(fill, block_size), new_block),
               store(blocks_, last, {"crd", fill}, load(crd, p)), store(blocks_, last, {"val", fill}, load(vals, p)),
               increment(fill), store(blocks_, last, {"count", {}}, fill)});
    Module module =
        kernel({input(n), input(pos), input(crd), input(vals), output(heads_), output(blocks_), output(used)},
               {allocate(heads_, n, false), declare(room, 1), allocate(blocks_, room, false), assign(used, 0),
                for_loop(i, 0, n,
                         block({store(heads_, i, null_ref(record_)), declare(last, null_ref(record_)), declare(fill, 0),
                                for_loop(p, load(pos, i), load(pos, Expr(i) + 1), append)})),
                resize(blocks_, used)});
    module.records = {record_};
    return module;
  }

  std::shared_ptr<Record> record_ = std::make_shared<Record>();
  const Var heads_{"heads", ref_array_type(record_)}, blocks_{"blocks", arena_type(record_)};
};

struct Csr {
  std::vector<std::int32_t> pos = {0}, crd;
  std::vector<double> vals;
};

Csr random_matrix(std::int64_t rows, std::int32_t columns, std::mt19937& random) {
  Csr matrix;
  for (std::int64_t i = 0; i < rows; i++) {
    const auto one_in = 1 + random() % 6;
    for (std::int32_t j = 0; j < columns; j++) {
      if (random() % one_in != 0) continue;
      matrix.crd.push_back(j);
      matrix.vals.push_back(static_cast<double>(random() % 100));
    }
    matrix.pos.push_back(static_cast<std::int32_t>(matrix.crd.size()));
  }
  return matrix;
}

TEST_F(BlockLists, HaveTheLayoutOfTheStruct) {
  const RecordLayout layout = record_layout(*record_);
  EXPECT_EQ(layout.size, static_cast<std::int64_t>(sizeof(Block)));
  EXPECT_EQ(layout.fields[1].offset, static_cast<std::int64_t>(offsetof(Block, crd)));
  EXPECT_EQ(layout.fields[2].offset, static_cast<std::int64_t>(offsetof(Block, val)));
  EXPECT_EQ(layout.fields[3].offset, static_cast<std::int64_t>(offsetof(Block, next)));
}

TEST_F(BlockLists, ReadAsOneWouldWriteThem) {
  EXPECT_EQ(to_string(multiply(LoopMode::Vector).body),
            "for (int64 i = 0; i < n; i++) {\n"
            "  float64 sum = 0.0;\n"
            "  block* node = heads[i];\n"
            "  while (!(node == null)) {\n"
            "    vector for (int32 k = 0; k < blocks[node].count; k++) reduce(sum +=) {\n"
            "      sum += blocks[node].val[k] * x[blocks[node].crd[k]];\n"
            "    }\n"
            "    node = blocks[node].next;\n"
            "  }\n"
            "  y[i] = sum;\n"
            "}\n");
}

TEST_F(BlockLists, AreBuiltWithNodesOfTheExpectedShape) {
  const Csr matrix = {{0, 6, 6, 7}, {0, 1, 2, 3, 4, 5, 9}, {1, 2, 3, 4, 5, 6, 7}};
  const Interpretation built = run(build(), {bound(Scalar(std::int64_t{3})), bound(matrix.pos), bound(matrix.crd),
                                             bound(matrix.vals), nothing(), nothing(), bound(Scalar(std::int64_t{0}))});
  EXPECT_EQ(elements<std::uint32_t>(built.outputs[4]), (std::vector<std::uint32_t>{0, null_ref_bits, 2}));
  const std::vector<Block> blocks = elements<Block>(built.outputs[5]);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].count, 4);
  EXPECT_EQ(blocks[0].next, 1U);
  EXPECT_EQ(blocks[1].count, 2);
  EXPECT_EQ(blocks[1].crd[1], 5);
  EXPECT_EQ(blocks[1].next, null_ref_bits);
  EXPECT_EQ(blocks[2].val[0], 7);
}

TEST_F(BlockLists, MultiplyAVectorAsTheMatrixDoes) {
  std::mt19937 random(1);
  const Interpreter builder(build());
  for (int round = 0; round < 50; round++) {
    const auto rows = static_cast<std::int64_t>(random() % 10);
    const std::int32_t columns = 1 + static_cast<std::int32_t>(random() % 30);
    const Csr matrix = random_matrix(rows, columns, random);
    std::vector<double> x, expected;
    for (std::int32_t j = 0; j < columns; j++) x.push_back(static_cast<double>(random() % 10));
    for (std::size_t i = 0; i + 1 < matrix.pos.size(); i++) {
      double sum = 0;
      for (auto p = static_cast<std::size_t>(matrix.pos[i]); p < static_cast<std::size_t>(matrix.pos[i + 1]); p++) {
        sum += matrix.vals[p] * x[static_cast<std::size_t>(matrix.crd[p])];
      }
      expected.push_back(sum);
    }
    Interpretation built = builder.run({bound(Scalar(rows)), bound(matrix.pos), bound(matrix.crd), bound(matrix.vals),
                                        nothing(), nothing(), bound(Scalar(std::int64_t{0}))});
    const Output& heads = built.outputs[4];
    const Output& blocks = built.outputs[5];
    for (const LoopMode inner : {LoopMode::Serial, LoopMode::Vector}) {
      std::vector<double> y(static_cast<std::size_t>(rows), -1.0);
      const Interpretation done = run(simplify(multiply(inner)), {bound(Scalar(rows)),
                                                                  {Scalar(), heads.data.get(), heads.count},
                                                                  {Scalar(), blocks.data.get(), blocks.count},
                                                                  bound(x),
                                                                  bound(y)});
      EXPECT_EQ(y, expected);
      EXPECT_EQ(done.counters.operations, 2 * static_cast<std::int64_t>(matrix.crd.size()));
    }
  }
}

TEST_F(BlockLists, AreCheckedWhenALinkIsBroken) {
  std::vector<Block> blocks(1);
  blocks[0].next = 5;
  const std::vector<std::uint32_t> heads = {0};
  const std::vector<double> x(1);
  std::vector<double> y(1);
  EXPECT_THAT(failure(multiply(LoopMode::Serial),
                      {bound(Scalar(std::int64_t{1})), bound(heads), bound(blocks), bound(x), bound(y)}),
              testing::HasSubstr("index 5 is outside blocks, which has 1 elements"));
}

}  // namespace
}  // namespace lacuna::loop::block_list_test
