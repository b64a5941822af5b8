#include "lacuna/distribute/exchange/read.h"

#include <algorithm>
#include <exception>

#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/entry_messages.h"
#include "lacuna/distribute/exchange/mirrors.h"
#include "lacuna/distribute/exchange/move.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/exchange/read_rounds.h"
#include "lacuna/tensor/build_entries.h"

namespace lacuna {
namespace {

class PlacedReader {
 public:
  PlacedReader(CoordinateFile& file, const Distribution& distribution, const std::string& name, Communicator& ranks,
               const PlacedReadOptions& options)
      : file_(file),
        distribution_(distribution),
        name_(name),
        ranks_(ranks),
        options_(options),
        rounds_(file, ranks, options.chunk_bytes) {}

  DistributedTensor read() {
    together(ranks_, what(), [&] { check(); });
    find_dimensions();
    DistributedTensor tensor(layout(), ranks_);
    const EntryRouter router(tensor, ranks_);
    std::vector<Bytes> received = exchange_entries(router);
    check_entries();
    together_as_one(ranks_, what(), [&] { build_parts(tensor, router, std::move(received)); });
    or_abort(ranks_, [&] { tensor.count_stored(ranks_); });
    if (!counts_positions(distribution_, tensor.shape().format)) return tensor;
    return placed_anew(tensor, distribution_, name_, ranks_);
  }

 private:
  std::vector<std::string> what() const {
    return {"reading " + name_, file_.name(), fmt::format("{} bytes", file_.body().end), distribution_.to_string()};
  }
  Format format() const { return options_.format.value_or(file_.natural()); }

  void check() const {
    if (format().order() != static_cast<int>(file_.order()))
      user_error("{} is stored as {}, but {} holds a tensor of order {}", name_, format().to_string(), file_.name(),
                 file_.order());
    check_distribution(distribution_, format(), name_);
  }

  /// Of a file that does not say them.
  void find_dimensions() {
    if (file_.dimensions()) return;
    std::vector<std::int64_t> largest(file_.order());
    together_as_one(ranks_, what(), [&] {
      rounds_.for_each([&](ByteRange range) {
        const std::vector<std::int64_t> here = file_.largest(range);
        for (std::size_t m = 0; m < largest.size(); ++m) largest[m] = std::max(largest[m], here[m]);
      });
    });
    or_abort(ranks_, [&] {
      for (const std::vector<std::int64_t>& each : gather_numbers(ranks_, largest))
        for (std::size_t m = 0; m < largest.size(); ++m) largest[m] = std::max(largest[m], each.at(m));
    });
    together(ranks_, what(),
             [&] { file_.set_dimensions(options_.dimensions ? options_.dimensions(largest) : largest); });
  }

  TensorLayout layout() const {
    const Format arrays = format().has_nodes() ? array_format_of(format()) : format();
    const std::vector<std::int64_t> dimensions = *file_.dimensions();
    BlockCounter counter(arrays);
    return {dimensions,
            format(),
            {arrays, file_.type(), Scalar::zero(file_.type())},
            placement_of(distribution_, arrays, whole_of(dimensions), counter),
            distribution_.machine(),
            distribution_};
  }

  /// What this rank gets, in the order of the file. Where lines are wrong, their rank goes on with nothing until all
  /// are through, so that the first of them in the file is named.
  std::vector<Bytes> exchange_entries(const EntryRouter& router) {
    std::vector<std::vector<Bytes>> from(static_cast<std::size_t>(ranks_.ranks()));  // by rank and round
    or_abort(ranks_, [&] {
      for (std::int64_t round = 0; round < rounds_.count(); ++round) {
        std::vector<Bytes> messages = router.messages(entries_of(round));
        for (int r = 0; r < ranks_.ranks(); ++r)
          if (r != ranks_.rank())
            ranks_.send(r, std::make_shared<const Bytes>(std::move(messages[static_cast<std::size_t>(r)])));
        for (int r = 0; r < ranks_.ranks(); ++r)
          from[static_cast<std::size_t>(r)].push_back(
              r == ranks_.rank() ? std::move(messages[static_cast<std::size_t>(r)]) : ranks_.receive(r));
        ranks_.finish_sends();
      }
    });
    std::vector<Bytes> all;
    for (std::vector<Bytes>& each : from) std::move(each.begin(), each.end(), std::back_inserter(all));
    return all;
  }

  CoordinateList entries_of(std::int64_t round) {
    try {
      if (mistake_ == nullptr) {
        CoordinateList entries = file_.read(rounds_.range(round));
        entries_ += entries.size();
        if (!file_.is_symmetric()) return entries;
        triangles_.note(entries);
        return file_.with_mirrors(entries);
      }
    } catch (const Error&) {
      mistake_ = std::current_exception();
    }
    return file_.read({0, 0});
  }

  /// Of all ranks: the first mistake in the file, then what is wrong with all of it.
  void check_entries() {
    together_as_one(ranks_, what(), [&] {
      if (mistake_ != nullptr) std::rethrow_exception(mistake_);
    });
    std::vector<std::vector<std::int64_t>> entries;
    or_abort(ranks_, [&] { entries = gather_numbers(ranks_, {entries_}); });
    std::int64_t all = 0, before = 0;
    for (std::size_t r = 0; r < entries.size(); ++r) {
      all += entries[r][0];
      if (static_cast<int>(r) < ranks_.rank()) before += entries[r][0];
    }
    together(ranks_, what(), [&] { file_.check_count(all); });
    if (!file_.is_symmetric()) return;
    std::optional<std::int64_t> mirror;
    or_abort(ranks_, [&] {
      if (triangles_.are_both_used(ranks_)) mirror = first_given_mirror(file_, rounds_, before, ranks_);
    });
    together(ranks_, what(), [&] {
      if (mirror) file_.fail_mirror(*mirror);
    });
  }

  void build_parts(DistributedTensor& tensor, const EntryRouter& router, std::vector<Bytes> received) const {
    const std::vector<std::size_t>& parts = router.parts_on(ranks_.rank());
    std::vector<CoordinateList> lists = entries_from(std::move(received), tensor, parts);
    const PartShape& shape = tensor.shape();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const CoordinateList list = std::move(lists[k]);
      tensor.set_part(static_cast<std::int64_t>(parts[k]), {tensor.placement().parts[parts[k]].what.coordinates,
                                                            build_with_fill(list, shape.format, {}, shape.fill)});
    }
  }

  CoordinateFile& file_;
  const Distribution& distribution_;
  const std::string& name_;
  Communicator& ranks_;
  const PlacedReadOptions& options_;
  ReadRounds rounds_;
  std::exception_ptr mistake_;
  std::int64_t entries_ = 0;  // that this rank read
  Triangles triangles_;
};

}  // namespace

DistributedTensor read_placed(CoordinateFile& file, const Distribution& distribution, const std::string& name,
                              Communicator& ranks, const PlacedReadOptions& options) {
  return PlacedReader(file, distribution, name, ranks, options).read();
}

}  // namespace lacuna
