#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "lacuna/device/cuda_functions.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "unit/compile/interpreted.h"
#include "unit/device/some_device.h"

/// What the tests of statements on devices share.
namespace lacuna::on_device {

using testing::HasSubstr;

inline Storage sparse(std::vector<std::int64_t> dimensions, std::int64_t nonzeros, const std::string& format,
                      Type type = Type::Float64) {
  const int order = static_cast<int>(dimensions.size());
  return build(generate_uniform(dimensions, nonzeros, 7, type), parse_format(format, order));
}

inline Options emulated(DeviceLanguage language = DeviceLanguage::Cuda) {
  Options options = interpreted();
  options.target.device = language;
  return options;
}

/// Statements on a device: one that the interpreter emulates, one of CUDA or what stands in for it, and the first of
/// OpenCL.
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
    for (const DeviceLanguage language : {DeviceLanguage::Cuda, DeviceLanguage::OpenCl})
      EXPECT_EQ(wrong(request, engine.run(request, emulated(language)), tolerance).value_or(""), "") << text;
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

}  // namespace lacuna::on_device
