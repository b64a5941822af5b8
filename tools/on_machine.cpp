#include "tools/on_machine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/support/check.h"
#include "tools/summary.h"

namespace lacuna::tool {

void hide_machine(CLI::App& command) {
  for (const char* option : {"--machine", "--place"}) command.get_option(option)->group("");
}

Problem understand_on_one(const StatementArguments& arguments, const std::string& command) {
  const auto refuse_unless = [&](bool is_on_one) {
    if (!is_on_one)
      user_error(
          "{} is for one processor; leave --machine, --place and distribute out ('lacuna help machines' says what "
          "runs on a machine)",
          command);
  };
  refuse_unless(arguments.machine.empty() && arguments.placed.empty());
  Problem problem = understand(arguments);
  refuse_unless(!problem.is_distributed());
  return problem;
}

DistributedRequest on_machine(const Problem& problem, Request request) {
  return {std::move(request), problem.machine, problem.placed};
}

DistributedRequest on_machine(const Problem& problem, Request request, const Communicator& ranks) {
  DistributedRequest out = on_machine(problem, std::move(request));
  if (problem.is_distributed()) return out;
  if (all_variables(problem.statement).empty())
    user_error("'{}' has no loops that ranks could share; run it without mpirun", problem.statement.text);
  out.machine = Machine{Grid(ranks.ranks())};
  return out;
}

namespace {

/// Those that are counted on this rank: over all ranks, each part once.
template <typename F>
void for_each_part(const DistributedTensor& tensor, F&& f) {
  for (const std::int64_t p : tensor.parts_counted_here()) f(tensor.part(p));
}

/// Coordinates and value, as numbers that ranks give each other.
std::vector<std::int64_t> packed(const Entry& entry) {
  std::vector<std::int64_t> numbers = entry.coordinate;
  std::array<std::int64_t, 2> value{};
  entry.value.store(value.data());
  numbers.insert(numbers.end(), value.begin(), value.end());
  return numbers;
}
Entry unpacked(const std::int64_t* numbers, std::size_t order, Type type) {
  return {{numbers, numbers + order}, Scalar::load(type, numbers + order)};
}

/// The first entries that each part of this rank stores.
std::vector<Entry> first_entries_here(const DistributedTensor& tensor, int count) {
  std::vector<Entry> entries;
  for_each_part(tensor, [&](const LocalPart& part) {
    for (Entry& entry : first_entries(part.storage, count)) {
      for (std::size_t m = 0; m < entry.coordinate.size(); ++m) {
        std::int64_t& c = entry.coordinate[m];
        c = part.sets[m].slice({c, c + 1}).bounds().begin;
      }
      entries.push_back(std::move(entry));
    }
  });
  return entries;
}

/// The least of them in the order of the levels.
void keep_first(std::vector<Entry>& entries, int count, const LevelMap& map) {
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    for (int k = 0; k < map.size(); ++k) {
      const auto m = static_cast<std::size_t>(map.mode_of(k));
      if (a.coordinate[m] != b.coordinate[m]) return a.coordinate[m] < b.coordinate[m];
    }
    return false;
  });
  if (static_cast<int>(entries.size()) > count) entries.resize(static_cast<std::size_t>(count));
}

double squares_in(const DistributedTensor& tensor, Communicator& ranks) {
  double mine = 0, sum = 0;
  for_each_part(tensor, [&](const LocalPart& part) { mine += sum_of_squares(part.storage); });
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine)}))
    sum += std::bit_cast<double>(each.at(0));
  return sum;
}

}  // namespace

std::int64_t bytes_of(const DistributedTensor& tensor, Communicator& ranks) {
  std::int64_t bytes = 0;
  for_each_part(tensor, [&](const LocalPart& part) { bytes += part.storage.bytes(); });
  or_abort(ranks, [&] { bytes = sums_over(ranks, {bytes})[0]; });
  return bytes;
}

std::string describe(const std::string& name, const DistributedTensor& tensor, Communicator& ranks) {
  const std::int64_t bytes = bytes_of(tensor, ranks);
  const std::size_t parts = tensor.placement().parts.size();
  return fmt::format("{}: {}, {}, {}{} stored, {}{}", name, dimensions_text(tensor.dimensions()),
                     type_name(tensor.shape().type), format_text(tensor.format()), tensor.stored(), bytes_text(bytes),
                     parts == 1 ? "" : fmt::format(" in {} parts", parts));
}

std::string sample(const std::string& name, const DistributedTensor& tensor, int count, Communicator& ranks) {
  const std::size_t order = tensor.dimensions().size();
  const LevelMap& map = tensor.shape().format.map();
  std::vector<Entry> entries;
  double squares = 0;
  or_abort(ranks, [&] {
    std::vector<Entry> here = first_entries_here(tensor, count);
    keep_first(here, count, map);
    std::vector<std::int64_t> mine;
    for (const Entry& entry : here)
      for (const std::int64_t number : packed(entry)) mine.push_back(number);
    for (const std::vector<std::int64_t>& each : gather_numbers(ranks, mine))
      for (std::size_t at = 0; at < each.size(); at += order + 2)
        entries.push_back(unpacked(each.data() + at, order, tensor.shape().type));
    squares = squares_in(tensor, ranks);
  });
  keep_first(entries, count, map);
  return sample_text(name, entries, tensor.stored(), std::sqrt(squares));
}

Storage whole_of(const DistributedTensor& tensor, Engine& engine, Communicator& ranks) {
  Storage whole;
  or_abort(ranks, [&] {
    whole = gathered(tensor, ranks, Recipients::First);
    if (ranks.rank() == 0) whole = stored_as(engine, whole, tensor.format(), {});
  });
  return whole;
}

std::vector<std::string> describe_operands(const DistributedRequest& request, const std::string& result,
                                           Communicator& ranks) {
  std::map<std::string, std::string> lines;
  const auto called = [&](const std::string& name) { return name == result ? "old " + name : name; };
  for (const auto& [name, tensor] : request.request.operands) lines[name] = describe(called(name), tensor);
  for (const auto& [name, tensor] : request.held) lines[name] = describe(called(name), *tensor, ranks);
  std::vector<std::string> out;
  for (const auto& line : lines) out.push_back(line.second);
  return out;
}

void print_traffic(const DistributedReport& report, const Communicator& ranks) {
  fmt::print("{} in {}", counted(report.tasks, "task"), counted(report.steps, "step"));
  if (ranks.ranks() > 1) fmt::print(", by {} ranks", ranks.ranks());
  fmt::print("\n");
  const auto print = [](const char* what, const Traffic& traffic) {
    if (traffic.messages == 0) return fmt::print("{}: nothing moved\n", what);
    fmt::print("{}: {}, {}, at most {} away\n", what, counted(traffic.messages, "message"), bytes_text(traffic.bytes),
               counted(traffic.farthest, "processor"));
  };
  print("operands", report.fetches);
  print("results", report.reductions);
}

}  // namespace lacuna::tool
