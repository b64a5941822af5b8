// Tensors in parts that are written to a file: the one that would be written of the whole.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/memory_of_rank.h"
#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/generator_share.h"
#include "lacuna/distribute/tensors/write.h"
#include "lacuna/io/io.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::write_placed_test {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Storage stored_in(const CoordinateList& entries, const Format& format) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  return stored_as(engine, build(entries, array_format_of(format)), format, {});
}

DistributedTensor in_parts(const Storage& whole, const std::string& placed, const std::string& machine) {
  return {whole, parse_distribution(placed, parse_machine(machine)).distribution, "B", *test_ranks()};
}

/// Writes it both ways; rank 0 compares, and all know.
void expect_same_text(const Storage& whole, const std::string& placed, const std::string& ending) {
  const SharedFile once("whole" + ending, ""), parts("parts" + ending, "");
  const DistributedTensor tensor = in_parts(whole, placed, "Grid(3)");
  write_placed(tensor, parts.path(), "B", *test_ranks());
  std::int64_t is_same = 1;
  if (test_ranks()->rank() == 0) {
    write_file(once.path(), whole);
    is_same = text_of(once.path()) == text_of(parts.path()) ? 1 : 0;
  }
  for (const auto& each : gather_numbers(*test_ranks(), {is_same}))
    EXPECT_EQ(each.at(0), 1) << whole.format.to_string() << ", " << placed << ", " << ending;
}

TEST(WritePlaced, WritesTheFileOfTheWhole) {
  const CoordinateList entries = generate_uniform({11, 9}, 40, 1);
  for (const char* format : {"csr", "csc", "coo", "dense:1,0", "bst,ctree", "dense,hashed", "compressed,dense"})
    for (const char* placed : {"xy -> x", "xy -> y%2"})
      expect_same_text(stored_in(entries, parse_format(format, 2)), placed, ".mtx");
  for (const char* format : {"dcsr", "dense"})
    for (const char* ending : {".mtx", ".ttx", ".tns", ".rb", ".mtx.gz"})
      expect_same_text(stored_in(entries, parse_format(format, 2)), "xy -> *", ending);
}

TEST(WritePlaced, WritesTensorsOfAnyOrderAndType) {
  for (const Type type : {Type::Int8, Type::Float32, Type::Complex128, Type::Bool}) {
    const Storage cube = build(generate_uniform({7, 3, 5}, 30, 1, type), csf_format(3));
    const Storage vector = build(generate_uniform({17}, 9, 1, type), parse_format("compressed", 1));
    for (const char* ending : {".ttx", ".tns"}) {
      if (is_complex(type) && std::string(ending) == ".tns") continue;
      for (const char* placed : {"xyz -> x", "xyz -> z", "xyz -> ~(xyz)"}) expect_same_text(cube, placed, ending);
      expect_same_text(convert(cube, dense_format(3)), "xyz -> y", ending);
      expect_same_text(vector, "x -> x", ending);
      expect_same_text(convert(vector, dense_format(1)), "x -> x%2", ending);
    }
  }
  expect_same_text(build(generate_uniform({4, 4}, 0, 1), csr_format()), "xy -> x", ".mtx");
}

TEST(WritePlaced, RefusesWhatAFileCannotHold) {
  const DistributedTensor cube = in_parts(generate_dense({3, 4, 5}, 1), "xyz -> x", "Grid(2)");
  const auto message_of = [&](const std::string& path) -> std::string {
    try {
      write_placed(cube, path, "B", *test_ranks());
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message_of("B.mtx"), HasSubstr("cannot write B.mtx: .mtx holds matrices"));
  EXPECT_THAT(message_of("B.xyz"), HasSubstr("cannot write B.xyz: the ending '.xyz' is unknown"));
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps memory that was given back
TEST(WritePlaced, NobodyHoldsAllOfIt) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  constexpr std::int64_t rows = 400000, entries = 13 * rows, whole = entries * (4 + 4 + 8);
  const Machine machine{Grid(test_ranks()->ranks())};
  const SharedFile file("B.mtx", "");
  for (const char* placed : {"xy -> x", "xy -> y"}) {
    const DistributedTensor tensor =
        contributed(generate_banded(rows, rows, 6, 1, Type::Float64, share_of(*test_ranks())), coo_format(2),
                    parse_distribution(placed, machine).distribution, "B", *test_ranks());
    const std::int64_t most = most_memory_of([&] { write_placed(tensor, file.path(), "B", *test_ranks()); });
    EXPECT_GT(most, whole / test_ranks()->ranks() / 2);
    EXPECT_LT(static_cast<double>(most), most_for_a_part(whole)) << placed;
  }
}
#endif

}  // namespace
}  // namespace lacuna::write_placed_test
