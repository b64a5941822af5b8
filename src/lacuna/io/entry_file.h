#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/io/io.h"
#include "lacuna/io/text_chunks.h"

namespace lacuna {

/// A file of which several readers read some entries each, chunk by chunk, so that none has all of it: an .mtx, .ttx or
/// .tns file, of which they share the lines, and which may be compressed; or an .rb, .npy or .npz file, of which they
/// share the entries. What belongs to an entry is far apart in these, so that of a compressed one each reader makes a
/// temporary file that is not. The archive that an .npz file is, each reader has in memory.
class EntryFile {
 public:
  /// Reads what is before the entries. Throws as read_file.
  explicit EntryFile(const std::string& path, const ReadOptions& options = {});
  ~EntryFile();
  EntryFile(EntryFile&&) noexcept;
  EntryFile& operator=(EntryFile&&) noexcept;

  const std::string& name() const;
  /// Of the file, compressed as it may be (of one without lines: of what is in it).
  std::size_t bytes() const;
  /// Calls f with all of these, stretch by stretch.
  void each_stretch(const std::function<void(std::string_view)>& f) const;
  FileFormat file_format() const;
  /// Whether its lines are all the values of a dense tensor, without coordinates: their numbers say where they belong.
  bool is_array() const;
  bool is_compressed() const;
  /// How it would naturally be stored.
  Format natural() const;
  /// Of the values as they are in the end.
  Type type() const;
  /// None of a .tns file that was not told them.
  std::optional<std::vector<std::int64_t>> dimensions() const;
  std::size_t order() const;
  /// What they turned out to be: from now on coordinates lie in them.
  void set_dimensions(std::vector<std::int64_t> dimensions);
  /// Takes a matrix of one column or one row for a vector, which files often keep so.
  void drop_unit_mode();

  bool is_symmetric() const;
  /// What entries that a reader read stand for: with the mirrors of a symmetric matrix, each right after its entry, and
  /// of the type that was asked for; `drop_zeros`: without zeros.
  CoordinateList complete(const CoordinateList& entries, bool drop_zeros = false) const;

  /// Whether the file is so large that it may hold all entries that it announces.
  bool may_hold_all() const;
  /// Throws Error, with the line, unless there are as many entries in all as are announced.
  void check_count(std::int64_t entries) const;
  /// Throws Error for an entry of a symmetric file, by its number in the file, whose mirror is given, too.
  [[noreturn]] void fail_mirror(std::int64_t entry) const;
  /// Throws Error for a value of a symmetric array or .rb file, by its number in the file, that cannot be there.
  [[noreturn]] void fail_symmetry(std::int64_t entry) const;

 private:
  friend class EntryReader;
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads the entries of one of several readers. Those of a compressed file all have the first one.
class EntryReader {
 public:
  EntryReader(const EntryFile& file, FileShare share, std::size_t chunk_bytes);

  /// How many entries are in the lines of this reader, which are not read yet. Of an array.
  std::int64_t count() const;
  /// How many entries of the file are before those of this reader. To be told before an array is read.
  void begin_at(std::int64_t number) { next_ = number; }

  /// The entries of some more lines, in their order, coordinates from 0, as the file has them (EntryFile::complete
  /// says what they stand for); none when all were read. Where dimensions are not known, those of the list are the
  /// largest coordinates, from 1. Throws Error with file, line and reason.
  std::optional<CoordinateList> next();
  /// The first mistake in the values of an .rb file, whose section comes after that of the rows: it counts where nobody
  /// finds another one. From then on, no entries come, but rows are looked at.
  std::exception_ptr mistake_in_values() const { return in_values_; }
  /// The number in the file of the next entry, as far as begin_at said where they begin.
  std::int64_t number() const { return next_; }
  /// The first value so far that cannot be where it is in a symmetric array or .rb file, by its number.
  std::optional<std::int64_t> first_against_symmetry() const { return against_; }

 private:
  CoordinateList read(const TextChunk& chunk);
  std::optional<CoordinateList> next_of_sections();
  /// The numbers of the next entries, which it counts as read; none at the end. Of a file without lines.
  std::optional<std::pair<std::int64_t, std::int64_t>> next_numbers();

  const EntryFile::State& file_;
  FileShare share_;
  std::size_t chunk_bytes_;
  TextChunks chunks_;
  std::int64_t next_ = 0, end_ = 0;  // the end of those of a file without lines
  std::optional<std::int64_t> against_;
  std::exception_ptr in_values_;
};

}  // namespace lacuna
