#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "lacuna/support/error.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// Calls f with the size of a value in bytes, as a constant: that is all that matters of one that is copied.
template <typename F>
decltype(auto) with_width(Type type, F&& f) {
  switch (size_of(type)) {
    case 1: return std::forward<F>(f)(std::integral_constant<std::size_t, 1>());
    case 2: return std::forward<F>(f)(std::integral_constant<std::size_t, 2>());
    case 4: return std::forward<F>(f)(std::integral_constant<std::size_t, 4>());
    case 8: return std::forward<F>(f)(std::integral_constant<std::size_t, 8>());
    case 16: return std::forward<F>(f)(std::integral_constant<std::size_t, 16>());
    default: throw InternalError("internal error: elements of no size that there is");
  }
}

}  // namespace lacuna
