#pragma once

#include <string>

#include "lacuna/loop/ir.h"

namespace lacuna::golden {

/// A module after the passes as lists, such as (store y i (load x i)): the least that a back end does. Each parallel
/// loop is a list of its own above the kernel. docs/explanation/adding-a-backend.md shows pieces of it.
std::string print_lists(const loop::Module& module);

}  // namespace lacuna::golden
