#include "lacuna/lower/lower.h"

#include "lacuna/concrete/structure.h"
#include "lacuna/lower/context/reached.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/unneeded.h"

namespace lacuna {

Lowered lower(const concrete::Program& program, const iteration::Nest& loops, const LowerOptions& options) {
  Context context(program, loops, options);
  const Results results(context);
  for (const auto& each : results.all()) each->begin();
  Scope scope;
  scope.paths.resize(context.paths().size());
  declare_temporaries(context, program.root, scope, context.prologue, context.epilogue);
  Statements nest;
  for (int pass = 0; pass < results.passes(); ++pass) {
    results.enter_pass(pass, nest);
    lower_statement(context, results, context.nest().root, scope, nest);
    results.leave_pass(nest);
  }
  for (const auto& each : results.all()) each->end();

  Lowered lowered;
  lowered.module.name = program.name;
  lowered.module.description = program.text;
  lowered.module.arguments = context.argument_names();
  Statements body = std::move(context.prologue);
  body.insert(body.end(), nest.begin(), nest.end());
  body.insert(body.end(), context.epilogue.begin(), context.epilogue.end());
  lowered.module.body = without_unneeded(loop::block(std::move(body)), context.unneeded());
  for (const auto& [level, steps] : context.iterators) lowered.iterators += steps;
  for (const concrete::Tensor& r : program.results()) {
    const concrete::Structure structure = concrete::structure_of(program, r.var);
    lowered.results.push_back({structure == concrete::Structure::Never,
                               r.assembly == concrete::Assembly::Stream && structure == concrete::Structure::Mixed});
  }
  lowered.module.functions = called_functions(context.functions(), lowered.module.body);
  lowered.module.parameters = context.take_parameters();
  lowered.module.records = used_records(context.records(), lowered.module);
  lowered.slots = context.take_slots();
  return lowered;
}

}  // namespace lacuna
