#include "lacuna/loop/access.h"

#include "lacuna/loop/passes.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

bool is_index(const Expr& e) {
  return e.defined() && e.type().is_scalar() && is_integer(e.scalar()) && e.scalar() != Type::Bool;
}

IrType field_type(const Record& record, const Member& member) {
  const Field* field = record.find(member.field);
  internal_check(field != nullptr, "the record {} has no field {}", record.name, member.field);
  if (field->count > 0) {
    internal_check(is_index(member.sub), "the field {}.{} is an array and needs an index", record.name, field->name);
  } else {
    internal_check(!member.sub.defined(), "the field {}.{} is no array", record.name, field->name);
  }
  return field->type;
}

}  // namespace

IrType accessed_type(const Var& array, const Expr& index, const std::optional<Member>& member) {
  internal_check(array.type().is_memory() && !array.type().is_shelf(), "{} is no array", array.name());
  const bool is_arena = array.type().kind == IrType::Kind::Arena;
  const bool is_reference =
      is_arena && index.defined() && index.type().is_ref() && index.type().record == array.type().record;
  internal_check(is_reference || is_index(index), "`{}` is no index of {}", index.defined() ? to_string(index) : "",
                 array.name());
  internal_check(is_arena == member.has_value(), "{} {}", array.name(),
                 is_arena ? "holds records: name the field" : "holds no records");
  return is_arena ? field_type(*array.type().record, *member) : element_type(array.type());
}

}  // namespace lacuna::loop
