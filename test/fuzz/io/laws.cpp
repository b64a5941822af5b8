#include "fuzz/io/laws.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "lacuna/io/read.h"
#include "lacuna/io/write.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"

namespace lacuna {
namespace {

struct Outcome {
  std::optional<FileContents> contents;
  std::string refusal;
};

Outcome read(FileFormat format, std::string_view text, const ReadOptions& options, std::size_t block_bytes) {
  try {
    return {read_text_in_blocks(format, {"input", text}, options, block_bytes), ""};
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with("input:"), "a refusal names the file");
    require(!describe_with_caret(error).empty(), "a refusal can be shown");
    return {std::nullopt, error.what()};
  }
}

bool same_bytes(const Array& a, const Array& b) {
  return a.type() == b.type() && a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

void require_equal(const Outcome& a, const Outcome& b) {
  require(a.refusal == b.refusal, "threads and blocks do not change a refusal");
  if (!a.contents) return;
  const CoordinateList& x = a.contents->entries;
  const CoordinateList& y = b.contents->entries;
  require(x.dimensions == y.dimensions && same_bytes(x.values, y.values), "threads and blocks do not change values");
  for (std::size_t m = 0; m < x.coordinates.size(); ++m) {
    require(same_bytes(x.coordinates[m], y.coordinates[m]), "threads and blocks do not change coordinates");
  }
}

std::string written(FileFormat format, const Storage& tensor) {
  std::string text;
  TextWriter out([&](std::string_view bytes) { text += bytes; });
  write_text("output", format, tensor.order() != 2, tensor, out);
  out.flush();
  return text;
}

/// Whether what is written takes about as much as what was read: files of some formats hold a number for every row or
/// column, and archives hold matrices only.
bool can_be_written(const FileContents& contents) {
  constexpr std::int64_t most = 100000;
  const auto& dimensions = contents.entries.dimensions;
  const bool is_small = std::all_of(dimensions.begin(), dimensions.end(), [](std::int64_t n) { return n <= most; });
  switch (contents.file_format) {
    case FileFormat::MatrixMarket:
    case FileFormat::Frostt: return true;
    case FileFormat::RutherfordBoeing: return dimensions[1] <= most;
    case FileFormat::Npy: return is_small;
    case FileFormat::Npz: return is_small && dimensions.size() == 2;
  }
  return false;
}

void check_round_trip(const FileContents& contents) {
  if (!can_be_written(contents)) return;
  const auto& dimensions = contents.entries.dimensions;
  const int order = static_cast<int>(dimensions.size());
  const Storage tensor =
      build(contents.entries, contents.file_format == FileFormat::Npy ? dense_format(order) : coo_format(order));
  ReadOptions options;
  options.dimensions = dimensions;
  const Outcome again = read(contents.file_format, written(contents.file_format, tensor), options, 1U << 18U);
  require(again.contents.has_value(), again.refusal);
  CompareOptions exact;
  exact.relative = 0;
  exact.same_pattern = true;
  const Storage copy = build(again.contents->entries, tensor.format);
  require(!difference(tensor, copy, exact), "a tensor survives being written");
}

}  // namespace

void require(bool condition, std::string_view message) {
  if (condition) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

void check_reading(FileFormat format, std::string_view text) {
  // Starting a thread takes longer than all the rest, so only some inputs pay for one.
  ReadOptions options;
  options.threads = text.size() % 16 == 0 ? 2 : 1;
  const Outcome outcome = read(format, text, {}, 1U << 18U);
  require_equal(outcome, read(format, text, options, 1));
  if (outcome.contents) check_round_trip(*outcome.contents);
}

}  // namespace lacuna
