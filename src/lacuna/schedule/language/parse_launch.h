#pragma once

#include <optional>

#include "lacuna/schedule/language/arguments.h"

// How the directives for several processors are read.
namespace lacuna {

/// M.x, M.y, M.z, M[1].x, … as argument k; none where it is something else.
std::optional<directive::MachineAxis> read_machine_axis(const Arguments& a, std::size_t k);

DirectiveKind read_distribute(const Arguments& a);
DirectiveKind read_communicate(const Arguments& a);
DirectiveKind read_rotate(const Arguments& a);

}  // namespace lacuna
