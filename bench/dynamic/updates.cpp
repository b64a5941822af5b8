#include "bench/dynamic/updates.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "bench/dynamic/abseil.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

/// Entries [begin, end) of a list.
CoordinateList part_of(const CoordinateList& list, std::int64_t begin, std::int64_t end) {
  const auto part = [&](const Array& from) {
    const auto* first = static_cast<const std::byte*>(from.data()) + begin * size_of(from.type());
    return Array::borrow(from.type(), first, end - begin, std::make_shared<const Array>(from));
  };
  CoordinateList result{list.dimensions, {}, part(list.values)};
  for (const Array& each : list.coordinates) result.coordinates.push_back(part(each));
  return result;
}

void insert_all(UpdatedTensor& tensor, const CoordinateList& edges, std::int64_t batch) {
  if (batch > 1) {
    for (std::int64_t k = 0; k < edges.size(); k += batch)
      tensor.update(UpdateOperation::Add, part_of(edges, k, std::min(k + batch, edges.size())));
    return;
  }
  const auto rows = edges.coordinates[0].view<std::int32_t>(), columns = edges.coordinates[1].view<std::int32_t>();
  const auto values = edges.values.view<double>();
  for (std::size_t k = 0; k < values.size(); ++k)
    tensor.update(UpdateOperation::Add, std::array<std::int64_t, 2>{rows[k], columns[k]}, Scalar(values[k]));
}

Options on(int threads) {
  Options options;
  options.target.threads = threads;
  return options;
}

struct Inserting {
  Engine& engine;
  Options options;
  Storage graph;
  CoordinateList edges;
  std::int64_t batch;
  std::unique_ptr<UpdatedTensor> tensor;

  void run() { insert_all(*tensor, edges, batch); }
  Storage result() const { return tensor->storage(); }
  void clear() { tensor = std::make_unique<UpdatedTensor>(engine, graph, options); }
};

/// The edges as a matrix of their own, and the sum of the two.
struct Rebuilding {
  Engine& engine;
  Options options;
  CoordinateList edges;
  Request request;
  Storage last;

  void run() {
    BuildOptions building;
    building.threads = options.target.threads;
    request.operands.insert_or_assign("E", build(edges, csr_format(), building));
    last = engine.run(request, options);
  }
  Storage result() const { return last; }
  void clear() { last = Storage(); }
};

template <typename Race>
Contestant begun(const std::string& name, std::shared_ptr<Race> race) {
  race->clear();
  return contestant_of(name, std::move(race));
}

}  // namespace

Storage grown(Engine& engine, const Storage& matrix, const Format& format) {
  const CoordinateList none{matrix.dimensions,
                            {Array::allocate(Type::Int32, 0, false), Array::allocate(Type::Int32, 0, false)},
                            Array::allocate(Type::Float64, 0, false)};
  UpdatedTensor tensor(engine, stored_as(engine, build(none, csr_format()), format));
  insert_all(tensor, shuffled(coordinates_of(matrix)), 1);
  return tensor.storage();
}

bool race_inserts(const Setting& s) {
  const std::int64_t count = std::min<std::int64_t>(1'000'000, s.matrix.stored() / 2);
  const CoordinateList edges = shuffled(coordinates_of(
      build(generate_uniform({s.matrix.dimensions[0], s.matrix.dimensions[1]}, count, 7), csr_format())));
  bool agree = true;
  for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{1000}, count}) {
    std::vector<Entry> entries;
    if (auto map = abseil_inserts(s.matrix, edges)) entries.push_back({std::move(*map)});
    for (const char* level : {"btree", "ctree", "rbtree"}) {
      const Storage graph = stored_as(s.engine, s.matrix, parse_format(std::string("dense,") + level, 2));
      const double least = batch == 1 ? 0.8 : 1;
      const bool goal = level != std::string("rbtree") && batch != 1000 && !entries.empty();
      entries.push_back(
          {begun(std::string("dense,") + level,
                 std::make_shared<Inserting>(Inserting{s.engine, on(s.threads), graph, edges, batch, nullptr})),
           goal ? std::optional<double>(1 / least) : std::nullopt});
    }
    if (batch == count) {
      Request request;
      request.statement = parse_statement("A(i,j) = G(i,j) + E(i,j)");
      request.result_format = csr_format();
      request.operands = {{"G", s.matrix}};
      entries.push_back({contestant_of(
          "csr rebuilt", std::make_shared<Rebuilding>(Rebuilding{s.engine, on(s.threads), edges, request, {}}))});
    }
    agree = race(fmt::format("{} random edges into {} ({} entries), in batches of {}, on {} thread(s)", count, s.input,
                             s.matrix.stored(), batch, s.threads),
                 entries, s.effort) &&
            agree;
  }
  return agree;
}

}  // namespace lacuna::contest
