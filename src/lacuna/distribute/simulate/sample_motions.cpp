#include "lacuna/distribute/simulate/sample_motions.h"

#include <algorithm>

namespace lacuna {

SampleMotions::SampleMotions(Communicator& ranks, const Rehearsal& rehearsal)
    : ranks_(ranks), rehearsal_(rehearsal), computed_(rehearsal.room_of_result()) {
  std::size_t out = rehearsal.room_out(), in = rehearsal.room_in(), here = 0, result = 0;
  const auto add = [&](const Rehearsal::Copied& copied) {
    const SampleCopy& sample = samples_.emplace_back(copied, rehearsal.share_of_copies());
    bytes_.push_back(copied.bytes);
    out = std::max(out, sample.room_out());
    in = std::max(in, sample.room_in());
    const bool is_of_result = sample.way() == Rehearsal::Way::Result;
    if (is_of_result) computed_ = std::max(computed_, sample.room_out());
    std::size_t& to = is_of_result ? result : here;
    to = std::max(to, sample.room_here());
  };
  for (const Rehearsal::Copied& each : rehearsal.copied()) add(each);
  if (samples_.empty()) add({1, 1, 0, 1, 1});
  out_ = touched(out);
  in_ = touched(in);
  here_ = touched(here);
  for (Result& each : results_) each = {touched(rehearsal.room_in_result()), touched(result)};
}

void SampleMotions::add_to(std::vector<Phase>& phases) {
  const auto begin = [](Array& array) { return static_cast<std::byte*>(array.mutable_data()); };
  std::byte *out = begin(out_), *in = begin(in_), *here = begin(here_);
  copies_.resize(samples_.size());
  const auto add_copies = [&](Rehearsal::Way way) {
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      if (samples_[k].way() != way) continue;
      copies_[k] = phases.size();
      if (way == Rehearsal::Way::Result)
        phases.push_back({[=, this] { samples_[k].run(out, in, begin(results_[last_result_].copied)); }});
      else phases.push_back({[=, this] { samples_[k].run(out, in, here); }});
    }
  };
  add_copies(Rehearsal::Way::Pack);
  add_copies(Rehearsal::Way::Within);
  const std::size_t first_of_result = phases.size();
  if (rehearsal_.sends()) {
    messages_ = phases.size();
    phases.push_back({[=, this] { rehearsal_.send(ranks_, out, in, begin(results_[last_result_].received)); }, true});
  }
  add_copies(Rehearsal::Way::Result);
  if (computed_ > 0 || rehearsal_.room_in_result() > 0) {
    phases[first_of_result].before = [=, this] {
      last_result_ = 1 - last_result_;
      // What another processor's cache alone has comes slower.
      std::fill_n(out, computed_, std::byte{1});
    };
  }
  add_copies(Rehearsal::Way::Unpack);
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
