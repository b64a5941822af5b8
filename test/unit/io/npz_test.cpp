#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/io/io_testing.h"
#include "unit/io/numpy_testing.h"

namespace lacuna::npz_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using Ints = std::vector<std::int32_t>;

std::string npz_refusal(const std::string& bytes) { return refusal(FileFormat::Npz, bytes); }

/// A csr archive with these arrays.
std::string csr(const Ints& indices, const Ints& positions, std::int64_t rows, std::int64_t columns) {
  const auto vector = [](std::size_t size) { return fmt::format("({},)", size); };
  return zip({{"indices.npy", npy("<i4", vector(indices.size()), bytes_of(indices))},
              {"indptr.npy", npy("<i4", vector(positions.size()), bytes_of(positions))},
              {"format.npy", npy("|S3", "()", "csr")},
              {"shape.npy", npy("<i8", "(2,)", bytes_of<std::int64_t>({rows, columns}))},
              {"data.npy", npy("<f8", "(2,)", bytes_of<double>({1, 2}))}},
             false);
}

TEST(NpzFile, HoldsTheMatricesThatSciPySaves) {
  for (const bool compressed : {false, true}) {
    for (const auto& [name, format] : std::vector<std::pair<std::string, Format>>{
             {"csr", csr_format()}, {"csc", csc_format()}, {"coo", coo_format(2)}}) {
      const FileContents file = read_text(FileFormat::Npz, "a.npz", small_npz(name, compressed));
      EXPECT_THAT(file.entries.dimensions, ElementsAre(2, 3));
      EXPECT_THAT(entries_of(file.entries), UnorderedElementsAre("(0,1) 1.5", "(1,0) -2", "(1,2) 3")) << name;
      EXPECT_EQ(file.natural, format);
      EXPECT_FALSE(file.array);
    }
  }
}

TEST(NpzFile, MayListCoordinatesOfAnyOrder) {
  const std::string text = zip({{"coords.npy", npy("<i8", "(3, 2)", bytes_of<std::int64_t>({0, 1, 2, 0, 3, 3}))},
                                {"format.npy", npy("<U3", "()", std::string("c\0\0\0o\0\0\0o\0\0\0", 12))},
                                {"shape.npy", npy("<i8", "(3,)", bytes_of<std::int64_t>({2, 3, 4}))},
                                {"data.npy", npy("<f4", "(2,)", bytes_of<float>({1, 2}))},
                                {"_is_array.npy", npy("|b1", "()", "\1")}},
                               true);
  const FileContents file = read_text(FileFormat::Npz, "a.npz", text);
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,2,3) 1", "(1,0,3) 2"));
  EXPECT_EQ(file.natural, coo_format(3));
}

TEST(NpzFile, OfAnotherFormatIsRefusedAndNamed) {
  EXPECT_THAT(npz_refusal(small_npz("bsr", true)),
              HasSubstr("SciPy's format 'bsr' cannot be read; csr, csc and coo can"));
  EXPECT_THAT(npz_refusal(small_npz("dia", true)), HasSubstr("'dia' cannot be read"));
  EXPECT_THAT(npz_refusal(zip({{"arr_0.npy", npy("<f8", "()", bytes_of<double>({1}))}}, false)),
              HasSubstr("no sparse matrix as scipy.sparse.save_npz writes it, but arr_0.npy"));
}

TEST(NpzFile, MustHoldAMatrix) {
  EXPECT_THAT(npz_refusal(csr({0, 3}, {0, 1, 2}, 2, 3)), HasSubstr("column 3 of entry 1 is outside 0…2"));
  EXPECT_THAT(npz_refusal(csr({0, -1}, {0, 1, 2}, 2, 3)), HasSubstr("column -1 of entry 1 is outside"));
  EXPECT_THAT(npz_refusal(csr({0, 1}, {0, 1}, 2, 3)), HasSubstr("indptr has 2 positions"));
  EXPECT_THAT(npz_refusal(csr({0, 1}, {0, 3, 2}, 2, 3)), HasSubstr("indptr falls from 3 to 2"));
  EXPECT_THAT(npz_refusal(csr({0, 1}, {0, 1, 1}, 2, 3)), HasSubstr("indptr ends with 1, but there are 2 entries"));
  EXPECT_THAT(npz_refusal(csr({0, 1}, {1, 1, 2}, 2, 3)), HasSubstr("indptr begins with 1"));
  EXPECT_THAT(npz_refusal(csr({0, 1, 1}, {0, 1, 2}, 2, 3)), HasSubstr("indices has 3 elements, but data has 2"));
  EXPECT_THAT(npz_refusal(csr({0, 1}, {0, 1, 2}, 2, -3)), HasSubstr("a size cannot be -3"));
}

TEST(NpzFile, ThatIsDamagedIsRefused) {
  for (const bool compressed : {false, true}) {
    const std::string good = small_npz("csr", compressed);
    for (std::size_t size = 0; size < good.size(); ++size) npz_refusal(good.substr(0, size));
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string changed = good;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      try {
        read_text(FileFormat::Npz, "a.npz", changed);
      } catch (const Error&) {
      }
    }
  }
  std::string changed = small_npz("csr", false);
  changed[changed.find("NUMPY") + 100] ^= 1;
  EXPECT_THAT(npz_refusal(changed), HasSubstr("its checksum is another"));
  EXPECT_THAT(npz_refusal("hello"), HasSubstr("no zip archive"));
}

TEST(NpzFile, IsWrittenOfEveryTypeAndReadBack) {
  const TemporaryFolder folder;
  const Storage matrix = build(
      read_mtx("%%MatrixMarket matrix coordinate real general\n4 3 3\n1 2 1\n2 1 1\n4 3 1\n").entries, csr_format());
  for (int k = 0; k < type_count; ++k) {
    const Storage typed = convert_type(matrix, static_cast<Type>(k));
    for (const Format& format : {csr_format(), csc_format(), coo_format(2), dense_format(2), hashed_format(2)}) {
      write_file(folder / "a.npz", convert(typed, format));
      const FileContents file = read_file(folder / "a.npz");
      EXPECT_EQ(file.entries.values.type(), typed.type);
      EXPECT_EQ(file.natural, format == csc_format() ? csc_format() : csr_format());
      EXPECT_EQ(file.entries.size(), 3);
      EXPECT_EQ(difference(typed, build(file.entries, file.natural)).value_or(""), "");
    }
  }
}

TEST(NpzFile, OfOtherOrdersIsRefused) {
  const TemporaryFolder folder;
  try {
    write_file(folder / "a.npz", build(read_tns("1 1 1 2\n").entries, csf_format(3)));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(".npz holds sparse matrices, and this is a tensor of order 3"));
  }
}

}  // namespace
}  // namespace lacuna::npz_test
