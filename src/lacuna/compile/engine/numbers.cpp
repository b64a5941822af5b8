#include "lacuna/compile/engine/numbers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "lacuna/notation/numbers.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

bool writes_numbers(const Expr& e) {
  const std::vector<Expr> parts = children(e);
  return as<Literal>(e) != nullptr ||
         std::any_of(parts.begin(), parts.end(), [](const Expr& part) { return writes_numbers(part); });
}

bool writes_numbers(const Directive& d) {
  if (const auto* precompute = std::get_if<directive::Precompute>(&d.kind)) return writes_numbers(precompute->expr);
  const auto* fuse = std::get_if<directive::LoopFuse>(&d.kind);
  return fuse != nullptr && std::any_of(fuse->operands.begin(), fuse->operands.end(),
                                        [](const Expr& operand) { return writes_numbers(operand); });
}

}  // namespace

Storage scalar_tensor(const Scalar& value) {
  Storage tensor = empty_tensor(value.type(), {}, Format());
  value.store(tensor.values.mutable_data());
  return tensor;
}

void pass_numbers(Request& request, const FactsByName& facts) {
  if (!writes_numbers(request.statement.rhs)) return;
  const std::vector<Directive>& directives = request.schedule.directives;
  if (std::any_of(directives.begin(), directives.end(), [](const Directive& d) { return writes_numbers(d); })) return;
  PassedNumbers passed = pass_numbers(request.statement, facts);
  request.statement = std::move(passed.statement);
  for (const auto& [name, number] : passed.numbers) request.operands.emplace(name, scalar_tensor(number));
}

void pass_numbers(Request& request) {
  FactsByName facts;
  for (const auto& [name, tensor] : request.operands) facts[name] = {tensor.type, tensor.dimensions};
  pass_numbers(request, facts);
}

PreparedRequest prepare_passing_numbers(Compiler& engine, const Options& options,
                                        const std::function<Request(Numbers)>& ask) {
  Request request = ask(Numbers::Passed);
  std::optional<Prepared> prepared;
  try {
    prepared = engine.prepare(request, options);
  } catch (const Error&) {
    request = ask(Numbers::Compiled);
    prepared = engine.prepare(request, options);
  }
  return {std::move(request), std::move(*prepared)};
}

std::string describe_stages(Compiler& engine, Options options, const std::function<Request(Numbers)>& ask) {
  std::string text;
  options.on_stage = [&](const Stage& stage) {
    if (stage.name == "notation") text.clear();  // it may be tried again
    text += fmt::format("== {} (made by src/lacuna/{}) ==\n{}", stage.name, stage.folder, stage.text);
    text += stage.text.ends_with('\n') ? "\n" : "\n\n";
  };
  const auto [request, prepared] = prepare_passing_numbers(engine, options, ask);
  for (const std::string& note : prepared.compile_report().notes) text += "note: " + note + "\n";
  return text + notes_on_numbers(request);
}

std::string notes_on_numbers(const Request& request) {
  std::string notes;
  for (const Access& access : accesses(request.statement.rhs)) {
    const auto number = request.operands.find(access.tensor.name());
    if (!is_passed_number(access.tensor) || number == request.operands.end()) continue;
    const Scalar value = Scalar::load(number->second.type, number->second.values.data());
    notes += fmt::format("note: {} = {}\n", number->first, to_string(Expr(value)));
  }
  return notes;
}

}  // namespace lacuna
