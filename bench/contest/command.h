#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/contest/measure.h"

namespace lacuna::contest {

/// What the command of every race may be told.
struct RaceArguments {
  std::vector<std::string> inputs;
  std::vector<int> threads = {1, 2};
  bool small = false;
  double seconds = 3;
  std::string matrices;
  std::string json;

  int shrink() const { return small ? 20 : 1; }
  Effort effort() const;
};
void declare(CLI::App& app, RaceArguments& a);

/// The `main` of a race: reads the command line, runs, and returns the exit code. What is thrown is printed under the
/// command's name and ends with 1.
int run_command(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

/// Whether a name is wanted: no wishes means all.
bool wanted(const std::string& name, const std::vector<std::string>& wishes);

/// Throws RuntimeFailure when the file cannot be written.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace lacuna::contest
