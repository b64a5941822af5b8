#include "lacuna/distribute/simulate/part_sizes.h"

namespace lacuna {

PartSize PartSizes::of(std::size_t o, const Restriction& what, bool is_joined) {
  const DistributedTensor& tensor = prepared_.tensor(o);
  const std::int64_t volume = volume_of(what.coordinates);
  if (tensor.shape().format.is_dense()) return {volume, volume * size_of(tensor.shape().type)};
  std::string text = is_joined ? "joined " : "";
  for (const IndexSet& set : what.coordinates) text += set.to_string() + " ";
  for (const auto& positions : what.positions) text += positions ? positions->to_string() : "-";
  const auto [at, is_new] = known_[o].try_emplace(text);
  if (is_new) {
    const LocalPart cut = local_part(tensor.whole(), what);
    const LocalPart part = is_joined ? made_anew(cut) : cut;
    at->second = {part.storage.stored(), bytes_to_send(part)};
  }
  return at->second;
}

}  // namespace lacuna
