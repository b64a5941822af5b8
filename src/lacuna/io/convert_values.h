#pragma once

#include "lacuna/io/parallel.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The same values as another type, by Scalar::convert's rules.
Array convert_values(const Array& values, Type type, const ReadContext& context);

}  // namespace lacuna
