#include <fmt/ranges.h>

#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/support/error.h"

namespace lacuna::schema {
namespace {

std::string type_text(Type type) {
  if (is_integer(type) && type != Type::Bool) return fmt::format("{}_t", type_name(type));
  switch (type) {
    case Type::Bool: return "bool";
    case Type::Float32: return "float";
    case Type::Float64: return "double";
    case Type::Complex64: return "std::complex<float>";
    case Type::Complex128: return "std::complex<double>";
    default: throw InternalError("internal error: a Type outside its enumeration");
  }
}

/// Members of one struct.
class MemberPrinter {
 public:
  explicit MemberPrinter(const StructTypes& types) : types_(types) {}

  std::string line(const Member& member) const {
    std::string text = "  " + std::visit(*this, member.type);
    if (member.storage == Storage::Elsewhere) text += "*";
    text += " " + member.name;
    if (member.storage == Storage::InNode) text += fmt::format("[{}]", member.capacity);
    return text + ";\n";
  }

  std::string operator()(const CoordinateType&) const { return type_text(types_.coordinate); }
  std::string operator()(const ValueType&) const { return type_text(types_.value); }
  std::string operator()(const NodeReference& reference) const { return reference.target + "*"; }
  std::string operator()(const NodeTag&) const { return "type"; }
  std::string operator()(Type type) const { return type_text(type); }

 private:
  const StructTypes& types_;
};

}  // namespace

std::string to_string(const Struct& made, const StructTypes& types) {
  std::string text = "struct " + made.name;
  if (!made.base.empty()) text += " : public " + made.base;
  text += " {\n";
  if (!made.extended_by.empty()) {
    text += fmt::format("  enum type {{\n    {}\n  }};\n", fmt::join(made.extended_by, ",\n    "));
  }
  const MemberPrinter printer(types);
  for (const Member& member : made.members) text += printer.line(member);
  return text + "};\n";
}

}  // namespace lacuna::schema
