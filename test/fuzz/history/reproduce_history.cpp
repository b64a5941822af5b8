#include <filesystem>
#include <fstream>

#include <fmt/ranges.h>

#include "fuzz/history/history.h"
#include "fuzz/statement/reproduce.h"

namespace lacuna::fuzz {
namespace {

const char* name_of(UpdateOperation operation) {
  return operation == UpdateOperation::Add ? "add" : operation == UpdateOperation::Assign ? "set" : "erase";
}

std::string describe(const Step& step) {
  if (step.kind == Step::Kind::Snapshot) return "keep a snapshot";
  if (step.kind == Step::Kind::Evaluate) return "evaluate";
  std::string text = fmt::format("{}{}", name_of(step.operation), step.kind == Step::Kind::Batch ? " at once" : "");
  for (const Entry& e : step.updates) {
    text += fmt::format(" ({})", fmt::join(e.coordinate, ","));
    if (step.operation != UpdateOperation::Erase) text += fmt::format("={}", e.value.to_string());
  }
  return text;
}

void write_updates(const std::string& path, const std::vector<Step>& steps) {
  std::ofstream file(path);
  for (const Step& step : steps) {
    file << "# " << describe(step) << "\n";
    for (const Entry& e : step.updates) {
      file << (step.operation == UpdateOperation::Add ? "+" : step.operation == UpdateOperation::Assign ? "=" : "-");
      for (const std::int64_t c : e.coordinate) file << " " << c + 1;
      if (step.operation != UpdateOperation::Erase) file << " " << e.value.convert(Type::Float64).to_string();
      file << "\n";
    }
  }
}

}  // namespace

Format format_that_follows(const Problem& problem) {
  const std::optional<Format>& asked = problem.result_format;
  if (asked && (asked->is_dense() || updates_in_place(*asked))) return *asked;
  return dense_format(problem.statement.lhs.tensor.order());
}

std::string describe(const History& history) {
  std::string text = describe(history.problem) + fmt::format("  what happens to {}:\n", history.updated);
  for (std::size_t n = 0; n < history.steps.size(); ++n)
    text += fmt::format("  {}. {}\n", n + 1, describe(history.steps[n]));
  return text;
}

std::string command_line(const History& history, const std::string& folder, bool interpret, bool incremental) {
  Problem problem = history.problem;
  if (incremental) problem.result_format = format_that_follows(problem);
  const std::string line = command_line(problem, folder, interpret);
  const std::string updates = folder + "/updates.txt";
  write_updates(updates, history.steps);
  const std::string run = "lacuna run";
  return "lacuna stream" + line.substr(run.size()) +
         fmt::format(" -u {} --update {} --every 1{}", updates, history.updated, incremental ? " --incremental" : "");
}

}  // namespace lacuna::fuzz
