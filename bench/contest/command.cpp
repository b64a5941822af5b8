#include "bench/contest/command.h"

#include <algorithm>
#include <exception>
#include <fstream>

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna::contest {

Effort RaceArguments::effort() const {
  Effort effort;
  effort.seconds = seconds;
  if (seconds == 0) effort.least = 1;
  return effort;
}

void declare(CLI::App& app, RaceArguments& a) {
  app.add_option("--input", a.inputs, "only inputs whose name contains one of these")->delimiter(',');
  app.add_option("--threads", a.threads, "numbers of threads, such as 1,2")->delimiter(',')->check(CLI::Range(1, 1024));
  app.add_flag("--small", a.small, "everything a twentieth as large, for a quick check");
  app.add_option("--seconds", a.seconds, "how long the contestants of a problem take turns; 0: once")
      ->capture_default_str();
  app.add_option("--matrices", a.matrices, "a folder of .mtx files to run on, too")->check(CLI::ExistingDirectory);
  app.add_option("--json", a.json, "write all numbers into this file");
}

int run_command(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
  CLI11_PARSE(app, argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: error: {}\n", app.get_name(), error.what());
    return 1;
  }
}

bool wanted(const std::string& name, const std::vector<std::string>& wishes) {
  return wishes.empty() || std::any_of(wishes.begin(), wishes.end(),
                                       [&](const std::string& wish) { return name.find(wish) != std::string::npos; });
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw RuntimeFailure(fmt::format("cannot write {}", path.string()));
}

}  // namespace lacuna::contest
