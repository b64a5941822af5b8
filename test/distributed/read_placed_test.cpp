// Files that ranks read by parts: what one process reads, and the same words for what is wrong with them.

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/matrix_text.h"
#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/read.h"
#include "lacuna/io/gzip.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::read_placed_test {
namespace {

DistributedTensor by_parts(const std::string& path, const std::string& placed, const std::string& machine,
                           std::optional<Format> format, std::size_t chunk) {
  std::optional<EntryFile> file;
  together(*test_ranks(), {"opening a file"}, [&] { file.emplace(path); });
  PlacedReadOptions options;
  options.format = std::move(format);
  options.chunk_bytes = chunk;
  return read_placed(*file, parse_distribution(placed, parse_machine(machine)).distribution, "B", *test_ranks(),
                     options);
}

std::string zipped(const std::string& text) {
  std::string result;
  GzipCompressor compressor([&](std::string_view piece) { result += piece; });
  compressor.append(text);
  compressor.finish();
  return result;
}

/// Reads it both ways, in chunks of several sizes.
void expect_same_file(const std::string& name, const std::string& text, const std::string& placed,
                      const std::string& machine, const std::optional<Format>& format) {
  const SharedFile file(name, text);
  const FileContents contents = read_file(file.path());
  BuildOptions keeping;
  keeping.drop_zeros = contents.array && !format.value_or(contents.natural).is_dense();
  const Storage expected = build(contents.entries, format.value_or(contents.natural), keeping);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{23}, std::size_t{1} << 20U}) {
    const DistributedTensor tensor = by_parts(file.path(), placed, machine, format, chunk);
    const Storage got = gathered(tensor, *test_ranks(), Recipients::All);
    EXPECT_EQ(tensor.stored(), expected.stored()) << name << " " << placed;
    EXPECT_EQ(tensor.dimensions(), expected.dimensions) << name;
    EXPECT_EQ(got.type, expected.type) << name;
    CompareOptions exactly;
    exactly.same_pattern = true;
    EXPECT_EQ(difference(got, expected, exactly).value_or(""), "")
        << name << " " << placed << " in chunks of " << chunk;
    // Each part is what cutting the whole gives.
    const DistributedTensor cut(expected, parse_distribution(placed, parse_machine(machine)).distribution, "B",
                                *test_ranks());
    ASSERT_EQ(cut.parts().size(), tensor.parts().size());
    for (const auto& [number, part] : cut.parts()) {
      EXPECT_EQ(part.sets, tensor.part(number).sets);
      EXPECT_EQ(difference(part.storage, tensor.part(number).storage, exactly).value_or(""), "")
          << name << " " << placed;
    }
  }
}

/// The file, and the same compressed.
void expect_same(const std::string& name, const std::string& text, const std::string& placed,
                 const std::string& machine, const std::optional<Format>& format = {}) {
  expect_same_file(name, text, placed, machine, format);
  expect_same_file(name + ".gz", zipped(text), placed, machine, format);
}

/// Entries in no order, some of them twice.
std::string lines(int rows, int columns, int entries, bool below_only = false, const char* value = " {}.5") {
  std::string text;
  std::uint64_t state = 7;
  const auto draw = [&](int below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state >> 33U) % static_cast<std::uint64_t>(below)) + 1;
  };
  for (int e = 0; e < entries; ++e) {
    int i = draw(rows), j = draw(columns);
    if (below_only && i < j) std::swap(i, j);
    text += fmt::format("{} {}", i, j) + fmt::format(fmt::runtime(value), e) + "\n";
    if (e % 7 == 3) text += "% between\n\n";
  }
  return text;
}

TEST(ReadPlaced, GivesWhatOneReaderDoes) {
  const std::string general = matrix("real general", "17 13 60", lines(17, 13, 60));
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> *", "xy -> 1", "xy -> x%2", "xy -> ~x", "xy -> ~(xy)"})
    expect_same("B.mtx", general, placed, "Grid(3)");
  expect_same("B.mtx", general, "xy -> xy", "Grid(2,3)");
  expect_same("B.mtx", general, "xy -> y%2 x", "Grid(2,2)");
  expect_same("B.mtx", general, "xy -> x; zw -> w", "Grid(2),Grid(2)");
  for (const char* format : {"csc", "dcsr", "coo", "bitmap", "hashed", "dense"})
    expect_same("B.mtx", general, "xy -> xy", "Grid(2,2)", parse_format(format, 2));
  const std::string few = matrix("real general", "17 13 9", lines(17, 13, 9));
  for (const char* format : {"compressed,dense", "hashed,dense", "compressed,dense:1,0"})
    expect_same("B.mtx", few, "xy -> xy", "Grid(2,2)", parse_format(format, 2));
  std::string without_end = general;
  without_end.pop_back();
  expect_same("B.mtx", without_end, "xy -> x", "Grid(3)");
  expect_same("B.mtx", matrix("real general", "17 13 0", ""), "xy -> x", "Grid(3)");
}

TEST(ReadPlaced, ExpandsSymmetricHalves) {
  expect_same("B.mtx", matrix("real symmetric", "15 15 40", lines(15, 15, 40, true)), "xy -> x", "Grid(4)");
  expect_same("B.mtx", matrix("integer symmetric", "15 15 40", lines(15, 15, 40, true, " {}")), "xy -> xy",
              "Grid(2,2)");
  expect_same("B.mtx", matrix("pattern symmetric", "15 15 40", lines(15, 15, 40, true, "")), "xy -> y", "Grid(3)");
  expect_same("B.mtx", matrix("complex hermitian", "3 3 2", "2 1 1 2\n3 3 1 0\n"), "xy -> x", "Grid(2)");
  expect_same("B.mtx", matrix("real skew-symmetric", "3 3 2", "2 1 1\n3 2 4\n"), "xy -> x", "Grid(2)");
  // One triangle each, but no entry with its mirror.
  expect_same("B.mtx", matrix("real symmetric", "4 4 3", "2 1 1\n1 3 4\n4 4 2\n"), "xy -> x", "Grid(2)");
}

/// Mirrors are the same whether values are read as the type, or converted later.
TEST(ReadPlaced, ConvertsMirrorsAsOneReaderDoes) {
  const SharedFile file("B.mtx", matrix("real skew-symmetric", "4 4 3", "2 1 3.0\n3 2 300\n4 1 -7\n"));
  for (const Type type : {Type::Int16, Type::Float32, Type::Bool, Type::Complex64}) {
    ReadOptions options;
    options.type = type;
    const Storage expected = build(read_file(file.path(), options).entries, csr_format());
    EntryFile opened(file.path(), options);
    const Machine machine = parse_machine("Grid(2)");
    const DistributedTensor tensor =
        read_placed(opened, parse_distribution("xy -> x", machine).distribution, "B", *test_ranks());
    CompareOptions exactly;
    exactly.same_pattern = true;
    EXPECT_EQ(difference(gathered(tensor, *test_ranks(), Recipients::All), expected, exactly).value_or(""), "")
        << type_name(type);
  }
}

TEST(ReadPlaced, FindsDimensions) {
  std::string text = "# a tensor\n";
  for (int e = 0; e < 30; ++e) text += fmt::format("{} {} {} {}\n", e % 7 + 1, e % 5 + 1, e % 4 + 1, e + 0.25);
  for (const char* placed : {"xyz -> x", "xyz -> z", "xyz -> ~(xy)", "xyz -> *"})
    expect_same("B.tns", text, placed, "Grid(3)");
  expect_same("b.tns", "5 1\n9 2\n1 3\n", "x -> x", "Grid(4)");
  expect_same("b.tns", "3000000000 1\n9 2\n1 3\n", "x -> x", "Grid(2)", csf_format(1));
}

/// So many values, each with these words after its number, zeros and lines without values between them.
std::string values(int count, const std::string& words = ".5") {
  std::string text;
  for (int n = 0; n < count; ++n) {
    if (n % 5 == 2) text += "  \n% between\n";
    text += n % 4 == 3 ? "0" + (words == ".5" ? "" : words) + "\n" : fmt::format("{}{}\n", n + 1, words);
  }
  return text;
}

TEST(ReadPlaced, TakesArrays) {
  const std::string general = array("matrix array real general", "7 5", values(35));
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> *", "xy -> 1", "xy -> x%2"})
    expect_same("B.mtx", general, placed, "Grid(3)");
  for (const char* format : {"dense", "dense,dense:1,0", "csr", "csc", "coo", "bitmap", "hashed"})
    expect_same("B.mtx", general, "xy -> xy", "Grid(2,2)", parse_format(format, 2));
  expect_same("B.mtx", general, "xy -> ~x", "Grid(3)", csr_format());
  expect_same("b.ttx", array("tensor array real general", "3 4 2", values(24)), "xyz -> zx", "Grid(2,2)");
  expect_same("b.ttx", array("tensor array integer general", "11", values(11, "")), "x -> x", "Grid(3)");
  expect_same("b.mtx", array("matrix array complex general", "4 3", values(12, " -2.5")), "xy -> y", "Grid(2)");
  expect_same("b.mtx", array("matrix array real general", "1 2", "-0\n0"), "xy -> y", "Grid(2)");
  expect_same("b.mtx", array("matrix array real general", "0 4", ""), "xy -> y", "Grid(2)");
}

TEST(ReadPlaced, TakesSymmetricArrays) {
  for (const std::string format : {"dense", "csr"}) {
    const Format f = parse_format(format, 2);
    expect_same("B.mtx", array("matrix array real symmetric", "6 6", values(21)), "xy -> x", "Grid(3)", f);
    expect_same("B.mtx", array("matrix array real skew-symmetric", "6 6", values(15)), "xy -> y", "Grid(3)", f);
    expect_same("B.mtx", array("matrix array integer skew-symmetric", "1 1", ""), "xy -> y", "Grid(2)", f);
    expect_same("B.mtx", array("matrix array complex hermitian", "3 3", "1 0\n2 3\n4 5\n6 0\n7 -8\n9 0\n"), "xy -> xy",
                "Grid(2,2)", f);
  }
}

TEST(ReadPlaced, TakesMatricesOfOneColumnForVectors) {
  const Format csr_vector = csf_format(1);
  for (const auto& [name, text, format] :
       {std::tuple("b.mtx", array("matrix array real general", "9 1", values(9)), dense_format(1)),
        std::tuple("b.mtx", array("matrix array real general", "1 9", values(9)), dense_format(1)),
        std::tuple("b.mtx", matrix("real general", "9 1 3", "4 1 2\n9 1 5\n1 1 3\n"), csr_vector)}) {
    const SharedFile shared(name, text);
    CoordinateList entries = read_file(shared.path()).entries;
    const std::ptrdiff_t unit = entries.dimensions[0] == 1 ? 0 : 1;
    entries.dimensions.erase(entries.dimensions.begin() + unit);
    entries.coordinates.erase(entries.coordinates.begin() + unit);
    EntryFile file(shared.path());
    file.drop_unit_mode();
    EXPECT_EQ(file.natural(), format);
    const Machine machine = parse_machine("Grid(3)");
    const DistributedTensor b =
        read_placed(file, parse_distribution("x -> x", machine).distribution, "b", *test_ranks());
    CompareOptions exactly;
    exactly.same_pattern = true;
    EXPECT_EQ(difference(gathered(b, *test_ranks(), Recipients::All), build(entries, format), exactly).value_or(""),
              "");
  }
}

/// A matrix of so many entries in each column, as .rb files have them: so many numbers a line.
std::string sections(const std::string& type, const std::vector<int>& columns, int rows,
                     const std::function<std::string(int)>& value, int row_step = 3) {
  std::string pointers, indices, numbers;
  int entries = 0, on_line = 0;
  const auto line_count = [](std::size_t count, std::size_t a_line) { return (count + a_line - 1) / a_line; };
  for (std::size_t c = 0; c <= columns.size(); ++c) {
    pointers += fmt::format("{:6}", entries + 1) + (c % 4 == 3 || c == columns.size() ? "\n" : "");
    for (int k = 0; c < columns.size() && k < columns[c]; ++k, ++entries) {
      indices += fmt::format("{:5}", (k * row_step + static_cast<int>(c)) % rows + 1);
      if (++on_line % 7 == 0) indices += "\n";
      if (type[0] == 'p') continue;
      numbers += fmt::format("{:>8}", value(entries));
      if (type[0] == 'c') numbers += fmt::format("{:>8}", "2.0");
      if (entries % 3 == 2) numbers += "\n";
    }
  }
  const auto n = static_cast<std::size_t>(entries);
  if (n % 7 != 0) indices += "\n";
  if (n % 3 != 0 && !numbers.empty()) numbers += "\n";
  const std::size_t value_lines = type[0] == 'p' ? 0 : line_count(n, 3);
  return fmt::format("a title\n{} {} {} {}\n{} {} {} {} 0\n(4I6) (7I5) {}\n", 3 + value_lines,
                     line_count(columns.size() + 1, 4), line_count(n, 7), value_lines, type, rows, columns.size(),
                     entries,
                     type[0] == 'i'   ? "(3I8)"
                     : type[0] == 'c' ? "(6F8.1)"
                                      : "(3F8.1)") +
         pointers + indices + numbers;
}
std::string half(int e) { return fmt::format("{}.5", e); }

TEST(ReadPlaced, TakesFilesInSections) {
  const std::vector<int> columns = {4, 0, 7, 1, 0, 0, 9, 5, 2, 0};
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> *", "xy -> ~y"})
    expect_same_file("B.rb", sections("rua", columns, 13, half), placed, "Grid(3)", {});
  expect_same_file("B.rb", sections("pua", columns, 13, half), "xy -> xy", "Grid(2,2)", {});
  expect_same_file("B.rb.gz", zipped(sections("rua", columns, 13, half)), "xy -> x", "Grid(3)", {});
  expect_same_file("B.rb", sections("cua", columns, 13, half), "xy -> y", "Grid(2)", csr_format());
  expect_same_file("B.rb", sections("iua", columns, 13, [](int e) { return std::to_string(e); }), "xy -> y", "Grid(2)",
                   {});
  expect_same_file("B.rb", sections("rua", {0, 0}, 3, half), "xy -> y", "Grid(2)", {});
  // Rows below the diagonal.
  expect_same_file("B.rb", sections("rsa", {3, 2, 2, 1}, 4, half, 1), "xy -> x", "Grid(3)", {});
}

/// What one reader and what ranks say of a file that both refuse.
void expect_same_refusal(const std::string& name, const std::string& text) {
  const SharedFile file(name, text);
  std::string expected;
  try {
    read_file(file.path());
  } catch (const Error& e) {
    expected = describe_with_caret(e);
  }
  ASSERT_NE(expected, "") << text;
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{31}, std::size_t{1} << 20U}) {
    std::string got = "nothing";
    try {
      by_parts(file.path(), "xy -> x", "Grid(3)", {}, chunk);
    } catch (const Error& e) {
      got = describe_with_caret(e);
    }
    EXPECT_EQ(got, expected) << text;
  }
}

/// As one reader says it; the first mistake of the file, whoever finds it, and whoever finds another one.
TEST(ReadPlaced, SaysWhatIsWrongAsOneReaderDoes) {
  const std::string good = lines(9, 9, 30);
  std::vector<std::string> wrong;
  for (const char* line : {"1 x 2\n", "0 1 2\n", "10 1 2\n", "1 2\n", "1 2 3 4\n", "1 2 nothing\n"})
    for (const std::size_t at : {std::size_t{0}, std::size_t{200}, good.size()}) {
      const std::size_t begin = at == 0 ? 0 : good.rfind('\n', at - 1) + 1;
      std::string body = good;
      body.insert(begin, line);
      wrong.push_back(matrix("real general", "9 9 31", body));
      body += "2 2 also wrong\n";
      wrong.push_back(matrix("real general", "9 9 32", body));
    }
  wrong.push_back(matrix("real general", "9 9 31", good));
  wrong.push_back(matrix("real general", "9 9 7", good));
  wrong.push_back(matrix("real symmetric", "9 9 4", "2 1 1\n5 5 1\n3 4 2\n4 3 2\n"));
  wrong.push_back(matrix("real symmetric", "9 9 5", "2 1 1\n4 3 2\n1 2 5\n3 4 2\n9 9 9\n"));
  wrong.push_back(matrix("real skew-symmetric", "9 9 2", "2 1 1\n4 4 2\n"));
  wrong.push_back(matrix("real nothing", "9 9 2", "2 1 1\n4 4 2\n"));
  wrong.push_back("%%MatrixMarket matrix coordinate real general\n% only\n");
  // Arrays: of wrong values, too few, too many, what cannot be symmetric, and several of these.
  const std::string kind = "matrix array real general";
  wrong.push_back(array(kind, "4 5", values(12) + "7 8\n" + values(7) + "wrong\n"));
  wrong.push_back(array(kind, "4 5", values(19)));
  wrong.push_back(array(kind, "4 5", values(21)));
  wrong.push_back(array(kind, "4 5", values(21) + "wrong\n"));
  wrong.push_back(array(kind, "1000000 1000000", values(21)));
  wrong.push_back(array("matrix array complex hermitian", "3 3", "1 0\n2 3\n4 5\n6 7\n7 -8\n9 1\n"));
  wrong.push_back(array("matrix array complex hermitian", "3 3", "1 0\n2 3\n4 5\n6 7\n7 -8\n9 1\n8 8\n"));
  wrong.push_back(
      array("matrix array integer skew-symmetric\n%%GraphBLAS type int8_t", "4 4", "1\n2\n3\n-128\n5\n-128\n"));
  for (const std::string& text : wrong) {
    expect_same_refusal("B.mtx", text);
    expect_same_refusal("B.mtx.gz", zipped(text));
  }
  // Files in sections: rows before values, whoever finds what.
  const std::string rb = sections("rua", {4, 0, 7, 1, 0, 0, 9, 5, 2, 0}, 13, half);
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{{"    5    8", "    5   99"},
                                                                                 {"    5    8", "    5    x"},
                                                                                 {"  20.5", "  20.x"},
                                                                                 {"   2.5", "      "},
                                                                                 {"     5    12", "     5     2"},
                                                                                 {"     5    12", "     5     x"},
                                                                                 {"a title", "a title\nmore"}}) {
    std::string text = rb;
    ASSERT_NE(text.find(what), std::string::npos) << what << text;
    text.replace(text.find(what), what.size(), by);
    expect_same_refusal("B.rb", text);
    expect_same_refusal("B.rb.gz", zipped(text));
    std::string several = text;
    several.replace(several.find("   1.5"), 6, "   1.x");
    const std::size_t row = several.rfind("   13");
    ASSERT_NE(row, std::string::npos);
    expect_same_refusal("B.rb", several);
    several.replace(row, 5, "   14");
    expect_same_refusal("B.rb", several);
  }
  expect_same_refusal("B.rb", rb + "more\n");
  expect_same_refusal("B.rb.gz", zipped(rb).substr(0, zipped(rb).size() - 5));
  expect_same_refusal("B.rb.gz", zipped(rb) + "more");
  expect_same_refusal("B.rb.gz", zipped(""));
  expect_same_refusal("B.rb.gz", "no gzip data");
  expect_same_refusal("B.rb", rb.substr(0, rb.size() - 40));
  expect_same_refusal("B.rb", sections("rsa", {3, 4, 2, 1}, 4, half, 1));  // with mirrors
  expect_same_refusal("B.rb", sections("rza", {3, 2, 2, 1}, 4, half, 1));  // with a diagonal
  expect_same_refusal("B.tns.gz", zipped("1 2 3\n1 2\n"));
  expect_same_refusal("B.tns.gz", zipped("# nothing\n"));
}

/// Damage comes before what it makes of lines.
TEST(ReadPlaced, SaysWhatIsWrongWithCompressedDataAsOneReaderDoes) {
  const std::string good = zipped(matrix("real general", "400 400 20000", lines(400, 400, 20000)));
  const std::string wrong = zipped(matrix("real general", "40 400 20000", lines(400, 400, 20000)));
  for (const std::string& text : {good, wrong}) {
    expect_same_refusal("B.mtx.gz", text.substr(0, text.size() - 5));
    expect_same_refusal("B.mtx.gz", text + "more");
    std::string changed = text;
    changed[changed.size() - 7] ^= 1;  // of the checksum
    expect_same_refusal("B.mtx.gz", changed);
  }
  expect_same_refusal("B.mtx.gz", zipped("%%MatrixMarket matrix\n") + "more");
  expect_same_refusal("B.mtx.gz", "no gzip data");
  expect_same_refusal("B.mtx.gz", zipped(""));
  // Several members are one text.
  expect_same_file("B.mtx.gz", zipped(matrix("real general", "9 9 2", "2 1")) + zipped(" 5\n4 4 2\n"), "xy -> x",
                   "Grid(3)", {});
}

TEST(ReadPlaced, ReadsTheLargestCoordinates) {
  const std::string text = "9223372036854775807 3 1.5\n2305843009213693953 1 2.5\n5 2 3.5\n";
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> ~x"})
    expect_same("largest.tns", text, placed, "Grid(3)", dcsr_format());
}

}  // namespace
}  // namespace lacuna::read_placed_test
