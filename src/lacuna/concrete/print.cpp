#include <fmt/ranges.h>

#include "lacuna/concrete/program.h"
#include "lacuna/notation/parse.h"

namespace lacuna::concrete {
namespace {

/// "  (threads, atomics)", or nothing for a plain loop.
std::string describe(const Execution& how) {
  std::vector<std::string> words;
  if (how.unit == Unit::CpuThread) words.emplace_back("threads");
  if (how.unit == Unit::CpuVector) words.emplace_back("vector");
  if (how.unit == Unit::GpuBlock) words.emplace_back("device blocks");
  if (how.unit == Unit::GpuWarp) words.emplace_back("device warps");
  if (how.unit == Unit::GpuThread) words.emplace_back("device threads");
  if (how.race != Race::NoRaces) words.emplace_back(name_of(how.race));
  if (how.merge == Merge::Gallop) words.emplace_back("gallop");
  if (how.leaf != Leaf::None) words.emplace_back(name_of(how.leaf));
  if (how.row_piece) words.emplace_back("row in registers");
  if (how.unroll > 0) words.push_back(fmt::format("unroll {}", how.unroll));
  if (how.prefetch > 0) words.push_back(fmt::format("prefetch {}", how.prefetch));
  return words.empty() ? "" : fmt::format("  ({})", fmt::join(words, ", "));
}

}  // namespace

std::string to_string(const Derivation& d) {
  return std::visit(Overloaded{[](const Split& s) {
                                 return fmt::format("{} = {} and {}, {} {}", s.parent.name(), s.outer.name(),
                                                    s.inner.name(), s.in_pieces ? "pieces:" : "pieces of", s.size);
                               },
                               [](const Fuse& f) {
                                 return fmt::format("{} = pairs of {} and {}", f.fused.name(), f.outer.name(),
                                                    f.inner.name());
                               },
                               [](const Position& p) {
                                 return fmt::format("{} = positions of {} in {}", p.position.name(), p.parent.name(),
                                                    lacuna::to_string(make_expr(p.access)));
                               },
                               [](const Bound& b) {
                                 constexpr std::string_view relations[] = {"at least", "at most", "exactly"};
                                 return fmt::format("{} = {}, {} {}", b.bounded.name(), b.parent.name(),
                                                    relations[static_cast<std::size_t>(b.kind)], b.size);
                               }},
                    d);
}

namespace {

void print(const Stmt& s, int depth, std::string& out) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  match(
      s,
      [&](const Forall& f) {
        out += indent + "forall " + f.var.name() + describe(f.how) + "\n";
        print(f.body, depth + 1, out);
      },
      [&](const Where& w) {
        print(w.consumer, depth, out);
        out += indent + "where\n";
        print(w.producer, depth + 1, out);
      },
      [&](const Assign& a) {
        out += indent + lacuna::to_string(make_expr(a.target)) + (a.accumulate ? " += " : " = ") +
               lacuna::to_string(a.rhs) + "\n";
      },
      [&](const Sequence& q) {
        for (std::size_t k = 0; k < q.statements.size(); ++k) {
          if (k > 0) out += indent + ";\n";
          print(q.statements[k], depth, out);
        }
      });
}

std::string_view describe(Assembly assembly) {
  switch (assembly) {
    case Assembly::Random: return "stored at any coordinate";
    case Assembly::Append: return "appended in order";
    case Assembly::Insert: return "counted, then inserted";
    case Assembly::SharedPattern: return "values only";
    case Assembly::Stream: return "a coordinate stream, sorted and coalesced";
  }
  return "";
}

}  // namespace

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::Serial: return "NotParallel";
    case Unit::CpuThread: return "CPUThread";
    case Unit::CpuVector: return "CPUVector";
    case Unit::GpuBlock: return "GPUBlock";
    case Unit::GpuWarp: return "GPUWarp";
    case Unit::GpuThread: return "GPUThread";
  }
  return "";
}

std::string_view name_of(Race race) {
  switch (race) {
    case Race::NoRaces: return "NoRaces";
    case Race::Atomics: return "Atomics";
    case Race::Temporary: return "Temporary";
    case Race::ParallelReduction: return "ParallelReduction";
  }
  return "";
}

std::string_view name_of(Merge merge) { return merge == Merge::Gallop ? "Gallop" : "TwoFinger"; }

std::string to_string(const Stmt& s) {
  std::string out;
  print(s, 0, out);
  return out;
}

std::string to_string(const Program& p) {
  std::string out = to_string(p.root);
  for (const Tensor& t : p.tensors) {
    if (t.role == Role::Scalar) {
      out += fmt::format("// {}: scalar {}\n", t.var.name(), type_name(t.type));
      continue;
    }
    out += fmt::format("// {}: {} {}", t.var.name(), t.format.order() == 0 ? "scalar" : t.format.to_string(),
                       type_name(t.type));
    if (t.role == Role::Workspace) out += ", workspace";
    if (t.role == Role::PatternValues) out += fmt::format(", values for the entries of {}", t.pattern->name());
    if (t.role == Role::Result) {
      out += fmt::format(", result, {}", describe(t.assembly));
      if (t.assembly == Assembly::SharedPattern) out += " (the pattern of " + t.pattern_operand + ")";
    }
    out += "\n";
  }
  for (const Derivation& d : p.provenance.all()) out += "// " + to_string(d) + "\n";
  for (const std::string& note : p.notes) out += "// note: " + note + "\n";
  return out;
}

}  // namespace lacuna::concrete
