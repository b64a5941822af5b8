#include "lacuna/tensor/generate/values.h"

#include <complex>
#include <type_traits>

#include "lacuna/tensor/generate/random.h"

namespace lacuna {

namespace {

template <typename T>
struct ValueMaker {
  static T make(Random& random) {
    if constexpr (std::is_same_v<T, bool>) return true;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(1 + random.below(9));
    else if constexpr (std::is_same_v<T, float>) return static_cast<float>((random.next() >> 40) + 1) * 0x1p-24f;
    else return static_cast<double>((random.next() >> 11) + 1) * 0x1p-53;
  }
};

template <typename R>
struct ValueMaker<std::complex<R>> {
  static std::complex<R> make(Random& random) {
    const R real = ValueMaker<R>::make(random);
    return {real, ValueMaker<R>::make(random)};
  }
};

}  // namespace

Array random_values(Type type, std::int64_t size, std::uint64_t seed) {
  Array values = Array::allocate(type, size, false);
  // Not the stream that drew the coordinates, though of the same seed.
  Random random(seed ^ 0x76616C756573u);
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (T& value : values.mutable_view<T>()) value = ValueMaker<T>::make(random);
  });
  return values;
}

}  // namespace lacuna
