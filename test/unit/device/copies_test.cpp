// What is copied to a device and back, what stays there, and what happens where that fails.

#include <cstring>
#include <map>

#include "lacuna/compile/engine/stored_as.h"
#include "unit/device/on_device.h"

namespace lacuna::device_copies_test {
namespace {

using on_device::emulated;
using on_device::OnDevice;
using on_device::sparse;
using testing::HasSubstr;

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
  void wait() override {
    ++waits;
    device_->wait();
  }

  std::int64_t written = 0, room = INT64_MAX;
  int waits = 0;
  std::map<void*, std::int64_t> live;

 private:
  std::shared_ptr<Device> device_;
};

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
  void wait() override {}

  std::int64_t room = 1 << 20;
  std::map<void*, std::int64_t> live;
  int launches = 0;
  bool fails_to_launch = false;

 private:
  class Program : public DeviceProgram {};
};

/// Copies there are part of what prepares, and copies back of what finishes. Only those who measure wait between them.
TEST_F(OnDevice, ReportsTellTheKernelFromCopies) {
  const auto counted = std::make_shared<Counted>(cuda());
  Options options;
  options.target.device = counted->language();
  options.target.on = counted;
  Prepared prepared = engine.prepare(request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}}), options);
  prepared.run();
  EXPECT_EQ(counted->waits, 0);
  Report report;
  prepared.run(&report);
  EXPECT_EQ(counted->waits, 3);
  EXPECT_GT(report.kernel_ms, 0);
  EXPECT_GT(report.prepare_ms, 0);
  EXPECT_GT(report.finish_ms, 0);
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
}  // namespace lacuna::device_copies_test
