#include "lacuna/distribute/sets/runs.h"

#include <cstring>

#include "lacuna/support/check.h"

namespace lacuna {

void Runs::add(std::int64_t from, std::int64_t count) {
  if (count == 0) return;
  size_ += count;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const bool goes_on = last.from == nowhere ? from == nowhere : from == last.from + last.count;
    if (goes_on) {
      last.count += count;
      return;
    }
  }
  runs_.push_back({from, count});
}

Array numbered_from(const Array& array, std::int64_t base) {
  return array.base() == base ? array : Array::borrow(array.type(), array.data(), array.size(), array.owner(), base);
}

Array window(const Array& array, std::int64_t begin, std::int64_t count, std::int64_t base) {
  if (count == 0) return numbered_from(Array::allocate(array.type(), 0, false), base);
  internal_check(begin >= array.base() && begin + count <= array.base() + array.size(),
                 "elements [{}, {}) of an array that holds [{}, {})", begin, begin + count, array.base(),
                 array.base() + array.size());
  const auto* bytes = static_cast<const unsigned char*>(array.data());
  return Array::borrow(array.type(), bytes + (begin - array.base()) * size_of(array.type()), count, array.owner(),
                       base);
}

Array gather(const Array& array, const Runs& runs, std::int64_t base, std::uint8_t fill) {
  const std::int64_t width = size_of(array.type());
  Array gathered = Array::allocate(array.type(), runs.size(), false);
  auto* to = static_cast<unsigned char*>(gathered.mutable_data());
  const auto* from = static_cast<const unsigned char*>(array.data());
  for (const Runs::Run& run : runs.all()) {
    const auto bytes = static_cast<std::size_t>(run.count * width);
    if (run.from == Runs::nowhere) std::memset(to, fill, bytes);
    else std::memcpy(to, from + (run.from - array.base()) * width, bytes);
    to += bytes;
  }
  return numbered_from(gathered, base);
}

}  // namespace lacuna
