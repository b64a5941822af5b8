#include "lacuna/distribute/tensors/replicated.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/jit/hash.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

std::uint64_t hash_of(const Array& array) {
  return hash128({static_cast<const char*>(array.data()), static_cast<std::size_t>(array.bytes())}).low;
}

/// What tells tensors apart: hashed what is exact, added up what may be rounded.
struct Digest {
  std::uint64_t exact = 0;
  double sum = 0, size = 0;  // of values, with a weight each; of their magnitudes

  void add_exact(std::uint64_t more) { exact = exact * 0x9E3779B97F4A7C15U + more; }
  bool is_that_of(const Digest& other) const {
    constexpr double rounding = 1e-4;  // of sums in float32, made in another order
    return exact == other.exact && std::abs(sum - other.sum) <= rounding * std::max(size, other.size);
  }
};

/// Between 1 and 2, as if at random, so that values in another order have another sum.
double weight_of(std::size_t k) {
  const std::uint64_t mixed = (k + 1) * 0x9E3779B97F4A7C15U;
  return 1 + static_cast<double>(mixed >> 11U) * 0x1p-53;
}

/// Of values times `scale`.
template <typename T>
Digest digest_of_values(std::span<const T> all, double scale) {
  Digest digest;
  std::uint64_t not_finite = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto value = static_cast<double>(all[k]);
    if (std::isfinite(value)) {
      digest.sum += weight_of(k) * (scale * value);
      digest.size += 2 * std::abs(scale * value);
    } else {
      not_finite += k + 1;
    }
  }
  digest.add_exact(not_finite);
  return digest;
}

template <typename T>
void add_values(const Array& values, Digest& digest) {
  const std::span<const T> all = values.view<T>();
  Digest of_values = digest_of_values(all, 1);
  // The largest numbers stand for infinity where there is none, as in shortest paths: their sum is too large.
  if (!std::isfinite(of_values.size)) of_values = digest_of_values(all, 0x1p-100);
  digest.add_exact(of_values.exact);
  digest.sum = of_values.sum;
  digest.size = of_values.size;
}

/// Complex numbers are two real ones.
Array as_reals(const Array& values) {
  const bool is_double = values.type() == Type::Complex128;
  return Array::borrow(is_double ? Type::Float64 : Type::Float32, values.data(), 2 * values.size(), values.owner());
}

Digest digest_of(const Storage& tensor) {
  const Storage arrays = tensor.format.has_nodes() ? convert(tensor, array_format_of(tensor.format)) : tensor;
  Digest digest;
  for (const LevelStorage& level : arrays.levels)
    for (const Array* array : {&level.pos, &level.crd, &level.present}) digest.add_exact(hash_of(*array));
  const Array& values = arrays.values;
  switch (values.type()) {
    case Type::Float32: add_values<float>(values, digest); break;
    case Type::Float64: add_values<double>(values, digest); break;
    case Type::Complex64: add_values<float>(as_reals(values), digest); break;
    case Type::Complex128: add_values<double>(as_reals(values), digest); break;
    default: digest.add_exact(hash_of(values));
  }
  return digest;
}

}  // namespace

void check_replicated(const std::map<std::string, Storage>& tensors, Communicator& ranks) {
  if (ranks.ranks() == 1) return;
  std::string mine;
  for (const auto& [name, tensor] : tensors) {
    const Digest digest = digest_of(tensor);
    mine.append(reinterpret_cast<const char*>(&digest), sizeof digest);
  }
  const std::vector<std::string> all = ranks.gather_all(mine);
  std::size_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const auto of = [&](const std::string& text) {
      Digest digest;
      internal_check(text.size() >= at + sizeof digest, "ranks have other numbers of tensors");
      std::memcpy(&digest, text.data() + at, sizeof digest);
      return digest;
    };
    for (std::size_t r = 1; r < all.size(); ++r)
      if (!of(all[r]).is_that_of(of(all[0])))
        user_error(
            "{} has other entries on rank {} than on rank 0: a tensor that ranks make one by one has to be the same on "
            "all of them; where each has some of its entries, let them contribute these (contribute)",
            name, r);
    at += sizeof(Digest);
  }
}

}  // namespace lacuna
