#pragma once

#include "lacuna/compile/engine/compiler.h"

namespace lacuna {

/// The tensor in another format. Where that has dynamic levels, a kernel copies the entries into nodes; else it is
/// `convert`. As there, dense tensors lose their zeros. Throws Error where a level's file has no function that fills
/// it.
Storage stored_as(Compiler& engine, const Storage& tensor, const Format& format, const Options& options = {});

}  // namespace lacuna
