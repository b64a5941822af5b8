#include "lacuna/loop/interpret/machine.h"

#include <set>

#include <fmt/core.h>

#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::interpreter {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Machine::Machine(const Program& program, const InterpretOptions& options, LaunchTarget* on)
    : device(on), program_(program), options_(options), trips_(program.trip_names.size(), 0) {}

Frame& Machine::push_frame(const FunctionCode& called) {
  if (static_cast<std::int64_t>(depth_) >= options_.max_depth) {
    fail_with("the calls of {} go deeper than {}", called.name, options_.max_depth);
  }
  if (depth_ == frames_.size()) frames_.push_back(std::make_unique<Frame>());
  Frame& frame = *frames_[depth_++];
  frame.slots.assign(called.slots.size(), Slot{});
  frame.arrays.assign(called.array_slots.size(), nullptr);
  frame.locals.clear();
  for (std::size_t k = 0; k < called.locals.size(); k++) {
    frame.locals.push_back(std::make_unique<Memory>(called.locals[k], called.local_bytes[k], device));
    frame.arrays[static_cast<std::size_t>(called.array_parameters) + k] = frame.locals.back().get();
  }
  return frame;
}

void Machine::use_frame(Frame& frame, const FunctionCode& running) {
  slots = frame.slots.data();
  arrays = frame.arrays.data();
  function = &running;
}

void Machine::pop_frame() {
  Frame& frame = innermost_frame();
  for (const auto& local : frame.locals) {
    if (local->is_owned()) fail_with("{} is never released ({} elements)", local->name(), local->count());
  }
  frame.locals.clear();
  depth_--;
}

void Machine::set_tally(Tally tally) {
  operations = tally.operations;
  bytes_loaded = tally.bytes_loaded;
  bytes_stored = tally.bytes_stored;
  trips_ = std::move(tally.trips);
}

void Machine::fail(const std::string& what) const {
  std::string message = fmt::format("{}: {}", program_.module.name, what);
  if (current) {
    message += "\n  in: " + first_line(to_string(std::make_shared<const StmtNode>(*current)));
    const std::string values = values_of_variables();
    if (!values.empty()) message += "\n  with: " + values;
  }
  throw CheckFailure(message);
}

void Machine::fail_runaway() const { fail_with("more than {} loop iterations and calls", options_.max_steps); }

std::string Machine::values_of_variables() const {
  std::string text;
  std::set<Var> seen;
  const auto show = [&](const Var& var) {
    if (!seen.insert(var).second) return;
    const auto slot = function->slots.find(var);
    if (slot == function->slots.end()) return;
    const Slot& held = slots[slot->second];
    const std::string value = held.assigned ? to_scalar(held.value, var.type().scalar).to_string() : "unassigned";
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", var.name(), value);
  };
  for (const Expr& each : expressions(std::make_shared<const StmtNode>(*current))) {
    for_each(each, [&](const Expr& e) {
      if (const auto* use = std::get_if<VarUse>(&e.node().kind)) show(use->var);
    });
  }
  return text;
}

Counters Machine::counters() const {
  Counters counters;
  counters.operations = operations;
  counters.bytes_loaded = bytes_loaded;
  counters.bytes_stored = bytes_stored;
  for (std::size_t k = 0; k < trips_.size(); k++) counters.trips[program_.trip_names[k]] += trips_[k];
  return counters;
}

}  // namespace lacuna::loop::interpreter
