#include "lacuna/tensor/generate/values.h"

#include <complex>
#include <span>
#include <type_traits>

#include "lacuna/tensor/generate.h"
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

/// As if so many had been made.
template <typename T>
void skip_values(Random& random, std::int64_t count) {
  if constexpr (std::is_same_v<T, bool>) return;
  else if constexpr (std::is_floating_point_v<T>) random.skip(count);
  else if constexpr (!std::is_integral_v<T>) random.skip(2 * count);
  else
    for (std::int64_t k = 0; k < count; ++k) ValueMaker<T>::make(random);  // draws until one is small enough
}

}  // namespace

Array random_values(Type type, std::int64_t size, std::uint64_t seed, std::int64_t before) {
  Array values = Array::allocate(type, size, false);
  DenseValues(seed, type).write(before, size, values.mutable_data());
  return values;
}

// Not the stream that drew the coordinates, though of the same seed.
DenseValues::DenseValues(std::uint64_t seed, Type type) : seed_(seed ^ 0x76616C756573u), type_(type), random_(seed_) {}

void DenseValues::write(std::int64_t first, std::int64_t count, void* to) {
  if (first < at_) {
    random_ = Random(seed_);
    at_ = 0;
  }
  visit_type(type_, [&](auto zero) {
    using T = decltype(zero);
    skip_values<T>(random_, first - at_);
    for (T& value : std::span(static_cast<T*>(to), static_cast<std::size_t>(count)))
      value = ValueMaker<T>::make(random_);
  });
  at_ = first + count;
}

}  // namespace lacuna
