#pragma once

#include <optional>

#include "lacuna/io/fixed_section.h"
#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/rutherford_boeing_header.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Reads an assembled matrix in Rutherford-Boeing or Harwell-Boeing form (.rb), symmetric halves expanded; right-hand
/// sides are passed over.
FileContents read_rutherford_boeing(const Text& text, const ReadContext& context);

/// Such a file, of which entries are read by their numbers: those with the same number are in three sections of it.
class RutherfordBoeingEntries {
 public:
  /// Reads the header, finds the sections, and checks the column pointers; fails with the place. Keeps a reference to
  /// the text.
  RutherfordBoeingEntries(const Text& text, const ReadContext& context);

  const RutherfordBoeingHeader& header() const { return header_; }
  /// Rows and columns from 0; fail with the place for a row that is none.
  CoordinateList coordinates(FixedSection::Range range, const ReadContext& context) const;
  /// Fails with the place.
  Array values(FixedSection::Range range, const ReadContext& context) const;

  /// The number of the first of these entries, of which this one is `first`, that a symmetric matrix may not have.
  std::optional<std::int64_t> first_against_symmetry(const CoordinateList& entries, std::int64_t first) const;
  [[noreturn]] void fail_symmetry(std::int64_t entry) const;
  /// Fails for an entry whose mirror is given, too.
  [[noreturn]] void fail_mirror(std::int64_t entry) const;

 private:
  void check_pointers(const ReadContext& context) const;
  void check_end(std::size_t position) const;
  Array columns(FixedSection::Range range, const ReadContext& context) const;

  const Text& text_;
  RutherfordBoeingHeader header_;
  FixedSection pointers_, indices_;
  std::optional<FixedSection> values_;  // none of a pattern
};

}  // namespace lacuna
