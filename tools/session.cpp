#include "tools/session.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "lacuna/support/environment.h"
#include "tools/colour.h"

namespace lacuna::tool {

Engine make_engine() { return Engine(jit_options(read_environment())); }

Storage with_nodes(const Storage& arrays, const Format& format) {
  if (!format.has_nodes()) return arrays;
  Engine engine = make_engine();
  return stored_as(engine, arrays, format);
}

void print_warning(const std::string& warning) {
  std::fputs(fmt::format("lacuna: {} {}\n", coloured("warning:", Colour::Yellow, stderr), warning).c_str(), stderr);
}

void print_warnings(const Engine& engine) {
  for (const std::string& warning : engine.warnings()) print_warning(warning);
}

void print_warnings(const Problem& problem, const Engine& engine) {
  for (const std::string& doubt : problem.doubts) print_warning(doubt);
  print_warnings(engine);
}

namespace {

/// Those of the sizes whose variables a statement has.
std::map<std::string, std::int64_t> sizes_for(const Statement& s, std::map<std::string, std::int64_t> sizes) {
  const std::vector<IndexVar> variables = all_variables(s);
  std::erase_if(sizes, [&](const auto& size) {
    return std::none_of(variables.begin(), variables.end(), [&](const IndexVar& v) { return v.name() == size.first; });
  });
  return sizes;
}

}  // namespace

Request request_of(const Problem& problem, std::map<std::string, Storage> operands) {
  Request request{
      problem.statement, std::move(operands), std::nullopt, std::nullopt, sizes_for(problem.statement, problem.sizes),
      problem.schedule};
  const auto look_up = [](const auto& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  request.result_format = look_up(problem.formats, problem.result());
  request.result_type = look_up(problem.types, problem.result());
  for (const Statement& s : problem.further) {
    const std::string& name = s.lhs.tensor.name();
    request.further.push_back(
        {s, look_up(problem.formats, name), look_up(problem.types, name), sizes_for(s, problem.sizes)});
  }
  return request;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print("{} {}\n", coloured("note:", Colour::Blue, stdout), note);
}

}  // namespace lacuna::tool
