#pragma once

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/api/lacuna.h"
#include "lacuna/notation/parse.h"
#include "lacuna/reference/evaluate.h"

/// What the programs of this folder share: entries, a check of each result, and a main.
namespace lacuna::figures {

/// Stores a number at each `step`-th coordinate, and at all of the first few, which makes rows of sparse tensors
/// uneven.
inline Tensor<double> filled(Tensor<double> tensor, std::int64_t step) {
  std::int64_t size = 1;
  for (const std::int64_t d : tensor.dimensions()) size *= d;
  for (std::int64_t k = 0; k < size; k += k < size / 12 ? 1 : step) {
    std::vector<std::int64_t> coordinate(tensor.dimensions().size());
    std::int64_t rest = k;
    for (std::size_t m = coordinate.size(); m-- > 0;) {
      coordinate[m] = rest % tensor.dimensions()[m];
      rest /= tensor.dimensions()[m];
    }
    tensor.insert(coordinate, static_cast<double>(k % 17 + 1));
  }
  return tensor;
}

/// Whether a result is what the definition gives for the statement: Lacuna's reference evaluator, which knows nothing
/// of machines, formats or schedules.
inline bool is_right(const Tensor<double>& result, const std::string& text,
                     const std::vector<Tensor<double>>& operands) {
  const Statement statement = parse_statement(text);
  std::map<std::string, Storage> storages;
  FactsByName facts;
  for (const Tensor<double>& t : operands) {
    storages[t.name()] = t.storage();
    facts[t.name()] = {Type::Float64, t.dimensions()};
  }
  const ReferenceResult expected =
      evaluate_reference(statement, storages, Type::Float64, infer_dimensions(statement, facts));
  return result.equals(Tensor<double>(to_storage(expected, result.format())), 1e-12);
}

/// Runs what was assigned to a result, on the ranks of mpirun or here, says what moved, and checks it.
inline bool run(Communicator& ranks, const std::string& name, Tensor<double>& result, const Schedule& schedule,
                const Machine& machine, const std::string& statement, const std::vector<Tensor<double>>& operands) {
  const Report report = result.evaluate({.schedule = schedule, .machine = machine, .ranks = &ranks});
  const bool right = is_right(result, statement, operands);
  if (ranks.rank() != 0) return right;  // all have the result; the first one speaks
  std::cout << name << " on " << machine.to_string() << (right ? ":" : ": WRONG:");
  for (const std::string& note : report.notes) std::cout << " " << note << ";";
  std::cout << "\n";
  return right;
}

/// Runs all of them, also after one that is wrong.
template <typename... Examples>
int run_all(Examples... examples) {
  try {
    const std::unique_ptr<Communicator> ranks = world();
    const bool right = (static_cast<int>(examples(*ranks)) & ...) != 0;
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}

}  // namespace lacuna::figures
