// Statements without a schedule on a device.

#include "lacuna/device/cuda_functions.h"
#include "unit/device/on_device.h"

namespace lacuna::device_statements_test {
namespace {

using on_device::emulated;
using on_device::OnDevice;
using on_device::sparse;
using testing::HasSubstr;

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
  void wait() override {}

  int compiled = 0;

 private:
  cuda::Compiler compiler_ = cuda::open_compiler(CudaLibraries().compiler);
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
  for (const Storage& each : {A, floats, ints, convert_type(A, Type::Int8)})
    compile("y(i) = A(i,j) * x(j)", {{"A", each}, {"x", convert_type(x, each.type)}}, "dense",
            "parallelize(i,GPUBlock), parallelize(j,GPUThread,Temporary)");
  EXPECT_EQ(compiling->compiled, 2 * 17);
  Options shown;
  shown.target.device = DeviceLanguage::Cuda;
  shown.shows_ptx = true;
  std::string ptx;
  shown.on_stage = [&](const Stage& stage) {
    if (stage.name == "ptx") ptx = stage.text;
  };
  engine.prepare(request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "dense"), shown);
  EXPECT_THAT(ptx, HasSubstr(".visible .entry kernel_i("));
}

/// The pass that counts stores nothing of the others.
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

TEST_F(OnDevice, ComplexNumbersAreUpdatedByParts) {
  for (const Type type : {Type::Complex64, Type::Complex128}) {
    const Storage complex = convert_type(A, type), dense = convert_type(generate_dense({30, 5}, 1), type);
    check("y(i) = x(i) + 1", {{"x", convert_type(x, type)}}, "dense", "parallelize(i,GPUThread,Atomics)");
    check("Y(i,k) = A(i,j) * X(j,k)", {{"A", complex}, {"X", dense}}, "dense",
          "reorder(i,j,k), parallelize(i,GPUThread,Atomics)", type == Type::Complex64 ? 1e-5 : 1e-12);
  }
}

TEST_F(OnDevice, EmptyOperands) {
  check("y(i) = A(i,j) * x(j)", {{"A", sparse({40, 30}, 0, "csr")}, {"x", x}});
  check("C(i,j) = A(i,j) + B(i,j)", {{"A", sparse({0, 30}, 0, "csr")}, {"B", sparse({0, 30}, 0, "csr")}}, "csr");
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

}  // namespace
}  // namespace lacuna::device_statements_test
