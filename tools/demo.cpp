#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/generate.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/reporting.h"
#include "tools/session.h"
#include "tools/sources.h"
#include "tools/summary.h"
#include "tools/textbook.h"
#include "tools/values.h"
#include "tools/verify.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

constexpr std::int64_t rank = 32;              // columns of the dense factors
constexpr std::int64_t check_limit = 200'000;  // products that the reference evaluator gets through in about a second
constexpr int runs = 11;

struct DemoArguments {
  Reporting reporting;
  std::string file;
  std::int64_t size = 100'000;
  int threads = 0;
};

struct Case {
  std::string title;
  int order;  // of the sparse operand
  std::string statement;
  Format result_format;
  std::string sparse;              // the name of the sparse operand
  std::vector<std::string> dense;  // names of the dense ones, in the order the textbook loop takes them
  Textbook (*textbook)(Jit&, const std::map<std::string, Storage>&, int);
};

const std::vector<Case>& cases() {
  using Operands = std::map<std::string, Storage>;
  static const std::vector<Case> all = {
      {"SpMV, a matrix times a vector",
       2,
       "y(i) = A(i,j) * x(j)",
       dense_format(1),
       "A",
       {"x"},
       [](Jit& jit, const Operands& o, int threads) { return Textbook::spmv(jit, o.at("A"), o.at("x"), threads); }},
      {"SDDMM, a product sampled where B has entries",
       2,
       "A(i,j) = B(i,j) * C(i,k) * D(j,k)",
       csr_format(),
       "B",
       {"C", "D"},
       [](Jit& jit, const Operands& o, int threads) {
         return Textbook::sddmm(jit, o.at("B"), o.at("C"), o.at("D"), threads);
       }},
      {"MTTKRP, the heart of tensor decompositions",
       3,
       "A(i,l) = B(i,k,j) * C(k,l) * D(j,l)",
       dense_format(2),
       "B",
       {"C", "D"},
       [](Jit& jit, const Operands& o, int threads) {
         return Textbook::mttkrp(jit, o.at("B"), o.at("C"), o.at("D"), threads);
       }},
  };
  return all;
}

/// The operands of a case around its sparse one: the dense ones get their sizes from it, and `rank` for the rest.
Request request_for(const Case& each, const Storage& sparse) {
  Request request{parse_statement(each.statement), {{each.sparse, sparse}}, each.result_format, Type::Float64, {}, {}};
  std::map<std::string, std::int64_t> sizes;
  std::uint64_t seed = 7;
  for (const Access& access : accesses(request.statement.rhs)) {
    if (access.tensor.name() == each.sparse) {
      for (std::size_t m = 0; m < access.indices.size(); ++m) sizes[access.indices[m].name()] = sparse.dimensions[m];
      continue;
    }
    std::vector<std::int64_t> dimensions;
    for (const IndexVar& var : access.indices) {
      dimensions.push_back(sizes.emplace(var.name(), rank).first->second);
    }
    request.operands.emplace(access.tensor.name(), generate_dense(dimensions, seed++));
  }
  return request;
}

/// Power-law data of the order that a case wants: a graph, or a tensor whose modes all follow a power law.
Storage power_law(int order, std::int64_t size, int threads) {
  GeneratorSpec spec;
  spec.kind = order == 2 ? GeneratorSpec::Kind::Rmat : GeneratorSpec::Kind::Skewed;
  spec.size = std::vector<std::int64_t>(static_cast<std::size_t>(order), size);
  spec.nonzeros = std::min(16 * size, size * size / 4);
  return generate(spec, std::nullopt, Type::Float64, 42, threads);
}

std::int64_t products_of(const Request& request, const Case& each) {
  const std::int64_t stored = request.operands.at(each.sparse).stored();
  return each.dense.size() == 1 ? stored : stored * rank;
}

/// The median, and the range in brackets.
std::string times_text(const std::vector<double>& milliseconds) {
  const auto [least, most] = std::minmax_element(milliseconds.begin(), milliseconds.end());
  return fmt::format("{} ({} to {})", time_text(median(milliseconds)), time_text(*least), time_text(*most));
}

nlohmann::ordered_json range_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"median", median(values)}, {"min", *least}, {"max", *most}};
}

class Demo {
 public:
  Demo(const DemoArguments& arguments)
      : reporting_(arguments.reporting),
        size_(arguments.size),
        threads_(thread_count(arguments.threads)),
        engine_(make_engine()),
        jit_(textbook_options()) {
    options_.target.threads = threads_;
    if (arguments.file.empty()) return;
    ReadOptions reading;
    reading.type = Type::Float64;
    reading.threads = threads_;
    const FileContents contents = read_with_progress(arguments.file, reading, arguments.reporting.quiet);
    const auto order = contents.entries.dimensions.size();
    if (order != 2 && order != 3) {
      user_error("the demo takes a matrix or a tensor of order 3, and {} has order {}", arguments.file, order);
    }
    file_ = build_contents(contents, order == 2 ? csr_format() : csf_format(3), threads_);
    say("{}\n", describe(arguments.file, *file_));
  }

  int show() {
    say("Lacuna on {} thread{}. Times are medians of {} alternating runs, with their range.\n", threads_,
        threads_ == 1 ? "" : "s", runs);
    bool first = true;
    for (const Case& each : cases()) {
      show_case(each, first);
      first = false;
    }
    print_warnings(engine_);
    write_json(reporting_, {{"threads", threads_}, {"runs", runs}, {"kernels", kernels_}});
    return Success;
  }

 private:
  template <typename... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) const {
    if (reporting_.in_words()) fmt::print("{}", fmt::format(text, std::forward<Args>(args)...));
  }

  Storage sparse_of(const Case& each) const {
    if (file_ && file_->order() == each.order) return *file_;
    // Tensors of order 3 are a tenth as wide, or their entries would hardly ever share a fibre.
    return power_law(each.order, each.order == 2 ? size_ : std::max<std::int64_t>(10, size_ / 10), threads_);
  }

  void show_case(const Case& each, bool with_code) {
    say("\n{}\n  {}\n", each.title, each.statement);
    const Request request = request_for(each, sparse_of(each));
    for (const auto& [name, tensor] : request.operands) say("  {}\n", describe(name, tensor));

    Prepared prepared = engine_.prepare(request, options_);
    if (with_code) print_code(request);
    const Storage result = prepared.run();
    say("  {}\n", describe(request.statement.lhs.tensor.name(), result));
    check(each, request, result);
    compare(each, request, prepared, result);
  }

  void print_code(const Request& request) {
    std::string code;
    Options options = options_;
    options.on_stage = [&](const Stage& stage) {
      if (stage.name == "c") code = stage.text;
    };
    engine_.prepare(request, options);
    say("\nThe C that Lacuna wrote for it:\n\n{}\n", code);
  }

  void check(const Case& each, const Request& request, const Storage& result) {
    if (products_of(request, each) <= check_limit) {
      verify_result(request, result);
      say("  checked against the reference evaluator\n");
      return;
    }
    const std::int64_t small = each.dense.size() == 1 ? 2000 : 200;
    const Request smaller = request_for(each, power_law(each.order, small, threads_));
    verify_result(smaller, engine_.run(smaller, options_));
    say("  checked against the reference evaluator, which is slow, on a smaller instance of {} entries\n",
        smaller.operands.at(each.sparse).stored());
  }

  void compare(const Case& each, const Request& request, Prepared& prepared, const Storage& result) {
    const Textbook textbook = each.textbook(jit_, request.operands, threads_);
    textbook.run();
    if (const auto found = difference(result, textbook.result(), tolerance_for(result))) {
      throw InternalError(fmt::format("internal error: the kernel and the textbook loop disagree: {}", *found));
    }
    say("  this result agrees with that of the textbook loop\n");
    std::vector<double> ours, theirs, ratios;
    Report report;
    for (int k = 0; k < runs; ++k) {
      prepared.run(&report);
      ours.push_back(report.kernel_ms);
      theirs.push_back(textbook.run());
      ratios.push_back(theirs.back() / ours.back());
    }
    nlohmann::ordered_json operands;
    for (const auto& [name, tensor] : request.operands) operands[name] = json_of(tensor);
    kernels_.push_back({{"title", each.title},
                        {"statement", each.statement},
                        {"operands", operands},
                        {"compile_seconds", seconds_of(prepared.compile_report().compile_ms)},
                        {"kernel_seconds", json_of_times(ours)},
                        {"textbook_seconds", json_of_times(theirs)},
                        {"speed_to_textbook", range_of(ratios)}});
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    say("  compiled in {}\n", time_text(prepared.compile_report().compile_ms));
    say("  kernel         {}\n", times_text(ours));
    say("  textbook loop  {}, compiled with the same flags, on as many threads\n", times_text(theirs));
    say("  {:.2f} times the speed of the textbook loop ({:.2f} to {:.2f})\n", median(ratios), *least, *most);
  }

  const Reporting& reporting_;
  nlohmann::ordered_json kernels_ = nlohmann::ordered_json::array();
  std::int64_t size_;
  int threads_;
  Engine engine_;
  Jit jit_;
  Options options_;
  std::optional<Storage> file_;
};

}  // namespace

void add_demo(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* command = root.add_subcommand("demo", "Run three kernels, check them, time them beside textbook loops");
  command->footer(R"(
Examples:
  lacuna demo                 on generated power-law data
  lacuna demo A.mtx           SpMV and SDDMM on your matrix
  lacuna demo B.tns           MTTKRP on your tensor
  lacuna demo --size 2000     a small one)");
  command->add_option("FILE", arguments->file, "a matrix or a tensor of order 3 to use instead of generated data");
  command->add_option("--size", arguments->size, "rows of the generated matrix, 16 entries each")
      ->type_name("N")
      ->transform(whole_number(10, 100'000'000))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "threads (default: OMP_NUM_THREADS, else all)")
      ->type_name("N")
      ->transform(whole_number(1, 1024));
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return Demo(*arguments).show(); }; });
}

}  // namespace lacuna::tool
