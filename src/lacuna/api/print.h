#pragma once

#include <ostream>

#include "lacuna/api/tensor.h"
#include "lacuna/tensor/print.h"

namespace lacuna {

/// Type, dimensions, format and the first stored entries, computed if need be.
template <Element T>
std::ostream& operator<<(std::ostream& out, const Tensor<T>& tensor) {
  return out << to_text(tensor.storage(), tensor.name());
}

}  // namespace lacuna
