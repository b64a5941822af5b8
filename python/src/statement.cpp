#include "statement.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include <fmt/ranges.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "lacuna/api/engine_of.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/check.h"
#include "operand.h"
#include "tensor.h"

namespace lacuna::python {

namespace {

int magnitude_of(const Storage& s) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(s.places()))); }

}  // namespace

OperandShape::OperandShape(const Storage& s)
    : format(s.format), type(s.type), dimensions(s.dimensions), piece(is_piece(s)), magnitude(magnitude_of(s)) {
  for (const LevelStorage& level : s.levels) levels.push_back({level.pos.type(), level.crd.type(), level.nonempty});
}

bool OperandShape::fits(const Storage& s) const {
  const auto alike = [](const Level& a, const LevelStorage& b) {
    return a.pos == b.pos.type() && a.crd == b.crd.type() && a.nonempty == b.nonempty;
  };
  return type == s.type && piece == is_piece(s) && magnitude == magnitude_of(s) && dimensions == s.dimensions &&
         format == s.format && std::equal(levels.begin(), levels.end(), s.levels.begin(), s.levels.end(), alike);
}

namespace {

std::vector<std::string> operand_names_of(const lacuna::Statement& s) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Access& a : accesses(s.rhs)) add(a.tensor.name());
  if (s.accumulate) add(s.lhs.tensor.name());
  return names;
}

}  // namespace

Statement::Statement(const std::string& text, StatementOptions options)
    : statement_(parse_statement(text)), names_(operand_names_of(statement_)), options_(std::move(options)) {
  check_meaning(statement_);
  schedule_ = parse_schedule(options_.schedule);
  if (options_.format) format_ = parse_format(*options_.format, statement_.lhs.tensor.order());
  if (options_.type) type_ = type_named(*options_.type);
}

bool Statement::has_loops() const { return !all_variables(statement_).empty(); }

Options Statement::options() const {
  EvaluateOptions how;
  how.threads = options_.threads;
  how.deterministic = options_.deterministic;
  return compile_options(how);
}

Request Statement::request(const std::map<std::string, Storage>& operands, Numbers numbers) const {
  Request request;
  request.statement = statement_;
  request.operands = operands;
  request.result_format = format_;
  request.result_type = type_;
  request.sizes = options_.sizes;
  request.schedule = schedule_;
  if (numbers == Numbers::Passed) pass_numbers(request);
  return request;
}

void Statement::check_operands(const std::map<std::string, Storage>& operands) const {
  for (const std::string& name : names_)
    if (!operands.contains(name)) user_error("{} reads {}, which was not given", text(), name);
  for (const auto& [name, operand] : operands)
    if (std::find(names_.begin(), names_.end(), name) == names_.end())
      user_error("{} was given, but {} does not read it; it reads {}", name, text(), fmt::join(names_, ", "));
}

Statement::Kernel Statement::prepare(const std::map<std::string, Storage>& operands) const {
  check_operands(operands);
  PreparedRequest made =
      prepare_passing_numbers(default_engine(), options(), [&](Numbers numbers) { return request(operands, numbers); });
  Kernel kernel;
  for (const std::string& name : names_) kernel.shapes.emplace_back(operands.at(name));
  for (const auto& [name, storage] : made.request.operands)
    if (!operands.contains(name)) kernel.numbers.emplace(name, storage);
  kernel.prepared = std::move(made.prepared);
  kernel.prepared.forget_operands();
  return kernel;
}

Statement::Kernel Statement::take(const std::map<std::string, Storage>& operands) {
  const auto fits = [&](const Kernel& kernel) {
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto found = operands.find(names_[k]);
      if (found == operands.end() || !kernel.shapes[k].fits(found->second)) return false;
    }
    return operands.size() == names_.size();
  };
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(kernels_.rbegin(), kernels_.rend(), fits);
    if (found != kernels_.rend()) {
      Kernel kernel = std::move(*found);
      kernels_.erase(std::next(found).base());
      return kernel;
    }
  }
  return prepare(operands);
}

void Statement::give_back(Kernel kernel) {
  constexpr std::size_t most = 16;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (kernels_.size() == most) kernels_.erase(kernels_.begin());
  kernels_.push_back(std::move(kernel));
}

Storage Statement::run(std::map<std::string, Storage> operands, Report* report) {
  Kernel kernel = take(operands);
  operands.insert(kernel.numbers.begin(), kernel.numbers.end());
  Storage result;
  kernel.prepared.run_into(operands, result, report);
  give_back(std::move(kernel));
  return result;
}

std::string Statement::c_code(const std::map<std::string, Storage>& operands) {
  Kernel kernel = take(operands);
  std::string code = kernel.prepared.c_code();
  give_back(std::move(kernel));
  return code;
}

std::string Statement::stages(const std::map<std::string, Storage>& operands) {
  check_operands(operands);
  return describe_stages(default_engine(), options(), [&](Numbers numbers) { return request(operands, numbers); });
}

Explanation Statement::explain(const std::map<std::string, Storage>& operands) const {
  check_operands(operands);
  // Numbers as written, since that is what people read.
  const Prepared prepared = default_engine().prepare(request(operands, Numbers::Compiled), options());
  std::map<std::string, double> stored;
  for (const auto& [name, operand] : operands) stored.emplace(name, static_cast<double>(operand.stored()));
  return lacuna::explain(prepared.plan().scheduled, prepared.checked().problem, schedule_.empty(), stored);
}

namespace {

nb::dict times_of(const Report& report) {
  nb::dict times;
  times["compile_ms"] = report.compile_ms;
  times["prepare_ms"] = report.prepare_ms;
  times["kernel_ms"] = report.kernel_ms;
  times["finish_ms"] = report.finish_ms;
  nb::list notes;
  for (const std::string& note : report.notes) notes.append(note);
  times["notes"] = notes;
  return times;
}

}  // namespace

void define_statement(nb::module_& m) {
  nb::class_<Statement> c(m, "Statement");
  c.def(
      "__init__",
      [](Statement* place, const std::string& text, std::optional<std::string> format, std::optional<std::string> type,
         std::map<std::string, std::int64_t> sizes, std::string schedule, int threads, bool deterministic) {
        new (place) Statement(
            text, {std::move(format), std::move(type), std::move(sizes), std::move(schedule), threads, deterministic});
      },
      nb::arg("text"), nb::arg("format") = nb::none(), nb::arg("type") = nb::none(),
      nb::arg("sizes") = std::map<std::string, std::int64_t>(), nb::arg("schedule") = "", nb::arg("threads") = 0,
      nb::arg("deterministic") = false);
  c.def_prop_ro("text", &Statement::text);
  c.def_prop_ro("operand_names", &Statement::operand_names);
  c.def_prop_ro("result_name", &Statement::result_name);
  c.def("run", [](Statement& s, const nb::dict& tensors) {
    return Tensor(on_operands(tensors, [&](auto&& operands) { return s.run(std::move(operands)); }));
  });
  c.def("run_reporting", [](Statement& s, const nb::dict& tensors) {
    Report report;
    Tensor result(on_operands(tensors, [&](auto&& operands) { return s.run(std::move(operands), &report); }));
    return nb::make_tuple(std::move(result), times_of(report));
  });
  c.def("c_code", [](Statement& s, const nb::dict& tensors) {
    return on_operands(tensors, [&](const auto& operands) { return s.c_code(operands); });
  });
  c.def("explain", [](Statement& s, const nb::dict& tensors) {
    return on_operands(tensors, [&](const auto& operands) { return to_text(s.explain(operands)); });
  });
  c.def("picture", [](Statement& s, const nb::dict& tensors) {
    return on_operands(tensors, [&](const auto& operands) { return to_svg(s.explain(operands)); });
  });
  c.def("stages", [](Statement& s, const nb::dict& tensors) {
    return on_operands(tensors, [&](const auto& operands) { return s.stages(operands); });
  });
}

}  // namespace lacuna::python
