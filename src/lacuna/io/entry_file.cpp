#include "lacuna/io/entry_file.h"

#include <algorithm>
#include <cstring>

#include "lacuna/io/array_body.h"
#include "lacuna/io/body_lines.h"
#include "lacuna/io/convert_values.h"
#include "lacuna/io/expand_symmetry.h"
#include "lacuna/io/file_name.h"
#include "lacuna/io/frostt_header.h"
#include "lacuna/io/frostt_read.h"
#include "lacuna/io/matrix_market_header.h"
#include "lacuna/io/matrix_market_read.h"
#include "lacuna/io/npy_read.h"
#include "lacuna/io/npz_read.h"
#include "lacuna/io/read.h"
#include "lacuna/io/rutherford_boeing_read.h"
#include "lacuna/io/unzipped_file.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

bool is_compressed_file(const std::string& path, std::string_view bytes) {
  return is_gzip(bytes) || (!bytes.empty() && name_ending(path).gzip);
}

/// Whether the entries of a compressed file are no lines of it.
bool is_without_lines(const std::string& path, const MappedFile& compressed) {
  const std::string first = first_lines(compressed, path, [](std::string_view text) { return !text.empty(); });
  return !has_lines_of_entries(tell_format(path, first, compressed.is_pipe()));
}

/// Whether a text begins with all that comes before the entries, and the first of them where that says the order.
bool holds_header(const std::string& path, std::string_view text, bool is_pipe) {
  const std::size_t whole = text.rfind('\n');
  if (whole == std::string_view::npos) return false;
  const Text lines{path, text.substr(0, whole + 1)};
  // Sizes are in the first line of a Matrix Market file that is no comment, as its banner is one.
  const bool is_frostt = tell_format(path, text, is_pipe) == FileFormat::Frostt;
  const std::int64_t last = is_frostt ? lines_of_frostt_header - 1 : 0;
  return line_of_entry(lines, 0, is_frostt ? '#' : '%', last).begin < lines.bytes.size();
}

std::int64_t count_entries(const TextChunk& chunk, char comment) {
  TextCursor cursor(chunk.text, chunk.begin);
  std::int64_t count = 0;
  while (!cursor.at_end()) count += holds_no_entry(cursor.view(cursor.next_line()), comment) ? 0 : 1;
  return count;
}

Array chosen_of(const Array& array, const std::vector<std::int64_t>& chosen) {
  Array result = Array::allocate(array.type(), std::ssize(chosen), false);
  const auto width = static_cast<std::size_t>(size_of(array.type()));
  const auto* from = static_cast<const char*>(array.data());
  auto* to = static_cast<char*>(result.mutable_data());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    std::memcpy(to + k * width, from + static_cast<std::size_t>(chosen[k]) * width, width);
  return result;
}

CoordinateList without_zeros(const CoordinateList& entries) {
  std::vector<std::int64_t> chosen;
  visit_type(entries.values.type(), [&](auto zero) {
    const auto values = entries.values.view<decltype(zero)>();
    for (std::size_t e = 0; e < values.size(); ++e)
      if (values[e] != zero) chosen.push_back(static_cast<std::int64_t>(e));
  });
  if (std::ssize(chosen) == entries.size()) return entries;
  CoordinateList rest{entries.dimensions, {}, chosen_of(entries.values, chosen)};
  for (const Array& each : entries.coordinates) rest.coordinates.push_back(chosen_of(each, chosen));
  return rest;
}

}  // namespace

struct EntryFile::State {
  explicit State(const std::string& path) : file(path), text{path, file.bytes()} {}

  void read_header(const ReadOptions& options);
  void read_header_of_sections();
  void read_header_of_numbered();
  /// Throws Error at an entry, by its number in the file.
  [[noreturn]] void fail_at_entry(std::int64_t entry, const std::string& reason) const;
  ReadContext context() const {
    ReadContext result;
    result.threads = threads;
    result.passed = [this](std::size_t begin, std::size_t end) { file.release(begin, end); };
    return result;
  }
  Symmetry symmetry() const {
    return sections ? sections->header().symmetry : header ? header->symmetry : Symmetry::General;
  }

  MappedFile file;
  bool compressed = false;
  std::string head;  // the first lines of a compressed file
  Text text;         // of the file; of a compressed one, its first lines
  FileFormat format = FileFormat::MatrixMarket;
  std::optional<MatrixMarketHeader> header;
  std::unique_ptr<const RutherfordBoeingEntries> sections;
  std::unique_ptr<const NumberedEntries> numbered;
  CoordinateLayout layout;  // of lines of which each reader has some
  std::vector<std::int64_t> dimensions;
  std::optional<std::int64_t> declared;  // entries in the whole file
  std::size_t body = 0;
  std::optional<WantedType> wanted;
  std::optional<std::size_t> unit_mode;  // that was dropped
  int threads = 1;
};

void EntryFile::State::read_header(const ReadOptions& options) {
  format = tell_format(text.name, text.bytes, file.is_pipe());
  wanted = options.wanted_type();
  threads = options.threads;
  const bool may_be_empty = format == FileFormat::Frostt && (options.dimensions || options.least_dimensions);
  if (text.bytes.empty() && !may_be_empty) fail_empty(text, format);
  if (format == FileFormat::Npy || format == FileFormat::Npz) return read_header_of_numbered();
  check_is_text(text);
  if (format == FileFormat::RutherfordBoeing) return read_header_of_sections();
  if (format == FileFormat::Frostt) {
    const FrosttLayout frostt = frostt_layout(text, options);
    layout = frostt.entries;
    body = frostt.body;
  } else {
    header = read_matrix_market_header(text, wanted);
    layout = header->array ? array_layout(*header) : layout_of(*header);
    body = header->body;
  }
  dimensions = header ? header->dimensions : layout.dimensions;
  declared = layout.declared;
  layout.declared.reset();  // some lines hold fewer
}

void EntryFile::State::read_header_of_sections() {
  sections = std::make_unique<const RutherfordBoeingEntries>(text, context());
  dimensions = {sections->header().rows, sections->header().columns};
  layout.type = natural_type(sections->header().field);
  body = text.bytes.size();  // it has no lines of entries
}

void EntryFile::State::read_header_of_numbered() {
  numbered = format == FileFormat::Npy ? read_npy(text) : read_npz(text);
  dimensions = numbered->shape().dimensions;
  layout.type = numbered->shape().type;
  body = text.bytes.size();
}

void EntryFile::State::fail_at_entry(std::int64_t entry, const std::string& reason) const {
  constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
  TextChunks chunks(file, compressed, text.name, body, {}, chunk_bytes);
  while (const std::optional<TextChunk> chunk = chunks.next()) {
    const std::int64_t here = count_entries(*chunk, layout.comment);
    if (entry < here) fail_at(chunk->text, line_of_entry(chunk->text, chunk->begin, layout.comment, entry), reason);
    entry -= here;
  }
  fail_in(text, reason);
}

EntryFile::EntryFile(const std::string& path, const ReadOptions& options) : state_(std::make_unique<State>(path)) {
  State& s = *state_;
  s.compressed = is_compressed_file(path, s.file.bytes());
  if (s.compressed && is_without_lines(path, s.file)) {
    s.file = unzipped_file(path, s.file);
    s.text.bytes = s.file.bytes();
    s.compressed = false;
  }
  try {
    if (s.compressed) {
      s.head =
          first_lines(s.file, path, [&](std::string_view text) { return holds_header(path, text, s.file.is_pipe()); });
      s.text.bytes = s.head;
    }
    s.read_header(options);
  } catch (const Error&) {
    if (s.compressed) TextChunks(s.file, true, path, 0, {}, 1).check_rest();
    throw;
  }
}

EntryFile::~EntryFile() = default;
EntryFile::EntryFile(EntryFile&&) noexcept = default;
EntryFile& EntryFile::operator=(EntryFile&&) noexcept = default;

const std::string& EntryFile::name() const { return state_->text.name; }
std::size_t EntryFile::bytes() const { return state_->file.bytes().size(); }
void EntryFile::each_stretch(const std::function<void(std::string_view)>& f) const {
  constexpr std::size_t stretch = std::size_t{1} << 22U;
  const std::string_view all = state_->file.bytes();
  for (std::size_t begin = 0; begin < all.size(); begin += stretch) {
    f(all.substr(begin, stretch));
    state_->file.release(begin, std::min(all.size(), begin + stretch));
  }
}
FileFormat EntryFile::file_format() const { return state_->format; }
bool EntryFile::is_array() const {
  return (state_->header && state_->header->array) || (state_->numbered && state_->numbered->shape().is_array);
}
bool EntryFile::is_compressed() const { return state_->compressed; }
Type EntryFile::type() const { return state_->wanted ? state_->wanted->type : state_->layout.type; }
std::size_t EntryFile::order() const { return state_->dimensions.size() - (state_->unit_mode ? 1 : 0); }

Format EntryFile::natural() const {
  const auto n = static_cast<int>(order());
  if (is_array()) return dense_format(n);
  if (state_->sections && !state_->unit_mode) return csc_format();
  if (state_->numbered && !state_->unit_mode) return state_->numbered->shape().natural;
  if (state_->unit_mode || state_->format == FileFormat::Frostt) return csf_format(n);
  return n == 2 ? csr_format() : coo_format(n);
}

std::optional<std::vector<std::int64_t>> EntryFile::dimensions() const {
  if (!state_->layout.dimensions_known) return std::nullopt;
  std::vector<std::int64_t> result = state_->dimensions;
  if (state_->unit_mode) result.erase(result.begin() + static_cast<std::ptrdiff_t>(*state_->unit_mode));
  return result;
}

void EntryFile::set_dimensions(std::vector<std::int64_t> dimensions) {
  state_->dimensions = state_->layout.dimensions = std::move(dimensions);
  state_->layout.dimensions_known = true;
}

void EntryFile::drop_unit_mode() {
  const auto& sizes = state_->dimensions;
  internal_check(sizes.size() == 2 && (sizes[0] == 1 || sizes[1] == 1), "a matrix has no mode of size 1 to drop");
  state_->unit_mode = sizes[1] == 1 ? 1 : 0;
}

bool EntryFile::is_symmetric() const { return state_->symmetry() != Symmetry::General; }

CoordinateList EntryFile::complete(const CoordinateList& entries, bool drop_zeros) const {
  const State& s = *state_;
  CoordinateList all = is_symmetric() ? expand_symmetry(entries, s.symmetry(), s.context()) : entries;
  if (s.wanted) all.values = convert_values(all, *s.wanted, s.text.name, s.context());
  if (s.unit_mode) {
    const auto mode = static_cast<std::ptrdiff_t>(*s.unit_mode);
    all.dimensions.erase(all.dimensions.begin() + mode);
    all.coordinates.erase(all.coordinates.begin() + mode);
  }
  return drop_zeros ? without_zeros(all) : all;
}

bool EntryFile::may_hold_all() const {
  constexpr std::size_t least_line = 2, most_compressed = 1032;  // as many times gzip makes a file smaller
  const std::size_t lines = bytes() / least_line + 1;
  return !state_->declared ||
         static_cast<std::size_t>(*state_->declared) / (is_compressed() ? most_compressed : 1) <= lines;
}

void EntryFile::check_count(std::int64_t entries) const {
  const State& s = *state_;
  if (!s.declared) return;
  if (entries > *s.declared) s.fail_at_entry(*s.declared, too_many_entries(*s.declared));
  CoordinateLayout all = s.layout;
  all.declared = s.declared;
  check_not_fewer(s.text, all, entries);
}

void EntryFile::fail_mirror(std::int64_t entry) const {
  if (state_->sections) state_->sections->fail_mirror(entry);
  state_->fail_at_entry(entry, given_mirror(*state_->header));
}

void EntryFile::fail_symmetry(std::int64_t entry) const {
  if (state_->sections) state_->sections->fail_symmetry(entry);
  state_->fail_at_entry(entry, against_symmetry(*state_->header));
}

EntryReader::EntryReader(const EntryFile& file, FileShare share, std::size_t chunk_bytes)
    : file_(*file.state_),
      share_(share),
      chunk_bytes_(chunk_bytes),
      chunks_(file_.file, file_.compressed, file_.text.name, file_.body, share, chunk_bytes) {
  if (!file_.sections && !file_.numbered) return;
  const auto all =
      static_cast<std::size_t>(file_.sections ? file_.sections->header().entries : file_.numbered->shape().count);
  const auto reader = static_cast<std::size_t>(share.reader), readers = static_cast<std::size_t>(share.readers);
  next_ = static_cast<std::int64_t>(share_begin(all, reader, readers));
  end_ = static_cast<std::int64_t>(share_begin(all, reader + 1, readers));
}

std::int64_t EntryReader::count() const {
  if (file_.sections || file_.numbered) return end_ - next_;
  TextChunks chunks(file_.file, file_.compressed, file_.text.name, file_.body, share_, chunk_bytes_);
  std::int64_t count = 0;
  while (const std::optional<TextChunk> chunk = chunks.next()) count += count_entries(*chunk, file_.layout.comment);
  return count;
}

std::optional<std::pair<std::int64_t, std::int64_t>> EntryReader::next_numbers() {
  constexpr std::size_t entry_bytes = 16;  // about as many take a row and a value in the file
  const std::int64_t most = std::max<std::int64_t>(static_cast<std::int64_t>(chunk_bytes_ / entry_bytes), 1);
  const std::int64_t first = next_, count = std::min(most, end_ - next_);
  if (count == 0) return std::nullopt;
  next_ += count;
  return std::pair{first, count};
}

std::optional<CoordinateList> EntryReader::next_of_sections() {
  const auto numbers = next_numbers();
  if (!numbers) return std::nullopt;
  const FixedSection::Range range{numbers->first, numbers->second};
  CoordinateList entries = file_.sections->coordinates(range, file_.context());
  try {
    if (in_values_ == nullptr) entries.values = file_.sections->values(range, file_.context());
  } catch (const Error&) {
    in_values_ = std::current_exception();
  }
  file_.file.release(0, file_.text.bytes.size());
  if (in_values_ != nullptr) {
    for (Array& each : entries.coordinates) each = Array::allocate(each.type(), 0, false);
    entries.values = Array::allocate(file_.layout.type, 0, false);
  }
  if (!against_) against_ = file_.sections->first_against_symmetry(entries, range.first);
  return entries;
}

std::optional<CoordinateList> EntryReader::next() {
  if (file_.sections) return next_of_sections();
  if (file_.numbered) {
    const auto numbers = next_numbers();
    if (!numbers) return std::nullopt;
    CoordinateList entries = file_.numbered->entries(numbers->first, numbers->second);
    file_.file.release(0, file_.text.bytes.size());
    return entries;
  }
  const std::optional<TextChunk> chunk = chunks_.next();
  if (!chunk) return std::nullopt;
  try {
    return read(*chunk);
  } catch (const Error&) {
    chunks_.check_rest();
    throw;
  }
}

CoordinateList EntryReader::read(const TextChunk& chunk) {
  CoordinateList entries = read_coordinates(chunk.text, chunk.begin, file_.layout, file_.context());
  const std::int64_t first = next_;
  next_ += entries.size();
  if (!file_.header || !file_.header->array) return entries;
  if (!against_) against_ = lacuna::first_against_symmetry(*file_.header, first, entries.values);
  return array_entries(*file_.header, first, entries.values);
}

}  // namespace lacuna
