#include <algorithm>
#include <map>
#include <random>

#include "unit/loop/harness.h"

// A binary search tree in an arena, merged with a compressed vector: the tree is walked in order by a resumable
// function that keeps where it is in a record and a stack, so that the merge can ask for one node at a time.
namespace lacuna::loop::tree_merge_test {
namespace {

/// The record of the tree as a C++ program would have it.
struct Node {
  std::int32_t crd;
  std::uint32_t left, right;
  double val;
};

class TreeMerge : public testing::Test {
 protected:
  TreeMerge() {
    node_->name = "tree";
    node_->fields = {{"crd", int32_type, 0},
                     {"left", link_type(*node_), 0},
                     {"right", link_type(*node_), 0},
                     {"val", float64_type, 0}};
    cursor_->name = "cursor";
    cursor_->fields = {{"node", link_type(*node_), 0}, {"top", int64_type, 0}};
  }

  IrType ref() const { return ref_type(node_); }

  /// The next node in order, or null: goes down to the left from `node`, and then takes the top of the stack.
  Function next() const {
    const Var nodes("nodes", arena_type(node_)), state("state", arena_type(cursor_)), node("node", ref());
    const Var stack("stack", ref_array_type(node_)), top("top", int64_type), found("found", ref());
    const Stmt descend =
        while_loop(!is_null(node),
                   block({store(stack, top, node), increment(top), assign(node, load(nodes, node, {"left", {}}))}));
    const Stmt body =
        block({declare(node, load(state, 0, {"node", {}})), declare(top, load(state, 0, {"top", {}})), descend,
               if_then(eq(top, 0), return_value(null_ref(node_))), assign(top, Expr(top) - 1),
               declare(found, load(stack, top)), store(state, 0, {"node", {}}, load(nodes, found, {"right", {}})),
               store(state, 0, {"top", {}}, top), return_value(found)});
    return {"next", {nodes, state, stack}, ref(), body};
  }

  /// out(i) = a(i) * b(i), or + when `is_union`, with a the tree and b compressed; out is appended to.
  Module merge(bool is_union) const {
    const Var nodes("nodes", arena_type(node_)), root("root", ref()), depth("depth", int64_type);
    const Var pos("b_pos", array_type(Type::Int32)), crd("b_crd", array_type(Type::Int32));
    const Var vals("b_vals", array_type(Type::Float64)), out_crd("out_crd", array_type(Type::Int32));
    const Var out_vals("out_vals", array_type(Type::Float64)), count("count", int64_type), room("room", int64_type);
    const Var state("state", arena_type(cursor_)), stack("stack", ref_array_type(node_)), node("node", ref());
    const Var p("p", int32_type), end("p_end", int32_type), c("c", int32_type);
    const Var c_tree("c_tree", int32_type), c_b("c_b", int32_type);

    const Expr advance = invoke("next", {nodes, state, stack}, ref());
    const Expr tree_value = load(nodes, node, {"val", {}});
    const auto append = [&](const Expr& coordinate, const Expr& value) {
      return block({if_then(eq(count, room),
                            block({assign(room, Expr(room) * 2), resize(out_crd, room), resize(out_vals, room)})),
                    store(out_crd, count, coordinate), store(out_vals, count, value), increment(count)});
    };
    const BinaryOp op = is_union ? BinaryOp::Add : BinaryOp::Mul;
    const Expr both = value_op(op, tree_value, load(vals, p));
    const Stmt only = is_union ? if_then(eq(c_tree, c), append(c, tree_value), append(c, load(vals, p))) : nullptr;
    const Stmt merged =
        block({declare(c_tree, load(nodes, node, {"crd", {}})), declare(c_b, load(crd, p)),
               declare(c, min(c_tree, c_b)), if_then(eq(c_tree, c) && eq(c_b, c), append(c, both), only),
               if_then(eq(c_tree, c), assign(node, advance)), if_then(eq(c_b, c), increment(p))});
    std::vector<Stmt> body = {comment("the cursor starts at the root with nothing on its stack"),
                              declare_array(state),
                              allocate(state, 1, false),
                              store(state, 0, {"node", {}}, root),
                              store(state, 0, {"top", {}}, 0),
                              declare_array(stack),
                              allocate(stack, depth, false),
                              assign(count, 0),
                              declare(room, 1),
                              allocate(out_crd, room, false),
                              allocate(out_vals, room, false),
                              declare(node, advance),
                              declare(p, load(pos, 0)),
                              declare(end, load(pos, 1)),
                              while_loop(!is_null(node) && p < end, merged)};
    if (is_union) {
      body.push_back(while_loop(!is_null(node),
                                block({append(load(nodes, node, {"crd", {}}), tree_value), assign(node, advance)})));
      body.push_back(while_loop(p < end, block({append(load(crd, p), load(vals, p)), increment(p)})));
    }
    for (const Var& each : {state, stack}) body.push_back(release(each));
    for (const Var& each : {out_crd, out_vals}) body.push_back(resize(each, count));
    Module module = kernel({input(nodes), input(root), input(depth), input(pos), input(crd), input(vals),
                            output(out_crd), output(out_vals), output(count)},
                           std::move(body));
    module.records = {node_, cursor_};
    module.functions = {next()};
    return module;
  }

  std::shared_ptr<Record> node_ = std::make_shared<Record>(), cursor_ = std::make_shared<Record>();
};

/// A tree without balance: nodes in the order of insertion.
struct Tree {
  std::vector<Node> nodes;
  std::uint32_t root = null_ref_bits;
  std::int64_t depth = 0;

  void insert(std::int32_t crd, double val) {
    std::uint32_t* link = &root;
    std::int64_t level = 1;
    for (; *link != null_ref_bits; level++) link = crd < nodes[*link].crd ? &nodes[*link].left : &nodes[*link].right;
    *link = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({crd, null_ref_bits, null_ref_bits, val});
    depth = std::max(depth, level);
  }
};

using Sparse = std::map<std::int32_t, double>;

Sparse random_vector(std::int32_t size, std::uint_fast32_t entries, std::mt19937& random) {
  Sparse vector;
  for (std::uint_fast32_t k = 0; k < entries; k++) {
    vector[static_cast<std::int32_t>(random()) & (size - 1)] = 1 + static_cast<double>(random() % 9);
  }
  return vector;
}

Tree as_tree(const Sparse& vector, std::mt19937& random) {
  std::vector<std::pair<std::int32_t, double>> entries(vector.begin(), vector.end());
  if (random() % 4 != 0) std::shuffle(entries.begin(), entries.end(), random);
  Tree tree;
  for (const auto& [crd, val] : entries) tree.insert(crd, val);
  return tree;
}

Sparse expected(const Sparse& a, const Sparse& b, bool is_union) {
  Sparse result = is_union ? a : Sparse{};
  for (const auto& [crd, val] : b) {
    if (is_union) result[crd] += val;
    else if (a.contains(crd)) result[crd] = a.at(crd) * val;
  }
  return result;
}

Sparse merged(const Interpreter& kernel, const Tree& tree, const Sparse& b) {
  std::vector<std::int32_t> pos = {0, static_cast<std::int32_t>(b.size())}, crd;
  std::vector<double> vals;
  for (const auto& [c, v] : b) {
    crd.push_back(c);
    vals.push_back(v);
  }
  const Interpretation done =
      kernel.run({bound(tree.nodes), bound(Scalar(tree.root)), bound(Scalar(tree.depth)), bound(pos), bound(crd),
                  bound(vals), nothing(), nothing(), bound(Scalar(std::int64_t{0}))});
  const std::vector<std::int32_t> out_crd = elements<std::int32_t>(done.outputs[6]);
  const std::vector<double> out_vals = elements<double>(done.outputs[7]);
  EXPECT_TRUE(std::is_sorted(out_crd.begin(), out_crd.end()));
  EXPECT_EQ(done.outputs[8].scalar, Scalar(static_cast<std::int64_t>(out_crd.size())));
  Sparse result;
  for (std::size_t k = 0; k < out_crd.size(); k++) result[out_crd[k]] = out_vals[k];
  EXPECT_EQ(result.size(), out_crd.size());
  return result;
}

TEST_F(TreeMerge, TheResumableFunctionReadsAsOneWouldWriteIt) {
  EXPECT_EQ(to_string(next().body),
            "tree* node = state[0].node;\n"
            "int64 top = state[0].top;\n"
            "while (!(node == null)) {\n"
            "  stack[top] = node;\n"
            "  top++;\n"
            "  node = nodes[node].left;\n"
            "}\n"
            "if (top == 0) {\n"
            "  return null;\n"
            "}\n"
            "top = top - 1;\n"
            "tree* found = stack[top];\n"
            "state[0].node = nodes[found].right;\n"
            "state[0].top = top;\n"
            "return found;\n");
}

TEST_F(TreeMerge, IntersectsAndUnitesAsMapsDo) {
  std::mt19937 random(3);
  for (const bool is_union : {false, true}) {
    const Module module = merge(is_union);
    verify(module);
    const Interpreter as_built(module), simplified(simplify(module));
    for (int round = 0; round < 200; round++) {
      const std::int32_t size = 1 << (random() % 9);
      const Sparse a = random_vector(size, random() % 40, random), b = random_vector(size, random() % 40, random);
      const Tree tree = as_tree(a, random);
      EXPECT_EQ(merged(as_built, tree, b), expected(a, b, is_union));
      EXPECT_EQ(merged(simplified, tree, b), expected(a, b, is_union));
    }
  }
}

TEST_F(TreeMerge, AStackThatIsTooSmallIsReported) {
  Tree tree;
  for (int k = 5; k > 0; k--) tree.insert(k, 1.0);
  tree.depth = 4;
  EXPECT_THROW(merged(Interpreter(merge(true)), tree, {}), CheckFailure);
}

}  // namespace
}  // namespace lacuna::loop::tree_merge_test
