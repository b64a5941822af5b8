#include "lacuna/io/matrix_market_read.h"

#include <fmt/core.h>

#include "lacuna/io/array_body.h"
#include "lacuna/io/body_lines.h"
#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/expand_symmetry.h"
#include "lacuna/io/matrix_market_header.h"

namespace lacuna {

CoordinateLayout layout_of(const MatrixMarketHeader& header) {
  CoordinateLayout layout;
  layout.dimensions = header.dimensions;
  layout.field = header.field;
  layout.type = header.type;
  layout.type_fix = header.type_fix;
  layout.symmetry = header.symmetry;
  layout.declared = header.entries;
  layout.declared_at = header.entries_at;
  return layout;
}

std::string given_mirror(const MatrixMarketHeader& header) {
  return fmt::format(
      "a {} matrix implies the mirror of each entry, but the file gives this one and its mirror: "
      "leave the upper triangle out",
      symmetry_name(header.symmetry));
}

namespace {

CoordinateList read_sparse(const Text& text, const MatrixMarketHeader& header, const ReadContext& context) {
  const CoordinateLayout layout = layout_of(header);
  const CoordinateList entries = read_coordinates(text, header.body, layout, context);
  if (header.symmetry == Symmetry::General) return entries;
  if (const auto given = find_given_mirror(entries))
    fail_at(text, line_of_entry(text, header.body, layout.comment, *given), given_mirror(header));
  return expand_symmetry(entries, header.symmetry, context);
}

}  // namespace

FileContents read_matrix_market(const Text& text, const std::optional<WantedType>& wanted, const ReadContext& context) {
  const MatrixMarketHeader header = read_matrix_market_header(text, wanted);
  FileContents contents;
  contents.file_format = FileFormat::MatrixMarket;
  contents.array = header.array;
  contents.symmetry = symmetry_name(header.symmetry);
  contents.entries = header.array ? read_array(text, header, context) : read_sparse(text, header, context);
  const int order = static_cast<int>(header.dimensions.size());
  contents.natural = header.array ? dense_format(order) : order == 2 ? csr_format() : coo_format(order);
  return contents;
}

}  // namespace lacuna
