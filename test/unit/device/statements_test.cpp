// Statements on a device: one that the interpreter emulates, and the first of OpenCL.

#include <cstring>
#include <map>

#include <gmock/gmock.h>

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
  options.target.device = true;
  return options;
}

struct OnDevice : testing::Test {
  Engine engine{JitOptions{"cc", default_c_flags(), "", ""}};
  std::string reason;
  std::shared_ptr<Device> device = some_device(&reason);
  Storage A = sparse({40, 30}, 150, "csr"), B = sparse({40, 30}, 200, "csr"), x = generate_dense({30}, 1);

  /// On both devices, where there are both.
  void check(const std::string& text, const Operands& operands, const std::string& format = {},
             const std::string& schedule = {}, double tolerance = 1e-12) {
    Request request = request_for(text, operands, format);
    request.schedule = parse_schedule(schedule);
    EXPECT_EQ(wrong(request, engine.run(request, emulated()), tolerance).value_or(""), "") << text;
    if (device == nullptr) GTEST_SKIP() << reason;
    Options options;
    options.target.device = true;
    options.target.on = device;
    EXPECT_EQ(wrong(request, engine.run(request, options), tolerance).value_or(""), "") << text << " by OpenCL";
    Prepared again = engine.prepare(request, options);
    again.run();
    EXPECT_EQ(wrong(request, again.run(), tolerance).value_or(""), "") << text << " by OpenCL, once more";
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

TEST_F(OnDevice, SchedulesNameItsThreads) {
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "", "split(i,io,ii,8), parallelize(io,GPUThread)");
  check("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, "",
        "fuse(i,j,f), pos(f,fp,A), split(fp,fo,fi,16), parallelize(fo,GPUThread,Atomics)");
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
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", operands, emulated(), "", "parallelize(i,GPUThread,Temporary)"),
              HasSubstr("say Atomics in place of Temporary"));
}

TEST_F(OnDevice, WhatIsNotThereYetIsRefused) {
  Options options;
  options.target.device = true;
  EXPECT_THAT(refusal("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}, options),
              HasSubstr("no device was chosen to run y(i)"));
  EXPECT_THAT(refusal("C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, emulated(), "dcsr"),
              HasSubstr("which is not possible for C as dcsr: store it in another format"));
  const Storage z = convert_type(x, Type::Complex128);
  EXPECT_THAT(refusal("y(i) = z(i)", {{"z", z}}, options), HasSubstr("complex numbers are not on devices yet"));
}

/// Memory of the host, counted; it runs nothing.
class Broken : public Device {
 public:
  std::string name() const override { return "a broken device"; }
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
  options.target.device = true;
  options.target.on = broken;
  const Operands operands{{"A", A}, {"x", x}};
  const auto failure = [&] { return refusal<RuntimeFailure>("y(i) = A(i,j) * x(j)", operands, options); };
  EXPECT_EQ(failure(), "the device is lost");
  EXPECT_EQ(broken->launches, 1);
  EXPECT_TRUE(broken->live.empty());
  broken->fails_to_launch = true;
  EXPECT_EQ(failure(), "the device cannot launch");
  EXPECT_TRUE(broken->live.empty());
  broken->room = 2000;
  EXPECT_THAT(failure(), HasSubstr("a broken device has no memory for"));
  EXPECT_TRUE(broken->live.empty());
  // The operands fit, and what the kernel allocates does not.
  broken->room = 9000;
  broken->fails_to_launch = false;
  EXPECT_EQ(refusal<RuntimeFailure>("C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", sparse({30, 500}, 20, "csr")}},
                                    options, "csr"),
            "out of memory");
  EXPECT_TRUE(broken->live.empty());
}

}  // namespace
}  // namespace lacuna::device_statements_test
