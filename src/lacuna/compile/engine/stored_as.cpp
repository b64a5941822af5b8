#include "lacuna/compile/engine/stored_as.h"

#include "lacuna/compile/plan/plan.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

/// nodes(i1,i2) = entries(i1,i2)
Statement copy_statement(int order) {
  std::vector<IndexVar> variables;
  for (int m = 0; m < order; ++m) variables.emplace_back(fmt::format("i{}", m + 1));
  Statement s;
  s.lhs = Access{TensorVar("nodes", order), variables};
  s.rhs = make_expr(Access{TensorVar("entries", order), variables});
  return s;
}

/// The loops come in the order in which nodes are filled, whatever that costs.
Schedule in_level_order(const Statement& copy, const Format& format) {
  Schedule schedule;
  directive::Reorder order;
  for (int k = 0; k < format.order(); ++k)
    order.variables.push_back(copy.lhs.indices[static_cast<std::size_t>(format.map().mode_of(k))].name());
  if (order.variables.size() > 1) schedule.directives.push_back({order, {}});
  return schedule;
}

}  // namespace

Storage stored_as(Compiler& engine, const Storage& tensor, const Format& format, const Options& options) {
  Storage arrays = tensor.format == format ? tensor : convert(tensor, array_format_of(format), options.target.threads);
  if (arrays.format == format) return arrays;
  Request request;
  request.statement = copy_statement(format.order());
  request.result_format = format;
  request.result_type = tensor.type;
  request.operands.emplace("entries", std::move(arrays));
  request.schedule = in_level_order(request.statement, format);
  Options quiet = options;
  quiet.on_stage = nullptr;
  quiet.target.threads = 1;  // nodes are filled by one thread, of a processor
  quiet.target.device.reset();
  Prepared copying = engine.prepare(request, quiet);
  const Format& made = copying.plan().scheduled.program.result().format;
  internal_check(made == format, "a copy into {} is made in {}", format.to_string(), made.to_string());
  return copying.run();
}

}  // namespace lacuna
