#include "lacuna/dynamic/kernels/arguments.h"

#include <fmt/format.h>

#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
namespace {

using loop::int64_type;

}  // namespace

UpdateArguments::UpdateArguments(const UpdateRequest& request, const UpdateLevels& levels, loop::NameSupply& names)
    : counts_{request.format.order()}, names_(names) {
  add_tensor(request, levels);
  add_batch(request, levels);
}

void UpdateArguments::add_tensor(const UpdateRequest& request, const UpdateLevels& levels) {
  const bool changes = request.operation != UpdateOperation::Find;
  for (int k = 0; k <= levels.last(); ++k) {
    if (!levels.is_dynamic(k)) {
      extents_.push_back(add(fmt::format("t{}_extent", k + 1), int64_type, fmt::format("tensor->levels[{}].extent", k),
                             {0, k, DescriptorField::Extent, 0}));
      continue;
    }
    extents_.emplace_back(std::nullopt);
    const dynamic::Structure& structure = levels[k].structure();
    for (std::size_t a = 0; a < structure.layout.arrays; ++a)
      add(structure.array(a), fmt::format("tensor->levels[{}].nodes[{}].data", k, a), {0, k, DescriptorField::Nodes, a},
          changes);
  }
  if (!levels.is_dynamic(levels.last()))
    values_ = add(loop::Var(names_.unique("vals"), loop::array_type(request.type)), "tensor->vals.data",
                  {0, 0, DescriptorField::Values, 0}, changes);
}

void UpdateArguments::add_batch(const UpdateRequest& request, const UpdateLevels& levels) {
  const bool finds = request.operation == UpdateOperation::Find;
  count_ = add("count", int64_type, "batch->levels[0].positions", {1, 0, DescriptorField::Positions, 0});
  if (!finds) may_grow_ = add("may_grow", int64_type, "batch->levels[0].extent", {1, 0, DescriptorField::Extent, 0});
  for (int k = 0; k <= levels.last(); ++k) {
    const Type type = request.coordinates[static_cast<std::size_t>(k)];
    coordinates_.push_back(add(fmt::format("crd{}", k + 1), loop::array_type(type),
                               fmt::format("batch->levels[{}].crd.data", k), {1, k, DescriptorField::Crd, 0}));
  }
  const loop::IrType values = loop::array_type(request.type);
  if (finds) {
    found_ = add("found", values, "batch->vals.data", {1, 0, DescriptorField::Values, 0});
    parameters_.back().written = true;
    present_ = add("present", loop::array_type(Type::UInt8), "batch->levels[0].present.data",
                   {1, 0, DescriptorField::Present, 0});
    parameters_.back().written = true;
    return;
  }
  if (request.operation != UpdateOperation::Erase && request.part != UpdatePart::Places)
    given_ = add("given", values, "batch->vals.data", {1, 0, DescriptorField::Values, 0});
  out_counts_ =
      add("counts", loop::array_type(Type::Int64), "batch->levels[0].pos.data", {1, 0, DescriptorField::Pos, 0});
  parameters_.back().written = true;
}

loop::Var UpdateArguments::add(const std::string& name, loop::IrType type, const std::string& place, Slot slot) {
  return add(loop::Var(names_.unique(name), std::move(type)), place, slot, false);
}

loop::Var UpdateArguments::add(const loop::Var& var, const std::string& place, Slot slot, bool out) {
  parameters_.push_back({var, place, out, out});
  slots_.push_back(slot);
  return var;
}

loop::Expr UpdateArguments::extents(int first, int past) const {
  loop::Expr product(1);
  for (int k = first; k < past; ++k) product = times(product, *extents_[static_cast<std::size_t>(k)]);
  return product;
}

loop::Expr UpdateArguments::dense_position(int k, const loop::Expr& parent, const loop::Expr& update) const {
  const loop::Expr c = loop::convert(coordinate(k, update), Type::Int64);
  return loop::is_constant(parent, 0) ? c : parent * extents(k, k + 1) + c;
}

loop::Stmt UpdateArguments::store_found(const loop::Expr& n, const loop::Expr& value) const {
  const loop::Expr one(Scalar(1).convert(Type::UInt8));
  return loop::block({loop::store(*found_, n, value), loop::store(*present_, n, one)});
}

loop::Expr UpdateArguments::coordinate(int k, const loop::Expr& update) const {
  return loop::load(coordinates_[static_cast<std::size_t>(k)], update);
}

}  // namespace lacuna
