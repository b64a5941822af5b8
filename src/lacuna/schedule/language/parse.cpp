#include <array>
#include <limits>

#include <fmt/ranges.h>

#include "lacuna/concrete/leaf.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/language/arguments.h"
#include "lacuna/schedule/language/help.h"
#include "lacuna/schedule/language/parse_launch.h"
#include "lacuna/schedule/language/parse_loopfuse.h"
#include "lacuna/schedule/language/parse_precompute.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/nearest.h"

// The grammar (docs/reference/schedules.md explains it to users):
//
//   schedule  := { directive ("," | ";" | NEWLINE) }            with or without the last separator but ","
//   directive := NAME "(" [ argument { "," argument } ] ")"
//
// What an argument is, is the directive's matter: a name, a number, a word from a table, a list in braces, an
// expression of index notation or a format.
namespace lacuna {
namespace {

using namespace directive;

/// Sizes and bounds: sums and products of two of them and an extent's remainder stay within 64 bits.
constexpr std::int64_t largest_size = std::int64_t{1} << 62;
/// A body that is written out more often than this is no kernel that a C compiler finishes.
constexpr std::int64_t largest_unroll = 1024;
constexpr std::int64_t farthest_prefetch = 1024;
/// For directives that take any number of arguments.
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

DirectiveKind read_pieces(const Arguments& a, bool in_pieces) {
  Split split{a.variable(0), a.variable(1), a.variable(2), 1, in_pieces};
  split.axis = read_machine_axis(a, 3);
  if (!split.axis) split.size = a.number(3, "n", 1, largest_size);
  a.require_different({split.variable, split.outer, split.inner});
  return split;
}
DirectiveKind read_split(const Arguments& a) { return read_pieces(a, false); }
DirectiveKind read_divide(const Arguments& a) { return read_pieces(a, true); }

DirectiveKind read_reorder(const Arguments& a) {
  Reorder reorder;
  for (std::size_t k = 0; k < a.count(); ++k) {
    for (const SourceRange& item : a.items(k)) reorder.variables.push_back(a.variable(item));
  }
  if (reorder.variables.size() < 2) a.fail(a.at(0), "reorder(i,j,…) takes at least 2 variables, but 1 is given");
  a.require_different(reorder.variables);
  return reorder;
}

DirectiveKind read_fuse(const Arguments& a) {
  Fuse fuse{a.variable(0), a.variable(1), a.variable(2)};
  a.require_different({fuse.outer, fuse.inner, fuse.fused});
  return fuse;
}

DirectiveKind read_pos(const Arguments& a) {
  Pos pos{a.variable(0), a.variable(1), parse_expression(a.schedule(), a.at(2))};
  a.require_different({pos.variable, pos.position});
  if (as<Access>(pos.access) == nullptr) {
    a.fail(a.at(2), fmt::format("{} is neither a tensor nor an access such as A(i,j); the form is {}", a.shown(a.at(2)),
                                a.form()));
  }
  return pos;
}

DirectiveKind read_bound(const Arguments& a) {
  Bound bound{a.variable(0), a.variable(1), a.number(2, "n", 1, largest_size),
              a.word(3, "kind of bound", bound_words())};
  a.require_different({bound.variable, bound.bounded});
  return bound;
}

DirectiveKind read_unroll(const Arguments& a) {
  return Unroll{a.variable(0), static_cast<int>(a.number(1, "n", 1, largest_unroll))};
}

DirectiveKind read_prefetch(const Arguments& a) {
  return Prefetch{a.variable(0), static_cast<int>(a.number(1, "n", 1, farthest_prefetch))};
}

DirectiveKind read_vectorize(const Arguments& a) {
  return Parallelize{a.variable(0), concrete::Unit::CpuVector, concrete::Race::NoRaces};
}

DirectiveKind read_parallelize(const Arguments& a) {
  Parallelize p{a.variable(0), a.word(1, "unit", unit_words()), concrete::Race::NoRaces};
  if (a.count() == 3) p.race = a.word(2, "race strategy", race_words());
  return p;
}

DirectiveKind read_substitute(const Arguments& a) {
  Substitute substitute{a.variables(0), a.word(1, "call", leaf_words())};
  const concrete::LeafShape& shape = concrete::shape_of(substitute.leaf);
  const std::size_t least = (shape.rows ? 1 : 0) + (shape.columns ? 1 : 0) + (shape.inner ? 1 : 0);
  if (substitute.variables.size() < least)
    a.fail(a.at(0), fmt::format("{} computes {} and takes the place of at least {} loops, but {} {} named", shape.name,
                                shape.form, least, substitute.variables.size(),
                                substitute.variables.size() == 1 ? "is" : "are"));
  return substitute;
}

DirectiveKind read_assemble(const Arguments& a) { return Assemble{a.word(1, "way", assembly_words()), a.tensor(0)}; }

DirectiveKind read_mergeby(const Arguments& a) { return MergeBy{a.variable(0), a.word(1, "way", merge_words())}; }

DirectiveKind read_transpose(const Arguments& a) {
  Transpose transpose{a.tensor(0), {}};
  std::vector<SourceRange> modes;
  for (std::size_t k = 1; k < a.count(); ++k) {
    for (const SourceRange& item : a.items(k)) modes.push_back(item);
  }
  constexpr std::int64_t largest = 1'000'000;
  std::vector<bool> seen(modes.size());
  for (const SourceRange& where : modes) {
    const auto mode = static_cast<std::size_t>(a.number(where, "mode", 0, largest));
    if (mode >= seen.size())
      a.fail(where,
             fmt::format("{} names every mode of the tensor once, from 0 on; mode {} is one of at least {}, and {} "
                         "given",
                         a.form(), mode, mode + 1, seen.size() == 1 ? "1 is" : fmt::format("{} are", seen.size())));
    if (seen[mode]) a.fail(where, fmt::format("{} names the mode {} twice", a.form(), mode));
    seen[mode] = true;
    transpose.mode_order.push_back(static_cast<int>(mode));
  }
  return transpose;
}

struct Reader {
  std::string_view name;
  std::size_t least, most;  // arguments
  DirectiveKind (*read)(const Arguments&);
};

constexpr std::array<Reader, 19> readers{{
    {"split", 4, 4, read_split},
    {"divide", 4, 4, read_divide},
    {"reorder", 1, any_number, read_reorder},
    {"fuse", 3, 3, read_fuse},
    {"pos", 3, 3, read_pos},
    {"bound", 4, 4, read_bound},
    {"unroll", 2, 2, read_unroll},
    {"prefetch", 2, 2, read_prefetch},
    {"vectorize", 1, 1, read_vectorize},
    {"parallelize", 2, 3, read_parallelize},
    {"precompute", 3, any_number, read_precompute},
    {"loopfuse", 1, 4, read_loopfuse},
    {"substitute", 2, 2, read_substitute},
    {"assemble", 2, 2, read_assemble},
    {"mergeby", 2, 2, read_mergeby},
    {"transpose", 2, any_number, read_transpose},
    {"distribute", 1, any_number, read_distribute},
    {"communicate", 2, 2, read_communicate},
    {"rotate", 3, 3, read_rotate},
}};

[[noreturn]] void fail_unknown(std::string_view text, const schedule_text::Call& call) {
  std::vector<std::string_view> known = {"collapse"};
  for (const DirectiveHelp& help : directive_help()) known.push_back(help.name);
  const auto near = nearest_word(call.name, known);
  known.erase(known.begin());  // only fuse's other name
  const std::string advice = near ? fmt::format("did you mean {}? ('lacuna help schedule' lists all)", *near)
                                  : fmt::format("there are {}", fmt::join(known, ", "));
  throw Error(fmt::format("there is no directive '{}'; {}", call.name, advice), call.name_at, std::string(text));
}

Directive read_directive(std::string_view text, const schedule_text::Call& call) {
  const DirectiveHelp* const help = find_directive(call.name);
  if (help == nullptr) fail_unknown(text, call);
  for (const Reader& reader : readers) {
    if (reader.name != help->name) continue;
    const Arguments arguments(text, call, help->form);
    arguments.require_count(reader.least, reader.most);
    return {reader.read(arguments), call.where};
  }
  throw InternalError(fmt::format("internal error: the directive {} has help but no reader", help->name));
}

}  // namespace

Schedule parse_schedule(std::string_view text) {
  Schedule schedule;
  schedule.text = text;
  for (const schedule_text::Call& call : schedule_text::split_calls(text)) {
    schedule.directives.push_back(read_directive(text, call));
  }
  return schedule;
}

}  // namespace lacuna
