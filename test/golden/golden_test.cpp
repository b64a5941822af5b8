// Every stage of the papers' kernels as a person would read it, compared with what NAME.txt pins, and its explanation
// (explain/NAME.txt); and the generated C
// beside what an expert writes (hand/NAME.c): both compute the same, and ours is hardly longer. `test_golden
// --overwrite` rewrites the texts.

#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

#include "golden/compilers.h"
#include "golden/kernels.h"
#include "golden/results.h"
#include "golden/structs.h"
#include "golden/tokens.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/explain/explanation.h"

namespace lacuna::golden {
namespace {

constexpr double most_tokens = 1.3;  // of the generated kernel for each of the hand-written one

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string golden_path(const Kernel& kernel) { return std::string(LACUNA_GOLDEN "/") + kernel.name + ".txt"; }
std::string hand_path(const Kernel& kernel) { return std::string(LACUNA_GOLDEN "/hand/") + kernel.name + ".c"; }

JitOptions without_cache() {
  JitOptions options{"cc", default_c_flags(), "", ""};
  options.flags.push_back("-I" LACUNA_SOURCES);
  return options;
}

Plan plan_of(const Kernel& kernel, const Options& options, Jit& jit) {
  return make_plan(check_request(kernel.request, options), options, jit);
}

class Golden : public testing::Test {
 protected:
  explicit Golden(Kernel kernel) : kernel_(std::move(kernel)) {}
  Kernel kernel_;
};

class Stages final : public Golden {
 public:
  Stages(const Kernel& kernel, bool overwrite) : Golden(kernel), overwrite_(overwrite) {}
  void TestBody() override {
    Options options;
    std::string text;
    options.on_stage = [&](const Stage& s) {
      text += "== " + s.name + " (src/lacuna/" + s.folder + ")\n" + s.text + "\n";
    };
    Jit jit(without_cache());
    const Plan plan = plan_of(kernel_, options, jit);
    if (overwrite_) std::ofstream(golden_path(kernel_)) << text;
    EXPECT_EQ(file_text(golden_path(kernel_)), text) << "if the new text is right, run test_golden --overwrite";
    EXPECT_EQ(wrong_result(kernel_, plan), "");
  }

 private:
  bool overwrite_;
};

class Explained final : public Golden {
 public:
  Explained(const Kernel& kernel, bool overwrite) : Golden(kernel), overwrite_(overwrite) {}
  void TestBody() override {
    const std::string path = LACUNA_GOLDEN "/explain/" + kernel_.name + ".txt";
    const CheckedRequest checked = check_request(kernel_.request, {});
    const std::string text = to_text(explain(schedule_as_asked(checked.problem, {}), checked.problem, true));
    if (overwrite_) std::ofstream(path) << text;
    EXPECT_EQ(file_text(path), text) << "if the new text is right, run test_golden --overwrite";
  }

 private:
  bool overwrite_;
};

class Hand final : public Golden {
 public:
  explicit Hand(const Kernel& kernel) : Golden(kernel) {}
  void TestBody() override {
    const std::string hand = file_text(hand_path(kernel_));
    Jit jit(without_cache());
    Plan plan = plan_of(kernel_, {}, jit);
    const auto ours = static_cast<double>(tokens(plan.source.kernel).size());
    const auto theirs = static_cast<double>(tokens(hand).size());
    std::cout << kernel_.name << ": " << ours << " tokens generated, " << theirs << " by hand\n";
    EXPECT_LE(ours, most_tokens * theirs);
    // The hand-written kernel takes the place of the generated one: same descriptors, same duties.
    plan.kernel = jit.load(hand + entry(), "entry");
    EXPECT_EQ(wrong_result(kernel_, plan), "");
  }

 private:
  std::string entry() const {
    std::string arguments = "ctx";
    for (std::size_t k = 0; k < kernel_.argument_names.size(); ++k) arguments += ", a[" + std::to_string(k) + "]";
    return "\nint32_t entry(lacuna_context *ctx, lacuna_tensor *const *a) { return kernel(" + arguments + "); }\n";
  }
};

void register_tests(bool overwrite) {
  for (const Kernel& k : kernels()) {
    testing::RegisterTest("Golden", (k.name + "_IsCompiledInTheseStages").c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [k, overwrite]() -> Golden* { return new Stages(k, overwrite); });
    testing::RegisterTest("Golden", (k.name + "_IsExplainedSo").c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [k, overwrite]() -> Golden* { return new Explained(k, overwrite); });
    testing::RegisterTest("Golden", (k.name + "_ReadsLikeWhatAnExpertWrites").c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [k]() -> Golden* { return new Hand(k); });
  }
  for (const Kernel& k : scheduled_kernels())
    testing::RegisterTest("Golden", (k.name + "_IsCompiledInTheseStages").c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [k, overwrite]() -> Golden* { return new Stages(k, overwrite); });
}

}  // namespace
}  // namespace lacuna::golden

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool overwrite = argc > 1 && std::string(argv[1]) == "--overwrite";
  lacuna::golden::register_tests(overwrite);
  lacuna::golden::register_struct_tests(overwrite);
  lacuna::golden::register_compiler_tests();
  return RUN_ALL_TESTS();
}
