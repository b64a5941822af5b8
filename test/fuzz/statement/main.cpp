#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/history/session.h"
#include "fuzz/machine/draw_machine.h"
#include "fuzz/machine/fuzzing_ranks.h"
#include "fuzz/statement/draw.h"
#include "fuzz/statement/draw_schedule.h"
#include "fuzz/statement/judge.h"
#include "fuzz/statement/ledger.h"
#include "fuzz/statement/reproduce.h"
#include "fuzz/statement/runner.h"
#include "fuzz/statement/shrink.h"
#include "lacuna/distribute/comm/world.h"

// The statement fuzzer: draws statements, formats and data, evaluates them, and compares with the definition. Under
// mpirun, all ranks draw the same statements, and run them together.
namespace lacuna::fuzz {
namespace {

constexpr int skipped = 77;  // the exit status that tells CTest so

struct Arguments {
  int interpret = 0;
  int compile = 0;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool schedules = false;
  bool mutate = false;
  bool machines = false;
  bool histories = false;
  bool together = false;
  bool numbers = false;
  bool threads = false;
  bool device = false;
  std::string on = "opencl";
  std::size_t deep = 0;
  bool shrink = false;
  bool ledger = false;
  int failures = 1;
  std::int64_t least = 0;
  std::string folder = "lacuna-fuzz-failure";
};

JitOptions quick_compiler() {
  JitOptions options = jit_options(read_environment());
  options.cache_folder.clear();
  options.keep_folder.clear();
  for (std::string& flag : options.flags)
    if (flag == "-O3") flag = "-O1";
  return options;
}

std::shared_ptr<Device> device(const Arguments& arguments) {
  if (arguments.on == "opencl") return open_opencl();
  if (arguments.on == "cuda") return open_cuda();
  return open_cuda(0, {{arguments.on}, {arguments.on}});
}

class Session {
 public:
  Session(const Arguments& arguments, Communicator& ranks)
      : arguments_(arguments), ranks_(ranks), start_(Clock::now()) {}

  int run() {
    fuzz(Target::Backend::Interpreter, arguments_.interpret);
    fuzz(Target::Backend::C, arguments_.compile);
    if (ranks_.rank() == 0) print_summary();
    if (counts_[Verdict::Agrees] < arguments_.least) {
      if (ranks_.rank() == 0) fmt::print("fewer than {} agree\n", arguments_.least);
      return EXIT_FAILURE;
    }
    return bad_ > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Problem number n is drawn from seed + n alone, so that each can be repeated by itself.
  void fuzz(Target::Backend backend, int count) {
    Runner runner(backend, quick_compiler(), &ranks_);
    if (arguments_.device && count > 0) runner.use_device(backend == Target::Backend::C ? device(arguments_) : nullptr);
    for (int n = 0; n < count && bad_ < arguments_.failures; ++n) {
      if (is_time_over()) break;
      const std::uint64_t seed = arguments_.seed + static_cast<std::uint64_t>(n);
      Random random(seed);
      const Problem problem = draw(random, arguments_.device && backend == Target::Backend::C);
      ranks_.begin(repeat(backend, seed), [&] {
        return fmt::format("{}\n{}reproduce: {}", repeat(backend, seed), describe(problem),
                           reproducer(problem, backend, seed));
      });
      const bool agrees = note(problem, run(problem, runner), runner, backend, seed);
      if (agrees && n % 8 == 0 && !arguments_.together && !arguments_.machines)
        run_again(problem, random, runner, backend, seed);
    }
    if (arguments_.machines && count > 0 && ranks_.rank() == 0) fmt::print("{}\n", runner.machine_counts().to_string());
  }

  /// For all ranks at once.
  bool is_time_over() {
    if (arguments_.seconds <= 0) return false;
    return ranks_.gather_all(elapsed() > arguments_.seconds ? "over" : "").front() == "over";
  }

  static std::string repeat(Target::Backend backend, std::uint64_t seed) {
    const bool interpret = backend == Target::Backend::Interpreter;
    return fmt::format("seed {} ({} 1 --seed {})", seed, interpret ? "--interpret" : "--compile", seed);
  }
  /// Writes the files of a reproducer, and returns the line that runs it.
  std::string reproducer(const Problem& problem, Target::Backend backend, std::uint64_t seed) const {
    const std::string line =
        command_line(problem, fmt::format("{}-{}", arguments_.folder, seed), backend == Target::Backend::Interpreter);
    return ranks_.ranks() == 1 ? line : fmt::format("mpirun -n {} {}", ranks_.ranks(), line);
  }

  /// `has_other_library` as of Problem.
  Problem draw(Random& random, bool has_other_library) {
    for (;; ++rejections_.judge) {
      Problem problem = draw(random);
      problem.has_other_library = has_other_library;
      if (!has_other_library || tolerance_of(problem)) return problem;
    }
  }

  Problem draw(Random& random) {
    if (arguments_.machines) {
      Problem problem = draw_problem_on_machine(random, rejections_);
      if (arguments_.mutate) problem.schedule = mutate_schedule(random, problem);
      if (arguments_.device) problem.schedule = for_device(random, problem.schedule);
      return problem;
    }
    if (!arguments_.schedules && !arguments_.mutate && !arguments_.threads) return draw_problem(random, rejections_);
    Problem problem = draw_scheduled_problem(random, rejections_, {arguments_.deep, arguments_.threads});
    if (arguments_.mutate) problem.schedule = mutate_schedule(random, problem);
    else ++depths_[problem.schedule.size()];
    if (arguments_.device) problem.schedule = for_device(random, problem.schedule);
    return problem;
  }

  /// The schedule with units of devices in place of those of processors.
  static std::vector<std::string> for_device(Random& random, const std::vector<std::string>& schedule) {
    std::vector<std::string> changed;
    for (std::string each : schedule) {
      const auto replace = [&](const std::string& word, const std::string& by) {
        if (const std::size_t at = each.find(word); at != std::string::npos) each.replace(at, word.size(), by);
      };
      const std::vector<std::string> units = {"GPUThread", "GPUWarp", "GPUBlock"};
      replace("CPUThread", units[random.weighted({4, 3, 3})]);
      replace("CPUVector", "GPUThread");
      if (random.percent(80)) replace("Temporary", "Atomics");
      if (each.find("vectorize") == std::string::npos) changed.push_back(std::move(each));
    }
    return changed;
  }

  Outcome run(const Problem& problem, Runner& runner) {
    if (arguments_.together) return runner.run_together(problem);
    if (arguments_.numbers) return runner.run_passing_numbers(problem);
    return runner.run(problem, [&](const Plan& plan) { ledger_.note(problem, plan); });
  }

  bool note(const Problem& problem, const Outcome& outcome, Runner& runner, Target::Backend backend,
            std::uint64_t seed) {
    ++counts_[outcome.verdict];
    if (outcome.verdict == Verdict::Refused) ++refusals_[outcome.message];
    if (outcome.bad()) {
      ++bad_;
      report(problem, outcome, runner, backend, seed);
    }
    return outcome.verdict == Verdict::Agrees;
  }

  /// A kernel of the cache must serve other data and sizes, too.
  void run_again(const Problem& problem, Random& random, Runner& runner, Target::Backend backend, std::uint64_t seed) {
    const std::optional<Problem> other = redraw(random, problem);
    if (!other) return;
    const Outcome first = runner.run_cached(problem);
    if (!first.bad()) note(*other, runner.run_cached(*other), runner, backend, seed);
    else note(problem, first, runner, backend, seed);
  }

  /// Ranks make it smaller together, since all of them have to run what they try; one tells.
  void report(const Problem& problem, const Outcome& outcome, Runner& runner, Target::Backend backend,
              std::uint64_t seed) {
    const bool tells = ranks_.rank() == 0;
    if (tells) fmt::print("FAILED at {}: {}\n{}", repeat(backend, seed), outcome.message, describe(problem));
    std::cout.flush();
    Problem smaller = problem;
    if (arguments_.shrink) {
      const auto fails = [&](const Problem& p) {
        ranks_.begin(repeat(backend, seed) + ", made smaller", [&] {
          return fmt::format("{}, made smaller\n{}reproduce: {}", repeat(backend, seed), describe(p),
                             reproducer(p, backend, seed));
        });
        return run(p, runner).verdict == outcome.verdict;
      };
      smaller = shrink(problem, fails, backend == Target::Backend::Interpreter ? 20'000 : 500);
      const std::string message = run(smaller, runner).message;
      if (tells) fmt::print("shrunk: {}\n{}", message, describe(smaller));
    }
    if (tells) fmt::print("reproduce: {}\n", reproducer(smaller, backend, seed));
    std::cout.flush();
  }

  void print_summary() {
    const double seconds = elapsed();
    std::int64_t total = 0;
    for (const auto& [verdict, count] : counts_) total += count;
    fmt::print("seed {}: {} statements in {:.1f} s ({:.0f}/s): {} agree, {} refused, {} differ, {} fail\n",
               arguments_.seed, total, seconds, static_cast<double>(total) / seconds, counts_[Verdict::Agrees],
               counts_[Verdict::Refused], counts_[Verdict::Differs], counts_[Verdict::Fails]);
    fmt::print(
        "drawn again: {} without a meaning, {} with types that a function refuses, {} that rounding decides; {} "
        "formats replaced\n",
        rejections_.meaning, rejections_.types, rejections_.judge, rejections_.data);
    for (const auto& [depth, count] : depths_) fmt::print("{} schedules of {} directives\n", count, depth);
    // Of mutants, most are refused, each for a reason of its own; on machines, with names of their own.
    if (!(arguments_.mutate || arguments_.machines) || arguments_.ledger)
      for (const auto& [message, count] : refusals_) fmt::print("refused {} times: {}\n", count, message);
    if (arguments_.ledger) fmt::print("{}", ledger_.to_string());
  }

  const Arguments& arguments_;
  FuzzingRanks ranks_;
  Clock::time_point start_;
  Rejections rejections_;
  Ledger ledger_;
  std::map<Verdict, std::int64_t> counts_;
  std::map<std::string, std::int64_t> refusals_;
  std::map<std::size_t, std::int64_t> depths_;
  int bad_ = 0;
};

}  // namespace
}  // namespace lacuna::fuzz

int main(int argc, char** argv) {
  lacuna::fuzz::Arguments arguments;
  CLI::App app(
      "Draws statements of index notation, formats and data; evaluates them and compares with the definition.");
  app.add_option("--interpret", arguments.interpret, "how many to run in the checking interpreter");
  app.add_option("--compile", arguments.compile, "how many to compile and run");
  app.add_option("--seed", arguments.seed, "of the first problem; the next one has the next seed")
      ->capture_default_str();
  app.add_option("--time", arguments.seconds, "stop after so many seconds");
  app.add_option("--failures", arguments.failures, "stop after so many failures")->capture_default_str();
  app.add_option("--folder", arguments.folder, "where the files of a reproducer go; the seed is appended")
      ->capture_default_str();
  app.add_flag("--schedules", arguments.schedules, "draw a legal schedule for each statement, too");
  app.add_flag("--threads", arguments.threads, "draw a schedule with a loop on threads for each, and run it on three");
  app.add_flag("--device", arguments.device,
               "run them on a device: the interpreter emulates one, compiled ones run on one that there is");
  app.add_option("--on", arguments.on,
                 "the device of compiled ones: opencl, cuda, or a library that stands in for those of CUDA")
      ->capture_default_str();
  app.add_flag("--mutate", arguments.mutate, "draw schedules and change them: each is right or refused");
  app.add_flag(
      "--machines", arguments.machines,
      "draw a machine, where tensors lie on it, and a schedule that distributes loops; compare what moves with "
      "the simulator");
  app.add_option("--least", arguments.least, "fail where fewer agree: a test of refusals only tests little");
  app.add_flag("--histories", arguments.histories,
               "draw what happens to an operand as well: updates, snapshots, evaluations in between");
  app.add_flag("--together", arguments.together,
               "compute the statement, the same under another name, and each of its terms in one kernel");
  app.add_flag("--numbers", arguments.numbers, "hand the statement's numbers to the kernel");
  app.add_option("--deep", arguments.deep, "draw schedules again that have fewer directives (0: none will do)")
      ->check(CLI::Range(0, 4))
      ->capture_default_str();
  app.add_flag("--shrink", arguments.shrink, "make what fails as small as possible");
  app.add_flag("--ledger", arguments.ledger, "print what was exercised");
  CLI11_PARSE(app, argc, argv);
  const std::unique_ptr<lacuna::Communicator> ranks = lacuna::world();
  if (ranks->ranks() > 1 && !arguments.machines) {
    if (ranks->rank() == 0) fmt::print(stderr, "lacuna_fuzz: several ranks play the processors of --machines alone\n");
    return EXIT_FAILURE;
  }
  if (arguments.device && arguments.compile > 0) {
    try {
      lacuna::fuzz::device(arguments);
    } catch (const lacuna::RuntimeFailure& failure) {
      fmt::print("skipped: {}\n", failure.what());
      return lacuna::fuzz::skipped;
    }
  }
  if (!arguments.histories) return lacuna::fuzz::Session(arguments, *ranks).run();
  const lacuna::fuzz::HistorySession session{
      arguments.interpret, arguments.compile,  arguments.seed,   arguments.seconds,
      arguments.shrink,    arguments.failures, arguments.folder, lacuna::fuzz::quick_compiler()};
  return lacuna::fuzz::run_histories(session) ? EXIT_SUCCESS : EXIT_FAILURE;
}
