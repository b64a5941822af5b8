#pragma once

#include "lacuna/dynamic/schema/token_reader.h"

namespace lacuna::schema {

/// `name : type`. Constants of the schema read so far give numbers their names.
Field read_field(TokenReader& in, const NodeSchema& schema);

/// What follows `seq =`: terms with commas between them.
std::vector<SequenceEntry> read_sequence(TokenReader& in);

/// A number or the name of a constant.
Number read_number(TokenReader& in, const NodeSchema& schema);

}  // namespace lacuna::schema
