#pragma once

#include <string>
#include <vector>

#include "lacuna/codegen/c/arguments.h"
#include "lacuna/loop/ir.h"

namespace lacuna {

struct CSource {
  std::string code;         // the whole translation unit: prelude parts used, records, functions, kernel, entry
  std::string kernel;       // only the kernel and its own functions, for people (`lacuna show --stage c`)
  std::string header;       // for `lacuna export`: declares the kernel and the descriptor structs
  std::string entry;        // name of the lacuna_entry function
  bool calls_blas = false;  // functions of cblas.h, which the program must be linked with
};

/// Prints a verified module, whose parallel loops are outlined, as C99 that reads as if written by hand and is clean
/// under -Wall -Wextra. `checked`: the kernel compares its arguments with these formats, returns LACUNA_BAD_ARGUMENT
/// where they differ, and describes its results in their descriptors; none: it trusts its caller.
CSource print_c(const loop::Module& module, std::vector<ArgumentFormat> checked = {});

}  // namespace lacuna
