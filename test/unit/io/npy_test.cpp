#include <complex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/io/npy_header.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/io/io_testing.h"
#include "unit/io/numpy_testing.h"

namespace lacuna::npy_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FileContents read_npy_text(std::string_view bytes) { return read_text(FileFormat::Npy, "a.npy", bytes); }
std::string npy_refusal(const std::string& bytes) { return refusal(FileFormat::Npy, bytes); }

TEST(NpyFile, HoldsAllValuesOfADenseTensor) {
  const FileContents file = read_npy_text(npy("<f8", "(2, 3)", bytes_of<double>({0, 1, 2, 3, 4, 5.5})));
  EXPECT_THAT(file.entries.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(entries_of(file.entries),
              ElementsAre("(0,0) 0", "(0,1) 1", "(0,2) 2", "(1,0) 3", "(1,1) 4", "(1,2) 5.5"));
  EXPECT_EQ(file.natural, dense_format(2));
  EXPECT_TRUE(file.array);
}

TEST(NpyFile, MayHaveTheFirstIndexRunFastest) {
  const FileContents file = read_npy_text(npy("<f8", "(2, 3)", bytes_of<double>({0, 3, 1, 4, 2, 5.5}), true));
  EXPECT_THAT(entries_of(file.entries),
              ElementsAre("(0,0) 0", "(0,1) 1", "(0,2) 2", "(1,0) 3", "(1,1) 4", "(1,2) 5.5"));
}

TEST(NpyFile, MayBeOfTheByteOrderOfOtherMachines) {
  EXPECT_THAT(entries_of(read_npy_text(npy(">i2", "(2,)", std::string("\x01\x02\xff\xfe", 4))).entries),
              ElementsAre("(0) 258", "(1) -2"));
  const std::string one("\x3f\x80\x00\x00", 4), two("\x40\x00\x00\x00", 4);
  EXPECT_THAT(entries_of(read_npy_text(npy(">c8", "(1,)", one + two)).entries), ElementsAre("(0) complex(1,2)"));
}

TEST(NpyFile, HoldsEveryElementType) {
  for (int k = 0; k < type_count; ++k) {
    const auto type = static_cast<Type>(k);
    visit_type(type, [&](auto tag) {
      using T = decltype(tag);
      const std::string bytes(sizeof(T), '\1');
      const FileContents file = read_npy_text(npy(npy_type_name(type), "(1,)", bytes));
      EXPECT_EQ(file.entries.values.type(), type);
      EXPECT_EQ(Scalar::load(type, file.entries.values.data()), Scalar::load(type, bytes.data()));
    });
  }
  EXPECT_THAT(entries_of(read_npy_text(npy("|b1", "(2,)", std::string("\x00\x07", 2))).entries),
              ElementsAre("(0) false", "(1) true"));
}

TEST(NpyFile, MayHoldANumberAndNothing) {
  EXPECT_THAT(entries_of(read_npy_text(npy("<f8", "()", bytes_of<double>({2.5}))).entries), ElementsAre("() 2.5"));
  EXPECT_THAT(read_npy_text(npy("<f8", "(0, 9223372036854775807)", "")).entries.dimensions,
              ElementsAre(0, 9223372036854775807));
  EXPECT_THAT(read_npy_text(npy("<f8", "(2L,)", bytes_of<double>({1, 2}))).entries.dimensions, ElementsAre(2));
}

TEST(NpyFile, OfOtherElementsIsRefused) {
  EXPECT_THAT(npy_refusal(npy("<f2", "(1,)", "xx")), HasSubstr("a.npy: elements of NumPy's type '<f2' cannot be read"));
  EXPECT_THAT(npy_refusal(npy("|O", "(1,)", "xxxxxxxx")), HasSubstr("'|O' cannot be read"));
  EXPECT_THAT(npy_refusal(npy("<U3", "(1,)", std::string(12, 'x'))), HasSubstr("'<U3' cannot be read"));
  std::string fields = npy("<f8", "(1,)", "xxxxxxxx");
  fields.replace(fields.find("'<f8'"), 5, "[('a'");
  EXPECT_THAT(npy_refusal(fields), HasSubstr("elements with fields"));
}

TEST(NpyFile, MustBeAsLongAsItSays) {
  EXPECT_THAT(npy_refusal(npy("<f8", "(2,)", "xxxxxxxx")), HasSubstr("its 2 elements of 8 bytes should follow"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(1,)", "xxxxxxxxx")), HasSubstr("but 9 bytes do"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(4294967296, 4294967296, 4)", "")), HasSubstr("63 bits can count"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(2305843009213693952,)", "")), HasSubstr("cut off"));
}

TEST(NpyFile, WithAMalformedHeaderIsRefused) {
  const std::string good = npy("<f8", "(1,)", bytes_of<double>({1}));
  EXPECT_THAT(npy_refusal("1 2 3\n"), HasSubstr("does not begin as .npy data do"));
  for (std::size_t size = 1; size < good.size(); ++size) npy_refusal(good.substr(0, size));
  EXPECT_THAT(npy_refusal("\x93NUMPY\x09" + good.substr(7)), HasSubstr("version 9"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(-1,)", "")), HasSubstr("a size cannot be negative"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(1,", "")), HasSubstr("is malformed"));
  EXPECT_THAT(npy_refusal(npy("<f8", "(99999999999999999999,)", "")), HasSubstr("a size of 63 bits"));
}

TEST(NpyFile, IsWrittenOfEveryTypeAndReadBack) {
  const TemporaryFolder folder;
  const Storage matrix =
      build(read_mtx("%%MatrixMarket matrix coordinate real general\n2 3 2\n1 2 1\n2 1 1\n").entries, dense_format(2));
  for (int k = 0; k < type_count; ++k) {
    const Storage typed = convert_type(matrix, static_cast<Type>(k));
    for (const Format& format : {dense_format(2), Format(dense_format(2).levels(), LevelMap({1, 0}))}) {
      for (const char* name : {"a.npy", "a.npy.gz"}) {
        write_file(folder / name, convert(typed, format));
        const FileContents file = read_file(folder / name);
        EXPECT_EQ(file.entries.values.type(), typed.type);
        EXPECT_EQ(difference(typed, build(file.entries, file.natural)).value_or(""), "");
      }
    }
  }
}

TEST(NpyFile, IsWrittenAsNumPyWritesIt) {
  const TemporaryFolder folder;
  const Storage vector = build(read_tns("1 0.5\n2 2\n").entries, dense_format(1));
  write_file(folder / "a.npy", vector);
  EXPECT_EQ(file_text(folder / "a.npy"), npy("<f8", "(2,)", bytes_of<double>({0.5, 2})));
}

TEST(NpyFile, OfASparseTensorIsRefused) {
  const TemporaryFolder folder;
  try {
    write_file(folder / "a.npy", build(read_tns("1 1 2\n").entries, csr_format()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(".npy holds dense arrays, and this tensor is sparse"));
  }
}

}  // namespace
}  // namespace lacuna::npy_test
