// What is printed reads back as the same, for every directive and all of its words.

#include <gtest/gtest.h>

#include <set>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/language/schedule.h"
#include "unit/schedule/same.h"

namespace lacuna::print_test {
namespace {

using concrete::BoundKind;
using concrete::Merge;
using concrete::Race;
using concrete::Unit;

Expr access(const std::string& tensor, const std::vector<IndexVar>& indices) {
  return make_expr(Access{TensorVar(tensor, static_cast<int>(indices.size())), indices});
}

std::vector<DirectiveKind> every_directive() {
  const IndexVar i("i");
  const IndexVar j("j");
  std::vector<DirectiveKind> all = {
      directive::Split{"i", "io", "ii", 32, false},
      directive::Split{"i", "io", "ii", std::int64_t{1} << 62, true},
      directive::Reorder{{"i", "j"}},
      directive::Reorder{{"k", "j", "i", "l"}},
      directive::Fuse{"i", "j", "f"},
      directive::Pos{"i", "ip", access("A", {})},
      directive::Pos{"i", "ip", access("A", {i, j})},
      directive::Unroll{"i", 1},
      directive::Unroll{"i", 1024},
      directive::Prefetch{"i", 1},
      directive::Prefetch{"i", 1024},
      directive::Substitute{{"i", "k", "j"}, concrete::Leaf::Gemm},
      directive::Substitute{{"i", "k"}, concrete::Leaf::Gemv},
      directive::Substitute{{"i", "j"}, concrete::Leaf::Ger},
      directive::Substitute{{"i", "j", "k"}, concrete::Leaf::Dot},
      directive::Substitute{{"i"}, concrete::Leaf::Axpy},
      directive::Assemble{directive::Assemble::Strategy::Append, "C"},
      directive::Assemble{directive::Assemble::Strategy::Insert, "C"},
      directive::MergeBy{"i", Merge::TwoFinger},
      directive::MergeBy{"i", Merge::Gallop},
      directive::Split{"i", "io", "ii", 1, true, directive::MachineAxis{0, 0}},
      directive::Split{"i", "io", "ii", 1, true, directive::MachineAxis{2, 1}},
      directive::Distribute{{"io"}, {}, {}, {}, 0},
      directive::Distribute{{"io", "jo"}, {}, {}, {}, 0},
      directive::Distribute{{"i"}, {"io"}, {"ii"}, {}, 0},
      directive::Distribute{{"i", "j"}, {"io", "jo"}, {"ii", "jj"}, {}, 1},
      directive::Distribute{{"i", "j"}, {"io", "jo"}, {"ii", "jj"}, {2, 3}, 0},
      directive::Communicate{{"A"}, "i"},
      directive::Communicate{{"A", "B"}, "io"},
      directive::Rotate{"ko", {"io"}, "kos"},
      directive::Rotate{"ko", {"io", "jo"}, "kos"},
      directive::Transpose{"T", {0}},
      directive::Transpose{"T", {2, 0, 1}},
  };
  using Side = directive::LoopFuse::Side;
  using Step = directive::LoopFuse::Step;
  const Step producer{Step::Kind::Producer, 0}, consumer{Step::Kind::Consumer, 0}, second{Step::Kind::Term, 2};
  all.push_back(directive::LoopFuse{1, {}, std::nullopt, {}, std::nullopt});
  all.push_back(directive::LoopFuse{3, {}, Side::Left, {}, std::nullopt});
  all.push_back(directive::LoopFuse{1, {}, Side::Right, {producer, second, consumer}, std::nullopt});
  all.push_back(directive::LoopFuse{2, {}, Side::Left, {}, 0});
  all.push_back(directive::LoopFuse{1, {access("A", {}), access("B", {i, j})}, Side::Right, {producer}, 2});
  for (const BoundKind kind : {BoundKind::Min, BoundKind::Max, BoundKind::Exact}) {
    all.push_back(directive::Bound{"i", "ib", 8, kind});
  }
  for (const Unit unit : {Unit::Serial, Unit::CpuThread, Unit::CpuVector}) {
    for (const Race race : {Race::NoRaces, Race::Atomics, Race::Temporary, Race::ParallelReduction}) {
      all.push_back(directive::Parallelize{"i", unit, race});
    }
  }
  const Expr e = max(access("A", {i, j}) - (access("b", {i}) - 2.0), access("s", {})) * cast(Type::Float32, i);
  for (const std::string name : {"", "w"}) {
    all.push_back(directive::Precompute{e, {"i"}, {"iw"}, std::nullopt, name});
    all.push_back(directive::Precompute{sum(j, e), {"i"}, {"iw"}, hashed_format(1), name});
    all.push_back(directive::Precompute{e, {"i", "j"}, {"i", "jw"}, csc_format(), name});
    all.push_back(directive::Precompute{e,
                                        {"i", "j"},
                                        {"iw", "jw"},
                                        Format({{LevelKind::Compressed, false, true}, {LevelKind::Bitmap, true, true}}),
                                        name});
    all.push_back(directive::Precompute{
        e,
        {"i", "j"},
        {"iw", "jw"},
        Format({{LevelKind::Dense, true, true}, {LevelKind::Hashed, false, true}}, LevelMap({1, 0})),
        name});
  }
  return all;
}

TEST(PrintSchedule, ReadsBackAsTheSameDirective) {
  for (const DirectiveKind& kind : every_directive()) {
    const Schedule s{{Directive{kind, {}}}, ""};
    const std::string text = to_string(s);
    EXPECT_EQ(text, to_string(s.directives[0]));
    EXPECT_TRUE(same(parse_schedule(text), s)) << text;
    EXPECT_EQ(to_string(parse_schedule(text)), text);
  }
}

TEST(PrintSchedule, ReadsBackAsTheSameSchedule) {
  Schedule all;
  for (const DirectiveKind& kind : every_directive()) all.directives.push_back({kind, {}});
  EXPECT_TRUE(same(parse_schedule(to_string(all)), all));
}

TEST(PrintSchedule, NamesADirectiveAsItIsPrinted) {
  for (const DirectiveKind& kind : every_directive()) {
    const Directive d{kind, {}};
    EXPECT_EQ(to_string(d).substr(0, to_string(d).find('(')), name_of(d));
  }
}

TEST(DirectiveHelp, ListsEveryDirectiveOnceInAFormThatBeginsWithItsName) {
  std::set<std::string_view> printed;
  for (const DirectiveKind& kind : every_directive()) printed.insert(name_of({kind, {}}));
  std::set<std::string_view> listed;
  for (const DirectiveHelp& help : directive_help()) {
    EXPECT_TRUE(listed.insert(help.name).second) << help.name;
    EXPECT_TRUE(help.form.starts_with(std::string(help.name) + "(") && help.form.ends_with(")")) << help.form;
    EXPECT_FALSE(help.summary.empty());
  }
  EXPECT_EQ(listed, printed);
}

}  // namespace
}  // namespace lacuna::print_test
