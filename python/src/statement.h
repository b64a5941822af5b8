#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "lacuna/api/default_engine.h"
#include "lacuna/compile/engine/compiler.h"
#include "lacuna/compile/engine/numbers.h"
#include "lacuna/explain/explanation.h"

namespace lacuna::python {

namespace nb = nanobind;

/// How a statement is to be computed, as Python says it.
struct StatementOptions {
  std::optional<std::string> format;  // of the result
  std::optional<std::string> type;    // of the result
  std::map<std::string, std::int64_t> sizes;
  std::string schedule;
  int threads = 0;
  bool deterministic = false;
};

/// What an operand has to be alike in for one kernel to serve, and for the automatic schedule to stay a good one.
struct OperandShape {
  explicit OperandShape(const Storage& storage);
  bool fits(const Storage& storage) const;

  Format format;
  Type type;
  std::vector<std::int64_t> dimensions;
  struct Level {
    Type pos, crd;
    bool nonempty;
  };
  std::vector<Level> levels;
  bool piece;     // is_piece
  int magnitude;  // of the number of stored entries: bits that it takes
};

/// A statement in index notation, compiled for each kind of operands that it meets. Thread-safe: calls at once get
/// kernels of their own.
class Statement {
 public:
  /// Throws Error for what the notation or the schedule's language refuses.
  Statement(const std::string& text, StatementOptions options);

  const std::string& text() const { return statement_.text; }
  const std::string& result_name() const { return statement_.lhs.tensor.name(); }
  const std::vector<std::string>& operand_names() const { return names_; }

  bool has_loops() const;
  /// Throws Error where one is missing, or is not read.
  void check_operands(const std::map<std::string, Storage>& operands) const;
  Request request(const std::map<std::string, Storage>& operands, Numbers numbers) const;
  Options options() const;

  /// Operands by their names. `report`, if any, gets what it took.
  Storage run(std::map<std::string, Storage> operands, Report* report = nullptr);
  /// The kernel's C text, and every stage of the compilation.
  std::string c_code(const std::map<std::string, Storage>& operands);
  std::string stages(const std::map<std::string, Storage>& operands);
  /// Which loops were chosen, and why.
  Explanation explain(const std::map<std::string, Storage>& operands) const;

 private:
  struct Kernel {
    std::vector<OperandShape> shapes;        // in the order of names_
    std::map<std::string, Storage> numbers;  // those of the statement, which the kernel gets as operands
    Prepared prepared;
  };
  Kernel take(const std::map<std::string, Storage>& operands);
  void give_back(Kernel kernel);
  Kernel prepare(const std::map<std::string, Storage>& operands) const;

  lacuna::Statement statement_;
  std::vector<std::string> names_;
  StatementOptions options_;
  std::optional<Format> format_;
  std::optional<Type> type_;
  Schedule schedule_;
  std::mutex mutex_;
  std::vector<Kernel> kernels_;  // those that nobody runs, the one used last at the end
};

void define_statement(nb::module_& m);

}  // namespace lacuna::python
