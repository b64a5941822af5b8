#include "lacuna/io/coordinate_file.h"

#include <algorithm>

#include "lacuna/io/convert_values.h"
#include "lacuna/io/expand_symmetry.h"
#include "lacuna/io/file_name.h"
#include "lacuna/io/frostt_read.h"
#include "lacuna/io/gzip.h"
#include "lacuna/io/mapped_file.h"
#include "lacuna/io/matrix_market_header.h"
#include "lacuna/io/matrix_market_read.h"
#include "lacuna/io/read.h"

namespace lacuna {

struct CoordinateFile::State {
  explicit State(const std::string& path) : file(path), text{path, file.bytes()} {}

  /// The first byte from `at` on that begins a line.
  std::size_t line_from(std::size_t at) const {
    if (at <= body) return body;
    const std::size_t newline = text.bytes.find('\n', std::min(at, text.bytes.size()) - 1);
    return newline == std::string_view::npos ? text.bytes.size() : newline + 1;
  }
  CoordinateList read(ByteRange range, const CoordinateLayout& wanted) const {
    const std::size_t begin = line_from(range.begin), end = std::max(begin, line_from(range.end));
    ReadContext context;
    context.threads = threads;
    CoordinateList entries = read_coordinates({text.name, text.bytes.substr(0, end)}, begin, wanted, context);
    file.release(begin, end);
    if (type && entries.values.type() != *type) entries.values = convert_values(entries.values, *type, context);
    return entries;
  }

  MappedFile file;
  Text text;
  FileFormat format = FileFormat::MatrixMarket;
  std::optional<MatrixMarketHeader> header;
  CoordinateLayout layout;
  std::optional<std::int64_t> declared;  // entries in the whole file
  std::size_t body = 0;
  std::optional<Type> type;
  int threads = 1;
};

std::optional<std::string> CoordinateFile::reason_against(const std::string& path) {
  const MappedFile file(path);
  if (is_gzip(file.bytes()) || (!file.bytes().empty() && name_ending(path).gzip)) return "it is compressed";
  const FileFormat format = tell_format(path, file.bytes());
  if (!file.bytes().empty()) check_is_text({path, file.bytes()});
  if (format == FileFormat::RutherfordBoeing) return "its lines are no entries";
  if (format == FileFormat::Frostt || file.bytes().empty()) return std::nullopt;
  if (read_matrix_market_header({path, file.bytes()}).array)
    return "it is an array, whose lines do not say where they belong";
  return std::nullopt;
}

CoordinateFile::CoordinateFile(const std::string& path, const ReadOptions& options)
    : state_(std::make_unique<State>(path)) {
  State& s = *state_;
  s.format = tell_format(path, s.text.bytes);
  s.type = options.type;
  s.threads = options.threads;
  if (s.text.bytes.empty() && !(s.format == FileFormat::Frostt && options.dimensions))
    fail_in(s.text, "the file is empty");
  check_is_text(s.text);
  if (s.format == FileFormat::Frostt) {
    s.layout = frostt_layout(s.text, options.dimensions);
    return;
  }
  s.header = read_matrix_market_header(s.text);
  s.layout = layout_of(*s.header);
  s.declared = s.layout.declared;
  s.layout.declared.reset();  // a range holds fewer
  s.body = s.header->body;
}

CoordinateFile::~CoordinateFile() = default;
CoordinateFile::CoordinateFile(CoordinateFile&&) noexcept = default;
CoordinateFile& CoordinateFile::operator=(CoordinateFile&&) noexcept = default;

const std::string& CoordinateFile::name() const { return state_->text.name; }
FileFormat CoordinateFile::file_format() const { return state_->format; }
Type CoordinateFile::type() const { return state_->type.value_or(state_->layout.type); }
std::size_t CoordinateFile::order() const { return state_->layout.dimensions.size(); }

Format CoordinateFile::natural() const {
  const auto n = static_cast<int>(order());
  if (state_->format == FileFormat::Frostt) return csf_format(n);
  return n == 2 ? csr_format() : coo_format(n);
}

std::optional<std::vector<std::int64_t>> CoordinateFile::dimensions() const {
  if (!state_->layout.dimensions_known) return std::nullopt;
  return state_->layout.dimensions;
}

void CoordinateFile::set_dimensions(std::vector<std::int64_t> dimensions) {
  state_->layout.dimensions = std::move(dimensions);
  state_->layout.dimensions_known = true;
}

ByteRange CoordinateFile::body() const { return {state_->body, state_->text.bytes.size()}; }

CoordinateList CoordinateFile::read(ByteRange range) const { return state_->read(range, state_->layout); }

std::vector<std::int64_t> CoordinateFile::largest(ByteRange range) const {
  return state_->read(range, state_->layout).dimensions;
}

bool CoordinateFile::is_symmetric() const { return state_->layout.symmetry != Symmetry::General; }

CoordinateList CoordinateFile::with_mirrors(const CoordinateList& entries) const {
  ReadContext context;
  context.threads = state_->threads;
  return expand_symmetry(entries, state_->layout.symmetry, context);
}

void CoordinateFile::check_count(std::int64_t entries) const {
  if (!state_->declared) return;
  CoordinateLayout all = state_->layout;
  all.declared = state_->declared;
  check_entry_count(state_->text, state_->body, all, entries);
}

void CoordinateFile::fail_mirror(std::int64_t entry) const { fail_given_mirror(state_->text, *state_->header, entry); }

}  // namespace lacuna
