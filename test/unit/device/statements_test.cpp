// Statements on a device: one that the interpreter emulates, and the first of OpenCL.

#include <cstring>
#include <map>

#include <gmock/gmock.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/device/cuda_functions.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "unit/compile/interpreted.h"
#include "unit/device/some_device.h"

namespace lacuna::device_statements_test {
namespace {

using testing::HasSubstr;

Storage sparse(std::vector<std::int64_t> dimensions, std::int64_t nonzeros, const std::string& format,
               Type type = Type::Float64) {
  const int order = static_cast<int>(dimensions.size());
  return build(generate_uniform(dimensions, nonzeros, 7, type), parse_format(format, order));
}

Options emulated() {
  Options options = interpreted();
  options.target.device = DeviceLanguage::OpenCl;
  return options;
}

/// Memory of the host; what it builds is compiled for several generations of devices, and nothing runs.
class Compiling : public Device {
 public:
  std::string name() const override { return "what compiles only"; }
  DeviceLanguage language() const override { return DeviceLanguage::Cuda; }
  std::shared_ptr<DeviceProgram> build(const std::string& text) override {
    for (const int capability : {80, 90}) {
      EXPECT_GT(cuda::compiled(compiler_, text, capability).size(), 500U);
      ++compiled;
    }
    return std::make_shared<DeviceProgram>();
  }
  void* allocate(std::int64_t, bool) override { return nullptr; }
  void release(void*) override {}
  void write(void*, const void*, std::int64_t) override {}
  void read(const void*, std::int64_t, void*, std::int64_t) override {}
  void copy(const void*, void*, std::int64_t) override {}
  void launch(DeviceProgram&, const std::string&, std::int64_t, std::int64_t,
              std::span<const DeviceArgument>) override {}

  int compiled = 0;

 private:
  cuda::Compiler compiler_ = cuda::open_compiler(CudaLibraries().compiler);
};

/// Another device, of which it counts what is copied there.
class Counted : public Device {
 public:
  explicit Counted(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  std::string name() const override { return device_->name(); }
  DeviceLanguage language() const override { return device_->language(); }
  std::shared_ptr<DeviceProgram> build(const std::string& text) override { return device_->build(text); }
  void* allocate(std::int64_t bytes, bool zeroed) override {
    if (bytes > room) return nullptr;
    room -= bytes;
    void* memory = device_->allocate(bytes, zeroed);
    live[memory] = bytes;
    return memory;
  }
  void release(void* memory) override {
    room += live.at(memory);
    live.erase(memory);
    device_->release(memory);
  }
  void write(void* memory, const void* from, std::int64_t bytes) override {
    written += bytes;
    device_->write(memory, from, bytes);
  }
  void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) override {
    device_->read(memory, offset, to, bytes);
  }
  void copy(const void* from, void* to, std::int64_t bytes) override { device_->copy(from, to, bytes); }
  void launch(DeviceProgram& program, const std::string& function, std::int64_t blocks, std::int64_t threads,
              std::span<const DeviceArgument> arguments) override {
    device_->launch(program, function, blocks, threads, arguments);
  }

  std::int64_t written = 0, room = INT64_MAX;
  std::map<void*, std::int64_t> live;

 private:
  std::shared_ptr<Device> device_;
};

struct OnDevice : testing::Test {
  Engine engine{JitOptions{"cc", default_c_flags(), "", ""}};
  std::string reason;
  std::shared_ptr<Device> device = some_device(&reason);
  Storage A = sparse({40, 30}, 150, "csr"), B = sparse({40, 30}, 200, "csr"), x = generate_dense({30}, 1);

  /// On a device that the interpreter emulates, one of CUDA and, where there is one, OpenCL's.
  void check(const std::string& text, const Operands& operands, const std::string& format = {},
             const std::string& schedule = {}, double tolerance = 1e-12) {
    Request request = request_for(text, operands, format);
    request.schedule = parse_schedule(schedule);
    EXPECT_EQ(wrong(request, engine.run(request, emulated()), tolerance).value_or(""), "") << text;
    check_on(cuda(), request, tolerance);
    if (device == nullptr) GTEST_SKIP() << reason;
    check_on(device, request, tolerance);
  }
  void check_on(const std::shared_ptr<Device>& on, const Request& request, double tolerance) {
    Options options;
    options.target.device = on->language();
    options.target.on = on;
    Prepared prepared = engine.prepare(request, options);
    for (int run = 0; run < 2; ++run)
      EXPECT_EQ(wrong(request, prepared.run(), tolerance).value_or(""), "")
          << request.statement.text << " on " << on->name() << ", run " << run;
  }
  /// That of this machine, or what stands in for it.
  static std::shared_ptr<Device> cuda() {
    static const std::shared_ptr<Device> device = [] {
      try {
        return open_cuda();
      } catch (const RuntimeFailure&) {
        return open_cuda(0, {{LACUNA_CUDA_STAND_IN}, {LACUNA_CUDA_STAND_IN}});
      }
    }();
    return device;
  }
  template <typename Thrown = Error>
  std::string refusal(const std::string& text, const Operands& operands, const Options& options,
                      const std::string& format = {}, const std::string& schedule = {}) {
    Request request = request_for(text, operands, format);
    request.schedule = parse_schedule(schedule);
    try {
      engine.run(request, options);
    } catch (const Thrown& error) {
      return error.what();
    }
    return "(accepted)";
  }
};

TEST_F(OnDevice, DenseResults) {
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  check("y(i) = A(i,j) * x(j)", {{"A", convert(A, parse_format("dcsr", 2))}, {"x", x}});
  check("y(j) = A(i,j)", {{"A", A}});
  check("y(i) += A(i,j)", {{"A", A}, {"y", generate_dense({40}, 2)}});
  check("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", generate_dense({30, 5}, 3)}});
}

TEST_F(OnDevice, Sums) {
  check("a = A(i,j) * B(i,j)", {{"A", A}, {"B", B}});
  check("a = x(i)", {{"x", x}});
}

TEST_F(OnDevice, SparseResultsAreCountedFirst) {
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "csr");
  check("C(i,j) = A(i,j) * B(i,j)", {{"A", A}, {"B", B}}, "csr");
  check("C(i,j) = A(i,k) * B(j,k)", {{"A", A}, {"B", B}}, "csr");
}

TEST_F(OnDevice, AppendedResultsAreCountedFirst) {
  const Storage T = sparse({9, 8, 7}, 60, "csf"), U = sparse({9, 8, 7}, 90, "csf");
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "dcsr");
  check("C(i,j) = A(i,j) + B(i,j)",
        {{"A", convert(A, parse_format("dcsr", 2))}, {"B", convert(B, parse_format("dcsr", 2))}}, "dcsr");
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "coo");
  check("C(j,i) = A(i,j) * B(i,j)", {{"A", A}, {"B", B}}, "csr");
  check("V(i,j,k) = T(i,j,k) + U(i,j,k)", {{"T", T}, {"U", U}}, "csf");
  check("V(i,j,k) = T(i,j,k) * U(i,j,k)", {{"T", T}, {"U", U}}, "csf");
  check("C(i,j) = T(i,j,k) * w(k)", {{"T", T}, {"w", generate_dense({7}, 1)}}, "dcsr");
  check("y(i) = A(i,j)", {{"A", sparse({40, 30}, 20, "csr")}}, "compressed");
  check("V(i,j,k) = T(i,j,l) * W(l,k)", {{"T", T}, {"W", generate_dense({7, 3}, 1)}}, "dense,compressed,dense");
  check("V(i,j,k) = T(i,j,l) * W(l,k)", {{"T", T}, {"W", generate_dense({7, 3}, 1)}}, "compressed,compressed,dense");
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "dcsr", "split(i,io,ii,7), parallelize(io,GPUThread)");
}

/// The pass that counts stores nothing of the others.
/// NVRTC needs no device.
TEST_F(OnDevice, NvrtcCompilesForDevicesOfSeveralGenerations) {
  std::shared_ptr<Compiling> compiling;
  try {
    compiling = std::make_shared<Compiling>();
  } catch (const RuntimeFailure& failure) {
    GTEST_SKIP() << failure.what();
  }
  Options options;
  options.target.device = DeviceLanguage::Cuda;
  options.target.on = compiling;
  const Storage T = sparse({9, 8, 7}, 60, "csf"), dense = generate_dense({30, 5}, 3);
  const Storage floats = sparse({40, 30}, 150, "csr", Type::Float32), ints = sparse({40, 30}, 150, "csr", Type::Int64);
  const auto compile = [&](const std::string& text, const Operands& operands, const std::string& format,
                           const std::string& schedule = "") {
    Request request = request_for(text, operands, format);
    request.schedule = parse_schedule(schedule);
    EXPECT_NO_THROW(engine.prepare(request, options)) << text;
  };
  compile("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "dense");
  compile("Y(i,k) = A(i,j) * X(j,k)", {{"A", A}, {"X", dense}}, "dense");
  compile("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "csr");
  compile("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "dcsr");
  compile("C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", sparse({30, 50}, 200, "csr")}}, "csr");
  compile("V(i,k) = T(i,j,l) * W(l,k)", {{"T", T}, {"W", generate_dense({7, 3}, 1)}}, "dense");
  compile("y(i) = sqrt(A(i,j)) + exp(A(i,j)) * pow(A(i,j), 3)", {{"A", A}}, "dense");
  for (const Storage& each : {A, floats, ints})
    compile("y(j) = A(i,j)", {{"A", each}}, "dense", "reorder(i,j), parallelize(i,GPUThread,Atomics)");
  compile("y(i) = Z(i,j) / 3 - conj(Z(i,j))", {{"Z", convert_type(A, Type::Complex64)}}, "dense");
  compile("Z(i,k) = C(i,j) * X(j,k)", {{"C", convert_type(A, Type::Complex128)}, {"X", dense}}, "dense");
  compile("y(j) = sum(i, max(A(i,j), 3) / 2)", {{"A", ints}}, "dense");
  EXPECT_EQ(compiling->compiled, 2 * 13);
}

TEST_F(OnDevice, ResultsBesideThoseThatAreCounted) {
  Request request = request_for("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "dcsr");
  request.further.push_back({parse_statement("y(i) = A(i,j)"), parse_format("dense", 1)});
  request.further.push_back({parse_statement("D(i,j) = 2 * A(i,j)"), parse_format("csr", 2)});
  const std::vector<Storage> results = engine.prepare(request, emulated()).run_all();
  for (std::size_t n = 0; n < results.size(); ++n) {
    Request alone = request;
    alone.further.clear();
    if (n > 0) alone.statement = request.further[n - 1].statement;
    EXPECT_EQ(wrong(alone, results[n], 1e-12).value_or(""), "") << to_string(alone.statement);
  }
}

TEST_F(OnDevice, WorkspacesAreEachThreadsOwn) {
  check("C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", sparse({30, 50}, 200, "csr")}}, "csr");
}

TEST_F(OnDevice, LoopNests) {
  check("A(i,l) = B(i,k,j) * C(k,l) * D(j,l)",
        {{"B", sparse({9, 8, 7}, 60, "csf")}, {"C", generate_dense({8, 4}, 1)}, {"D", generate_dense({7, 4}, 2)}});
}

TEST_F(OnDevice, TypesAndAtomics) {
  for (const Type type : {Type::Int32, Type::UInt32, Type::Int64, Type::UInt64, Type::Float32, Type::Float64})
    check("y(j) = A(i,j)", {{"A", sparse({40, 30}, 150, "csr", type)}}, "dense",
          "reorder(i,j), parallelize(i,GPUThread,Atomics)", type == Type::Float32 ? 1e-5 : 1e-12);
  check("y(i) = A(i,j)", {{"A", sparse({40, 30}, 150, "csr", Type::Bool)}});
}

TEST_F(OnDevice, ComplexNumbers) {
  for (const Type type : {Type::Complex64, Type::Complex128}) {
    const double tolerance = type == Type::Complex64 ? 1e-5 : 1e-12;
    const Storage C = sparse({40, 30}, 150, "csr", type), D = sparse({40, 30}, 200, "csr", type);
    check("y(i) = C(i,j) * x(j)", {{"C", C}, {"x", x}}, "", "", tolerance);
    check("E(i,j) = C(i,j) - D(i,j) / 3", {{"C", C}, {"D", D}}, "csr", "", tolerance);
    check("y(i) = square(conj(C(i,j))) + abs(C(i,j)) - imag(C(i,j))", {{"C", C}}, "", "", tolerance);
    check("E(i,j) = C(i,j) / D(i,j)", {{"C", C}, {"D", D}}, "dense", "", tolerance);
    check("y(j) = C(i,j)", {{"C", C}}, "dense", "", tolerance);
    check("a = C(i,j) * D(i,j)", {{"C", C}, {"D", D}}, "", "", tolerance);
    check("Z(i,k) = C(i,j) * X(j,k)", {{"C", C}, {"X", generate_dense({30, 5}, 3)}}, "dense", "", tolerance);
  }
  check("y(i) = C(i,j) * D(i,j)",
        {{"C", sparse({40, 30}, 150, "csr", Type::Complex64)}, {"D", sparse({40, 30}, 200, "csr", Type::Complex128)}});
}

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

TEST_F(OnDevice, ComplexNumbersAreUpdatedByParts) {
  for (const Type type : {Type::Complex64, Type::Complex128}) {
    const Storage complex = convert_type(A, type), dense = convert_type(generate_dense({30, 5}, 1), type);
    check("y(i) = x(i) + 1", {{"x", convert_type(x, type)}}, "dense", "parallelize(i,GPUThread,Atomics)");
    check("Y(i,k) = A(i,j) * X(j,k)", {{"A", complex}, {"X", dense}}, "dense",
          "reorder(i,j,k), parallelize(i,GPUThread,Atomics)", type == Type::Complex64 ? 1e-5 : 1e-12);
  }
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

TEST_F(OnDevice, UnitsAreNestedBySize) {
  const Operands operands{{"A", A}, {"x", x}};
  const auto says = [&](const std::string& schedule) {
    return refusal("y(i) = A(i,j) * x(j)", operands, emulated(), "", schedule);
  };
  EXPECT_THAT(says("parallelize(i,GPUWarp), parallelize(j,GPUBlock,Atomics)"),
              HasSubstr("the loop over j runs inside of i, which GPUWarp runs: GPUBlock cannot run it"));
  EXPECT_THAT(says("parallelize(i,GPUThread), parallelize(j,GPUWarp,Atomics)"), HasSubstr("use a smaller unit"));
  EXPECT_THAT(refusal("C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", sparse({30, 50}, 200, "csr")}}, emulated(), "dense",
                      "reorder(i,k,j), parallelize(i,GPUWarp), parallelize(j,GPUThread)"),
              HasSubstr("two threads of a block may store to the same element of C_vals"));
  EXPECT_THAT(refusal("Y(i,k) = A(i,j) * X(j,k) + D(i,k)",
                      {{"A", A}, {"X", generate_dense({30, 5}, 3)}, {"D", sparse({40, 5}, 60, "csr")}}, emulated(),
                      "dense", "reorder(i,j,k), parallelize(i,GPUBlock), parallelize(k,GPUWarp)"),
              HasSubstr("two threads of a block may store to the same element of Y_vals"));
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, interpreted(), "", "parallelize(i,GPUBlock)"),
              HasSubstr("GPUBlock is a unit of devices"));
}

TEST_F(OnDevice, EmptyOperands) {
  check("y(i) = A(i,j) * x(j)", {{"A", sparse({40, 30}, 0, "csr")}, {"x", x}});
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", sparse({0, 30}, 0, "csr")}, {"B", sparse({0, 30}, 0, "csr")}}, "csr");
}

TEST_F(OnDevice, UnitsOfTheOtherKindAreRefused) {
  const Operands operands{{"A", A}, {"x", x}};
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, emulated(), "", "parallelize(i,CPUThread)"),
              HasSubstr("CPUThread is a unit of processors, and i runs on a device: use GPUThread"));
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, interpreted(), "", "parallelize(i,GPUThread)"),
              HasSubstr("GPUThread is a unit of devices"));
}

TEST_F(OnDevice, WhatIsNotThereYetIsRefused) {
  Options options;
  options.target.device = DeviceLanguage::OpenCl;
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, options),
              HasSubstr("no device was chosen to run y(i)"));
  const Storage list = stored_as(engine, sparse({30}, 10, "compressed"), parse_format("blist", 1), interpreted());
  EXPECT_THAT(refusal("y = l(i)", {{"l", list}}, emulated()),
              HasSubstr("l is stored as blist, and devices do not walk nodes yet: store it in arrays"));
  const Storage z = convert_type(x, Type::Complex128);
  EXPECT_THAT(refusal("y(i) = sqrt(z(i))", {{"z", z}}, options),
              HasSubstr("a device has no sqrt of complex numbers yet"));
}

TEST_F(OnDevice, OperandsStayThereUntilTheyChange) {
  const auto counted = std::make_shared<Counted>(cuda());
  Options options;
  options.target.device = counted->language();
  options.target.on = counted;
  const auto bytes = [](const Storage& t) {
    std::int64_t all = t.values.bytes();
    for (const LevelStorage& l : t.levels) all += l.pos.bytes() + l.crd.bytes();
    return all;
  };
  const auto run = [&](const std::string& text, const Operands& operands) {
    counted->written = 0;
    const Request request = request_for(text, operands, "dense");
    Storage got = engine.run(request, options);
    EXPECT_EQ(wrong(request, got, 1e-12).value_or(""), "");
    return got;
  };
  Storage y = run("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  EXPECT_EQ(counted->written, bytes(A) + bytes(x));
  run("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  EXPECT_EQ(counted->written, 0);
  run("z(j) = A(i,j) * y(i)", {{"A", A}, {"y", y}});
  EXPECT_EQ(counted->written, 0) << "of a result";
  x.values.mutable_view<double>()[3] = 7;
  run("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  EXPECT_EQ(counted->written, bytes(x));
  const Storage borrowed =
      adopt_dense({30}, Array::borrow(Type::Float64, x.values.data(), 30, nullptr), LevelMap::identity(1));
  for (int n = 0; n < 2; ++n) {
    run("y(i) = A(i,j) * b(j)", {{"A", A}, {"b", borrowed}});
    EXPECT_EQ(counted->written, bytes(x)) << "what others may change";
  }
}

TEST_F(OnDevice, OperandsMakeRoomForOthers) {
  const auto counted = std::make_shared<Counted>(cuda());
  Options options;
  options.target.device = counted->language();
  options.target.on = counted;
  const Request first = request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "dense");
  const Request second = request_for("y(i) = B(i,j) * x(j)", {{"B", B}, {"x", x}}, "dense");
  engine.run(first, options);
  counted->room = B.values.bytes();
  for (const Request& request : {second, first})
    EXPECT_EQ(wrong(request, engine.run(request, options), 1e-12).value_or(""), "");
  counted->drop_idle_copies();
  EXPECT_TRUE(counted->live.empty());
}

/// Memory of the host, counted; it runs nothing.
class Broken : public Device {
 public:
  std::string name() const override { return "a broken device"; }
  DeviceLanguage language() const override { return DeviceLanguage::OpenCl; }
  std::shared_ptr<DeviceProgram> build(const std::string&) override { return std::make_shared<Program>(); }
  void* allocate(std::int64_t bytes, bool) override {
    if (room < bytes) return nullptr;
    room -= bytes;
    void* memory = std::malloc(static_cast<std::size_t>(bytes) + 1);
    live[memory] = bytes;
    return memory;
  }
  void release(void* memory) override {
    room += live.at(memory);
    live.erase(memory);
    std::free(memory);
  }
  void write(void* memory, const void* from, std::int64_t bytes) override {
    std::memcpy(memory, from, static_cast<std::size_t>(bytes));
  }
  void read(const void*, std::int64_t, void*, std::int64_t) override { throw RuntimeFailure("the device is lost"); }
  void copy(const void*, void*, std::int64_t) override {}
  void launch(DeviceProgram&, const std::string&, std::int64_t, std::int64_t,
              std::span<const DeviceArgument>) override {
    ++launches;
    if (fails_to_launch) throw RuntimeFailure("the device cannot launch");
  }

  std::int64_t room = 1 << 20;
  std::map<void*, std::int64_t> live;
  int launches = 0;
  bool fails_to_launch = false;

 private:
  class Program : public DeviceProgram {};
};

TEST_F(OnDevice, FailuresAreToldAndNothingStaysBehind) {
  const auto broken = std::make_shared<Broken>();
  Options options;
  options.target.device = DeviceLanguage::OpenCl;
  options.target.on = broken;
  const Operands operands{{"A", A}, {"x", x}};
  const auto failure = [&] { return refusal<RuntimeFailure>("y(i) = A(i,j) * x(j)", operands, options); };
  EXPECT_EQ(failure(), "the device is lost");
  EXPECT_EQ(broken->launches, 1);
  const auto holds_nothing = [&] {
    broken->drop_idle_copies();
    return broken->live.empty();
  };
  EXPECT_TRUE(holds_nothing());
  broken->fails_to_launch = true;
  EXPECT_EQ(failure(), "the device cannot launch");
  EXPECT_TRUE(holds_nothing());
  broken->room = 2000;
  EXPECT_THAT(failure(), HasSubstr("a broken device has no memory for"));
  EXPECT_TRUE(holds_nothing());
  // The operands fit, and what the kernel allocates does not.
  broken->room = 9000;
  broken->fails_to_launch = false;
  EXPECT_EQ(refusal<RuntimeFailure>("C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", sparse({30, 500}, 20, "csr")}},
                                    options, "csr"),
            "out of memory");
  EXPECT_TRUE(holds_nothing());
}

}  // namespace
}  // namespace lacuna::device_statements_test
