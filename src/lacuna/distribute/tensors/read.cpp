#include "lacuna/distribute/tensors/read.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>

#include <fmt/ranges.h>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/entry_messages.h"
#include "lacuna/distribute/tensors/mirrors.h"
#include "lacuna/distribute/tensors/move.h"
#include "lacuna/distribute/tensors/padding.h"
#include "lacuna/distribute/tensors/rounds.h"
#include "lacuna/distribute/tensors/sample.h"
#include "lacuna/jit/hash.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/add_entries.h"
#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

/// What comes to a rank of a tensor's entries, and the parts made of them.
class Received {
 public:
  /// `in_place`: each entry comes once, and the parts are dense, so that values go to where they are in the end.
  Received(const DistributedTensor& tensor, const std::vector<std::size_t>& numbers, bool in_place)
      : tensor_(tensor), numbers_(numbers) {
    if (!in_place) return;
    for (const std::size_t number : numbers) {
      std::vector<std::int64_t> dimensions;
      for (const IndexSet& set : sets_of(number)) dimensions.push_back(set.size());
      dense_.push_back(empty_tensor(tensor.shape().type, dimensions, tensor.shape().format));
    }
    in_place_ = true;
  }

  void add(int rank, Bytes message) {
    if (!in_place_) return from_[rank].push_back(std::move(message));
    std::vector<Bytes> one;
    one.push_back(std::move(message));
    const std::vector<CoordinateList> lists = entries_from(std::move(one), tensor_, numbers_);
    for (std::size_t k = 0; k < lists.size(); ++k) put_entries(dense_[k], lists[k]);
  }

  /// Entries are put together in the order of the file.
  void build(DistributedTensor& tensor) {
    std::vector<LocalPart> parts;
    if (in_place_) {
      for (std::size_t k = 0; k < numbers_.size(); ++k) parts.push_back({sets_of(numbers_[k]), std::move(dense_[k])});
    } else {
      std::vector<Bytes> all;
      for (auto& each : from_) std::move(each.second.begin(), each.second.end(), std::back_inserter(all));
      parts = parts_from(std::move(all), tensor, numbers_);
    }
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      tensor.set_part(static_cast<std::int64_t>(numbers_[k]), std::move(parts[k]));
  }

 private:
  const std::vector<IndexSet>& sets_of(std::size_t number) const {
    return tensor_.placement().parts[number].what.coordinates;
  }

  const DistributedTensor& tensor_;
  const std::vector<std::size_t>& numbers_;  // of this rank's parts
  bool in_place_ = false;
  std::map<int, std::vector<Bytes>> from_;  // by rank, in the order of its lines
  std::vector<Storage> dense_;
};

/// Of all of its bytes: a rank reads only its share of them, but the others' shares have to be of the same file.
std::string hash_of(const EntryFile& file) {
  TextHasher hasher;
  file.each_stretch([&](std::string_view bytes) { hasher.add(hash128(bytes).to_string()); });
  return hasher.finish().to_string();
}

class PlacedReader {
 public:
  PlacedReader(EntryFile& file, const Distribution& distribution, const std::string& name, Communicator& ranks,
               const PlacedReadOptions& options)
      : file_(file),
        hashed_(hash_of(file)),
        distribution_(distribution),
        name_(name),
        ranks_(ranks),
        options_(options) {}

  DistributedTensor read() {
    together(ranks_, what(), [&] { check(); });
    find_dimensions();
    together(ranks_, {fmt::format("{} of {}", name_, fmt::join(*file_.dimensions(), " x "))}, [] {});
    EntryReader reader = new_reader();
    or_abort(ranks_, [&] { begin(reader); });
    const bool by_counts = counts_positions(distribution_, array_format_of(format()));
    std::optional<TensorLayout> layout;
    or_abort(ranks_, [&] {
      layout = by_counts ? layout_of_kept(reader)
                         : layout_in_blocks(*file_.dimensions(), format(), file_.type(), distribution_);
    });
    DistributedTensor tensor(std::move(*layout), ranks_);
    const EntryRouter router(tensor, ranks_);
    Received received(tensor, router.parts_on(ranks_.rank()), in_place());
    or_abort(ranks_, [&] {
      rounds_ = exchange_in_rounds(
          router, tensor, ranks_, [&] { return by_counts ? next_kept() : entries_of(reader); },
          [&](int rank, Bytes message) { received.add(rank, std::move(message)); });
    });
    check_entries(reader);
    together_as_one(ranks_, what(), [&] { received.build(tensor); });
    or_abort(ranks_, [&] {
      add_padding(tensor, ranks_);
      tensor.count_stored(ranks_);
    });
    return by_counts ? placed_anew(tensor, distribution_, name_, ranks_) : std::move(tensor);
  }

 private:
  std::vector<std::string> what() const {
    return {"reading " + name_,
            file_.name(),
            fmt::format("{} of {} bytes", file_.name(), file_.bytes()),
            fmt::format("{} with bytes of the hash {}", file_.name(), hashed_),
            fmt::format("{} as {}", name_, format().to_string()),
            fmt::format("{} of {}", name_, type_name(file_.type())),
            fmt::format("{}: {} on {}", name_, distribution_.to_string(), distribution_.machine().to_string())};
  }
  EntryReader new_reader() const { return {file_, {ranks_.rank(), ranks_.ranks()}, options_.chunk_bytes}; }
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
      EntryReader reader = new_reader();
      while (const std::optional<CoordinateList> entries = reader.next())
        for (std::size_t m = 0; m < largest.size(); ++m) largest[m] = std::max(largest[m], entries->dimensions[m]);
    });
    or_abort(ranks_, [&] {
      for (const std::vector<std::int64_t>& each : gather_numbers(ranks_, largest))
        for (std::size_t m = 0; m < largest.size(); ++m) largest[m] = std::max(largest[m], each.at(m));
    });
    together(ranks_, what(),
             [&] { file_.set_dimensions(options_.dimensions ? options_.dimensions(largest) : largest); });
  }

  /// Values of a dense tensor that are there once each go where they belong as they come.
  bool in_place() const { return file_.is_array() && format().is_dense() && file_.may_hold_all(); }

  /// Lines of arrays do not say where they belong, but their numbers do.
  void begin(EntryReader& reader) {
    if (file_.is_array() && !file_.is_compressed()) reader.begin_at(sum_before(reader.count()));
    first_ = reader.number();
  }
  /// Of what the ranks have, how much those before this one have. Collective.
  std::int64_t sum_before(std::int64_t mine) const {
    const std::vector<std::vector<std::int64_t>> all = gather_numbers(ranks_, {mine});
    std::int64_t sum = 0;
    for (std::size_t r = 0; static_cast<int>(r) < ranks_.rank(); ++r) sum += all[r].at(0);
    return sum;
  }

  /// Keeps all entries of this rank's lines: where they go is known when all ranks have read theirs.
  TensorLayout layout_of_kept(EntryReader& reader) {
    while (std::optional<CoordinateList> entries = entries_of(reader)) kept_.push_back(std::move(*entries));
    TensorLayout layout =
        layout_by_sample(kept_, *file_.dimensions(), format(), file_.type(), distribution_.machine(), ranks_);
    std::reverse(kept_.begin(), kept_.end());
    return layout;
  }
  std::optional<CoordinateList> next_kept() {
    if (kept_.empty()) return std::nullopt;
    CoordinateList next = std::move(kept_.back());
    kept_.pop_back();
    return next;
  }

  /// The entries of some more lines; none at the end. Where lines are wrong, their rank goes on with nothing until all
  /// are through, so that the first of them in the file is named.
  std::optional<CoordinateList> entries_of(EntryReader& reader) {
    try {
      const std::optional<CoordinateList> entries = mistake_ == nullptr ? reader.next() : std::nullopt;
      if (!entries) return std::nullopt;
      if (file_.is_symmetric()) triangles_.note(*entries);
      return file_.complete(*entries, file_.is_array() && !format().is_dense());
    } catch (const Error&) {
      mistake_ = std::current_exception();
    }
    return std::nullopt;
  }

  /// Of all ranks: the first mistake in the file, then what is wrong with all of it.
  void check_entries(const EntryReader& reader) {
    together_as_one(ranks_, what(), [&] {
      if (mistake_ != nullptr) std::rethrow_exception(mistake_);
    });
    together_as_one(ranks_, what(), [&] {
      if (reader.mistake_in_values() != nullptr) std::rethrow_exception(reader.mistake_in_values());
    });
    const std::int64_t mine = reader.number() - first_;
    std::int64_t all = 0, before = 0;
    std::optional<std::int64_t> against;
    or_abort(ranks_, [&] {
      all = sums_over(ranks_, {mine})[0];
      before = sum_before(mine);
      against = least_over(ranks_, reader.first_against_symmetry());
    });
    together(ranks_, what(), [&] {
      file_.check_count(all);
      if (against) file_.fail_symmetry(*against);
    });
    if (!file_.is_symmetric()) return;
    std::optional<std::int64_t> mirror;
    or_abort(ranks_, [&] {
      if (!triangles_.are_both_used(ranks_)) return;
      EntryReader again = new_reader();
      again.begin_at(before);
      mirror = first_given_mirror(again, rounds_, ranks_);
    });
    together(ranks_, what(), [&] {
      if (mirror) file_.fail_mirror(*mirror);
    });
  }

  EntryFile& file_;
  std::string hashed_;
  const Distribution& distribution_;
  const std::string& name_;
  Communicator& ranks_;
  const PlacedReadOptions& options_;
  std::exception_ptr mistake_;
  std::int64_t first_ = 0;  // the number of the first entry that this rank reads, where it knows
  std::int64_t rounds_ = 0;
  Triangles triangles_;
  std::vector<CoordinateList> kept_;  // the next one last
};

}  // namespace

DistributedTensor read_placed(EntryFile& file, const Distribution& distribution, const std::string& name,
                              Communicator& ranks, const PlacedReadOptions& options) {
  return PlacedReader(file, distribution, name, ranks, options).read();
}

void refuse_pipe(const std::string& path, const Communicator& ranks) {
  std::error_code ignored;  // what cannot be looked at is refused by who opens it
  const auto type = std::filesystem::status(path, ignored).type();
  if (ranks.ranks() == 1 || (type != std::filesystem::file_type::fifo && type != std::filesystem::file_type::character))
    return;
  user_error("{}: a pipe gives its bytes once, and {} ranks are to read them; write them to a file first", path,
             ranks.ranks());
}

}  // namespace lacuna
