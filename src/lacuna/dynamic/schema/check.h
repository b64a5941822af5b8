#pragma once

#include "lacuna/dynamic/schema/level.h"
#include "lacuna/dynamic/schema/source.h"

namespace lacuna::schema {

/// Throws Error at the first thing that makes no sense; docs/reference/levels.md lists the rules. `source` is the text
/// that the schema was read from; without one, messages have no place.
void check_schema(const NodeSchema& schema, const Source& source = {});

/// The parts of check_schema, in their order: each relies on those before it.
void check_names(const NodeSchema& schema, const Source& source);   // what is defined, once, and what it is
void check_fields(const NodeSchema& schema, const Source& source);  // sizes, ranges, parents
void check_members(const NodeSchema& schema,
                   const Source& source);  // that the structs' members have names of their own
void check_sequences(const NodeSchema& schema, const Source& source);  // that seq names each field that it orders, once
void check_differences(const NodeSchema& schema, const Source& source);  // that coordinates add up
void check_structure(const NodeSchema& schema, const Source& source);    // how nodes hang together

/// That the functions have names of their own, and that those which need each other are both there.
void check_functions(const LevelDefinition& level, const Source& source);

}  // namespace lacuna::schema
