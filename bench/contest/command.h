#pragma once

#include <filesystem>
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

/// Whether a name is wanted: no wishes means all.
bool wanted(const std::string& name, const std::vector<std::string>& wishes);

/// Throws RuntimeFailure when the file cannot be written.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace lacuna::contest
