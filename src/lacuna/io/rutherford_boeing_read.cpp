#include "lacuna/io/rutherford_boeing_read.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "lacuna/io/expand_symmetry.h"

namespace lacuna {
namespace {

using Range = FixedSection::Range;

/// Column pointers that are read at a time: to check all, and for some entries, which mostly lie in few columns.
constexpr std::int64_t pointers_at_once = std::int64_t{1} << 18U, pointers_for_some = std::int64_t{1} << 12U;

template <typename F>
Array coordinate_array(std::int64_t dimension, std::int64_t size, F fill) {
  Array array = Array::allocate(coordinate_type(dimension), size, false);
  if (array.type() == Type::Int32) fill(static_cast<std::int32_t*>(array.mutable_data()));
  else fill(static_cast<std::int64_t*>(array.mutable_data()));
  return array;
}

/// What is wrong with an entry of a matrix that is not general; null where nothing is.
const char* against(Symmetry symmetry, bool diagonal, const Scalar& value) {
  if (symmetry == Symmetry::SkewSymmetric) {
    if (diagonal && !value.is_zero()) return "a skew-symmetric matrix is zero on its diagonal";
    if (value == Scalar(std::numeric_limits<std::int64_t>::min()))
      return "the negative of the value of this entry does not fit int64";
  }
  if (symmetry == Symmetry::Hermitian && diagonal && value.as<std::complex<double>>().imag() != 0)
    return "the diagonal of a hermitian matrix is real";
  return nullptr;
}

const char* against(const RutherfordBoeingHeader& header, const CoordinateList& entries, std::int64_t e) {
  const bool diagonal = entries.coordinates[0].integer(e) == entries.coordinates[1].integer(e);
  const Type type = entries.values.type();
  const auto* values = static_cast<const char*>(entries.values.data());
  return against(header.symmetry, diagonal, Scalar::load(type, values + e * size_of(type)));
}

}  // namespace

RutherfordBoeingEntries::RutherfordBoeingEntries(const Text& text, const ReadContext& context)
    : text_(text),
      header_(read_rutherford_boeing_header(text)),
      pointers_(text, "the column pointers", header_.body, header_.pointers.lines, header_.columns + 1,
                header_.pointers.format, context),
      indices_(text, "the row indices", pointers_.end(), header_.indices.lines, header_.entries, header_.indices.format,
               context) {
  if (header_.field != Field::Pattern)
    values_.emplace(text, "the values", indices_.end(), header_.values.lines,
                    header_.field == Field::Complex ? 2 * header_.entries : header_.entries, header_.values.format,
                    context);
  check_end(values_ ? values_->end() : indices_.end());
  check_pointers(context);
}

void RutherfordBoeingEntries::check_end(std::size_t position) const {
  TextCursor rest(text_, position, text_.bytes.size());
  while (!header_.right_hand_sides && !rest.at_end()) {
    const TextRange line = rest.next_line();
    if (rest.view(line).find_first_not_of(" \t\r") != std::string_view::npos)
      fail_at(text_, line, "a line after the values: expected the end of the file");
  }
}

void RutherfordBoeingEntries::check_pointers(const ReadContext& context) const {
  const auto fail = [&](std::int64_t at, const std::string& reason) { fail_at(text_, pointers_.place_of(at), reason); };
  std::int64_t last = 1;
  for (std::int64_t first = 0; first < pointers_.count(); first += pointers_at_once) {
    const std::vector<std::int64_t> some =
        pointers_.read_integers({first, std::min(pointers_at_once, pointers_.count() - first)}, context);
    if (first == 0 && some[0] != 1) fail(0, fmt::format("the first column pointer is {}, not 1", some[0]));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::int64_t at = first + static_cast<std::int64_t>(i);
      if (some[i] < last)
        fail(at, fmt::format("column pointer {} is {}, less than the one before, {}", at + 1, some[i], last));
      last = some[i];
    }
  }
  if (last - 1 != header_.entries)
    fail(pointers_.count() - 1,
         fmt::format("the last column pointer is {}, but there are {} entries", last, header_.entries));
}

Array RutherfordBoeingEntries::columns(Range range, const ReadContext& context) const {
  return coordinate_array(header_.columns, range.count, [&](auto* out) {
    if (range.count == 0) return;
    // The last column that begins no later than the first entry.
    std::int64_t column = 0, end = header_.columns;
    while (end - column > 1) {
      const std::int64_t middle = column + (end - column) / 2;
      (pointers_.read_integers({middle, 1}, context)[0] - 1 <= range.first ? column : end) = middle;
    }
    std::int64_t done = 0;
    while (done < range.count) {
      const std::int64_t some = std::min(std::max(pointers_for_some, range.count / 4), pointers_.count() - column - 1);
      const std::vector<std::int64_t> ends = pointers_.read_integers({column + 1, some}, context);
      for (std::size_t i = 0; i < ends.size() && done < range.count; ++i, ++column) {
        const std::int64_t until = std::min(ends[i] - 1 - range.first, range.count);
        for (; done < until; ++done) out[done] = static_cast<std::remove_reference_t<decltype(*out)>>(column);
      }
    }
  });
}

CoordinateList RutherfordBoeingEntries::coordinates(Range range, const ReadContext& context) const {
  CoordinateList entries;
  entries.dimensions = {header_.rows, header_.columns};
  const std::vector<std::int64_t> rows =
      indices_.read_integers(range, context, FixedSection::Limit{"row", header_.rows});
  entries.coordinates.push_back(coordinate_array(header_.rows, range.count, [&](auto* out) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      out[i] = static_cast<std::remove_reference_t<decltype(*out)>>(rows[i] - 1);
  }));
  entries.coordinates.push_back(columns(range, context));
  return entries;
}

Array RutherfordBoeingEntries::values(Range range, const ReadContext& context) const {
  if (!values_) return Array::of<double>(std::vector<double>(static_cast<std::size_t>(range.count), 1.0));
  if (header_.field == Field::Integer) return Array::of<std::int64_t>(values_->read_integers(range, context));
  if (header_.field == Field::Real) return Array::of<double>(values_->read_reals(range, context));
  const std::vector<double> reals = values_->read_reals({2 * range.first, 2 * range.count}, context);
  Array values = Array::allocate(Type::Complex128, range.count, false);
  auto* out = static_cast<std::complex<double>*>(values.mutable_data());
  for (std::size_t i = 0; i < reals.size(); i += 2) out[i / 2] = {reals[i], reals[i + 1]};
  return values;
}

std::optional<std::int64_t> RutherfordBoeingEntries::first_against_symmetry(const CoordinateList& entries,
                                                                            std::int64_t first) const {
  if (header_.symmetry == Symmetry::General || header_.symmetry == Symmetry::Symmetric) return std::nullopt;
  for (std::int64_t e = 0; e < entries.size(); ++e)
    if (against(header_, entries, e) != nullptr) return first + e;
  return std::nullopt;
}

void RutherfordBoeingEntries::fail_symmetry(std::int64_t entry) const {
  CoordinateList one = coordinates({entry, 1}, {});
  one.values = values({entry, 1}, {});
  fail_at(text_, indices_.place_of(entry), against(header_, one, 0));
}

void RutherfordBoeingEntries::fail_mirror(std::int64_t entry) const {
  fail_at(text_, indices_.place_of(entry),
          "a symmetric matrix implies the mirror of each entry, but both this entry and its mirror are given");
}

FileContents read_rutherford_boeing(const Text& text, const ReadContext& context) {
  const RutherfordBoeingEntries file(text, context);
  const RutherfordBoeingHeader& header = file.header();
  FileContents contents;
  contents.file_format = FileFormat::RutherfordBoeing;
  contents.natural = csc_format();
  contents.symmetry = symmetry_name(header.symmetry);
  CoordinateList& entries = contents.entries;
  entries = file.coordinates({0, header.entries}, context);
  entries.values = file.values({0, header.entries}, context);
  if (header.symmetry != Symmetry::General) {
    if (const auto wrong = file.first_against_symmetry(entries, 0)) file.fail_symmetry(*wrong);
    if (const auto given = find_given_mirror(entries)) file.fail_mirror(*given);
    entries = expand_symmetry(entries, header.symmetry, context);
  }
  if (context.progress) context.progress(1);
  return contents;
}

}  // namespace lacuna
