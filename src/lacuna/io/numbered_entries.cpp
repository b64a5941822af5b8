#include "lacuna/io/numbered_entries.h"

namespace lacuna {

FileContents contents_of(const NumberedEntries& file, FileFormat format) {
  FileContents contents;
  contents.entries = file.entries(0, file.shape().count);
  contents.natural = file.shape().natural;
  contents.file_format = format;
  contents.array = file.shape().is_array;
  return contents;
}

}  // namespace lacuna
