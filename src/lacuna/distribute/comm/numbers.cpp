#include "lacuna/distribute/comm/numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

template <typename Container>
Container bytes_of(const std::vector<std::int64_t>& numbers) {
  Container bytes(numbers.size() * sizeof(std::int64_t), {});
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

template <typename Container>
std::vector<std::int64_t> numbers_of(const Container& bytes) {
  std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

std::vector<std::vector<std::int64_t>> gather_numbers(Communicator& ranks, const std::vector<std::int64_t>& mine) {
  if (ranks.ranks() == 1) return {mine};
  std::vector<std::vector<std::int64_t>> all;
  for (const std::string& text : ranks.gather_all(bytes_of<std::string>(mine))) all.push_back(numbers_of(text));
  return all;
}

std::vector<std::int64_t> sums_over(Communicator& ranks, const std::vector<std::int64_t>& mine) {
  std::vector<std::int64_t> sums(mine.size());
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, mine)) {
    internal_check(each.size() == sums.size(), "{} numbers are added to {}", each.size(), sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += each[k];
  }
  return sums;
}

Traffic sum_over(Communicator& ranks, const Traffic& mine) {
  Traffic sum;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, {mine.messages, mine.bytes, mine.farthest}))
    add(sum, {each.at(0), each.at(1), each.at(2)});
  return sum;
}

std::optional<std::int64_t> least_over(Communicator& ranks, std::optional<std::int64_t> mine) {
  if (ranks.ranks() == 1) return mine;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t least = none;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, {mine.value_or(none)}))
    least = std::min(least, each.at(0));
  return least == none ? std::nullopt : std::optional(least);
}

double largest_over(Communicator& ranks, double mine) {
  double most = mine;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine)}))
    most = std::max(most, std::bit_cast<double>(each.at(0)));
  return most;
}

std::vector<IndexSet> unions_over(Communicator& ranks, const std::vector<IndexSet>& mine) {
  std::vector<std::int64_t> numbers;
  for (const IndexSet& set : mine) set.append_to(numbers);
  std::vector<IndexSet> unions(mine.size());
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, numbers)) {
    std::size_t at = 0;
    for (IndexSet& set : unions) set = set | IndexSet::read_from(each, at);
  }
  return unions;
}

std::vector<std::vector<std::int64_t>> all_to_all(Communicator& ranks,
                                                  const std::vector<std::vector<std::int64_t>>& to_each) {
  std::vector<Bytes> messages;
  for (const std::vector<std::int64_t>& numbers : to_each) messages.push_back(bytes_of<Bytes>(numbers));
  std::vector<std::vector<std::int64_t>> from_each;
  for (const Bytes& message : all_to_all(ranks, std::move(messages))) from_each.push_back(numbers_of(message));
  return from_each;
}

}  // namespace lacuna
