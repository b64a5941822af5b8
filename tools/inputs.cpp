#include "tools/inputs.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/generator_share.h"
#include "lacuna/distribute/tensors/read.h"
#include "lacuna/io/enlarge.h"
#include "lacuna/notation/check.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/unbacked.h"
#include "tools/missing_file.h"
#include "tools/progress.h"
#include "tools/session.h"
#include "tools/sources.h"
#include "tools/value_text.h"

namespace lacuna::tool {
namespace {

template <typename Map>
auto lookup(const Map& map, const std::string& name) -> std::optional<typename Map::mapped_type> {
  const auto found = map.find(name);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

/// A vector is often kept as a matrix with one column or one row; as an operand of order 1 that mode is dropped.
bool is_vector(const std::vector<std::int64_t>& dimensions) {
  return dimensions.size() == 2 && (dimensions[0] == 1 || dimensions[1] == 1);
}

void drop_unit_mode(FileContents& contents) {
  CoordinateList& entries = contents.entries;
  const std::size_t unit = entries.dimensions[1] == 1 ? 1 : 0;
  entries.dimensions.erase(entries.dimensions.begin() + static_cast<std::ptrdiff_t>(unit));
  entries.coordinates.erase(entries.coordinates.begin() + static_cast<std::ptrdiff_t>(unit));
  contents.natural = contents.array ? dense_format(1) : csf_format(1);
}

class Loader {
 public:
  /// `ranks`: who shares the work; none: this process does all of it.
  Loader(const Problem& problem, MissingInput missing, std::int64_t nominal_size, Communicator* ranks = nullptr)
      : problem_(problem), missing_(missing), nominal_size_(nominal_size), ranks_(ranks) {
    for (const auto& [name, size] : problem.sizes) note_size(name, size, "-d");
  }

  SharedOperands load() {
    std::vector<std::pair<std::string, std::optional<GeneratorSpec>>> later;
    std::uint64_t seed = problem_.seed;
    // What brings its own sizes comes first, so that the rest can take theirs from it.
    for (const std::string& name : problem_.operands()) {
      seeds_[name] = seed++;
      const std::optional<Source> source = source_of(name);
      if (!source && missing_ == MissingInput::Refuse) refuse_missing(name);
      const std::optional<GeneratorSpec> spec = source ? parse_generator(source->text) : std::nullopt;
      if (!source || (spec && spec->size.empty())) later.emplace_back(name, spec);
      else if (spec) generate_operand(name, *spec);
      else if (!read_by_parts(name, *source)) add(name, read(name, *source));
    }
    for (auto& [name, spec] : later) {
      if (spec) {
        spec->size = sizes_of(name, false);
        generate_operand(name, *spec);
      } else {
        add(name, nothing_of(name));
      }
    }
    return std::move(operands_);
  }

 private:
  int order(const std::string& name) const { return problem_.access_of(name).tensor.order(); }
  std::optional<Format> format_of(const std::string& name) const { return lookup(problem_.formats, name); }
  Type type_of(const std::string& name) const { return lookup(problem_.types, name).value_or(Type::Float64); }
  bool is_dense(const std::string& name) const {
    const std::optional<Format> format = format_of(name);
    return !format || format->is_dense();
  }

  /// Where a tensor comes from; none: nothing is said of it, or its entries do not matter.
  std::optional<Source> source_of(const std::string& name) const {
    std::optional<Source> said = lookup(problem_.inputs, name);
    if (order(name) == 0 || !is_dense(name)) return said;
    if (said && said->text == "dense" && missing_ == MissingInput::Empty) return std::nullopt;
    return said;
  }

  Storage nothing_of(const std::string& name) const {
    const std::vector<std::int64_t> dimensions = sizes_of(name, true);
    const Format format = format_of(name).value_or(dense_format(order(name)));
    if (missing_ == MissingInput::Empty && format.is_dense())
      return unbacked_tensor(type_of(name), dimensions, format.map());
    return with_nodes(empty_tensor(type_of(name), dimensions, array_format_of(format)), format);
  }

  [[noreturn]] void refuse_missing(const std::string& name) const {
    if (order(name) == 0) user_error("no value for '{}'; give one with -i {}=2.5", name, name);
    if (problem_.is_result(name)) {
      user_error("the statement reads the old '{}', but there is no -i for it; give -i {}=FILE or -i {}=random:0.01",
                 name, name, name);
    }
    user_error("no entries for '{}'; give -i {}=FILE, -i {}=random:0.01 or -i {}=dense", name, name, name, name);
  }

  [[noreturn]] void refuse_order(const std::string& name, const std::string& path, std::size_t held) const {
    if (order(name) == 0)
      user_error("'{}' has no index, but {} holds a tensor of order {}; write its indices, as in {}(i,j)", name, path,
                 held, name);
    user_error("'{}' has {} indices, but {} holds a tensor of order {}", name, order(name), path, held);
  }

  /// All accesses of a tensor: each says what variables run over its modes.
  std::vector<Access> accesses_of(const std::string& name) const {
    std::vector<Access> all;
    const auto note = [&](const Access& a) {
      if (a.tensor.name() == name) all.push_back(a);
    };
    for (const Statement& s : problem_.statements()) {
      note(s.lhs);
      for (const Access& a : accesses(s.rhs)) note(a);
    }
    return all;
  }

  void note_size(const std::string& variable, std::int64_t size, const std::string& from) {
    sizes_.emplace(variable, std::make_pair(size, from));
  }

  void note_sizes(const std::string& name, const std::vector<std::int64_t>& dimensions) {
    for (const Access& access : accesses_of(name))
      for (std::size_t m = 0; m < access.indices.size(); ++m) note_size(access.indices[m].name(), dimensions[m], name);
  }
  void add(const std::string& name, Storage storage) {
    note_sizes(name, storage.dimensions);
    operands_.whole.emplace(name, std::move(storage));
  }

  bool is_shared() const { return ranks_ != nullptr && ranks_->ranks() > 1; }

  /// What is placed somewhere, and lies in a file of which ranks can read some lines each.
  bool read_by_parts(const std::string& name, const Source& source) {
    const auto placed = problem_.placed.find(name);
    if (!is_shared() || placed == problem_.placed.end()) return false;
    std::optional<EntryFile> file;
    together(*ranks_, {"opening " + source.text}, [&] {
      if (!std::filesystem::exists(source.text)) return;  // read() says what it could have been
      refuse_pipe(source.text, *ranks_);
      file.emplace(source.text, reading(name));
      const auto dimensions = file->dimensions();
      if (file->file_format() == FileFormat::Frostt && dimensions && static_cast<int>(file->order()) == order(name))
        file->set_dimensions(widened(name, source.text, *dimensions));
      if (order(name) == 1 && dimensions && is_vector(*dimensions)) file->drop_unit_mode();
      if (static_cast<int>(file->order()) != order(name)) refuse_order(name, source.text, file->order());
    });
    if (!file) return false;
    PlacedReadOptions options;
    options.format = format_of(name);
    options.dimensions = [&](const std::vector<std::int64_t>& largest) { return widened(name, source.text, largest); };
    auto tensor = std::make_shared<const DistributedTensor>(read_placed(*file, placed->second, name, *ranks_, options));
    note_sizes(name, tensor->dimensions());
    operands_.held.emplace(name, std::move(tensor));
    return true;
  }

  std::vector<std::int64_t> sizes_of(const std::string& name, bool nominal) const {
    std::vector<std::int64_t> result;
    const std::vector<IndexVar> indices = problem_.access_of(name).indices;
    for (std::size_t m = 0; m < indices.size(); ++m) {
      const std::optional<std::int64_t> known = known_size(name, m);
      const std::string& var = indices[m].name();
      if (!known && !nominal)
        user_error("the size of {} is not known, which {} needs; give -d {}=1000", var, name, var);
      result.push_back(known.value_or(nominal_size_));
    }
    return result;
  }

  /// The size of a mode, by any variable that an access has there.
  std::optional<std::int64_t> known_size(const std::string& name, std::size_t mode) const {
    for (const Access& access : accesses_of(name))
      if (const auto found = sizes_.find(access.indices[mode].name()); found != sizes_.end())
        return found->second.first;
    return std::nullopt;
  }

  void generate_operand(const std::string& name, const GeneratorSpec& spec) {
    if (order(name) == 0) user_error("'{}' has no indices; give it a number, as -i {}=2.5", name, name);
    const std::optional<int> made = order_of(spec);
    if (made && *made != order(name)) {
      user_error("'{}' has {} indices, but the generator makes a tensor of order {}", name, order(name), *made);
    }
    if (generate_by_parts(name, spec)) return;
    add(name, generate(spec, format_of(name), type_of(name), seeds_.at(name), problem_.threads));
  }

  /// What is placed somewhere: each rank makes some of it.
  bool generate_by_parts(const std::string& name, const GeneratorSpec& spec) {
    const auto placed = problem_.placed.find(name);
    if (!is_shared() || placed == problem_.placed.end()) return false;
    auto tensor = std::make_shared<const DistributedTensor>(spec.kind == GeneratorSpec::Kind::Dense
                                                                ? generate_dense_parts(name, spec.size, placed->second)
                                                                : generate_shares(name, spec, placed->second));
    note_sizes(name, tensor->dimensions());
    operands_.held.emplace(name, std::move(tensor));
    return true;
  }

  /// Each rank the parts that it has.
  DistributedTensor generate_dense_parts(const std::string& name, const std::vector<std::int64_t>& size,
                                         const Distribution& placed) const {
    const Format format = format_of(name).value_or(dense_format(order(name)));
    DenseValues values(seeds_.at(name), type_of(name));
    const auto make = [&](const std::vector<IndexSet>& sets) {
      return generate_dense_part(size, sets, format, type_of(name), values, problem_.threads);
    };
    return made_by_parts(size, format, type_of(name), placed, name, *ranks_, make);
  }

  /// Each rank a share of the entries, which go to those that have them in their parts.
  DistributedTensor generate_shares(const std::string& name, const GeneratorSpec& spec,
                                    const Distribution& placed) const {
    together(*ranks_, {"generating " + name, to_string(spec)}, [&] { check_generator(spec); });
    CoordinateList mine;
    or_abort(*ranks_, [&] { mine = generate_share(spec, type_of(name), seeds_.at(name), share_of(*ranks_)); });
    return contributed(std::move(mine), format_of(name).value_or(natural_sparse_format(order(name))), placed, name,
                       *ranks_);
  }

  Storage read_scalar(const std::string& name, const Source& source) const {
    const SourceRange where{source.option.size() - source.text.size(), source.option.size()};
    const ParsedValue parsed = parse_value(source.text, lookup(problem_.types, name));
    if (!parsed.is_number)
      throw Error(fmt::format("'{}' has no indices, and '{}' is neither a file nor a number such as 2.5, true or "
                              "complex(1, -2)",
                              name, source.text),
                  where, source.option);
    if (!parsed.value)
      throw Error(fmt::format("the value '{}' of '{}' {}; give it another type with -t {}:TYPE", source.text, name,
                              parsed.fault, name),
                  where, source.option);
    Storage storage = empty_tensor(parsed.value->type(), {}, Format());
    storage.values = Array::allocate(storage.type, 1, true);
    parsed.value->store(storage.values.mutable_data());
    return storage;
  }

  Storage read(const std::string& name, const Source& source) const {
    const std::string& path = source.text;
    if (order(name) == 0 && !std::filesystem::exists(path)) return read_scalar(name, source);
    if (!std::filesystem::exists(path)) {
      const std::size_t at = source.option.size() - path.size();
      throw Error(unknown_source_message(path), {at, source.option.size()}, source.option);
    }
    if (is_shared()) refuse_pipe(path, *ranks_);
    FileContents contents = read_with_progress(path, reading(name), problem_.quiet);
    const auto& dimensions = contents.entries.dimensions;
    if (order(name) == 1 && is_vector(dimensions)) drop_unit_mode(contents);
    if (static_cast<int>(dimensions.size()) != order(name)) refuse_order(name, path, dimensions.size());
    if (contents.file_format == FileFormat::Frostt)
      enlarge(contents.entries, widened(name, path, contents.entries.dimensions));
    return build_contents(contents, format_of(name), problem_.threads);
  }

  /// A .tns file does not say its dimensions: -d may enlarge what its coordinates show.
  std::vector<std::int64_t> widened(const std::string& name, const std::string& path,
                                    std::vector<std::int64_t> wanted) const {
    const std::vector<IndexVar> indices = problem_.access_of(name).indices;
    for (std::size_t m = 0; m < wanted.size(); ++m) {
      const std::optional<std::int64_t> given = lookup(problem_.sizes, indices[m].name());
      if (!given) continue;
      if (*given < wanted[m]) {
        user_error("-d {}={} is too small for {}, whose mode {} has a coordinate {}", indices[m].name(), *given, path,
                   m + 1, wanted[m]);
      }
      wanted[m] = *given;
    }
    return wanted;
  }
  /// How the file of a tensor is read. Where -d gives all of its sizes, a .tns file may be empty.
  ReadOptions reading(const std::string& name) const {
    ReadOptions options;
    options.type = lookup(problem_.types, name);
    options.type_option = fmt::format("-t {}:", name);
    options.threads = problem_.threads;
    std::vector<std::int64_t> sizes;
    for (const IndexVar& var : problem_.access_of(name).indices)
      if (const auto given = lookup(problem_.sizes, var.name())) sizes.push_back(*given);
    if (static_cast<int>(sizes.size()) == order(name)) options.least_dimensions = sizes;
    return options;
  }

  const Problem& problem_;
  MissingInput missing_;
  std::int64_t nominal_size_;
  Communicator* ranks_;
  std::map<std::string, std::pair<std::int64_t, std::string>> sizes_;
  std::map<std::string, std::uint64_t> seeds_;
  SharedOperands operands_;
};

}  // namespace

FileContents read_with_progress(const std::string& path, ReadOptions options, bool quiet) {
  require_file(path);
  Progress progress("reading " + path, !quiet);
  options.progress = [&](double fraction) { progress.update(fraction); };
  return read_file(path, options);
}

Storage build_contents(const FileContents& contents, const std::optional<Format>& format, int threads,
                       bool drop_zeros) {
  const Format chosen = format.value_or(contents.natural);
  BuildOptions options;
  options.threads = threads;
  options.drop_zeros = drop_zeros || (contents.array && !chosen.is_dense());
  return with_nodes(build(contents.entries, array_format_of(chosen), options), chosen);
}

std::map<std::string, Storage> load_operands(const Problem& problem, MissingInput missing, std::int64_t nominal_size) {
  return Loader(problem, missing, nominal_size).load().whole;
}

SharedOperands load_shared_operands(const Problem& problem, Communicator& ranks) {
  return Loader(problem, MissingInput::Refuse, 0, &ranks).load();
}

}  // namespace lacuna::tool
