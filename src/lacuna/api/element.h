#pragma once

#include <complex>
#include <type_traits>

namespace lacuna {

/// The C++ types that tensors hold: bool, integers, float, double, std::complex of those two.
template <typename T>
concept Element =
    std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <Element T>
class Tensor;

}  // namespace lacuna
