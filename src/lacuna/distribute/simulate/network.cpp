#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array units_of_time{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1.0}};
constexpr std::array speeds{Unit{"GB/s", 1e9}, Unit{"MB/s", 1e6}, Unit{"kB/s", 1e3}, Unit{"B/s", 1.0}};
constexpr std::array rates{Unit{"/s", 1.0}};

/// A positive number with a unit.
template <std::size_t N>
double quantity(std::string_view name, std::string_view text, const std::array<Unit, N>& units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& each : units)
    if (error == std::errc() && unit == each.name && number > 0 && std::isfinite(number)) return number * each.size;
  std::string known;
  for (const Unit& each : units) known += (known.empty() ? "" : ", ") + std::string(each.name);
  user_error("--network: {} is '{}'; write a positive number and one of {}, as in {}=2{}", name, text, known, name,
             units[0].name);
}

bool is_yes(std::string_view name, std::string_view text) {
  if (text == "yes" || text == "no") return text == "yes";
  user_error("--network: {} is '{}'; write yes or no", name, text);
}

}  // namespace

Network parse_network(std::string_view text) {
  Network network;
  std::set<std::string_view> said;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      user_error("--network: '{}' is not NAME=VALUE; write alpha=2us,beta=25GB/s,rate=1e9/s", item);
    const std::string_view name = item.substr(0, equals), value = item.substr(equals + 1);
    if (!said.insert(name).second) user_error("--network: {} is said twice; say it once", name);
    if (name == "alpha") network.latency = quantity(name, value, units_of_time);
    else if (name == "beta") network.bandwidth = quantity(name, value, speeds);
    else if (name == "rate") network.rate = quantity(name, value, rates);
    else if (name == "overlap") network.overlaps = is_yes(name, value);
    else
      user_error(
          "--network: there is no '{}'; there are alpha (latency), beta (bandwidth), rate (of loops) and overlap",
          name);
  }
  return network;
}

std::string to_string(const Network& network) {
  std::string text = fmt::format("alpha={:.3g}us,beta={:.3g}GB/s,rate={:.3g}/s", network.latency * 1e6,
                                 network.bandwidth / 1e9, network.rate);
  if (!network.overlaps) text += ",overlap=no";
  return text;
}

}  // namespace lacuna
