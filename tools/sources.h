#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/support/error.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// A recipe for synthetic data: "rmat:1000x1000,nnz=8000", "random:0.01", "stencil2d:100x100", "dense".
struct GeneratorSpec {
  enum class Kind : std::uint8_t { Rmat, Banded, Stencil2d, Stencil3d, Uniform, Skewed, Dense } kind = Kind::Dense;
  std::vector<std::int64_t> size;  // empty: to be taken from the statement
  std::optional<std::int64_t> nonzeros;
  std::optional<double> density;
  std::optional<std::int64_t> band;  // of Banded
  std::optional<double> skew;        // of Skewed
};

inline constexpr std::int64_t default_band = 1;
inline constexpr double default_skew = 1.2;

/// The kinds by name, for messages and help.
const std::vector<std::string>& generator_names();
/// What is said of a name that is no kind of data.
std::string unknown_kind_message(const std::string& written);
/// What is said of an operand's source that is neither a file nor a generator.
std::string unknown_source_message(const std::string& written);
/// The kind of a name ("random" is "uniform"); none if unknown.
std::optional<GeneratorSpec::Kind> find_generator(const std::string& name);
/// Reads "KIND[:ITEM,ITEM…]", an ITEM a size (100x200), a density (0.01) or key=value. None when the text before the
/// colon is no kind (it is a file then); throws Error when it is one and the rest is wrong.
std::optional<GeneratorSpec> parse_generator(const std::string& text);
/// Reads "100x200x300". Throws Error.
std::vector<std::int64_t> parse_size(const std::string& text);
/// How many dimensions the tensor of a spec has, where its kind or size says so.
std::optional<int> order_of(const GeneratorSpec& spec);
/// The dimensions of the tensor that a spec with a size makes.
std::vector<std::int64_t> dimensions_of(const GeneratorSpec& spec);
/// Makes the tensor in `format`, or in the natural one: dense for dense, csr for matrices, else sparse at every level.
/// Throws Error when the spec lacks a size or a count, or asks for more than there can be.
Storage generate(const GeneratorSpec& spec, const std::optional<Format>& format, Type type, std::uint64_t seed,
                 int threads);
/// What parse_generator reads.
std::string to_string(const GeneratorSpec& spec);
/// Throws Error for a setting that the kind does not have, and for both a count and a density.
void check_settings(const GeneratorSpec& spec);
/// Throws Error where a spec that is not dense lacks a size or a count, or asks for more than there can be.
void check_generator(const GeneratorSpec& spec);
/// The entries that a share makes of the tensor of a spec that is not dense, and that check_generator took.
CoordinateList generate_share(const GeneratorSpec& spec, Type type, std::uint64_t seed, const GeneratorShare& share);
/// What lies at some coordinates of each mode of the dense tensor of these values, as a tensor by itself.
Storage generate_dense_part(const std::vector<std::int64_t>& dimensions, const std::vector<IndexSet>& sets,
                            const Format& format, Type type, DenseValues& values, int threads);
/// csr for matrices, sparse at every level for other orders.
Format natural_sparse_format(int order);

}  // namespace lacuna::tool
