#include "lacuna/distribute/tensors/contribute.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/entry_messages.h"
#include "lacuna/distribute/tensors/give_back.h"
#include "lacuna/distribute/tensors/move.h"
#include "lacuna/distribute/tensors/padding.h"
#include "lacuna/distribute/tensors/rounds.h"
#include "lacuna/distribute/tensors/sample.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

std::string spoken(const std::string& name) { return name.empty() ? "a tensor" : name; }

std::vector<std::string> described(const char* what, const std::string& name,
                                   const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                                   const Distribution& distribution) {
  return {fmt::format("{} {}", what, spoken(name)),
          fmt::format("{}, {}, {}", fmt::join(dimensions, " x "), type_name(type), format.to_string()),
          fmt::format("{} on {}", distribution.to_string(), distribution.machine().to_string())};
}

/// Some entries of a list, in its memory.
CoordinateList some_of(const CoordinateList& list, std::int64_t first, std::int64_t count) {
  const auto stretch = [&](const Array& all) {
    const auto* data = static_cast<const std::byte*>(all.data()) + first * size_of(all.type());
    return Array::borrow(all.type(), data, count, all.owner());
  };
  CoordinateList some{list.dimensions, {}, stretch(list.values)};
  for (const Array& column : list.coordinates) some.coordinates.push_back(stretch(column));
  return some;
}

std::int64_t bytes_of_entry(const CoordinateList& list) {
  std::int64_t bytes = size_of(list.values.type());
  for (const Array& column : list.coordinates) bytes += size_of(column.type());
  return bytes;
}

/// What comes to this rank of what all ranks contribute, in the order of the ranks.
std::vector<Bytes> exchanged(CoordinateList mine, const EntryRouter& router, const DistributedTensor& tensor,
                             Communicator& ranks) {
  constexpr std::int64_t at_once = std::int64_t{1} << 15;
  std::int64_t sent = 0;
  std::vector<std::vector<Bytes>> from(static_cast<std::size_t>(ranks.ranks()));
  exchange_in_rounds(
      router, tensor, ranks,
      [&]() -> std::optional<CoordinateList> {
        if (sent == mine.size()) return std::nullopt;
        const std::int64_t first = sent, count = std::min(at_once, mine.size() - sent);
        sent += count;
        return some_of(mine, first, count);
      },
      [&](int rank, Bytes message) { from[static_cast<std::size_t>(rank)].push_back(std::move(message)); });
  const std::int64_t bytes = mine.size() * bytes_of_entry(mine);
  mine = {};
  give_back_to_system(static_cast<std::size_t>(bytes));
  std::vector<Bytes> all;
  for (std::vector<Bytes>& each : from) std::move(each.begin(), each.end(), std::back_inserter(all));
  return all;
}

}  // namespace

DistributedTensor contributed(CoordinateList mine, const Format& format, const Distribution& distribution,
                              const std::string& name, Communicator& ranks, const DistributedTensor* before) {
  const Type type = mine.values.type();
  together(ranks, described("contributing to", name, mine.dimensions, format, type, distribution),
           [&] { check_distribution(distribution, format, name); });
  const bool by_counts = counts_positions(distribution, array_format_of(format));
  std::optional<TensorLayout> layout;
  or_abort(ranks, [&] {
    layout = by_counts ? layout_by_sample({mine}, mine.dimensions, format, type, distribution.machine(), ranks)
                       : layout_in_blocks(mine.dimensions, format, type, distribution);
  });
  DistributedTensor tensor(std::move(*layout), ranks);
  or_abort(ranks, [&] {
    Traffic moves;
    std::optional<DistributedTensor> old;
    if (before != nullptr) old = moved(*before, tensor.layout(), ranks, moves);
    const EntryRouter router(tensor, ranks);
    const std::vector<std::size_t>& numbers = router.parts_on(ranks.rank());
    std::vector<LocalPart> parts = parts_from(exchanged(std::move(mine), router, tensor, ranks), tensor, numbers);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto number = static_cast<std::int64_t>(numbers[k]);
      if (old) parts[k] = add_up({old->part(number), parts[k]}, parts[k].sets, tensor.shape());
      tensor.set_part(number, std::move(parts[k]));
    }
    add_padding(tensor, ranks);
    tensor.count_stored(ranks);
  });
  return by_counts ? placed_anew(tensor, distribution, name, ranks) : std::move(tensor);
}

namespace {

/// A layout in which all know where the parts are.
TensorLayout known_layout(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                          const Distribution& distribution, const std::string& name) {
  check_distribution(distribution, format, name);
  if (counts_positions(distribution, array_format_of(format)))
    user_error(
        "{}: {} counts what is stored, so that nobody knows where parts begin before they are there; give them in "
        "blocks, as in x[5,9], and place the tensor again",
        spoken(name), distribution.to_string());
  return layout_in_blocks(dimensions, format, type, distribution);
}

std::string sizes_text(const std::vector<std::int64_t>& sizes) { return fmt::format("{}", fmt::join(sizes, " x ")); }

Storage adopted_part(const Storage& part, const DistributedTensor& tensor, std::size_t number,
                     const std::string& name) {
  std::vector<std::int64_t> sizes;
  for (const IndexSet& set : tensor.placement().parts[number].what.coordinates) sizes.push_back(set.size());
  if (part.dimensions != sizes)
    user_error("{}: part {} is {}, but {} is given", name, number, sizes_text(sizes), sizes_text(part.dimensions));
  if (part.type != tensor.shape().type)
    user_error("{}: its parts hold {}, but {} is given", name, type_name(tensor.shape().type), type_name(part.type));
  if (part.format == tensor.shape().format) return part;
  if (!(part.format == tensor.format()))
    user_error("{}: its parts are stored as {}, but {} is given; convert it first, with to()", name,
               tensor.format().to_string(), part.format.to_string());
  return convert(part, tensor.shape().format);
}

}  // namespace

DistributedTensor adopted(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                          const Distribution& distribution, const std::vector<Storage>& parts, const std::string& name,
                          Communicator& ranks) {
  std::optional<DistributedTensor> tensor;
  together(ranks, described("adopting parts of", name, dimensions, format, type, distribution), [&] {
    tensor.emplace(known_layout(dimensions, format, type, distribution, name), ranks);
    const std::vector<std::size_t> numbers = tensor->parts_placed_here();
    if (numbers.size() != parts.size())
      user_error("{}: this rank holds {} part{}, but {} given", spoken(name), numbers.size(),
                 numbers.size() == 1 ? "" : "s", parts.size() == 1 ? "1 is" : fmt::format("{} are", parts.size()));
    for (std::size_t k = 0; k < parts.size(); ++k)
      tensor->set_part(static_cast<std::int64_t>(numbers[k]),
                       {tensor->placement().parts[numbers[k]].what.coordinates,
                        adopted_part(parts[k], *tensor, numbers[k], spoken(name))});
  });
  tensor->set_adopted();
  std::optional<std::string> missing;
  or_abort(ranks, [&] {
    missing = missing_padding(*tensor, ranks);
    tensor->count_stored(ranks);
  });
  together(ranks, {"adopting parts of " + spoken(name)}, [&] {
    if (missing)
      user_error("{}: {}; store zeros there, too, or use a format without dense levels under sparse ones", spoken(name),
                 *missing);
  });
  return std::move(*tensor);
}

DistributedTensor made_by_parts(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                                const Distribution& distribution, const std::string& name, Communicator& ranks,
                                const std::function<Storage(const std::vector<IndexSet>&)>& make) {
  std::optional<DistributedTensor> tensor;
  together(ranks, described("making", name, dimensions, format, type, distribution), [&] {
    check_distribution(distribution, format, name);
    tensor.emplace(layout_in_blocks(dimensions, format, type, distribution), ranks);
    for (const std::size_t p : tensor->parts_placed_here()) {
      const std::vector<IndexSet>& sets = tensor->placement().parts[p].what.coordinates;
      tensor->set_part(static_cast<std::int64_t>(p), {sets, adopted_part(make(sets), *tensor, p, spoken(name))});
    }
  });
  or_abort(ranks, [&] {
    add_padding(*tensor, ranks);
    tensor->count_stored(ranks);
  });
  if (!counts_positions(distribution, tensor->shape().format)) return std::move(*tensor);
  return placed_anew(*tensor, distribution, name, ranks);
}

std::vector<std::vector<IndexSet>> parts_on(const Communicator& ranks, const std::vector<std::int64_t>& dimensions,
                                            const Format& format, const Distribution& distribution,
                                            const std::string& name) {
  const DistributedTensor tensor(known_layout(dimensions, format, Type::Float64, distribution, name), ranks);
  std::vector<std::vector<IndexSet>> parts;
  for (const std::size_t p : tensor.parts_placed_here()) parts.push_back(tensor.placement().parts[p].what.coordinates);
  return parts;
}

}  // namespace lacuna
