#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/codegen/c/lines.h"
#include "lacuna/loop/ir.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// How a tensor has to be stored for a kernel that checks its arguments.
struct ArgumentFormat {
  struct Level {
    std::string kind;  // LACUNA_DENSE, …
    int mode = 0;
  };
  std::string argument;  // the descriptor's name, one of Module::arguments
  Type type = Type::Float64;
  std::vector<Level> levels;
  bool is_result = false;
};

/// The lacuna_array ("A->levels[1].pos") of a parameter that is the data of an array with elements of one type.
std::optional<std::string> descriptor_array(const loop::Parameter& parameter);

/// Prints a function named `name` that says whether the descriptors of the operands describe these formats, and all
/// arrays that the module is given have the widths that it reads them with.
std::string argument_check(const std::string& name, const loop::Module& module,
                           const std::vector<ArgumentFormat>& formats);

/// The call of that function.
std::string argument_check_call(const std::string& name, const loop::Module& module,
                                const std::vector<ArgumentFormat>& formats);

/// Fills in what the descriptors of results say of their formats and of the arrays that the kernel made, so that
/// another kernel can take them as operands.
void describe_results(Lines& lines, const loop::Module& module, const std::vector<ArgumentFormat>& formats);

}  // namespace lacuna
