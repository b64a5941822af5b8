#include "lacuna/codegen/prelude/prelude.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// One function of a header with the comment above it.
struct Definition {
  std::string name;  // lacuna_sort_int32
  std::string text;
};

constexpr Type sample_types[] = {Type::Int32, Type::UInt32, Type::Float64, Type::Complex128};

bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls `visit` for every stretch of `text` that is an identifier (or a number), and for every stretch between.
template <typename Visit>
void for_each_token(std::string_view text, Visit visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const bool word = is_identifier_char(text[begin]);
    std::size_t end = begin + 1;
    while (end < text.size() && is_identifier_char(text[end]) == word) end++;
    visit(text.substr(begin, end - begin), word);
    begin = end;
  }
}

std::string name_of(std::string_view definition) {
  constexpr std::string_view start = "static ";
  const std::size_t function = definition.find(start);
  if (function == std::string_view::npos) return "";
  const std::size_t open = definition.find('(', function);
  std::size_t begin = open;
  while (begin > 0 && is_identifier_char(definition[begin - 1])) begin--;
  return std::string(definition.substr(begin, open - begin));
}

bool is_of(std::string_view header, Prelude::Kind kind) {
  const auto is_any = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), header) != names.end();
  };
  if (is_any({"convert.h", "divide.h", "math.h", "search.h", "sort.h"})) return true;
  if (kind != Prelude::Kind::Processor)
    return is_any({"device.h", "device_complex.h"}) || (header == "cuda_atomic.h" && kind == Prelude::Kind::Cuda);
  return is_any({"memory.h", "atomic.h", "sums.h", "complex.h"});
}

/// The function with parameters that point to memory of a device.
std::string with_device_memory(std::string text) {
  for (const std::string_view pointer : {"(const int32_t *", "(int32_t *"}) {
    const std::size_t at = text.find(pointer);
    if (at != std::string::npos) text.insert(at + 1, "LACUNA_GLOBAL ");
  }
  return text;
}

/// The functions of the headers that a kind of kernels uses. Blank lines separate them.
std::vector<Definition> read_definitions(Prelude::Kind kind) {
  std::vector<Definition> result;
  for (const PreludeHeader& header : prelude_headers()) {
    if (!is_of(header.name, kind)) continue;
    const bool points_to_host = kind != Prelude::Kind::Processor && is_of(header.name, Prelude::Kind::Processor);
    std::string_view rest = header.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find("\n\n"), rest.size());
      std::string paragraph(rest.substr(0, end));
      if (std::string name = name_of(paragraph); !name.empty()) {
        std::erase_if(result, [&](const Definition& each) { return each.name == name; });
        if (points_to_host) paragraph = with_device_memory(std::move(paragraph));
        result.push_back({std::move(name), std::move(paragraph)});
      }
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
  return result;
}

const std::vector<Definition>& definitions(Prelude::Kind kind) {
  static const std::array<std::vector<Definition>, 3> all = {read_definitions(Prelude::Kind::Processor),
                                                             read_definitions(Prelude::Kind::OpenCl),
                                                             read_definitions(Prelude::Kind::Cuda)};
  return all[static_cast<std::size_t>(kind)];
}

std::optional<std::size_t> find_definition(std::string_view name, Prelude::Kind kind) {
  const auto& all = definitions(kind);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Definition& each) { return each.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::optional<Type> sample_of(std::string_view name) {
  for (Type each : sample_types) {
    if (name.ends_with(fmt::format("_{}", type_name(each)))) return each;
  }
  return std::nullopt;
}

/// Which sample to take for a type: that of its class, else what looks the same for numbers of another.
std::vector<Type> samples_for(Type type) {
  if (is_complex(type)) return {Type::Complex128, Type::Float64};
  if (is_float(type)) return {Type::Float64, Type::Int32};
  if (is_unsigned_integer(type) || type == Type::Bool) return {Type::UInt32, Type::Int32, Type::Float64};
  return {Type::Int32, Type::Float64};
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

/// `word` of a function written for `sample`, as its function for `type` says it.
std::string renamed(std::string_view word, Type sample, Type type) {
  const std::string suffix = fmt::format("_{}", type_name(sample));
  if (word.ends_with(suffix))
    return fmt::format("{}{}", word.substr(0, word.size() - suffix.size() + 1), type_name(type));
  if (word == c_type(real_part_type(sample)))
    return std::string(c_type(is_complex(sample) ? real_part_type(type) : type));
  const std::string of_part = fmt::format("_{}", type_name(real_part_type(sample)));
  if (is_complex(sample) && word.ends_with(of_part))
    return fmt::format("{}_{}", word.substr(0, word.size() - of_part.size()), type_name(real_part_type(type)));
  const std::string limits = upper(type_name(sample)) + "_M";  // INT32_MIN, INT32_MAX
  if (word.starts_with(limits)) return fmt::format("{}_M{}", upper(type_name(type)), word.substr(limits.size()));
  return std::string(word);
}

std::string written_for(const Definition& definition, Type type) {
  const std::optional<Type> sample = sample_of(definition.name);
  if (!sample || *sample == type) return definition.text;
  std::string result;
  for_each_token(definition.text, [&](std::string_view token, bool word) {
    result += word ? renamed(token, *sample, type) : std::string(token);
  });
  return result;
}

}  // namespace

std::string Prelude::use(std::string_view name) {
  const std::string full = fmt::format("lacuna_{}", name);
  const std::optional<std::size_t> found = find_definition(full, kind_);
  internal_check(found.has_value(), "no header of the prelude defines {}", full);
  add(*found, Type::Bool);
  return full;
}

std::string Prelude::use(std::string_view family, Type type) {
  const std::string prefix = family.empty() ? "lacuna_" : fmt::format("lacuna_{}_", family);
  for (Type sample : samples_for(type)) {
    if (const auto found = find_definition(fmt::format("{}{}", prefix, type_name(sample)), kind_)) {
      add(*found, type);
      return fmt::format("{}{}", prefix, type_name(type));
    }
  }
  throw InternalError(fmt::format("internal error: the prelude has no {}{}", prefix, type_name(type)));
}

void Prelude::add(std::size_t item, Type type) {
  if (!used_.emplace(item, type).second) return;
  for_each_token(definitions(kind_)[item].text, [&](std::string_view token, bool word) {
    if (!word || !token.starts_with("lacuna_")) return;
    const auto called = find_definition(token, kind_);
    if (!called || *called == item) return;
    const std::optional<Type> sample = sample_of(definitions(kind_)[item].name), of_called = sample_of(token);
    const bool is_of_part = sample && of_called && is_complex(*sample) && *of_called == real_part_type(*sample);
    add(*called, is_of_part ? real_part_type(type) : type);
  });
}

std::string Prelude::text() const {
  std::string result;
  for (const auto& [item, type] : used_) result += written_for(definitions(kind_)[item], type) + "\n\n";
  return result;
}

std::string_view prelude_header(std::string_view name) {
  const auto all = prelude_headers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PreludeHeader& each) { return each.name == name; });
  internal_check(found != all.end(), "there is no header {}", name);
  return found->text;
}

std::string parallel_text() {
  constexpr std::string_view include = "#include \"lacuna/codegen/prelude/lacuna_kernel.h\"\n";
  std::string text(prelude_headers()[1].text);
  const std::size_t at = text.find(include);
  internal_check(at != std::string::npos, "lacuna_parallel.h does not include lacuna_kernel.h");
  return text.erase(at, include.size());
}

std::string descriptor_text(bool for_c) {
  const std::string_view text = prelude_headers().front().text;
  if (!for_c) return std::string(text);
  std::string result;
  bool skipping = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end + 1);
    if (line.starts_with("#ifdef __cplusplus")) skipping = true;
    const bool second_blank = line == "\n" && result.ends_with("\n\n");
    if (!skipping && !second_blank) result += line;
    if (line.starts_with("#endif")) skipping = false;
    rest.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace lacuna
