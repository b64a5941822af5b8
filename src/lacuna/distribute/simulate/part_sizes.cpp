#include "lacuna/distribute/simulate/part_sizes.h"

namespace lacuna {

PartSize PartSizes::of(std::size_t o, const Restriction& what, bool is_joined) {
  const DistributedTensor& tensor = prepared_.tensor(o);
  const std::int64_t volume = volume_of(what.coordinates);
  const std::int64_t bytes = volume * size_of(tensor.shape().type);
  if (tensor.shape().format.is_dense()) return {volume, bytes, bytes};
  std::string text = is_joined ? "joined " : "";
  for (const IndexSet& set : what.coordinates) text += set.to_string() + " ";
  for (const auto& positions : what.positions) text += positions ? positions->to_string() : "-";
  const auto [at, is_new] = known_[o].try_emplace(text);
  if (is_new) {
    const LocalPart cut = local_part(tensor.whole(), what);
    const LocalPart part = is_joined ? made_anew(cut) : cut;
    at->second = {part.storage.stored(), bytes_to_send(part), part.storage.values.bytes()};
  }
  return at->second;
}

std::int64_t PartSizes::span(std::size_t o, const std::vector<IndexSet>& part, const std::vector<IndexSet>& region) {
  const Storage& whole = prepared_.tensor(o).whole();
  const auto outermost = static_cast<std::size_t>(whole.format.map().mode_of(0));
  Restriction what = whole_of(whole.dimensions);
  what.coordinates = part;
  const Interval bounds = stored_coordinates(whole_part(whole), what, 0).bounds();
  std::vector<IndexSet> between = region;
  between[outermost] = region[outermost] & IndexSet::range(bounds.begin, bounds.end);
  return of(o, between).entries;
}

}  // namespace lacuna
