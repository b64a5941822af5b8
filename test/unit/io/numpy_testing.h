#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

/// The bytes of numbers, as they are in memory.
template <typename T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

/// An .npy file, made by hand: `shape` as in "(2, 3)".
std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false);

/// A zip archive, made by hand of names and contents.
std::string zip(const std::vector<std::pair<std::string, std::string>>& files, bool compressed);

/// An archive as SciPy's save_npz writes it of [[0, 1.5, 0], [-2, 0, 3]].
std::string small_npz(const std::string& format, bool compressed);

}  // namespace lacuna
