#include "bench/contest/inputs.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <numeric>
#include <random>

#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t million = 1'000'000;

/// The matrices of the .mtx files of a folder, by name; a file that holds none is left out, and named on stderr.
std::map<std::string, Storage> read_matrices(const std::string& folder) {
  std::map<std::string, Storage> matrices;
  if (folder.empty()) return matrices;
  std::error_code error;
  ReadOptions options;
  options.type = Type::Float64;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, error)) {
    if (each.path().extension() != ".mtx") continue;
    try {
      matrices.emplace(each.path().stem().string(),
                       build(read_file(each.path().string(), options).entries, csr_format()));
    } catch (const std::exception& fault) {
      fmt::print(stderr, "left out: {}\n", fault.what());
    }
  }
  if (error) throw RuntimeFailure(fmt::format("cannot list the folder {}: {}", folder, error.message()));
  return matrices;
}

CoordinateList stencil(std::int64_t rows) {
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows)));
  return generate_stencil_2d(side, side);
}

template <typename T>
Array permuted(const Array& from, const std::vector<std::int32_t>& order) {
  Array to = Array::allocate(from.type(), from.size(), false);
  const auto source = from.view<T>();
  const auto target = to.mutable_view<T>();
  for (std::size_t k = 0; k < order.size(); ++k) target[k] = source[static_cast<std::size_t>(order[k])];
  return to;
}

}  // namespace

Inputs::Inputs(int shrink, const std::string& folder) : shrink_(shrink), made_(read_matrices(folder)) {
  for (const auto& [name, matrix] : made_) files_.push_back(name);
}

std::vector<std::string> Inputs::matrices() const {
  std::vector<std::string> names = {"rmat", "stencil", "banded", "uniform"};
  names.insert(names.end(), files_.begin(), files_.end());
  return names;
}

std::vector<std::string> Inputs::quarter_matrices() const {
  return {"rmat-quarter", "stencil-quarter", "banded-quarter", "uniform-quarter"};
}

std::vector<std::string> Inputs::factors() {
  std::vector<std::string> names = {"rmat-32k", "stencil"};
  for (const std::string& name : files_) {
    const Storage& file = matrix(name);
    if (file.dimensions[0] == file.dimensions[1]) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Inputs::tensors() const { return {"uniform-3d", "skewed-3d"}; }

std::vector<std::string> Inputs::nest_matrices() const {
  std::vector<std::string> names = {"rmat-11k", "rmat-62k", "rmat-334k", "banded-36k", "stencil-171k", "uniform-207k"};
  names.insert(names.end(), files_.begin(), files_.end());
  return names;
}

std::vector<std::string> Inputs::nest_tensors() const { return {"uniform-12k", "skewed-12k", "two-165k"}; }

const Storage& Inputs::matrix(const std::string& name) {
  const auto found = made_.find(name);
  return found != made_.end() ? found->second : made_.emplace(name, make(name)).first->second;
}

const Storage& Inputs::tensor(const std::string& name) { return matrix(name); }

std::optional<CoordinateList> Inputs::make_for_nests(const std::string& name) const {
  const auto rmat = [&](std::int64_t rows, std::int64_t stored) {
    return generate_rmat(shrunk(rows), shrunk(rows), shrunk(stored), 1);
  };
  if (name == "rmat-11k") return rmat(11'000, 429'000);
  if (name == "rmat-62k") return rmat(62'000, 4 * million);
  if (name == "rmat-334k") return rmat(334'000, 1'850'000);
  if (name == "banded-36k") return generate_banded(shrunk(36'000), shrunk(36'000), 60, 1);
  if (name == "stencil-171k") return stencil(shrunk(171'000));
  if (name == "uniform-207k") return generate_uniform({shrunk(207'000), shrunk(207'000)}, shrunk(1'270'000), 1);
  const std::vector<std::int64_t> sizes = {shrunk(12'000), shrunk(9'000), shrunk(29'000)};
  if (name == "uniform-12k") return generate_uniform(sizes, shrunk(4 * million), 1);
  if (name == "skewed-12k") return generate_skewed(sizes, shrunk(4 * million), 1.2, 1);
  if (name == "two-165k") return generate_uniform({shrunk(165'000), shrunk(11'000), 2}, shrunk(2'600'000), 1);
  return std::nullopt;
}

Storage Inputs::make(const std::string& name) const {
  if (const auto entries = make_for_nests(name))
    return build(*entries, entries->dimensions.size() == 3 ? csf_format(3) : csr_format());
  const std::string family = name.substr(0, name.find('-'));
  const std::int64_t rows = shrunk(name.ends_with("-quarter") ? million / 4 : million);
  if (name == "rmat-32k") {
    return build(generate_rmat(shrunk(32'768), shrunk(32'768), shrunk(million), 1), csr_format());
  }
  if (name == "uniform-3d" || name == "skewed-3d") {
    const std::vector<std::int64_t> sizes = {shrunk(10'000), shrunk(8'000), shrunk(5'000)};
    const std::int64_t stored = shrunk(5 * million);
    return build(name == "skewed-3d" ? generate_skewed(sizes, stored, 1.2, 1) : generate_uniform(sizes, stored, 1),
                 csf_format(3));
  }
  if (family == "rmat") return build(generate_rmat(rows, rows, 10 * rows, 1), csr_format());
  if (family == "stencil") return build(stencil(rows), csr_format());
  if (family == "banded") return build(generate_banded(rows, rows, 5, 1), csr_format());
  internal_check(family == "uniform", "there is no input named {}", name);
  return build(generate_uniform({rows, rows}, 10 * rows, 1), csr_format());
}

Storage rotated(const Storage& matrix, std::int64_t shift) {
  CoordinateList list = coordinates_of(matrix);
  const std::int64_t columns = list.dimensions[1];
  Array moved = Array::allocate(Type::Int32, list.size(), false);
  const auto from = list.coordinates[1].view<std::int32_t>();
  const auto to = moved.mutable_view<std::int32_t>();
  for (std::size_t k = 0; k < from.size(); ++k) to[k] = static_cast<std::int32_t>((from[k] + shift) % columns);
  list.coordinates[1] = moved;
  return build(list, csr_format());
}

CoordinateList shuffled(const CoordinateList& entries) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(entries.size()));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  CoordinateList result = entries;
  for (Array& mode : result.coordinates) mode = permuted<std::int32_t>(mode, order);
  result.values = permuted<double>(result.values, order);
  return result;
}

}  // namespace lacuna::contest
