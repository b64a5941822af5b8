#include "bench/dynamic/kernels.h"

#include <fmt/format.h>

#include "bench/contest/compiled.h"
#include "bench/dynamic/abseil.h"
#include "bench/dynamic/updates.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna::contest {
namespace {

struct Level {
  const char* name;
  std::optional<double> most = std::nullopt;
};

Storage in_nodes(const Setting& s, const Storage& matrix, const char* level) {
  return stored_as(s.engine, matrix, parse_format(std::string("dense,") + level, 2));
}

/// What is taken of the memory, without what is reserved for more.
double bytes_an_entry(const Storage& tensor) {
  std::int64_t bytes = 0;
  if (!tensor.format.has_nodes()) bytes = tensor.bytes();
  for (int k = 0; k < tensor.format.order(); ++k)
    if (tensor.format.level(k).is_dynamic())
      for (const nodes::Usage& each : nodes::usage_of(tensor, k)) bytes += each.taken * each.bytes_each;
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(1, tensor.stored()));
}

std::string title(const Setting& s, const std::string& what) {
  return fmt::format("{} on {} ({} entries), {} thread{}", what, s.input, s.matrix.stored(), s.threads,
                     s.threads == 1 ? "" : "s");
}

/// First converted to arrays, then added as such.
struct ConvertThenAdd {
  Engine& engine;
  Storage nodes;
  Request request;
  Options options;
  Storage last;

  void run() {
    request.operands.insert_or_assign("B", stored_as(engine, nodes, csr_format(), options));
    last = engine.run(request, options);
  }
  Storage result() const { return last; }
  void clear() { last = Storage(); }
};

}  // namespace

bool race_page_rank(const Setting& s) {
  Request request;
  request.statement = parse_statement("y(i) += A(i,j) * x(j) / d(j)");
  request.result_format = dense_format(1);
  request.operands = {{"A", s.matrix},
                      {"x", generate_dense({s.matrix.dimensions[1]}, 1)},
                      {"d", generate_dense({s.matrix.dimensions[1]}, 2)},
                      {"y", generate_dense({s.matrix.dimensions[0]}, 3)}};
  std::vector<Entry> entries{{compiled("csr", s.engine, request, s.threads), std::nullopt, bytes_an_entry(s.matrix)}};
  for (const Level& level : {Level{"bst", 3.0}, Level{"ctree", 1.5}, Level{"btree", 1.6}, Level{"blist"}}) {
    const Storage nodes = in_nodes(s, s.matrix, level.name);
    request.operands.insert_or_assign("A", nodes);
    entries.push_back({compiled(std::string("dense,") + level.name, s.engine, request, s.threads), level.most,
                       bytes_an_entry(nodes)});
  }
  for (const char* level : {"bst", "ctree", "btree"}) {
    const Storage nodes = grown(s.engine, s.matrix, parse_format(std::string("dense,") + level, 2));
    request.operands.insert_or_assign("A", nodes);
    entries.push_back({compiled(fmt::format("dense,{}, grown", level), s.engine, request, s.threads), std::nullopt,
                       bytes_an_entry(nodes)});
  }
  return race(title(s, "PageRank's kernel"), entries, s.effort);
}

bool race_tree_result(const Setting& s) {
  Request request;
  request.statement = parse_statement("y(i) = A(i,j) * x(j)");
  request.operands = {{"A", s.matrix}, {"x", generate_dense({s.matrix.dimensions[1]}, 1)}};
  std::vector<Entry> entries;
  for (const char* format : {"dense", "sparse", "bst", "btree"}) {
    request.result_format = parse_format(format, 1);
    entries.push_back({compiled(std::string("y: ") + format, s.engine, request, s.threads)});
  }
  return race(title(s, "SpMV into a search tree"), entries, s.effort);
}

bool race_addition(const Setting& s) {
  Request request;
  request.statement = parse_statement("A(i,j) = B(i,j) + C(i,j)");
  request.result_format = csr_format();
  const Storage other = rotated(s.matrix, 1);
  Options options;
  options.target.threads = s.threads;
  bool agree = true;
  for (const char* level : {"bst", "ctree", "btree", "blist"}) {
    const Storage nodes = in_nodes(s, s.matrix, level);
    request.operands = {{"B", nodes}, {"C", other}};
    std::vector<Entry> entries{{compiled("nodes beside arrays", s.engine, request, s.threads)}};
    Request converted = request;
    converted.operands.insert_or_assign("B", s.matrix);
    entries.push_back({compiled("both in arrays already", s.engine, converted, s.threads)});
    entries.push_back({contestant_of("converted, then added", std::make_shared<ConvertThenAdd>(ConvertThenAdd{
                                                                  s.engine, nodes, converted, options, {}}))});
    if (auto map = abseil_union(s.matrix, other)) entries.push_back({std::move(*map)});
    agree = race(title(s, fmt::format("dense,{} + csr", level)), entries, s.effort) && agree;
  }
  return agree;
}

}  // namespace lacuna::contest
