#pragma once

#include <memory>
#include <vector>

#include "lacuna/loop/ir.h"

// What a module needs of all that its levels offer.
namespace lacuna {

/// Of the functions, those that statements call, and those that these call.
std::vector<loop::Function> called_functions(std::vector<loop::Function> all, const loop::Stmt& body);

/// Of the records, those that variables of the module are of, and those that fields of these refer to.
std::vector<std::shared_ptr<const loop::Record>> used_records(std::vector<std::shared_ptr<const loop::Record>> all,
                                                              const loop::Module& module);

}  // namespace lacuna
