#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/run/fetch.h"
#include "lacuna/distribute/run/in_place.h"
#include "lacuna/support/shared_memory.h"

namespace lacuna {

/// Where a part begins in the whole of a dense tensor, in elements, if it is one stretch there: all under some
/// outermost coordinates that follow each other.
std::optional<std::int64_t> begin_in_whole(const std::vector<IndexSet>& part,
                                           const std::vector<std::int64_t>& dimensions, const Format& format);

/// A dense operand that tasks read where ranks of one computer have its parts, run after run, as if it were in one
/// piece. Who has a part says where it is, and no values move: who reads it is through before anybody begins the next
/// statement, which all ranks agree upon, and nothing is written over before. What others cannot read yet is copied to
/// where they can, and what comes for the second time stays there.
class PartsInPlace : public Fetch {
 public:
  /// `readers`: the tasks of this rank that read the operand so; of those that InPlace::may_serve. What they use is in
  /// parts that have a begin_in_whole. Collective: ranks tell each other.
  PartsInPlace(const PreparedLaunch& prepared, std::size_t operand, const InPlace& in_place,
               const std::set<std::size_t>& readers, Communicator& ranks);

  /// Whether nothing moves by a transfer, from this rank or to it, since it is read in place.
  bool serves(const Transfer& transfer) const { return served_.count(&transfer) != 0; }

  /// Says where the parts of this rank are, and begins to hear where others are.
  void begin(std::size_t step, bool changed, Communicator& ranks) override;
  /// Opens what lies where it did not lie before, and says so. Throws RuntimeFailure where a part cannot be read.
  void finish(std::size_t step, Communicator& ranks) override;
  /// Begins to hear who has opened what this rank has said. So that stays until then.
  void end(Communicator& ranks) override;

  /// The operand, of which there are the parts that tasks of this rank need.
  Fetched at(std::size_t, std::size_t) override { return {whole_.sets, whole_.storage}; }
  bool waits(std::size_t, std::size_t) const override { return true; }
  News news(std::size_t, std::size_t, bool changed) const override { return changed ? News::Memory : News::None; }

 private:
  struct Reader {
    Channel places = {}, answers = {};
    std::byte answer = {};
  };
  /// A part of this rank.
  struct Shown {
    std::size_t begin = 0;               // in the whole, in bytes
    std::map<int, Reader> readers = {};  // other ranks
    SharedPlace place = {};
    std::vector<SharedPlace> said = {};                  // the last ones, the last first,
    bool is_new = false;                                 // to which this one was added
    Array values = {};                                   // that lie there: nobody writes over what is held
    std::optional<Array> copy = {};                      // of parts that others cannot read
    int runs_without_copy = 0;                           // since the last one that needed it
    std::array<std::weak_ptr<const void>, 3> last = {};  // memory of such parts, of the last runs
    std::size_t runs = 0;
  };
  /// A part that this rank reads, of one of those who have it: its tasks may fetch it from several.
  struct Read {
    std::uint64_t begin = 0, bytes = 0;  // in the whole
    SharedPlace place = {};
    std::vector<OpenedPlace> opened = {};  // as `said` by who has it
    Channel places = {}, answers = {};
    std::byte answer = {};
  };

  void add_served(const Transfer& transfer, const Communicator& ranks);
  static void show(const DistributedTensor& tensor, std::int64_t number, Shown& shown, Communicator& ranks);
  std::vector<const Read*> of_each_part() const;
  SharedWindow& window();

  std::set<const Transfer*> served_;
  std::map<std::int64_t, Shown> shown_;                // by part
  std::map<std::pair<std::int64_t, int>, Read> read_;  // by part and rank
  std::vector<SharedWindow> windows_;                  // of the last places
  LocalPart whole_;
  Traffic saved_;  // what messages would move in a run, to this rank
};

}  // namespace lacuna
