#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/io/fortran_format.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// Consecutive lines of fixed-width fields that hold `count` numbers, per_line of them a line.
class FixedSection {
 public:
  /// `what` ("the row indices") appears in messages. The section starts at `begin` and has `lines` lines as the file
  /// announces. Fails where the lines are not there or too few for `count` numbers, so that `count` is bounded by the
  /// file's size.
  FixedSection(const Text& text, std::string what, std::size_t begin, std::int64_t lines, std::int64_t count,
               const FortranFormat& format, const ReadContext& context);

  /// Where the next section starts.
  std::size_t end() const { return end_; }
  std::int64_t count() const { return count_; }
  /// Some of the numbers.
  struct Range {
    std::int64_t first = 0, count = 0;
  };
  /// What integers may be: 1…most, and what is said of others ("row {} is outside 1…{}").
  struct Limit {
    std::string name;
    std::int64_t most = 0;
  };
  /// Reads these numbers in parallel, and checks the lines that they are in. Fails with the place for a field that is
  /// blank, no number of that type or outside the limit.
  std::vector<std::int64_t> read_integers(Range range, const ReadContext& context,
                                          const std::optional<Limit>& limit = {}) const;
  std::vector<double> read_reals(Range range, const ReadContext& context) const;
  /// Where the number `index` stands.
  TextRange place_of(std::int64_t index) const;

 private:
  struct Block {
    std::size_t begin;
    std::size_t end;
    std::int64_t first_line;
  };
  template <typename T, typename Read>
  std::vector<T> read(Range range, const ReadContext& context, Read read_field) const;
  template <typename T, typename Read>
  void read_line(TextRange line, std::int64_t first, T* numbers, Read read_field) const;
  class Fields;

  const Text& text_;
  std::string what_;
  std::int64_t count_;
  FortranFormat format_;
  std::vector<Block> blocks_;
  std::size_t begin_;
  std::size_t end_;
};

}  // namespace lacuna
