#include "lacuna/dynamic/schema/parse_fields.h"

#include <algorithm>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// Habits from other languages, and misspellings: the word of this language that is meant.
std::string advice_for_type(std::string_view word) {
  const auto known = parse_type(word);
  if (known && metadata_type(type_name(*known))) return fmt::format("; write {}", type_name(*known));
  if (known) return "; metadata is bool or an integer, and the values of elements need no field";
  if (word.ends_with("_t") && metadata_type(word.substr(0, word.size() - 2))) {
    return fmt::format("; write {}", word.substr(0, word.size() - 2));
  }
  return {};
}

std::optional<ArraySize> read_array(TokenReader& in, const NodeSchema& schema, std::string_view what) {
  if (!in.peek().is("[")) return std::nullopt;
  in.take();
  if (in.peek().is("]")) {
    in.fail("an array needs a size: {}[4] for always 4 slots, {}[B] with a field 'B : size' to count them", what, what);
  }
  if (in.peek().is("*")) {
    in.fail("'*' is no size; write {}[B] and a field 'B : size', which has no upper bound", what);
  }
  ArraySize size;
  if (in.peek().kind == TokenKind::Name && find_constant(schema, in.peek().text) == nullptr) {
    size = in.name("a size field or a constant");
  } else {
    size = read_number(in, schema);
  }
  in.expect("]", "after the size of an array");
  if (in.peek().is("[")) in.fail("an array has one size; arrays of arrays are written as nodes of their own");
  return size;
}

SizeRange read_range(TokenReader& in, const NodeSchema& schema) {
  in.expect("[", "after 'in': a range such as [1, 4]");
  SizeRange range;
  range.least = read_number(in, schema);
  in.expect(",", "between the bounds of a range");
  if (!in.take_if("*")) range.most = read_number(in, schema);
  in.expect("]", "after the bounds of a range, which includes both");
  return range;
}

/// What may not follow a field that is neither elements nor children.
void refuse_suffixes(TokenReader& in, std::string_view what, std::string_view fix) {
  if (in.peek().is("[")) in.fail("{} is no array; {}", what, fix);
  if (in.peek().is("nonempty")) in.fail("'nonempty' is said of elements and children; leave it out after {}", what);
  if (in.peek().is("diff")) in.fail("'diff' is said of arrays of elements; leave it out after {}", what);
}

bool read_nonempty(TokenReader& in) {
  const bool nonempty = in.take_if("nonempty");
  if (nonempty && in.peek().is("nonempty")) in.fail("'nonempty' is said twice");
  if (in.peek().is("[")) in.fail("the size of an array comes before 'nonempty', as in elem[B] nonempty");
  if (in.peek().is("*")) in.fail("a child is always a reference; leave out the '*'");
  if (in.peek().is("in")) in.fail("'in' bounds a size; write it at the size field, as in B : size in [1, 4]");
  return nonempty;
}

std::optional<Differences> read_differences(TokenReader& in) {
  const Place where = in.peek().where;
  if (!in.take_if("diff")) return std::nullopt;
  const auto type = metadata_type(in.peek().text);
  if (!type || std::find(difference_types.begin(), difference_types.end(), *type) == difference_types.end())
    in.fail("differences of coordinates are uint8, uint16 or uint32, as in diff uint8; not {}", in.found());
  const Place end = in.take().where;
  if (in.peek().is("nonempty")) in.fail("'nonempty' comes before 'diff', as in elem[B] nonempty diff uint8");
  return Differences{*type, {{where.range.begin, end.range.end}}};
}

Field read_size(TokenReader& in, const NodeSchema& schema, Name name) {
  SizeField size;
  if (in.take_if("in")) size.range = read_range(in, schema);
  refuse_suffixes(in, "a size", "the bounds of a size are written in [1, 4]");
  return {std::move(name), size};
}

Field read_child(TokenReader& in, const NodeSchema& schema, Name name) {
  const std::string_view word = in.peek().text;
  if (const std::string advice = advice_for_type(word); !advice.empty()) {
    in.fail("{} is not a type of fields{}", shown(word), advice);
  }
  ChildField child;
  child.type = in.name("a type");
  child.array = read_array(in, schema, child.type.text);
  child.nonempty = read_nonempty(in);
  if (in.peek().is("diff")) in.fail("'diff' is said of arrays of elements; leave it out after a child");
  return {std::move(name), std::move(child)};
}

/// The word before ':' may be a misspelt end of the field before it.
void expect_colon(TokenReader& in, const Name& name) {
  if (in.peek().is(":")) return;
  const std::string advice = did_you_mean(name.text, {"nonempty", "diff", "in", "seq", "def", "const", "state", "fn"});
  if (in.peek().is("=")) in.fail("expected ':' after the name of a field, not '='{}", advice);
  if (!advice.empty()) {
    fail_at(in.source(), name.where, "expected a field such as '{} : elem'{}", shown(name.text), advice);
  }
  in.fail("expected ':' after the name of the field {}, not {}", shown(name.text), in.found());
}

SequenceEntry read_entry(TokenReader& in) {
  SequenceEntry entry;
  entry.braces = in.take_if("{");
  if (entry.braces && in.peek().is("}")) in.fail("empty braces; name the arrays whose slots are in order, as in {{e}}");
  do {
    if (in.peek().is("{")) in.fail("braces inside braces; the arrays in them already alternate, slot by slot");
    entry.fields.push_back(in.name("a field"));
  } while (entry.braces && in.take_if(","));
  if (entry.braces) in.expect("}", "after the fields in braces");
  return entry;
}

}  // namespace

Number read_number(TokenReader& in, const NodeSchema& schema) {
  if (in.peek().kind != TokenKind::Name) return in.digits();
  const Constant* const constant = find_constant(schema, in.peek().text);
  if (constant == nullptr) {
    std::vector<std::string_view> known;
    for (const Constant& each : schema.constants) known.push_back(each.name.text);
    const std::string advice = did_you_mean(in.peek().text, known);
    in.fail("there is no constant {}{}", shown(in.peek().text),
            advice.empty() ? "; write a number, or define it further up: const NAME = 4" : advice);
  }
  const Token word = in.take();
  return {constant->value.value, std::string(word.text), word.where};
}

Field read_field(TokenReader& in, const NodeSchema& schema) {
  Name name = in.name("a field");
  expect_colon(in, name);
  in.take();
  if (in.peek().is("*")) in.fail("a child is always a reference; leave out the '*'");
  if (in.take_if("elem")) {
    auto array = read_array(in, schema, "elem");
    const bool nonempty = read_nonempty(in);
    return {std::move(name), ElementField{std::move(array), nonempty, read_differences(in)}};
  }
  if (in.take_if("size")) return read_size(in, schema, std::move(name));
  if (in.take_if("parent")) {
    refuse_suffixes(in, "a parent", "a node has one");
    return {std::move(name), ParentField{}};
  }
  if (in.peek().kind == TokenKind::Name) {
    if (const auto type = metadata_type(in.peek().text)) {
      in.take();
      refuse_suffixes(in, "metadata", "write a field for each number");
      return {std::move(name), MetadataField{*type}};
    }
  }
  return read_child(in, schema, std::move(name));
}

std::vector<SequenceEntry> read_sequence(TokenReader& in) {
  in.expect("=", "after 'seq'");
  std::vector<SequenceEntry> sequence;
  do {
    sequence.push_back(read_entry(in));
  } while (in.take_if(","));
  return sequence;
}

}  // namespace lacuna::schema
