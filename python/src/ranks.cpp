#include "ranks.h"

#include <utility>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "lacuna/api/engine_of.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/comm/world.h"
#include "lacuna/support/check.h"
#include "operand.h"
#include "tensor.h"

namespace lacuna::python {

Ranks::Ranks(std::optional<std::uint64_t> handle) : ranks_(handle ? ranks_of(*handle, Failures::Throw) : alone()) {}

Communicator& Ranks::communicator() const {
  if (ranks_ == nullptr) user_error("these ranks were closed; make others: lacuna.Ranks(comm)");
  return *ranks_;
}

StatementOnRanks::StatementOnRanks(std::shared_ptr<Ranks> ranks, const std::string& text, StatementOptions options,
                                   const std::string& machine, const std::map<std::string, std::string>& placed)
    : ranks_(std::move(ranks)),
      statement_(text, std::move(options)),
      machine_(machine.empty() ? Machine{Grid(ranks_->communicator().ranks())} : parse_machine(machine)) {
  if (!statement_.has_loops())
    user_error("'{}' has no loops that ranks could share; lacuna.evaluate computes it", text);
  for (const auto& [name, where] : placed)
    placed_.emplace(name, parse_distribution(name + ": " + where, machine_).distribution);
}

DistributedRequest StatementOnRanks::request(const std::map<std::string, Storage>& operands) const {
  statement_.check_operands(operands);
  return {statement_.request(operands, Numbers::Passed), machine_, placed_};
}

Storage StatementOnRanks::run(const std::map<std::string, Storage>& operands) {
  Communicator& ranks = ranks_->communicator();
  const Options options = statement_.options();
  const DistributedTensor result = prepared_.run(default_engine(), request(operands), ranks, options);
  Storage whole;
  or_abort(ranks, [&] {
    whole =
        stored_as(default_engine(), gathered(result, ranks, Recipients::All), result.format(), on_processors(options));
  });
  return whole;
}

std::string StatementOnRanks::plan(const std::map<std::string, Storage>& operands) const {
  return describe_plan(request(operands), ranks_->communicator());
}

void define_ranks(nb::module_& m) {
  nb::class_<Ranks> r(m, "Ranks");
  r.def(nb::init<std::optional<std::uint64_t>>(), nb::arg("handle") = nb::none());
  r.def_prop_ro("rank", [](const Ranks& ranks) { return ranks.communicator().rank(); });
  r.def_prop_ro("size", [](const Ranks& ranks) { return ranks.communicator().ranks(); });
  r.def("close", &Ranks::close, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<StatementOnRanks> s(m, "StatementOnRanks");
  s.def(
      "__init__",
      [](StatementOnRanks* place, std::shared_ptr<Ranks> ranks, const std::string& text,
         std::optional<std::string> format, std::optional<std::string> type, std::map<std::string, std::int64_t> sizes,
         std::string schedule, int threads, bool deterministic, const std::string& machine,
         const std::map<std::string, std::string>& placed) {
        new (place) StatementOnRanks(
            std::move(ranks), text,
            {std::move(format), std::move(type), std::move(sizes), std::move(schedule), threads, deterministic},
            machine, placed);
      },
      nb::arg("ranks"), nb::arg("text"), nb::arg("format"), nb::arg("type"), nb::arg("sizes"), nb::arg("schedule"),
      nb::arg("threads"), nb::arg("deterministic"), nb::arg("machine"), nb::arg("placed"));
  s.def("run", [](StatementOnRanks& statement, const nb::dict& tensors) {
    return Tensor(on_operands(tensors, [&](const auto& operands) { return statement.run(operands); }));
  });
  s.def("plan", [](const StatementOnRanks& statement, const nb::dict& tensors) {
    return on_operands(tensors, [&](const auto& operands) { return statement.plan(operands); });
  });
}

}  // namespace lacuna::python
