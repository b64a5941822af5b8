#include "bench/kernels/lacuna.h"

#include <utility>

#include "bench/contest/compiled.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/environment.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::contest {
namespace {

struct ConversionRace {
  Storage source;
  Format format;
  int threads;
  Storage last;

  void run() { last = convert(source, format, threads); }
  Storage result() const { return last; }
  void clear() { last = Storage(); }
};

bool is_conversion(Operation operation) {
  switch (operation) {
    case Operation::SortedToRows:
    case Operation::ShuffledToRows:
    case Operation::RowsToColumns:
    case Operation::RowsToSparseRows:
    case Operation::SortedToTree: return true;
    default: return false;
  }
}

}  // namespace

LacunaContestants::LacunaContestants() : engine_(jit_options(read_environment())) {}

Contestant LacunaContestants::automatic(const Problem& problem, int threads) {
  if (!is_conversion(problem.operation)) return compiled("Lacuna", engine_, problem.request, threads);
  const Request& request = problem.request;
  return contestant_of("Lacuna", std::make_shared<ConversionRace>(ConversionRace{
                                     request.operands.begin()->second, *request.result_format, threads, {}}));
}

Contestant LacunaContestants::scheduled(const Problem& problem, const std::string& schedule, int threads) {
  Request request = problem.request;
  request.schedule = parse_schedule(schedule);
  return compiled("Lacuna scheduled", engine_, request, threads);
}

}  // namespace lacuna::contest
