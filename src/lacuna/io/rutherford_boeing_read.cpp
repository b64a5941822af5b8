#include "lacuna/io/rutherford_boeing_read.h"

#include <vector>

#include "lacuna/io/expand_symmetry.h"
#include "lacuna/io/fixed_section.h"
#include "lacuna/io/rutherford_boeing_header.h"

namespace lacuna {
namespace {

Array coordinate_array(std::int64_t dimension, std::int64_t size) {
  return Array::allocate(coordinate_type(dimension), size, false);
}

template <typename F>
void visit_coordinate(Array& array, F f) {
  if (array.type() == Type::Int32) f(static_cast<std::int32_t*>(array.mutable_data()));
  else f(static_cast<std::int64_t*>(array.mutable_data()));
}

void check_pointers(const Text& text, const FixedSection& section, const std::vector<std::int64_t>& pointers,
                    std::int64_t entries) {
  const auto fail = [&](std::size_t at, const std::string& reason) {
    fail_at(text, section.place_of(static_cast<std::int64_t>(at)), reason);
  };
  if (pointers[0] != 1) fail(0, fmt::format("the first column pointer is {}, not 1", pointers[0]));
  for (std::size_t i = 1; i < pointers.size(); ++i) {
    if (pointers[i] < pointers[i - 1]) {
      fail(i,
           fmt::format("column pointer {} is {}, less than the one before, {}", i + 1, pointers[i], pointers[i - 1]));
    }
  }
  if (pointers.back() - 1 != entries) {
    fail(pointers.size() - 1,
         fmt::format("the last column pointer is {}, but there are {} entries", pointers.back(), entries));
  }
}

Array rows_of(const Text& text, const FixedSection& section, const std::vector<std::int64_t>& indices,
              std::int64_t rows) {
  Array array = coordinate_array(rows, static_cast<std::int64_t>(indices.size()));
  visit_coordinate(array, [&](auto* out) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 1 || indices[i] > rows) {
        fail_at(text, section.place_of(static_cast<std::int64_t>(i)),
                fmt::format("row {} is outside 1…{}", indices[i], rows));
      }
      out[i] = static_cast<std::remove_reference_t<decltype(*out)>>(indices[i] - 1);
    }
  });
  return array;
}

Array columns_of(const std::vector<std::int64_t>& pointers, std::int64_t columns, std::int64_t entries) {
  Array array = coordinate_array(columns, entries);
  visit_coordinate(array, [&](auto* out) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (std::int64_t p = pointers[static_cast<std::size_t>(column)];
           p < pointers[static_cast<std::size_t>(column) + 1]; ++p) {
        out[p - 1] = static_cast<std::remove_reference_t<decltype(*out)>>(column);
      }
    }
  });
  return array;
}

Array read_values(const Text& text, const RutherfordBoeingHeader& header, std::size_t& position,
                  const ReadContext& context) {
  if (header.field == Field::Pattern) {
    return Array::of<double>(std::vector<double>(static_cast<std::size_t>(header.entries), 1.0));
  }
  const std::int64_t numbers = header.field == Field::Complex ? 2 * header.entries : header.entries;
  const FixedSection section(text, "the values", position, header.values.lines, numbers, header.values.format, context);
  position = section.end();
  if (header.field == Field::Integer) return Array::of<std::int64_t>(section.read_integers(context));
  const std::vector<double> reals = section.read_reals(context);
  if (header.field == Field::Real) return Array::of<double>(reals);
  Array values = Array::allocate(Type::Complex128, header.entries, false);
  auto* out = static_cast<std::complex<double>*>(values.mutable_data());
  for (std::size_t i = 0; i < reals.size(); i += 2) out[i / 2] = {reals[i], reals[i + 1]};
  return values;
}

void check_symmetry(const Text& text, const RutherfordBoeingHeader& header, const FixedSection& indices,
                    const CoordinateList& entries) {
  const auto fail = [&](std::int64_t entry, const char* reason) { fail_at(text, indices.place_of(entry), reason); };
  if (const auto given = find_given_mirror(entries)) {
    fail(*given, "a symmetric matrix implies the mirror of each entry, but both this entry and its mirror are given");
  }
  if (header.symmetry == Symmetry::Symmetric) return;
  for (std::int64_t i = 0; i < entries.size(); ++i) {
    const bool diagonal = entries.coordinates[0].integer(i) == entries.coordinates[1].integer(i);
    const Scalar value = Scalar::load(
        entries.values.type(), static_cast<const char*>(entries.values.data()) + i * size_of(entries.values.type()));
    if (header.symmetry == Symmetry::SkewSymmetric) {
      if (diagonal && !value.is_zero()) fail(i, "a skew-symmetric matrix is zero on its diagonal");
      if (value == Scalar(std::numeric_limits<std::int64_t>::min()))
        fail(i, "the negative of the value of this entry does not fit int64");
    } else if (diagonal && value.as<std::complex<double>>().imag() != 0) {
      fail(i, "the diagonal of a hermitian matrix is real");
    }
  }
}

}  // namespace

FileContents read_rutherford_boeing(const Text& text, const ReadContext& context) {
  const RutherfordBoeingHeader header = read_rutherford_boeing_header(text);
  const FixedSection pointer_section(text, "the column pointers", header.body, header.pointers.lines,
                                     header.columns + 1, header.pointers.format, context);
  const FixedSection index_section(text, "the row indices", pointer_section.end(), header.indices.lines, header.entries,
                                   header.indices.format, context);
  const std::vector<std::int64_t> pointers = pointer_section.read_integers(context);
  check_pointers(text, pointer_section, pointers, header.entries);

  FileContents contents;
  contents.file_format = FileFormat::RutherfordBoeing;
  contents.natural = csc_format();
  contents.symmetry = symmetry_name(header.symmetry);
  CoordinateList& entries = contents.entries;
  entries.dimensions = {header.rows, header.columns};
  entries.coordinates.push_back(rows_of(text, index_section, index_section.read_integers(context), header.rows));
  entries.coordinates.push_back(columns_of(pointers, header.columns, header.entries));
  std::size_t position = index_section.end();
  entries.values = read_values(text, header, position, context);
  TextCursor rest(text, position, text.bytes.size());
  while (!header.right_hand_sides && !rest.at_end()) {
    const TextRange line = rest.next_line();
    if (rest.view(line).find_first_not_of(" \t\r") != std::string_view::npos) {
      fail_at(text, line, "a line after the values: expected the end of the file");
    }
  }
  if (header.symmetry != Symmetry::General) {
    check_symmetry(text, header, index_section, entries);
    entries = expand_symmetry(entries, header.symmetry, context);
  }
  if (context.progress) context.progress(1);
  return contents;
}

}  // namespace lacuna
