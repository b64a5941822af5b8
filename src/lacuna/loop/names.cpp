#include <algorithm>
#include <iterator>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {
namespace {

// Keywords of C and C++, the names that the headers of generated C define, and what a kernel calls its context.
constexpr std::string_view taken[] = {"NAN",           "INFINITY",     "NULL",         "I",
                                      "alignas",       "alignof",      "and",          "asm",
                                      "atomic",        "auto",         "bitand",       "bitor",
                                      "bool",          "break",        "case",         "catch",
                                      "char",          "class",        "compl",        "complex",
                                      "concept",       "const",        "const_cast",   "consteval",
                                      "constexpr",     "constinit",    "continue",     "ctx",
                                      "decltype",      "default",      "delete",       "do",
                                      "double",        "dynamic_cast", "else",         "enum",
                                      "explicit",      "export",       "extern",       "false",
                                      "float",         "for",          "free",         "friend",
                                      "goto",          "if",           "imaginary",    "inline",
                                      "int",           "linux",        "long",         "main",
                                      "malloc",        "memcpy",       "memset",       "mutable",
                                      "namespace",     "new",          "noexcept",     "not",
                                      "nullptr",       "operator",     "or",           "private",
                                      "protected",     "public",       "realloc",      "register",
                                      "restrict",      "return",       "requires",     "short",
                                      "signed",        "sizeof",       "static",       "struct",
                                      "switch",        "template",     "this",         "throw",
                                      "true",          "try",          "typedef",      "typeid",
                                      "typename",      "typeof",       "union",        "unix",
                                      "unsigned",      "using",        "virtual",      "void",
                                      "volatile",      "wchar_t",      "while",        "xor",
                                      "static_assert", "static_cast",  "thread_local", "reinterpret_cast",
                                      "exit",          "abort",        "errno",        "int8_t",
                                      "int16_t",       "int32_t",      "int64_t",      "uint8_t",
                                      "uint16_t",      "uint32_t",     "uint64_t",     "size_t",
                                      "ptrdiff_t",     "intptr_t",     "uintptr_t",    "offsetof"};

bool ends_with_f(const std::string& name) { return name.size() > 1 && name.back() == 'f'; }

bool is_function_of_c(const std::string& name) {
  // A variable called exp would hide the function that the kernel may call.
  if (find_function(name)) return true;
  const std::string_view view(name);
  if (ends_with_f(name) && find_function(view.substr(0, view.size() - 1))) return true;
  return (name.starts_with('c') || name.starts_with('f')) && find_function(view.substr(1));
}

/// INT64_MAX, UINT8_C, …: the macros of stdint.h.
bool is_macro_of_integers(const std::string& name) {
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return name.find('_') != std::string::npos &&
         (begins("INT") || begins("UINT") || begins("SIZE_") || begins("PTRDIFF_") || begins("WCHAR_") ||
          begins("WINT_") || begins("SIG_ATOMIC_"));
}

bool is_of_lacuna(const std::string& name) { return name.starts_with("lacuna_") || name.starts_with("LACUNA_"); }

std::string as_identifier(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    name += letter || digit ? c : '_';
  }
  // C keeps names that start with an underscore to itself.
  if (name.empty() || name[0] == '_' || (name[0] >= '0' && name[0] <= '9') || is_of_lacuna(name)) name.insert(0, "v");
  return is_name_of_c(name) ? name + "_" : name;
}

}  // namespace

bool is_name_of_c(const std::string& name) {
  return std::find(std::begin(taken), std::end(taken), name) != std::end(taken) || is_function_of_c(name) ||
         is_macro_of_integers(name) || is_of_lacuna(name);
}

std::string NameSupply::unique(const std::string& wanted) {
  const auto used = [&](const std::string& name) { return std::find(used_.begin(), used_.end(), name) != used_.end(); };
  const std::string base = as_identifier(wanted);
  std::string name = base;
  const std::string separator = base.ends_with('_') ? "" : "_";
  for (int k = 2; used(name); k++) name = base + separator + std::to_string(k);
  used_.push_back(name);
  return name;
}

}  // namespace lacuna::loop
