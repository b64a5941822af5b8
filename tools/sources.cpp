#include "tools/sources.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/support/check.h"
#include "lacuna/support/nearest.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "tools/missing_file.h"
#include "tools/session.h"

namespace lacuna::tool {
namespace {

using Kind = GeneratorSpec::Kind;

const std::vector<std::pair<std::string, Kind>>& kinds() {
  static const std::vector<std::pair<std::string, Kind>> table = {
      {"rmat", Kind::Rmat},           {"banded", Kind::Banded},   {"stencil2d", Kind::Stencil2d},
      {"stencil3d", Kind::Stencil3d}, {"uniform", Kind::Uniform}, {"skewed", Kind::Skewed},
      {"dense", Kind::Dense}};
  return table;
}

const std::string& name_of(Kind kind) {
  return std::find_if(kinds().begin(), kinds().end(), [&](const auto& each) { return each.second == kind; })->first;
}

template <typename T>
std::optional<T> read_number(std::string_view text) {
  T value{};
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_item(const std::string& item, const std::string& wanted) {
  user_error("'{}' in a generator must be {}", item, wanted);
}

void read_setting(GeneratorSpec& spec, const std::string& item, std::size_t equals) {
  const std::string key = item.substr(0, equals);
  const std::string value = item.substr(equals + 1);
  const auto whole = read_number<std::int64_t>(value);
  const auto real = read_number<double>(value);
  if (key == "nnz") {
    if (!whole || *whole < 0) refuse_item(item, "nnz=COUNT");
    spec.nonzeros = whole;
  } else if (key == "density") {
    if (!real || !(*real >= 0 && *real <= 1)) refuse_item(item, "density=D with D between 0 and 1");
    spec.density = real;
  } else if (key == "band") {
    if (!whole || *whole < 0) refuse_item(item, "band=HALF_BANDWIDTH");
    spec.band = *whole;
  } else if (key == "skew") {
    if (!real || !(*real > 0)) refuse_item(item, "skew=EXPONENT above 0");
    spec.skew = *real;
  } else {
    user_error("'{}' is no setting of a generator; there are nnz, density, band and skew", key);
  }
}

void read_item(GeneratorSpec& spec, const std::string& item) {
  if (const std::size_t equals = item.find('='); equals != std::string::npos) return read_setting(spec, item, equals);
  const bool looks_like_size = !item.empty() && item.find_first_not_of("0123456789x") == std::string::npos;
  // A lone 0 or 1 after random: is a density; a size of one number is for vectors.
  if (spec.kind == Kind::Uniform && (!looks_like_size || item == "0" || item == "1")) {
    const auto density = read_number<double>(item);
    if (!density || !(*density >= 0 && *density <= 1)) refuse_item(item, "a density between 0 and 1");
    spec.density = density;
    return;
  }
  spec.size = parse_size(item);
}

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  std::int64_t total = 1;
  for (const std::int64_t size : sizes) {
    if (size != 0 && total > std::numeric_limits<std::int64_t>::max() / size) {
      user_error("a tensor of {} has more entries than can be counted", fmt::join(sizes, " x "));
    }
    total *= size;
  }
  return total;
}

std::int64_t count_of(const GeneratorSpec& spec) {
  double total = 1;
  for (const std::int64_t size : spec.size) total *= static_cast<double>(size);
  if (!spec.nonzeros && !spec.density) {
    user_error("the generator {} needs a count or a density: nnz=COUNT or density=D", name_of(spec.kind));
  }
  const double wanted = spec.nonzeros ? static_cast<double>(*spec.nonzeros) : std::round(*spec.density * total);
  if (wanted > total) {
    user_error("{} entries were asked for, but {} has only {:.0f}", *spec.nonzeros, fmt::join(spec.size, " x "), total);
  }
  // Coordinates alone take 8 bytes an entry; beyond this no machine that runs this program holds them.
  if (wanted > 1e12) user_error("{:.3g} entries are more than the generator makes; give a smaller density", wanted);
  return static_cast<std::int64_t>(wanted);
}

void expect_size(const GeneratorSpec& spec, std::size_t wanted, const char* example) {
  if (spec.size.size() != wanted) {
    user_error("the generator {} makes a tensor from {} sizes, not {}; write it as {}", name_of(spec.kind), wanted,
               spec.size.size(), example);
  }
}

/// Calls f with the row-major elements that lie at some coordinates of each mode, ascending, as many at a time as
/// follow each other.
template <typename F>
void for_each_stretch(const std::vector<std::int64_t>& dimensions, const std::vector<IndexSet>& sets, F&& f,
                      std::size_t mode = 0, std::int64_t above = 0) {
  sets[mode].for_each_interval([&](const Interval& run) {
    if (mode + 1 == sets.size())
      return f(Interval{above * dimensions[mode] + run.begin, above * dimensions[mode] + run.end});
    for (std::int64_t c = run.begin; c < run.end; ++c)
      for_each_stretch(dimensions, sets, f, mode + 1, above * dimensions[mode] + c);
  });
}

}  // namespace

const std::vector<std::string>& generator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& [name, kind] : kinds()) result.push_back(name);
    return result;
  }();
  return names;
}

std::string unknown_kind_message(const std::string& written) {
  const std::vector<std::string_view> known(generator_names().begin(), generator_names().end());
  const std::optional<std::string_view> near = nearest_word(written, known);
  return fmt::format(
      "'{}' is no kind of data; {}", written,
      near ? fmt::format("did you mean {}?", *near) : fmt::format("there are {}", fmt::join(generator_names(), ", ")));
}

std::string unknown_source_message(const std::string& written) {
  if (read_number<double>(written))
    return fmt::format(
        "'{}' is one number, and the tensor has indices; give a file, or a generator such as dense ('lacuna help "
        "generators' lists them)",
        written);
  const std::string kind = written.substr(0, written.find(':'));
  std::vector<std::string_view> known(generator_names().begin(), generator_names().end());
  known.push_back("random");
  if (const std::optional<std::string_view> near = nearest_word(kind, known))
    return fmt::format("'{}' is neither a file nor a generator; did you mean {}?", written,
                       std::string(*near) + written.substr(kind.size()));
  if (written.find_first_of("./") != std::string::npos) return missing_file_message(written);
  return fmt::format("'{}' is neither a file nor a generator ('lacuna help generators' lists them)", written);
}

std::optional<GeneratorSpec::Kind> find_generator(const std::string& name) {
  if (name == "random") return Kind::Uniform;
  for (const auto& [known, kind] : kinds()) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::vector<std::int64_t> parse_size(const std::string& text) {
  std::vector<std::int64_t> sizes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto size = read_number<std::int64_t>(std::string_view(text).substr(begin, end - begin));
    if (!size || *size < 1)
      throw Error(fmt::format("'{}' is no size; write it as 1000x2000", text), {begin, end}, text);
    sizes.push_back(*size);
    begin = end + 1;
  }
  return sizes;
}

std::optional<GeneratorSpec> parse_generator(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::optional<Kind> kind = find_generator(text.substr(0, colon));
  if (!kind) return std::nullopt;
  GeneratorSpec spec;
  spec.kind = *kind;
  std::size_t begin = colon == std::string::npos ? text.size() + 1 : colon + 1;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    read_item(spec, text.substr(begin, end - begin));
    begin = end + 1;
  }
  check_settings(spec);
  return spec;
}

std::optional<int> order_of(const GeneratorSpec& spec) {
  switch (spec.kind) {
    case Kind::Rmat:
    case Kind::Banded:
    case Kind::Stencil2d:
    case Kind::Stencil3d: return 2;
    default: break;
  }
  if (spec.size.empty()) return std::nullopt;
  return static_cast<int>(spec.size.size());
}

std::vector<std::int64_t> dimensions_of(const GeneratorSpec& spec) {
  if (spec.kind != Kind::Stencil2d && spec.kind != Kind::Stencil3d) return spec.size;
  const std::int64_t points = product(spec.size);
  return {points, points};
}

Format natural_sparse_format(int order) { return order == 2 ? csr_format() : csf_format(order); }

Storage generate(const GeneratorSpec& spec, const std::optional<Format>& format, Type type, std::uint64_t seed,
                 int threads) {
  if (spec.kind == Kind::Dense) {
    product(spec.size);
    const Storage dense = generate_dense(spec.size, seed, type);
    return format ? with_nodes(convert(dense, array_format_of(*format), threads), *format) : dense;
  }
  check_generator(spec);
  const CoordinateList entries = generate_share(spec, type, seed, {});
  BuildOptions options;
  options.threads = threads;
  const Format chosen = format.value_or(natural_sparse_format(static_cast<int>(entries.dimensions.size())));
  return with_nodes(build(entries, array_format_of(chosen), options), chosen);
}

std::string to_string(const GeneratorSpec& spec) {
  std::string text = fmt::format("{}:{}", name_of(spec.kind), fmt::join(spec.size, "x"));
  if (spec.band) text += fmt::format(",band={}", *spec.band);
  if (spec.skew) text += fmt::format(",skew={}", *spec.skew);
  if (spec.nonzeros) text += fmt::format(",nnz={}", *spec.nonzeros);
  if (spec.density) text += fmt::format(",density={}", *spec.density);
  return text;
}

void check_settings(const GeneratorSpec& spec) {
  const bool has_count = spec.kind == Kind::Rmat || spec.kind == Kind::Uniform || spec.kind == Kind::Skewed;
  const auto check = [&](const char* setting, bool is_given, bool is_known) {
    if (is_given && !is_known)
      user_error("the generator {} has no setting {}; leave it out", name_of(spec.kind), setting);
  };
  check("nnz", spec.nonzeros.has_value(), has_count);
  check("density", spec.density.has_value(), has_count);
  check("band", spec.band.has_value(), spec.kind == Kind::Banded);
  check("skew", spec.skew.has_value(), spec.kind == Kind::Skewed);
  if (spec.nonzeros && spec.density)
    user_error("nnz and density both say how many entries the generator {} makes; give one of them",
               name_of(spec.kind));
}

void check_generator(const GeneratorSpec& spec) {
  if (spec.size.empty())
    user_error("the generator {} needs a size, as {}:1000x1000", name_of(spec.kind), name_of(spec.kind));
  switch (spec.kind) {
    case Kind::Rmat: expect_size(spec, 2, "rmat:1000x1000,nnz=8000"); break;
    case Kind::Banded: return expect_size(spec, 2, "banded:1000x1000,band=2");
    case Kind::Stencil2d: expect_size(spec, 2, "stencil2d:100x100"); break;
    case Kind::Stencil3d: expect_size(spec, 3, "stencil3d:20x20x20"); break;
    default: break;
  }
  // Both throw where there are too many.
  if (spec.kind == Kind::Stencil2d || spec.kind == Kind::Stencil3d) product(dimensions_of(spec));
  else if (spec.kind != Kind::Dense) count_of(spec);
}

CoordinateList generate_share(const GeneratorSpec& spec, Type type, std::uint64_t seed, const GeneratorShare& share) {
  const std::vector<std::int64_t>& size = spec.size;
  switch (spec.kind) {
    case Kind::Rmat: return generate_rmat(size[0], size[1], count_of(spec), seed, type, share);
    case Kind::Banded: return generate_banded(size[0], size[1], spec.band.value_or(default_band), seed, type, share);
    case Kind::Stencil2d: return generate_stencil_2d(size[0], size[1], type, share);
    case Kind::Stencil3d: return generate_stencil_3d(size[0], size[1], size[2], type, share);
    case Kind::Uniform: return generate_uniform(size, count_of(spec), seed, type, share);
    case Kind::Skewed:
      return generate_skewed(size, count_of(spec), spec.skew.value_or(default_skew), seed, type, share);
    case Kind::Dense: break;
  }
  throw InternalError("internal error: a dense tensor has no list of entries");
}

Storage generate_dense_part(const std::vector<std::int64_t>& dimensions, const std::vector<IndexSet>& sets,
                            const Format& format, Type type, DenseValues& values, int threads) {
  product(dimensions);  // throws where there are more than can be counted
  std::vector<std::int64_t> sizes;
  for (const IndexSet& set : sets) sizes.push_back(set.size());
  Storage part = empty_tensor(type, sizes, dense_format(static_cast<int>(sizes.size())));
  auto* to = static_cast<std::byte*>(part.values.mutable_data());
  for_each_stretch(dimensions, sets, [&](const Interval& elements) {
    values.write(elements.begin, elements.size(), to);
    to += elements.size() * size_of(type);
  });
  return convert(part, array_format_of(format), threads);
}

}  // namespace lacuna::tool
