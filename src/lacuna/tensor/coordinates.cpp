#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/dynamic/nodes/element_walk.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/nodes.h"
#include "lacuna/tensor/positions.h"
#include "lacuna/tensor/sort.h"

namespace lacuna {

namespace {

Type number_type(std::int64_t size) { return size <= 0x7fffffff ? Type::UInt32 : Type::UInt64; }

template <typename F>
void with_numbers(Array& numbers, F&& f) {
  if (numbers.type() == Type::UInt32) f(numbers.mutable_view<std::uint32_t>());
  else f(numbers.mutable_view<std::uint64_t>());
}

/// The stored nodes of one level, in storage order. Node i belongs to node parent[i] of the level above (no array: to
/// node i, or to the root) and has position positions[i] (no array: first + i).
struct Nodes {
  std::int64_t count = 0;
  bool root = false;
  Array coordinates;
  std::optional<Array> parents;
  std::optional<Array> positions;
  std::int64_t first = 0;
  std::optional<Array> values;  // of a last level that is dynamic

  template <typename F>
  void with_positions(F&& f) const {
    if (positions) f([view = positions->view<std::int64_t>()](std::int64_t i) { return view[i]; });
    else f([base = first](std::int64_t i) { return base + i; });
  }
};

Array allocate_coordinates(std::int64_t dimension, std::int64_t count) {
  return Array::allocate(coordinate_type(dimension), count, false);
}

Nodes expand_dense(const Nodes& above, const LevelStorage& level, std::int64_t dimension) {
  Nodes nodes;
  nodes.count = above.count * level.extent;
  nodes.first = above.first * level.extent;
  nodes.coordinates = allocate_coordinates(dimension, nodes.count);
  with_mutable_coordinates(nodes.coordinates, [&](auto to) {
    using To = typename decltype(to)::value_type;
    for (std::int64_t i = 0; i < above.count; ++i) {
      std::iota(to.begin() + i * level.extent, to.begin() + (i + 1) * level.extent, static_cast<To>(level.origin));
    }
  });
  if (!above.root) {
    nodes.parents = Array::allocate(number_type(above.count), nodes.count, false);
    with_numbers(*nodes.parents, [&](auto to) {
      using To = typename decltype(to)::value_type;
      for (std::int64_t i = 0; i < above.count; ++i) {
        std::fill_n(to.begin() + i * level.extent, level.extent, static_cast<To>(i));
      }
    });
  }
  if (above.positions) {
    nodes.positions = Array::allocate(Type::Int64, nodes.count, false);
    auto to = nodes.positions->mutable_view<std::int64_t>();
    const auto from = above.positions->view<std::int64_t>();
    for (std::int64_t i = 0; i < above.count; ++i) {
      std::iota(to.begin() + i * level.extent, to.begin() + (i + 1) * level.extent, from[i] * level.extent);
    }
  }
  return nodes;
}

/// Coordinates [begin, begin+count) of a level's crd, in the width that the tensor's dimension asks for; shared where
/// possible.
Array read_coordinates(const Array& crd, std::int64_t begin, std::int64_t count, std::int64_t dimension) {
  const auto offset = static_cast<std::size_t>(begin - crd.base());
  if (crd.type() == coordinate_type(dimension)) {
    const auto* data =
        static_cast<const unsigned char*>(crd.data()) + offset * static_cast<std::size_t>(size_of(crd.type()));
    return Array::borrow(crd.type(), data, count, crd.owner());
  }
  Array result = allocate_coordinates(dimension, count);
  visit_integer_type(crd.type(), [&](auto zero) {
    const auto from = crd.view<decltype(zero)>().subspan(offset, static_cast<std::size_t>(count));
    with_mutable_coordinates(result, [&](auto to) {
      using To = typename decltype(to)::value_type;
      std::transform(from.begin(), from.end(), to.begin(), [](auto c) { return static_cast<To>(c); });
    });
  });
  return result;
}

/// For each child of a compressed level the number of its parent.
Array numbers_of_parents(const Nodes& above, const IntegerReader& pos, std::int64_t children) {
  Array numbers = Array::allocate(number_type(above.count), children, false);
  with_numbers(numbers, [&](auto to) {
    using Number = typename decltype(to)::value_type;
    above.with_positions([&](auto position) {
      auto next = to.begin();
      for (std::int64_t i = 0; i < above.count; ++i) {
        next = std::fill_n(next, pos[position(i) + 1] - pos[position(i)], static_cast<Number>(i));
      }
    });
  });
  return numbers;
}

/// For each child of a compressed level its position.
Array positions_of_children(const Nodes& above, const IntegerReader& pos, std::int64_t children) {
  Array positions = Array::allocate(Type::Int64, children, false);
  auto next = positions.mutable_view<std::int64_t>().begin();
  above.with_positions([&](auto position) {
    for (std::int64_t i = 0; i < above.count; ++i) {
      const std::int64_t begin = pos[position(i)];
      const auto end = next + (pos[position(i) + 1] - begin);
      std::iota(next, end, begin);
      next = end;
    }
  });
  return positions;
}

Nodes expand_compressed(const Nodes& above, const LevelStorage& level, std::int64_t dimension) {
  Nodes nodes;
  const IntegerReader pos(level.pos);
  // Segments that follow each other without a gap make one run of positions.
  bool one_run = true;
  std::int64_t expected = level.crd.base();
  above.with_positions([&](auto position) {
    for (std::int64_t i = 0; i < above.count; ++i) {
      const std::int64_t p = position(i);
      const std::int64_t begin = pos[p];
      const std::int64_t end = pos[p + 1];
      if (i == 0) nodes.first = expected = begin;
      one_run = one_run && (begin == expected || begin == end);
      if (begin != end) expected = end;
      nodes.count += end - begin;
    }
  });
  if (!above.root) nodes.parents = numbers_of_parents(above, pos, nodes.count);
  if (!one_run) nodes.positions = positions_of_children(above, pos, nodes.count);
  if (one_run) {
    if (nodes.count == 0) nodes.first = level.crd.base();
    nodes.coordinates = read_coordinates(level.crd, nodes.first, nodes.count, dimension);
    return nodes;
  }
  nodes.coordinates = allocate_coordinates(dimension, nodes.count);
  const IntegerReader crd(level.crd);
  with_mutable_coordinates(nodes.coordinates, [&](auto to) {
    using To = typename decltype(to)::value_type;
    nodes.with_positions([&](auto position) {
      for (std::int64_t i = 0; i < nodes.count; ++i) to[i] = static_cast<To>(crd[position(i)]);
    });
  });
  return nodes;
}

Nodes expand_singleton(const Nodes& above, const LevelStorage& level, std::int64_t dimension) {
  Nodes nodes;
  nodes.count = above.count;
  nodes.first = above.first;
  nodes.positions = above.positions;
  if (!above.positions) {
    const std::int64_t begin = above.count == 0 ? level.crd.base() : above.first;
    nodes.coordinates = read_coordinates(level.crd, begin, above.count, dimension);
    return nodes;
  }
  nodes.coordinates = allocate_coordinates(dimension, nodes.count);
  const IntegerReader crd(level.crd);
  with_mutable_coordinates(nodes.coordinates, [&](auto to) {
    using To = typename decltype(to)::value_type;
    nodes.with_positions([&](auto position) {
      for (std::int64_t i = 0; i < nodes.count; ++i) to[i] = static_cast<To>(crd[position(i)]);
    });
  });
  return nodes;
}

/// For the levels whose children may be absent: `each(parent position, visit)` calls visit(coordinate, position) for
/// every stored child of a parent, in storage order.
template <typename Each>
Nodes expand_sieved(const Nodes& above, std::int64_t dimension, const Each& each) {
  Nodes nodes;
  above.with_positions([&](auto position) {
    for (std::int64_t i = 0; i < above.count; ++i) {
      each(position(i), [&](std::int64_t, std::int64_t) { ++nodes.count; });
    }
  });
  nodes.coordinates = allocate_coordinates(dimension, nodes.count);
  nodes.parents = Array::allocate(number_type(above.count), nodes.count, false);
  nodes.positions = Array::allocate(Type::Int64, nodes.count, false);
  auto positions = nodes.positions->mutable_view<std::int64_t>();
  with_mutable_coordinates(nodes.coordinates, [&](auto coordinates) {
    with_numbers(*nodes.parents, [&](auto parents) {
      using Coordinate = typename decltype(coordinates)::value_type;
      using Number = typename decltype(parents)::value_type;
      above.with_positions([&](auto position) {
        std::size_t next = 0;
        for (std::int64_t i = 0; i < above.count; ++i) {
          each(position(i), [&](std::int64_t coordinate, std::int64_t child) {
            coordinates[next] = static_cast<Coordinate>(coordinate);
            parents[next] = static_cast<Number>(i);
            positions[next++] = child;
          });
        }
      });
    });
  });
  return nodes;
}

Nodes expand_bitmap(const Nodes& above, const LevelStorage& level, std::int64_t dimension, std::int64_t first_parent) {
  const auto present = level.present.view<std::uint8_t>();
  const std::int64_t first = first_parent * level.extent;
  return expand_sieved(above, dimension, [&](std::int64_t parent, auto visit) {
    const std::int64_t begin = parent * level.extent;
    for (std::int64_t c = 0; c < level.extent; ++c) {
      if (present[begin + c - first] != 0) visit(level.origin + c, begin + c);
    }
  });
}

Nodes expand_hashed(const Nodes& above, const LevelStorage& level, std::int64_t dimension) {
  const IntegerReader pos(level.pos);
  const IntegerReader crd(level.crd);
  return expand_sieved(above, dimension, [&](std::int64_t parent, auto visit) {
    for (std::int64_t slot = pos[parent]; slot < pos[parent + 1]; ++slot) {
      if (const std::int64_t c = crd[slot]; c >= 0) visit(c, slot);
    }
  });
}

/// Under each parent, in the order of the schema.
Nodes expand_dynamic(const Storage& tensor, int k, const Nodes& above, std::int64_t dimension) {
  const std::int64_t count = tensor.levels[static_cast<std::size_t>(k)].positions;
  const bool last = k + 1 == tensor.order();
  Nodes nodes;
  nodes.count = count;
  nodes.coordinates = allocate_coordinates(dimension, count);
  nodes.parents = Array::allocate(number_type(above.count), count, false);
  if (last) nodes.values = Array::allocate(tensor.type, count, false);
  else nodes.positions = Array::allocate(Type::Int64, count, false);
  const auto width = static_cast<std::size_t>(size_of(tensor.type));
  const nodes::LevelNodes level(nodes::arrays_of(tensor, k));
  nodes::ElementWalk walk(level);
  with_mutable_coordinates(nodes.coordinates, [&](auto coordinates) {
    with_numbers(*nodes.parents, [&](auto parents) {
      using Coordinate = typename decltype(coordinates)::value_type;
      using Number = typename decltype(parents)::value_type;
      above.with_positions([&](auto position) {
        std::int64_t next = 0;
        for (std::int64_t i = 0; i < above.count; ++i) {
          walk.start(position(i));
          for (; walk.next(); ++next) {
            internal_check(next < count, "level {} has more than its {} elements", k, count);
            const auto n = static_cast<std::size_t>(next);
            coordinates[n] = static_cast<Coordinate>(walk.coordinate());
            parents[n] = static_cast<Number>(i);
            if (last) std::memcpy(static_cast<char*>(nodes.values->mutable_data()) + n * width, walk.value(), width);
            else nodes.positions->mutable_view<std::int64_t>()[n] = level.child(walk.value());
          }
        }
        internal_check(next == count, "level {} has {} elements instead of {}", k, next, count);
      });
    });
  });
  return nodes;
}

Nodes expand(const Storage& tensor, int k, const Nodes& above) {
  const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
  const std::int64_t dimension = tensor.dimensions[static_cast<std::size_t>(tensor.format.map().mode_of(k))];
  switch (tensor.format.level(k).kind) {
    case LevelKind::Dense: return expand_dense(above, level, dimension);
    case LevelKind::Compressed: return expand_compressed(above, level, dimension);
    case LevelKind::Singleton: return expand_singleton(above, level, dimension);
    case LevelKind::Bitmap: return expand_bitmap(above, level, dimension, first_position(tensor, k - 1));
    case LevelKind::Hashed: return expand_hashed(above, level, dimension);
    case LevelKind::Dynamic: return expand_dynamic(tensor, k, above, dimension);
  }
  throw InternalError("internal error: a LevelKind outside its enumeration");
}

/// The values of the leaf nodes; shared where they are one run.
Array leaf_values(const Storage& tensor, const Nodes& leaves, int threads) {
  if (leaves.values) return *leaves.values;
  const Array& values = tensor.values;
  const auto width = static_cast<std::int64_t>(size_of(values.type()));
  if (!leaves.positions) {
    const auto* data = static_cast<const unsigned char*>(values.data());
    const std::int64_t offset = leaves.count == 0 ? 0 : (leaves.first - values.base()) * width;
    return Array::borrow(values.type(), data + offset, leaves.count, values.owner());
  }
  Array order = Array::allocate(Type::UInt64, leaves.count, false);
  auto to = order.mutable_view<std::uint64_t>();
  const auto from = leaves.positions->view<std::int64_t>();
  for (std::int64_t i = 0; i < leaves.count; ++i) to[i] = static_cast<std::uint64_t>(from[i] - values.base());
  return gather(values, order, threads);
}

/// The numbers of the values that differ from `fill`.
Array stored_numbers(const Array& values, const Scalar& fill) {
  return visit_type(values.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto view = values.view<T>();
    const T absent = fill.as<T>();
    const auto count = static_cast<std::int64_t>(view.size()) - std::count(view.begin(), view.end(), absent);
    Array numbers = Array::allocate(number_type(values.size()), count, false);
    with_numbers(numbers, [&](auto to) {
      using Number = typename decltype(to)::value_type;
      std::size_t next = 0;
      for (std::size_t i = 0; i < view.size(); ++i) {
        if (view[i] != absent) to[next++] = static_cast<Number>(i);
      }
    });
    return numbers;
  });
}

/// The non-zero entries of an all-dense tensor: found among the values, their coordinates by division, so that memory
/// goes with the entries and not with the tensor's size.
CoordinateList sift_dense(const Storage& tensor, int threads) {
  const Array numbers = stored_numbers(tensor.values, tensor.fill);
  CoordinateList list{tensor.dimensions, std::vector<Array>(tensor.dimensions.size()),
                      gather(rebased(tensor.values), numbers, threads)};
  Array rest = Array::allocate(Type::Int64, numbers.size(), false);
  auto remaining = rest.mutable_view<std::int64_t>();
  const IntegerReader number(numbers);
  for (std::int64_t e = 0; e < numbers.size(); ++e) remaining[e] = number[e];
  for (int k = tensor.order() - 1; k >= 0; --k) {
    const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
    const auto mode = static_cast<std::size_t>(tensor.format.map().mode_of(k));
    list.coordinates[mode] = allocate_coordinates(tensor.dimensions[mode], numbers.size());
    with_mutable_coordinates(list.coordinates[mode], [&](auto to) {
      using To = typename decltype(to)::value_type;
      for (std::size_t e = 0; e < remaining.size(); ++e) {
        to[e] = static_cast<To>(level.origin + remaining[e] % level.extent);
        remaining[e] /= level.extent;
      }
    });
  }
  return list;
}

}  // namespace

CoordinateList coordinates_of(const Storage& tensor, bool keep_zeros, int threads) {
  if (!keep_zeros && tensor.order() > 0 && tensor.format.is_dense()) return sift_dense(tensor, threads);
  std::vector<Nodes> levels(1);
  levels[0].count = 1;
  levels[0].root = true;
  for (int k = 0; k < tensor.order(); ++k) levels.push_back(expand(tensor, k, levels.back()));
  CoordinateList list{tensor.dimensions, std::vector<Array>(tensor.dimensions.size()),
                      leaf_values(tensor, levels.back(), threads)};
  // Upwards from the leaves: `chain` leads from an entry to its node at the level at hand; none means "the same
  // number".
  std::optional<Array> chain;
  if (!keep_zeros) {
    chain = stored_numbers(list.values, tensor.fill);
    list.values = gather(list.values, *chain, threads);
  }
  for (int k = tensor.order() - 1; k >= 0; --k) {
    Nodes& nodes = levels[static_cast<std::size_t>(k) + 1];
    const auto mode = static_cast<std::size_t>(tensor.format.map().mode_of(k));
    list.coordinates[mode] = chain ? gather(nodes.coordinates, *chain, threads) : nodes.coordinates;
    if (nodes.parents) chain = chain ? gather(*nodes.parents, *chain, threads) : *nodes.parents;
    nodes = Nodes();
  }
  return list;
}

}  // namespace lacuna
