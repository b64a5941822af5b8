#include "lacuna/distribute/tensors/move.h"

#include <algorithm>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/comm/wire.h"
#include "lacuna/distribute/tensors/held_counter.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Something that a processor gets: of an old part, what lies in a new one.
struct Delivery {
  std::int64_t old_part, new_part;
  std::int64_t from, to;  // processors
};

class Mover {
 public:
  Mover(const DistributedTensor& tensor, TensorLayout layout, Communicator& ranks)
      : old_(tensor), new_(std::move(layout), ranks), ranks_(ranks), same_machine_(old_.machine() == new_.machine()) {
    find_deliveries();
  }

  DistributedTensor run(Traffic& traffic) {
    for (const Delivery& each : deliveries_)
      if (old_.is_mine(each.from) && !new_.is_mine(each.to))
        ranks_.send(new_.rank_of(each.to), std::make_shared<const Bytes>(to_message(piece(each))));
    Traffic mine;
    for (auto at = deliveries_.begin(); at != deliveries_.end();) {
      const auto end = std::find_if(at, deliveries_.end(),
                                    [&](const Delivery& d) { return d.new_part != at->new_part || d.to != at->to; });
      if (new_.is_mine(at->to)) new_.set_part(at->new_part, put_together(at, end, mine));
      at = end;
    }
    fill_empty_parts();
    ranks_.finish_sends();
    add(traffic, sum_over(ranks_, mine));
    new_.count_stored(ranks_);
    return std::move(new_);
  }

 private:
  const Restriction& what(const DistributedTensor& tensor, std::int64_t part) const {
    return tensor.placement().parts[static_cast<std::size_t>(part)].what;
  }

  void find_deliveries() {
    const std::vector<TensorPlacement::Part>&from = old_.placement().parts, &to = new_.placement().parts;
    for (std::size_t n = 0; n < to.size(); ++n) {
      std::vector<std::size_t> reaching;
      for (std::size_t p = 0; p < from.size(); ++p)
        if (!is_empty(common(from[p].what, to[n].what))) reaching.push_back(p);
      for (const std::int64_t processor : to[n].processors)
        for (const std::size_t p : reaching)
          deliveries_.push_back({static_cast<std::int64_t>(p), static_cast<std::int64_t>(n),
                                 sender(from[p].processors, processor), processor});
    }
  }
  std::int64_t sender(const std::vector<std::int64_t>& holders, std::int64_t to) const {
    return same_machine_ ? nearest(old_.machine(), holders, to) : holders.front();
  }

  LocalPart piece(const Delivery& each) const { return cut(old_.part(each.old_part), what(new_, each.new_part)); }

  LocalPart put_together(std::vector<Delivery>::const_iterator begin, std::vector<Delivery>::const_iterator end,
                         Traffic& traffic) {
    std::vector<LocalPart> pieces;
    for (auto each = begin; each != end; ++each) {
      if (same_machine_ && distance(old_.machine(), each->from, each->to) == 0) {  // cut when it is put together
        pieces.push_back(old_.part(each->old_part));
        continue;
      }
      pieces.push_back(old_.is_mine(each->from) ? piece(*each)
                                                : from_message(ranks_.receive(old_.rank_of(each->from)),
                                                               common(what(old_, each->old_part).coordinates,
                                                                      what(new_, each->new_part).coordinates),
                                                               old_.shape()));
      count(traffic, each->from, each->to, bytes_to_send(pieces.back()));
    }
    return join(pieces, what(new_, begin->new_part), new_.shape());
  }
  void count(Traffic& traffic, std::int64_t from, std::int64_t to, std::int64_t bytes) const {
    if (same_machine_) return lacuna::count(traffic, new_.machine(), bytes, from, to);
    add(traffic, {1, bytes, 1});  // from one machine to another
  }

  /// Parts that nothing is in.
  void fill_empty_parts() {
    const std::vector<TensorPlacement::Part>& parts = new_.placement().parts;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const auto number = static_cast<std::int64_t>(n);
      const bool mine = std::any_of(parts[n].processors.begin(), parts[n].processors.end(),
                                    [&](std::int64_t p) { return new_.is_mine(p); });
      if (mine && new_.parts().count(number) == 0)
        new_.set_part(number, join({}, parts[n].what.coordinates, new_.shape()));
    }
  }

  const DistributedTensor& old_;
  DistributedTensor new_;
  Communicator& ranks_;
  bool same_machine_;
  std::vector<Delivery> deliveries_;  // by new part and who gets it: the same on every rank
};

}  // namespace

DistributedTensor moved(const DistributedTensor& tensor, TensorLayout layout, Communicator& ranks, Traffic& traffic) {
  return Mover(tensor, std::move(layout), ranks).run(traffic);
}

namespace {

TensorLayout layout_anew(const DistributedTensor& tensor, const Distribution& distribution, Communicator& ranks) {
  HeldCounter counter(tensor, ranks);
  TensorLayout layout = tensor.layout();
  layout.machine = distribution.machine();
  layout.distribution = distribution;
  layout.placement = placement_of(distribution, layout.shape.format, whole_of(layout.dimensions), counter);
  return layout;
}

}  // namespace

DistributedTensor placed_anew(const DistributedTensor& tensor, const Distribution& distribution,
                              const std::string& name, Communicator& ranks, Traffic* traffic) {
  together(ranks, {"placing " + name + " again", distribution.to_string(), distribution.machine().to_string()}, [&] {
    check_distribution(distribution, tensor.format(), name);
    if (!tensor.is_held_by(ranks)) user_error("{} is placed again by other ranks than those that hold it", name);
  });
  std::optional<DistributedTensor> out;
  or_abort(ranks, [&] {
    Traffic unasked;
    out = moved(tensor, layout_anew(tensor, distribution, ranks), ranks, traffic != nullptr ? *traffic : unasked);
  });
  return std::move(*out);
}

}  // namespace lacuna
