#include "lacuna/distribute/tensors/write.h"

#include <algorithm>
#include <exception>

#include "lacuna/distribute/comm/outcome.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/comm/wire.h"
#include "lacuna/distribute/parts/numbering.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/move.h"
#include "lacuna/distribute/tensors/sample.h"
#include "lacuna/io/io.h"
#include "lacuna/io/pieces.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// The entries that this rank counts, with their coordinates in the whole.
CoordinateList entries_here(const DistributedTensor& tensor) {
  std::vector<CoordinateList> lists;
  std::int64_t size = 0;
  for (const std::int64_t p : tensor.parts_counted_here()) {
    lists.push_back(coordinates_of(tensor.part(p).storage));
    size += lists.back().size();
  }
  const std::vector<std::int64_t>& dimensions = tensor.dimensions();
  CoordinateList all{dimensions, {}, Array::allocate(tensor.shape().type, size, false)};
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    all.coordinates.push_back(Array::allocate(coordinate_type(dimensions[m]), size, false));
    with_mutable_coordinates(all.coordinates[m], [&](auto to) {
      std::size_t at = 0;
      std::size_t k = 0;
      for (const std::int64_t p : tensor.parts_counted_here()) {
        const CoordinateList& list = lists[k++];
        const Coordinates whole(tensor.part(p).sets[m], list.size());
        for (std::int64_t e = 0; e < list.size(); ++e)
          to[at++] = static_cast<typename decltype(to)::value_type>(whole[list.coordinates[m].integer(e)]);
      }
    });
  }
  auto* values = static_cast<std::byte*>(all.values.mutable_data());
  for (const CoordinateList& list : lists) {
    const auto* from = static_cast<const std::byte*>(list.values.data());
    values = std::copy(from, from + list.values.bytes(), values);
  }
  return all;
}

/// Of the blocks that a rank collects, one is on its way at a time: the fewer there are, the more memory that takes.
constexpr int blocks_a_rank = 4;

/// The tensor in blocks of a mode, as a file has it.
DistributedTensor blocks_of(const DistributedTensor& tensor, int mode, const std::string& name, Communicator& ranks) {
  const std::vector<DistVar> modes(tensor.dimensions().size());
  const auto m = static_cast<std::size_t>(mode);
  const Machine machine{Grid(blocks_a_rank * ranks.ranks())};
  if (tensor.format().is_dense()) return placed_anew(tensor, {modes, machine, {modes[m]}}, name, ranks);
  CoordinateList mine;
  std::vector<std::int64_t> begins;
  or_abort(ranks, [&] {
    mine = entries_here(tensor);
    for (const std::vector<std::int64_t>& bound : bounds_by_sample({mine}, {m}, blocks_a_rank * ranks.ranks(), ranks))
      begins.push_back(bound[0]);
  });
  const Format format = coo_format(static_cast<int>(modes.size()));
  return contributed(std::move(mine), format, {modes, machine, {blocks(modes[m], begins)}}, name, ranks);
}

/// The blocks, one after the other; on rank 0, from where they are.
class Blocks {
 public:
  Blocks(const DistributedTensor& blocks, Communicator& ranks) : blocks_(blocks), ranks_(ranks) {}

  std::optional<Storage> next() {
    if (next_ == blocks_.placement().parts.size()) return std::nullopt;
    std::optional<Storage> block;
    or_abort_alone(ranks_, [&] { block = received(); });
    return block;
  }
  /// Takes those that are left, whose senders wait for that.
  void skip() {
    while (next()) {
    }
  }
  /// Of the other ranks.
  void send() {
    or_abort_alone(ranks_, [&] {
      for (const std::int64_t p : blocks_.parts_counted_here()) {
        ranks_.send(0, std::make_shared<const Bytes>(to_message(blocks_.part(p))));
        ranks_.finish_sends();
      }
    });
  }

 private:
  Storage received() {
    const TensorPlacement::Part& part = blocks_.placement().parts[next_];
    const auto number = static_cast<std::int64_t>(next_++);
    const int from = blocks_.rank_of(part.processors.front());
    if (from == 0) return blocks_.part(number).storage;
    return from_message(ranks_.receive(from), part.what.coordinates, blocks_.shape()).storage;
  }

  const DistributedTensor& blocks_;
  Communicator& ranks_;
  std::size_t next_ = 0;
};

/// Rank 0 writes what the others send. Where it cannot, it takes what is left, and all throw what it throws.
void write_blocks(const DistributedTensor& parts, const std::string& path, Communicator& ranks) {
  Blocks blocks(parts, ranks);
  together_as_one(ranks, {"writing " + path}, [&] {
    if (ranks.rank() != 0) return blocks.send();
    try {
      write_pieces(path, {parts.dimensions(), parts.shape().type, parts.format().is_dense(), parts.stored()},
                   [&] { return blocks.next(); });
    } catch (const AgreedByAll&) {  // nobody sends any more
      throw;
    } catch (const std::exception&) {
      blocks.skip();
      throw;
    }
  });
}

}  // namespace

void write_placed(const DistributedTensor& tensor, const std::string& path, const std::string& name,
                  Communicator& ranks) {
  const int order = static_cast<int>(tensor.dimensions().size());
  const bool is_dense = tensor.format().is_dense();
  std::optional<int> mode;
  together(ranks, {"writing " + path}, [&] {
    check_writable(path, order, tensor.shape().type, is_dense, tensor.shape().fill);
    mode = mode_of_pieces(path, order, is_dense);
  });
  if (mode && ranks.ranks() > 1) return write_blocks(blocks_of(tensor, *mode, name, ranks), path, ranks);
  Storage whole;
  or_abort(ranks, [&] { whole = gathered(tensor, ranks, Recipients::First); });
  on_first(ranks, {"writing " + path}, [&] { write_file(path, whole); });
}

}  // namespace lacuna
