#include "lacuna/distribute/simulate/sample_motions.h"

#include <algorithm>

namespace lacuna {

SampleMotions::SampleMotions(Communicator& ranks, const Rehearsal& rehearsal) : ranks_(ranks), rehearsal_(rehearsal) {
  std::size_t out = rehearsal.room_out(), in = rehearsal.room_in();
  const auto add = [&](const Rehearsal::Copied& copied) {
    const SampleCopy& sample = samples_.emplace_back(copied, rehearsal.share_of_copies());
    bytes_.push_back(copied.bytes);
    out = std::max(out, sample.room_out());
    in = std::max(in, sample.room_in());
  };
  for (const Rehearsal::Copied& each : rehearsal.copied()) add(each);
  if (samples_.empty()) add({1, 1, 0, 1, 1});
  out_ = touched(out);
  in_ = touched(in);
}

void SampleMotions::add_to(std::vector<Phase>& phases) {
  auto *out = static_cast<std::byte*>(out_.mutable_data()), *in = static_cast<std::byte*>(in_.mutable_data());
  copies_.resize(samples_.size());
  const auto add_copies = [&](bool packs) {
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      if ((samples_[k].way() == Rehearsal::Way::Pack) != packs) continue;
      copies_[k] = phases.size();
      phases.push_back({[this, k, out, in](int) { samples_[k].run(out, in); }});
    }
  };
  add_copies(true);
  if (rehearsal_.sends()) {
    messages_ = phases.size();
    phases.push_back({[this, out, in](int) { rehearsal_.send(ranks_, out, in); }, true,
                      [this, out](int) { rehearsal_.compute(out); }});
  }
  add_copies(false);
}

double SampleMotions::copying(const std::vector<double>& seconds) const {
  double bytes = 0, sum = 0;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    bytes += bytes_[k];
    sum += bytes_[k] * seconds[copies_[k]] / samples_[k].bytes();
  }
  return bytes / sum;
}

}  // namespace lacuna
