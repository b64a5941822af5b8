#include "tools/session.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "lacuna/support/environment.h"

namespace lacuna::tool {

Engine make_engine() { return Engine(jit_options(read_environment())); }

Storage with_nodes(const Storage& arrays, const Format& format) {
  if (!format.has_nodes()) return arrays;
  Engine engine = make_engine();
  Storage made = stored_as(engine, arrays, format);
  // The functions of a level file are a user's: what they did wrong is said here, not by what reads the nodes later.
  validate(made, "what the level files of " + format.to_string() + " made");
  return made;
}

void print_warnings(const Engine& engine) {
  for (const std::string& warning : engine.warnings()) {
    std::fputs(fmt::format("lacuna: warning: {}\n", warning).c_str(), stderr);
  }
}

Request request_of(const Problem& problem, std::map<std::string, Storage> operands) {
  Request request{problem.statement, std::move(operands), std::nullopt, std::nullopt, problem.sizes, problem.schedule};
  const auto look_up = [](const auto& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  request.result_format = look_up(problem.formats, problem.result());
  request.result_type = look_up(problem.types, problem.result());
  for (const Statement& s : problem.further) {
    const std::string& name = s.lhs.tensor.name();
    request.further.push_back({s, look_up(problem.formats, name), look_up(problem.types, name), problem.sizes});
  }
  return request;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
}

}  // namespace lacuna::tool
