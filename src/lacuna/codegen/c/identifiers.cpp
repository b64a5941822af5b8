#include "lacuna/codegen/c/identifiers.h"

#include <algorithm>
#include <set>
#include <string>

#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using Names = std::set<std::string, std::less<>>;

// Keywords of C and of C++ (for the header), and what the text itself names.
constexpr std::string_view reserved[] = {
    "INFINITY", "NAN",       "NULL",      "PTRDIFF_MAX", "alignas",   "alignof",  "asm",      "auto",    "bool",
    "break",    "case",      "catch",     "char",        "class",     "const",    "continue", "ctx",     "decltype",
    "default",  "delete",    "do",        "double",      "else",      "enum",     "explicit", "extern",  "false",
    "float",    "for",       "friend",    "goto",        "if",        "inline",   "int",      "int16_t", "int32_t",
    "int64_t",  "int8_t",    "long",      "mutable",     "namespace", "new",      "noexcept", "nullptr", "operator",
    "private",  "protected", "ptrdiff_t", "public",      "register",  "restrict", "return",   "short",   "signed",
    "size_t",   "sizeof",    "static",    "struct",      "switch",    "template", "this",     "throw",   "true",
    "try",      "typedef",   "typename",  "typeof",      "uint16_t",  "uint32_t", "uint64_t", "uint8_t", "union",
    "unsigned", "using",     "virtual",   "void",        "volatile",  "while",
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void check_identifier(std::string_view name, std::string_view what) {
  const bool well_made = !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_';
  });
  internal_check(well_made, "the name '{}' of {} is no identifier of C", name, what);
  const bool taken = std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved) ||
                     name.starts_with("lacuna_") || name.starts_with("LACUNA_");
  internal_check(!taken, "the name '{}' of {} means something else in C", name, what);
}

void check_unique(Names& names, const std::string& name, std::string_view what) {
  check_identifier(name, what);
  internal_check(names.insert(name).second, "the name '{}' of {} is taken", name, what);
}

std::string_view leading_name(std::string_view place) {
  const auto end =
      std::find_if(place.begin(), place.end(), [](char c) { return !is_letter(c) && !is_digit(c) && c != '_'; });
  return place.substr(0, static_cast<std::size_t>(end - place.begin()));
}

void check_place(const std::string& place, const Names& arguments) {
  const std::string_view root = leading_name(place);
  internal_check(root == "ctx" || arguments.contains(root), "the place '{}' is in no argument", place);
  const bool well_made = std::all_of(place.begin(), place.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_.->[]").find(c) != std::string_view::npos;
  });
  internal_check(well_made, "the place '{}' is more than a member of an argument", place);
}

void check_variable(const loop::Var& var, const Names& outer) {
  check_identifier(var.name(), "a variable");
  internal_check(!outer.contains(var.name()), "the name '{}' of a variable is taken", var.name());
}

void check_body(const loop::Stmt& body, const Names& outer) {
  loop::for_each(body, [&](const loop::Stmt& stmt) {
    if (const auto* declare = std::get_if<loop::Declare>(&stmt->kind)) check_variable(declare->var, outer);
    if (const auto* loop = std::get_if<loop::For>(&stmt->kind)) check_variable(loop->var, outer);
  });
}

}  // namespace

void check_names(const loop::Module& module) {
  Names outer;  // of the file
  check_unique(outer, module.name, "the kernel");
  check_unique(outer, module.name + "_entry", "the entry");
  for (const auto& record : module.records) {
    check_unique(outer, record->name, "a record");
    Names fields;
    for (const loop::Field& field : record->fields) check_unique(fields, field.name, "a field");
  }
  for (const loop::Function& function : module.functions) check_unique(outer, function.name, "a function");
  for (const loop::Function& function : module.functions) {
    for (const loop::Var& each : function.parameters) check_variable(each, outer);
    check_body(function.body, outer);
  }

  Names arguments;
  for (const std::string& each : module.arguments) {
    check_unique(outer, each, "an argument");
    arguments.insert(each);
  }
  for (const loop::Parameter& each : module.parameters) {
    check_variable(each.var, outer);
    check_place(each.place, arguments);
  }
  check_body(module.body, outer);
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' || c == 0x7F;
    // A backslash at the end would join the next line; "??/" is one, too.
    if (is_control || c == '\\') result += ' ';
    else if (c == '?' && result.ends_with('?')) result += " ?";
    else result += c;
  }
  return result;
}

}  // namespace lacuna
