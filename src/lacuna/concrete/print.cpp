#include "lacuna/concrete/program.h"
#include "lacuna/notation/parse.h"

namespace lacuna::concrete {
namespace {

void print(const Stmt& s, int depth, std::string& out) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  match(
      s,
      [&](const Forall& f) {
        out += indent + "forall " + f.var.name() + (f.unit == Unit::CpuThread ? "  (threads)" : "") + "\n";
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
    case Assembly::SharedPattern: return "values only";
    case Assembly::Stream: return "a coordinate stream, sorted and coalesced";
  }
  return "";
}

}  // namespace

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
    if (t.role == Role::Result) {
      out += fmt::format(", result, {}", describe(p.assembly));
      if (p.assembly == Assembly::SharedPattern) out += " (the pattern of " + p.pattern_operand + ")";
    }
    out += "\n";
  }
  for (const std::string& note : p.notes) out += "// note: " + note + "\n";
  return out;
}

}  // namespace lacuna::concrete
