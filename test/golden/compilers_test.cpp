// The C of each kernel is plain enough for every compiler: GCC, Clang and TinyCC compile it, and it computes the same.

#include "golden/compilers.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "golden/kernels.h"
#include "golden/results.h"

namespace lacuna::golden {
namespace {

struct CCompiler {
  std::string command;
  std::vector<std::string> flags;
  std::int64_t vector_bytes;  // of the registers that kernels may use; TinyCC has no vectors
  bool has_atomics = true;
};

const std::vector<CCompiler>& compilers() {
  static const std::vector<CCompiler> all = {
      {"gcc", {"-std=c11", "-O1", "-fPIC", "-shared", "-fwrapv"}, 1024},
      {"clang-14", {"-std=c11", "-O1", "-fPIC", "-shared", "-fwrapv"}, 1024},
      {"tcc", {"-std=c11", "-fPIC", "-shared"}, 0, false},
  };
  return all;
}

bool is_installed(const std::string& command) {
  return std::system(("command -v " + command + " > /dev/null 2>&1").c_str()) == 0;
}

class Compiled final : public testing::Test {
 public:
  Compiled(const Kernel& kernel, const CCompiler& compiler) : kernel_(kernel), compiler_(compiler) {}
  void TestBody() override {
    if (!is_installed(compiler_.command)) GTEST_SKIP() << compiler_.command << " is not installed";
    Options options;
    options.target.vector_bytes = compiler_.vector_bytes;
    if (!compiler_.has_atomics && adds_atomically(options))
      GTEST_SKIP() << compiler_.command << " has no atomic operations";
    Jit jit(JitOptions{compiler_.command, compiler_.flags, "", ""});
    EXPECT_EQ(wrong_result(kernel_, make_plan(check_request(kernel_.request, options), options, jit)), "");
  }

 private:
  bool adds_atomically(Options options) const {
    std::string loops;
    options.stop_before_code = true;
    options.on_stage = [&](const Stage& s) {
      if (s.name == "loops") loops = s.text;
    };
    Jit unused(JitOptions{});
    make_plan(check_request(kernel_.request, options), options, unused);
    return loops.find("atomic ") != std::string::npos;
  }

  const Kernel kernel_;
  const CCompiler compiler_;
};

}  // namespace

void register_compiler_tests() {
  std::vector<Kernel> all = kernels();
  for (const Kernel& k : scheduled_kernels()) all.push_back(k);
  for (const CCompiler& compiler : compilers())
    for (const Kernel& k : all)
      testing::RegisterTest("Compilers", (k.name + "_IsCompiledBy_" + compiler.command).c_str(), nullptr, nullptr,
                            __FILE__, __LINE__,
                            [k, compiler]() -> testing::Test* { return new Compiled(k, compiler); });
}

}  // namespace lacuna::golden
