#pragma once

#include <map>
#include <set>
#include <string>

#include "lacuna/loop/ir.h"

namespace lacuna::loop::verifier {

/// By function, the numbers of the parameters whose elements it changes, itself or through functions that it calls.
using WrittenParameters = std::map<std::string, std::set<std::size_t>>;

WrittenParameters written_parameters(const Module& module);

}  // namespace lacuna::loop::verifier
