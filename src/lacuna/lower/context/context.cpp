#include "lacuna/lower/context/context.h"

#include <algorithm>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

struct FieldText {
  const char* name;   // of the parameter, after the tensor's name and level
  const char* place;  // in the descriptor
};

FieldText text_of(DescriptorField field) {
  switch (field) {
    case DescriptorField::Pos: return {"_pos", "pos.data"};
    case DescriptorField::Crd: return {"_crd", "crd.data"};
    case DescriptorField::Present: return {"_present", "present.data"};
    case DescriptorField::Values: return {"_vals", "vals.data"};
    case DescriptorField::Origin: return {"_origin", "origin"};
    case DescriptorField::Extent: return {"_size", "extent"};
    case DescriptorField::Positions: return {"_count", "positions"};
    case DescriptorField::PosBase: return {"_pos_base", "pos.base"};
    case DescriptorField::CrdBase: return {"_crd_base", "crd.base"};
    case DescriptorField::ValuesBase: return {"_vals_base", "vals.base"};
    case DescriptorField::ValuesSize: return {"_vals_size", "vals.size"};
    case DescriptorField::Nodes:
    case DescriptorField::Threads: break;
  }
  return {"", ""};
}

bool of_values(DescriptorField field) {
  return field == DescriptorField::Values || field == DescriptorField::ValuesBase ||
         field == DescriptorField::ValuesSize;
}

DescriptorField base_of(DescriptorField field) {
  if (field == DescriptorField::Pos) return DescriptorField::PosBase;
  return field == DescriptorField::Crd ? DescriptorField::CrdBase : DescriptorField::ValuesBase;
}

}  // namespace

Context::Context(const concrete::Program& program, const iteration::Nest& nest, const LowerOptions& options)
    : program_(program), options_(options), nest_(nest) {
  names_.reserve(program.name);
  for (const concrete::Tensor& t : program.tensors) {
    if (t.role != concrete::Role::Result && t.role != concrete::Role::Operand) continue;
    arguments_.push_back(t.var);
    argument_names_.push_back(names_.unique(t.var.name()));
  }
  names_.reserve("ctx");
  for (std::size_t n = 0; n < arguments_.size(); ++n) make_dynamic_levels(static_cast<int>(n));
  concrete::each_assign(program.root, [&](const concrete::Assign& a) {
    if (program.at(a.target.tensor).role == concrete::Role::Result) result_accesses_.push_back(a.target);
  });
}

/// Whether a result has a copy of the nodes of this level, which hold its values.
bool Context::is_copied(const concrete::Tensor& t, int level) const {
  const auto results = program_.results();
  return std::any_of(results.begin(), results.end(), [&](const concrete::Tensor& r) {
    return r.assembly == concrete::Assembly::SharedPattern && t.var.name() == r.pattern_operand &&
           level + 1 == r.pattern_levels && r.format.has_values_in_nodes();
  });
}

/// Innermost first: the elements of a level above refer to roots. All are there before the functions of any are made.
void Context::make_dynamic_levels(int argument) {
  const concrete::Tensor& t = program_.at(arguments_[static_cast<std::size_t>(argument)]);
  std::optional<loop::IrType> root;
  for (int k = t.format.order() - 1; k >= 0; --k) {
    const LevelFormat& format = t.format.level(k);
    if (!format.is_dynamic()) {
      root.reset();
      continue;
    }
    const Type coordinate = t.widths[static_cast<std::size_t>(k)].crd;
    const schema::ElementTypes types = schema::element_types(t.format, k, coordinate, t.type);
    dynamic::LevelTypes for_code{fmt::format("{}{}", argument_names_[static_cast<std::size_t>(argument)], k + 1),
                                 types.coordinate, root ? *root : loop::scalar_type(types.value), is_copied(t, k)};
    auto code = std::make_unique<dynamic::DynamicLevel>(format.definition->nodes, format.definition->program,
                                                        std::move(for_code), names_);
    root = code->root_type();
    dynamic_levels_.push_back({argument, k, std::move(code)});
  }
}

const dynamic::DynamicLevel& Context::dynamic_level(const TensorVar& tensor, int level) {
  const int argument = argument_of(tensor);
  const auto found = std::find_if(dynamic_levels_.begin(), dynamic_levels_.end(), [&](const LevelOfArgument& each) {
    return each.argument == argument && each.level == level;
  });
  internal_check(found != dynamic_levels_.end(), "level {} of {} is not dynamic", level, tensor.name());
  if (found->is_used) return *found->code;
  found->is_used = true;
  const dynamic::Structure& structure = found->code->structure();
  const std::string& name = argument_names_[static_cast<std::size_t>(argument)];
  for (std::size_t k = 0; k < structure.layout.arrays; ++k) {
    parameters_.push_back(
        {structure.array(k), fmt::format("{}->levels[{}].nodes[{}].data", name, level, k), false, false});
    slots_.push_back({argument, level, DescriptorField::Nodes, k});
  }
  return *found->code;
}

std::vector<std::shared_ptr<const loop::Record>> Context::records() const {
  std::vector<std::shared_ptr<const loop::Record>> all;
  for (const LevelOfArgument& each : dynamic_levels_) {
    if (!each.is_used) continue;
    for (auto& record : each.code->records()) all.push_back(std::move(record));
  }
  return all;
}

std::vector<loop::Function> Context::functions() const {
  std::vector<loop::Function> all;
  for (const LevelOfArgument& each : dynamic_levels_) {
    if (!each.is_used) continue;
    for (loop::Function& function : each.code->functions(names_)) all.push_back(std::move(function));
  }
  return all;
}

bool Context::is_workspace(const Path& path) const {
  return program_.at(path.tensor).role == concrete::Role::Workspace;
}

int Context::argument_of(const TensorVar& tensor) const {
  const auto it = std::find(arguments_.begin(), arguments_.end(), tensor);
  internal_check(it != arguments_.end(), "{} is no argument of the kernel", tensor.name());
  return static_cast<int>(it - arguments_.begin());
}

loop::Var Context::parameter(const TensorVar& tensor, int level, DescriptorField field) {
  const int argument = argument_of(tensor);
  const Key key{argument, of_values(field) ? 0 : level, field};
  if (const auto it = index_.find(key); it != index_.end()) return parameters_[it->second].var;
  const concrete::Tensor& t = program_.at(tensor);
  const FieldText text = text_of(field);
  const std::string& name = argument_names_[static_cast<std::size_t>(argument)];
  loop::IrType type = loop::scalar_type(Type::Int64);
  if (field == DescriptorField::Pos) type = loop::array_type(t.widths[static_cast<std::size_t>(level)].pos);
  if (field == DescriptorField::Crd) type = loop::array_type(t.widths[static_cast<std::size_t>(level)].crd);
  if (field == DescriptorField::Present) type = loop::array_type(Type::UInt8);
  if (field == DescriptorField::Values) type = loop::array_type(t.type);
  const std::string wanted = of_values(field) ? name + text.name : fmt::format("{}{}{}", name, level + 1, text.name);
  const std::string place = of_values(field) ? fmt::format("{}->{}", name, text.place)
                                             : fmt::format("{}->levels[{}].{}", name, level, text.place);
  index_[key] = parameters_.size();
  parameters_.push_back({fresh(wanted, type), place, false, false});
  slots_.push_back({argument, std::get<1>(key), field, 0});
  return parameters_.back().var;
}

loop::Var Context::array(const TensorVar& tensor, int level, DescriptorField field) {
  return parameter(tensor, level, field);
}
loop::Var Context::scalar(const TensorVar& tensor, int level, DescriptorField field) {
  return parameter(tensor, level, field);
}

loop::Expr Context::element(const TensorVar& tensor, int level, DescriptorField field, const loop::Expr& index) {
  const loop::Var data = array(tensor, level, field);
  loop::Expr at = index;
  if (program_.at(tensor).piece && field != DescriptorField::Present) at = at - scalar(tensor, level, base_of(field));
  const loop::Expr value = loop::load(data, at);
  return field == DescriptorField::Pos || field == DescriptorField::Crd ? loop::convert(value, Type::Int64) : value;
}

loop::Expr Context::only_value(const TensorVar& tensor) {
  const auto known = only_values_.find(tensor);
  if (known != only_values_.end()) return known->second;
  const loop::Expr value = element(tensor, 0, DescriptorField::Values, loop::Expr(0));
  const loop::Var named = fresh(fmt::format("{}_value", argument_name(tensor)), value.type());
  prologue.push_back(loop::declare(named, value));
  return only_values_.emplace(tensor, named).first->second;
}

loop::Expr Context::lower_bound(const TensorVar& tensor, int level, DescriptorField field, const loop::Expr& low,
                                const loop::Expr& high, const loop::Expr& key, bool near) {
  const loop::Var data = array(tensor, level, field);
  const auto find = near ? loop::lower_bound_near : loop::lower_bound;
  if (!program_.at(tensor).piece) return find(data, low, high, key);
  const loop::Expr base(scalar(tensor, level, base_of(field)));
  return find(data, low - base, high - base, key) + base;
}

loop::Var Context::threads() {
  const Key key{-1, 0, DescriptorField::Threads};
  const auto [it, added] = index_.emplace(key, parameters_.size());
  if (added) {
    parameters_.push_back({fresh_index("threads"), "ctx->threads", false, false});
    slots_.push_back({0, 0, DescriptorField::Threads, 0});
  }
  return parameters_[it->second].var;
}

loop::Expr Context::extents(const TensorVar& tensor, int first, int past) {
  loop::Expr product(1);
  for (int k = first; k < past; ++k) product = times(product, extent(tensor, k));
  return product;
}

loop::Expr Context::stored_entries() {
  if (const auto most = entries_in_common()) return *most;
  loop::Expr sum(0);
  for (const concrete::Tensor& t : program_.tensors)
    if (t.role == concrete::Role::Operand) sum = plus(sum, stored_entries_of(t));
  return sum;
}

/// Blocks of dense levels count as one.
loop::Expr Context::stored_entries_of(const concrete::Tensor& t) {
  const int last = t.format.levels_above_full();
  return last == 0 ? loop::Expr(0) : loop::Expr(scalar(t.var, last - 1, DescriptorField::Positions));
}

/// Where one assignment combines operands entry by entry: of operands that must all have an entry, the one that stores
/// least says how many there may be.
std::optional<loop::Expr> Context::entries_in_common() {
  const concrete::Stmt* s = &program_.root;
  while (const auto* f = std::get_if<concrete::Forall>(&(*s)->kind)) s = &f->body;
  const auto* assign = std::get_if<concrete::Assign>(&(*s)->kind);
  if (assign == nullptr) return std::nullopt;
  std::vector<const concrete::Tensor*> atoms;
  bool alike = true;
  for (const Access& a : accesses(assign->rhs)) {
    const concrete::Tensor& t = program_.at(a.tensor);
    if (t.format.is_dense()) continue;
    alike = alike && a.indices == assign->target.indices;
    if (std::find(atoms.begin(), atoms.end(), &t) == atoms.end()) atoms.push_back(&t);
  }
  const concrete::Formula entries = concrete::presence(assign->rhs, [&](const Access& a) {
    const auto atom = std::find(atoms.begin(), atoms.end(), &program_.at(a.tensor)) - atoms.begin();
    return atom == std::ssize(atoms) ? concrete::Formula::always() : concrete::Formula::atom(static_cast<int>(atom));
  });
  if (!alike || entries.is_always() || entries.is_never()) return std::nullopt;
  loop::Expr sum(0);
  for (const std::uint64_t together : entries.terms()) {
    loop::Expr least;
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if ((together >> n & 1) == 0) continue;
      const loop::Expr stored = stored_entries_of(*atoms[n]);
      least = least.defined() ? loop::min(least, stored) : stored;
    }
    sum = plus(sum, least);
  }
  return sum;
}

void Context::mark_written(const loop::Var& parameter) {
  for (loop::Parameter& p : parameters_)
    if (p.var == parameter) p.written = true;
}

void Context::mark_out(const loop::Var& parameter) {
  for (loop::Parameter& p : parameters_)
    if (p.var == parameter) p.out = p.written = true;
}

/// The tensor and level whose extent bounds a variable: a dense level of an operand where there is one, since the
/// kernel needs that extent anyway. None where only an explicit sum uses the variable.
std::optional<std::pair<TensorVar, int>> Context::bound_of(const IndexVar& var) const {
  std::optional<std::pair<TensorVar, int>> found;
  for (const Path& path : paths())
    for (std::size_t k = 0; k < path.variables.size(); ++k) {
      if (!(path.variables[k] == var) || is_workspace(path)) continue;
      const bool full = program_.at(path.tensor).format.level(static_cast<int>(k)).full();
      if (full) return std::make_pair(path.tensor, static_cast<int>(k));
      if (!found) found.emplace(path.tensor, static_cast<int>(k));
    }
  for (const Access& a : result_accesses_)
    for (std::size_t m = 0; m < a.indices.size(); ++m)
      if (a.indices[m] == var)
        return std::make_pair(a.tensor, program_.at(a.tensor).format.map().level_of(static_cast<int>(m)));
  return found;
}

loop::Expr Context::low(const IndexVar& var) {
  for (const Path& path : paths())
    if (std::find(path.variables.begin(), path.variables.end(), var) != path.variables.end() &&
        program_.at(path.tensor).piece) {
      const auto [tensor, level] = *bound_of(var);
      return scalar(tensor, level, DescriptorField::Origin);
    }
  return loop::Expr(0);
}

loop::Expr Context::high(const IndexVar& var) {
  const auto bound = bound_of(var);
  // No argument tells the size of such a variable; it was given with the statement and is part of the kernel's key.
  if (!bound) return loop::Expr(program_.extents.at(var));
  return low(var) + loop::Expr(scalar(bound->first, bound->second, DescriptorField::Extent));
}

}  // namespace lacuna
