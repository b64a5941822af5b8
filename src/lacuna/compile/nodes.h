#pragma once

#include "lacuna/compile/engine.h"

namespace lacuna {

/// The format itself, or that of the arrays that its nodes are made from where no kernel makes them at once.
Format made_of_arrays(const Format& format);

/// The tensor in another format. Where that has dynamic levels, a kernel copies the entries into nodes; else it is
/// `convert`. As there, dense tensors lose their zeros. Throws Error where a level's file has no function that fills
/// it.
Storage stored_as(Engine& engine, const Storage& tensor, const Format& format, const Options& options = {});

}  // namespace lacuna
