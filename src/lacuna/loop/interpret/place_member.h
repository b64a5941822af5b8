#pragma once

#include "lacuna/loop/interpret/compiler.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/check.h"

namespace lacuna::loop::interpreter {

template <typename Node>
void Compiler::place_member(const Var& arena, const Member& member, Node& node) {
  const Record& record = *arena.type().record;
  const Field* field = record.find(member.field);
  internal_check(field != nullptr, "the record {} has no field {}", record.name, member.field);
  const FieldLayout place = record_layout(record).fields[static_cast<std::size_t>(field - record.fields.data())];
  node.offset = place.offset;
  node.stride = place.stride;
  node.extent = field->count;
}

}  // namespace lacuna::loop::interpreter
