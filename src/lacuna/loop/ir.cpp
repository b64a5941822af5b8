#include "lacuna/loop/ir.h"

#include <algorithm>

#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

std::shared_ptr<const ExprNode> constant_node(const Scalar& value) {
  return std::make_shared<const ExprNode>(ExprNode{Constant{value}, scalar_type(value.type())});
}

}  // namespace

IrType scalar_type(Type type) { return {IrType::Kind::Scalar, type, nullptr}; }
IrType array_type(Type element) { return {IrType::Kind::Array, element, nullptr}; }
IrType ref_array_type(std::shared_ptr<const Record> record) {
  return {IrType::Kind::Array, Type::UInt32, std::move(record)};
}
IrType arena_type(std::shared_ptr<const Record> record) {
  return {IrType::Kind::Arena, Type::Int64, std::move(record)};
}
IrType ref_type(std::shared_ptr<const Record> record) { return {IrType::Kind::Ref, Type::UInt32, std::move(record)}; }

IrType shelf_type(const IrType& array) {
  internal_check(array.kind == IrType::Kind::Array, "a shelf is for arrays");
  return {IrType::Kind::Shelf, array.scalar, array.record};
}

IrType kept_type(const IrType& shelf) {
  internal_check(shelf.is_shelf(), "only a shelf keeps arrays");
  return {IrType::Kind::Array, shelf.scalar, shelf.record};
}

IrType link_type(const Record& record) {
  return ref_type(std::shared_ptr<const Record>(std::shared_ptr<const Record>(), &record));
}

IrType element_type(const IrType& array) {
  if (array.kind != IrType::Kind::Array) return {};
  return array.record ? ref_type(array.record) : scalar_type(array.scalar);
}

const Field* Record::find(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

Expr::Expr(const Var& var) : node_(std::make_shared<const ExprNode>(ExprNode{VarUse{var}, var.type()})) {}
Expr::Expr(const Scalar& value) : node_(constant_node(value)) {}
Expr::Expr(int value) : Expr(static_cast<std::int64_t>(value)) {}
Expr::Expr(std::int64_t value) : node_(constant_node(Scalar(value))) {}
Expr::Expr(bool value) : node_(constant_node(Scalar(value))) {}
Expr::Expr(double value) : node_(constant_node(Scalar(value))) {}

const IrType& Expr::type() const {
  internal_check(defined(), "the type of no expression was asked for");
  return node_->type;
}

}  // namespace lacuna::loop
