#include "tools/place.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/support/text_table.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

constexpr std::int64_t most_lines = 64;

/// "(0,1)", or "(0,0) … (0,3)" of several.
std::string processors_text(const Partition& parts, std::int64_t colour) {
  const Machine& machine = parts.distribution().machine();
  const std::vector<std::int64_t> processors = parts.processors_of(colour);
  const auto text = [&](std::int64_t p) { return fmt::format("({})", fmt::join(machine.point(p), ",")); };
  if (processors.size() == 1) return text(processors[0]);
  return fmt::format("{} {} {}", text(processors.front()), processors.size() == 2 ? "and" : "to",
                     text(processors.back()));
}

}  // namespace

PlacedTensor place(const Storage& tensor, const std::string& machine, const std::string& distribution,
                   const std::string& usual_name) {
  const NamedDistribution named = parse_distribution(distribution, parse_machine(machine));
  const std::string name = named.tensor.empty() ? usual_name : named.tensor;
  return {name, partition(tensor, named.distribution, name)};
}

void print_parts(const PlacedTensor& placed) {
  const Partition& parts = placed.parts;
  fmt::print("{}: {} on {}: {} part{}\n", placed.name, parts.distribution().to_string(),
             parts.distribution().machine().to_string(), parts.colours(), parts.colours() == 1 ? "" : "s");
  TextTable table("lrrl");
  std::int64_t least = 0, most = 0, all = 0;
  for (std::int64_t c = 0; c < parts.colours(); ++c) {
    const PieceSize size = parts.size_of(c);
    least = c == 0 ? size.entries : std::min(least, size.entries);
    most = std::max(most, size.entries);
    all += size.entries;
    if (c >= most_lines) continue;
    table.add({processors_text(parts, c), fmt::format("{} entries", size.entries), bytes_text(size.bytes),
               size.tiles == 1 ? "" : fmt::format("in {} tiles", size.tiles)});
  }
  fmt::print("{}{}", table.text(), parts.colours() > most_lines ? "  …\n" : "");
  const double mean = static_cast<double>(all) / static_cast<double>(parts.colours());
  fmt::print("entries a part: least {}, mean {:.2f}, most {}", least, mean, most);
  if (all > 0) fmt::print(", which is {:.2f} times the mean", static_cast<double>(most) / mean);
  fmt::print("\n");
}

nlohmann::ordered_json json_of_parts(const PlacedTensor& placed) {
  const Partition& parts = placed.parts;
  const Machine& machine = parts.distribution().machine();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::int64_t c = 0; c < parts.colours(); ++c) {
    const PieceSize size = parts.size_of(c);
    nlohmann::ordered_json processors = nlohmann::ordered_json::array();
    for (const std::int64_t p : parts.processors_of(c)) processors.push_back(machine.point(p));
    all.push_back(
        {{"processors", processors}, {"entries", size.entries}, {"bytes", size.bytes}, {"tiles", size.tiles}});
  }
  return {{"tensor", placed.name},
          {"distribution", parts.distribution().to_string()},
          {"machine", machine.to_string()},
          {"parts", all}};
}

}  // namespace lacuna::tool
