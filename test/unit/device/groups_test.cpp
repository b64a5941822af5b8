// Schedules that say which threads of a device run which loops.

#include "unit/device/on_device.h"

#include <fmt/core.h>

namespace lacuna::device_groups_test {
namespace {

using on_device::emulated;
using on_device::OnDevice;
using on_device::sparse;
using testing::HasSubstr;
using testing::Not;

TEST_F(OnDevice, SchedulesNameItsThreads) {
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "", "split(i,io,ii,8), parallelize(io,GPUThread)");
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "",
        "fuse(i,j,f), pos(f,fp,A), split(fp,fo,fi,16), parallelize(fo,GPUThread,Atomics)");
}

/// Blocks, warps and threads, as schedules of the compilers that Lacuna descends from name them.
TEST_F(OnDevice, BlocksAndWarpsShareLoops) {
  const std::string units =
      "parallelize(block,GPUBlock,IgnoreRaces), parallelize(warp,GPUWarp,IgnoreRaces), "
      "parallelize(thread,GPUThread,Atomics)";
  const std::string nonzeros =
      "split(fp,block,fp1,64), split(fp1,warp,fp2,16), split(fp2,thread,nz,4), reorder(block,warp,thread,nz), ";
  const Operands spmv{{"A", A}, {"x", x}};
  const Storage T = sparse({9, 8, 7}, 60, "csf"), X = generate_dense({30, 5}, 3);
  check("y(i) = A(i,j) * x(j)", spmv, "", "fuse(i,j,f), pos(f,fp,A), " + nonzeros + units);
  check("y(i) = A(i,j) * x(j)", spmv, "",
        "split(i,block,thread,256), parallelize(block,GPUBlock), parallelize(thread,GPUThread)");
  check("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", X}}, "",
        "reorder(i,j,k), parallelize(i,GPUWarp), parallelize(k,GPUThread)");
  check("y(i) = A(i,j) * x(j)", spmv, "", "parallelize(i,GPUBlock)");
  check("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", X}}, "",
        "reorder(i,j,k), fuse(i,j,f), pos(f,fp,A), split(fp,block,fp1,32), split(fp1,warp,nz,8), "
        "split(k,kv,thread,32), reorder(block,warp,thread,kv,nz), " +
            units);
  check("y(i) = T(i,j,k) * w(k)", {{"T", T}, {"w", generate_dense({7}, 1)}}, "dense",
        "fuse(i,j,f), fuse(f,k,g), pos(g,fp,T), " + nonzeros + units);
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "dcsr", "parallelize(i,GPUWarp)");
}

/// The schedules by rows that others run: lanes take the positions of a row, every so many.
TEST_F(OnDevice, WarpsRunRows) {
  const std::string units =
      ", parallelize(block,GPUBlock), parallelize(warp,GPUWarp), "
      "parallelize(thread,GPUThread,Temporary)";
  const std::string rows = "split(i,block,brow,16), split(brow,wrow,warp,8), ";
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "",
        rows + "pos(j,jp,A), split(jp,nz,thread,32), reorder(block,warp,wrow,thread,nz)" + units);
  check("y(i) = A(i,j) * x(j)", {{"A", sparse({40, 30}, 600, "dcsr")}, {"x", x}}, "",
        "pos(j,jp,A), split(jp,nz,thread,8), reorder(i,thread,nz), parallelize(i,GPUWarp), "
        "parallelize(thread,GPUThread,Temporary)");
  // Four rows a warp, whose lanes take columns.
  check("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", generate_dense({30, 50}, 1)}}, "",
        "reorder(i,j,k), split(i,block,brow,32), split(brow,warp,row,4), "
        "reorder(block,warp,row,j,k), parallelize(block,GPUBlock), parallelize(warp,GPUWarp), "
        "parallelize(k,GPUThread)");
  check("C(i,j) = A(i,j) * D(i,k) * E(k,j)",
        {{"A", A}, {"D", generate_dense({40, 70}, 1)}, {"E", generate_dense({70, 30}, 2)}}, "csr",
        "split(k,kv,thread,32), reorder(i,j,thread,kv), parallelize(i,GPUWarp), "
        "parallelize(thread,GPUThread,ParallelReduction)");
}

/// A row a warp, or a block, whose threads add up what each has of its sum.
TEST_F(OnDevice, ThreadsOfAGroupAddUp) {
  const Operands spmv{{"A", A}, {"x", x}};
  for (const char* race : {"Temporary", "ParallelReduction"})
    for (const std::string rows : {"GPUWarp", "GPUBlock"})
      check("y(i) = A(i,j) * x(j)", spmv, "",
            fmt::format("parallelize(i,{}), parallelize(j,GPUThread,{})", rows, race));
  // Warps of a block add up a row together, and lanes what is theirs of it.
  check("y(i) = A(i,j) * x(j)", {{"A", generate_dense({40, 30}, 1)}, {"x", x}}, "",
        "split(j,jo,ji,6), parallelize(i,GPUBlock), parallelize(jo,GPUWarp,Temporary), "
        "parallelize(ji,GPUThread,Temporary)");
  check("y(i) = A(i,j) * x(j)", {{"A", generate_dense({40, 30}, 1)}, {"x", x}}, "",
        "split(j,jo,ji,6), parallelize(i,GPUBlock), parallelize(jo,GPUWarp,Temporary)");
  // In warps of a block, each of which has rows.
  check("y(i) = A(i,j) * x(j)", spmv, "",
        "split(i,block,rows,16), split(rows,warp,row,4), parallelize(block,GPUBlock), parallelize(warp,GPUWarp), "
        "parallelize(j,GPUThread,Temporary)");
  check("C(i,j) = A(i,j) * D(i,k) * E(j,k)",
        {{"A", A}, {"D", generate_dense({40, 7}, 1)}, {"E", generate_dense({30, 7}, 2)}}, "csr",
        "parallelize(i,GPUWarp), parallelize(k,GPUThread,Temporary)");
  for (const Type type : {Type::Int8, Type::UInt16, Type::Int64, Type::Float32})
    check("y(i) = A(i,j) * x(j)", {{"A", convert_type(A, type)}, {"x", convert_type(x, type)}}, "",
          "parallelize(i,GPUWarp), parallelize(j,GPUThread,Temporary)", type == Type::Float32 ? 1e-5 : 1e-12);
}

/// Where threads of a group read, or add to, what others of it store, they wait for each other.
TEST_F(OnDevice, ThreadsOfAGroupWait) {
  const Storage S = sparse({30, 50}, 200, "csr"), T = sparse({9, 8, 7}, 120, "csf");
  const Operands product{{"A", A}, {"B", S}};
  for (const char* rows : {"GPUWarp", "GPUBlock"}) {
    const std::string by_rows = fmt::format("parallelize(i,{}), ", rows);
    // A column of C may be another lane's in the next row of B.
    check("C(i,j) = A(i,k) * B(k,j)", product, "dense", "reorder(i,k,j), " + by_rows + "parallelize(j,GPUThread)");
    check("Y(i,k) = A(i,j) * X(j,k) + D(i,k)",
          {{"A", A}, {"X", generate_dense({30, 5}, 3)}, {"D", sparse({40, 5}, 60, "csr")}}, "dense",
          "reorder(i,j,k), " + by_rows + "parallelize(k,GPUThread)");
    // Workspaces that a group has for itself.
    check("C(i,j) = A(i,k) * B(k,j)", product, "csr", "assemble(C,Insert), " + by_rows + "reorder(i,k,j)");
    check("M(i,r) = T(i,j,k) * E(k,r) * D(j,r)",
          {{"T", T}, {"D", generate_dense({8, 5}, 1)}, {"E", generate_dense({7, 5}, 2)}}, "dense",
          "reorder(i,j,k,r), precompute(T(i,j,k)*E(k,r),r,rw,w), " + by_rows + "parallelize(rw,GPUThread)");
  }
  // Those of warps of a block, also where a block is one warp.
  check("M(i,r) = T(i,j,k) * E(k,r) * D(j,r)",
        {{"T", generate_dense({9, 8, 7}, 3)}, {"D", generate_dense({8, 5}, 1)}, {"E", generate_dense({7, 5}, 2)}},
        "dense",
        "reorder(i,j,k,r), precompute(T(i,j,k)*E(k,r),r,rw,w), parallelize(i,GPUBlock), "
        "parallelize(j,GPUWarp,Atomics), parallelize(rw,GPUThread), parallelize(r,GPUThread)");
  check("a = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "",
        "parallelize(i,GPUWarp,ParallelReduction), parallelize(j,GPUThread,ParallelReduction)");
  check("Y(i,k) = A(i,j) * X(j,k) + D(i,k)",
        {{"A", A}, {"X", generate_dense({30, 5}, 3)}, {"D", sparse({40, 5}, 60, "csr")}}, "dense",
        "reorder(i,j,k), parallelize(i,GPUBlock), parallelize(k,GPUWarp)");
}

/// Schedules for GPUs as the tests of TACO have them, with smaller blocks.
TEST_F(OnDevice, KnownSchedulesRunAsWritten) {
  const auto dense = [](std::int64_t rows, std::int64_t columns) { return generate_dense({rows, columns}, 1); };
  const Storage T = sparse({9, 8, 7}, 120, "csf");
  const std::string units =
      "parallelize(block,GPUBlock,IgnoreRaces), parallelize(warp,GPUWarp,IgnoreRaces), parallelize(thread,GPUThread,";
  const std::string parts = "split(p,block,p1,64), split(p1,warp,nz,16), ";
  for (const char* order : {"kv,thread", "thread,kv"})
    check("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", dense(30, 70)}}, "",
          fmt::format("split(i,block,brow,32), split(brow,warp,row,4), split(k,kv,thread,32), "
                      "reorder(block,warp,row,j,{}), {}NoRaces)",
                      order, units));
  check("C(i,k) = A(i,k) * D(i,j) * E(j,k)", {{"A", A}, {"D", dense(40, 128)}, {"E", dense(128, 30)}}, "csr",
        "reorder(i,k,j), fuse(i,k,f), pos(f,p,A), " + parts +
            "split(j,ju,thread,32), bound(ju,jd,4,max), reorder(block,warp,nz,thread,jd), unroll(jd,4), "
            "parallelize(block,GPUBlock,IgnoreRaces), parallelize(warp,GPUWarp,Atomics), "
            "parallelize(thread,GPUThread,ParallelReduction)");
  check("M(i,j) = T(i,k,l) * D(k,j) * E(l,j)", {{"T", T}, {"D", dense(8, 32)}, {"E", dense(7, 32)}}, "dense",
        "reorder(i,k,l,j), fuse(i,k,f), fuse(f,l,g), pos(g,p,T), " + parts +
            "split(j,ju,thread,32), bound(ju,jd,1,max), reorder(block,warp,nz,jd,thread), " + units + "Atomics)");
  check("Y(i,j,l) = T(i,j,k) * X(k,l)", {{"T", T}, {"X", dense(7, 64)}}, "dense",
        "reorder(i,j,k,l), fuse(i,j,f), fuse(f,k,g), pos(g,p,T), " + parts +
            "split(l,lu,thread,32), bound(lu,ld,4,max), reorder(block,warp,nz,thread,ld), unroll(ld,4), " + units +
            "Atomics)");
}

/// Without a schedule, where a device has warps: rows that are long enough, of operands that are summed, and of dense
/// results.
TEST_F(OnDevice, WarpsShareLongRows) {
  const Storage wide = sparse({40, 60}, 1000, "csr"), narrow = sparse({40, 60}, 200, "csr");
  const Operands vector{{"A", wide}, {"x", generate_dense({60}, 1)}};
  const Operands matrix{{"A", narrow}, {"X", generate_dense({60, 40}, 1)}};
  check("y(i) = A(i,j) * x(j)", vector);
  check("Y(i,k) = A(i,j) * X(j,k)", matrix);
  const auto loops = [&](const std::string& text, const Operands& operands, DeviceLanguage language) {
    Options options;
    options.target.device = language;
    options.stop_before_code = true;
    std::string concrete;
    options.on_stage = [&](const Stage& stage) {
      if (stage.name == "concrete") concrete = stage.text;
    };
    engine.prepare(request_for(text, operands), options);
    return concrete;
  };
  const std::string spmv = "y(i) = A(i,j) * x(j)", spmm = "Y(i,k) = A(i,j) * X(j,k)";
  EXPECT_THAT(loops(spmv, vector, DeviceLanguage::Cuda), HasSubstr("forall i  (device warps)"));
  EXPECT_THAT(loops(spmm, matrix, DeviceLanguage::Cuda), HasSubstr("forall i  (device warps)"));
  EXPECT_THAT(loops(spmv, {{"A", narrow}, {"x", vector.at("x")}}, DeviceLanguage::Cuda),
              HasSubstr("forall i  (device threads)"));
  EXPECT_THAT(loops(spmv, vector, DeviceLanguage::OpenCl), HasSubstr("forall i  (device threads)"));
}

/// The same of nests: fused kernels, whose threads share a sum and then a row, and rows of several terms.
TEST_F(OnDevice, WarpsShareNests) {
  const Storage S = sparse({40, 30}, 150, "csr"), T = sparse({9, 8, 7}, 120, "csf");
  const auto dense = [](std::int64_t rows, std::int64_t columns) { return generate_dense({rows, columns}, 1); };
  const std::string fused = "C(i,m) = A(i,j) * D(i,k) * E(j,k) * F(j,m)";
  const Operands operands{{"A", A}, {"D", dense(40, 64)}, {"E", dense(30, 64)}, {"F", dense(30, 48)}};
  check(fused, operands);
  check("C(i,m) = A(i,j) * D(j,k) * E(k,m)", {{"A", A}, {"D", dense(30, 20)}, {"E", dense(20, 40)}});
  check("Y(i,k) = A(i,j) * X(j,k) + S(i,k)", {{"A", A}, {"X", dense(30, 30)}, {"S", S}}, "dense");
  check("M(i,r) = T(i,j,k) * D(j,r) * E(k,r)", {{"T", T}, {"D", dense(8, 32)}, {"E", dense(7, 32)}}, "dense");
  check("M(i,r) = T(i,j,k) * D(j,r) * E(k,r)", {{"T", T}, {"D", dense(8, 32)}, {"E", dense(7, 32)}});
  Options options;
  options.target.device = DeviceLanguage::Cuda;
  options.stop_before_code = true;
  std::string schedule;
  options.on_stage = [&](const Stage& stage) {
    if (stage.name == "schedule") schedule = stage.text;
  };
  engine.prepare(request_for(fused, operands), options);
  for (const char* each : {"parallelize(i,GPUWarp,NoRaces)", "parallelize(k,GPUThread,ParallelReduction)",
                           "parallelize(m,GPUThread,NoRaces)"})
    EXPECT_THAT(schedule, HasSubstr(each));
}

/// Without a schedule, where some rows are much longer than others: as many entries for each thread, unless the order
/// of sums must not change.
TEST_F(OnDevice, ThreadsShareUnevenRowsEqually) {
  const Storage graph = build(generate_rmat(256, 256, 2000, 1), parse_format("csr", 2));
  const Storage cube = build(generate_skewed({40, 30, 20}, 1500, 1.2, 1), parse_format("csf", 3));
  const Operands vector{{"A", graph}, {"x", generate_dense({256}, 1)}};
  const std::string spmv = "y(i) = A(i,j) * x(j)";
  check(spmv, vector);
  check("Y(i,j) = T(i,j,k) * w(k)", {{"T", cube}, {"w", generate_dense({20}, 1)}}, "dense");
  const auto schedule = [&](const Operands& operands, bool deterministic) {
    Options options;
    options.target.device = DeviceLanguage::Cuda;
    options.target.deterministic = deterministic;
    options.stop_before_code = true;
    std::string text;
    options.on_stage = [&](const Stage& stage) {
      if (stage.name == "schedule") text = stage.text;
    };
    engine.prepare(request_for(spmv, operands), options);
    return text;
  };
  EXPECT_THAT(schedule(vector, false), HasSubstr("parallelize(share,GPUThread,Atomics)"));
  EXPECT_THAT(schedule(vector, true), Not(HasSubstr("Atomics")));
  EXPECT_THAT(schedule({{"A", A}, {"x", x}}, false), Not(HasSubstr("Atomics")));
  Operands integers{{"A", convert_type(graph, Type::Int64)}, {"x", convert_type(vector.at("x"), Type::Int64)}};
  EXPECT_THAT(schedule(integers, true), HasSubstr("Atomics"));
  Options deterministic = emulated();
  deterministic.target.deterministic = true;
  EXPECT_THAT(refusal(spmv, vector, deterministic, "", "split(i,io,ii,8), parallelize(io,GPUThread,Atomics)"),
              HasSubstr("parallelize(io,GPUThread,Atomics) adds in another order in each run"));
}

TEST_F(OnDevice, UnitsAreNestedBySize) {
  const Operands operands{{"A", A}, {"x", x}};
  const auto says = [&](const std::string& schedule) {
    return refusal("y(i) = A(i,j) * x(j)", operands, emulated(), "", schedule);
  };
  EXPECT_THAT(says("parallelize(i,GPUWarp), parallelize(j,GPUBlock,Atomics)"),
              HasSubstr("the loop over j runs inside of i, which GPUWarp runs: GPUBlock cannot run it"));
  EXPECT_THAT(says("parallelize(i,GPUThread), parallelize(j,GPUWarp,Atomics)"), HasSubstr("use a smaller unit"));
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, interpreted(), "", "parallelize(i,GPUBlock)"),
              HasSubstr("GPUBlock is a unit of devices"));
}

TEST_F(OnDevice, UnitsOfTheOtherKindAreRefused) {
  const Operands operands{{"A", A}, {"x", x}};
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, emulated(), "", "parallelize(i,CPUThread)"),
              HasSubstr("CPUThread is a unit of processors, and i runs on a device: use GPUThread"));
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, interpreted(), "", "parallelize(i,GPUThread)"),
              HasSubstr("GPUThread is a unit of devices"));
}

}  // namespace
}  // namespace lacuna::device_groups_test
