#include <fmt/format.h>

#include "lacuna/loop/passes.h"
#include "lacuna/loop/print_names.h"
#include "lacuna/support/error.h"

namespace lacuna::loop {
namespace {

std::string update_text(StoreOp op) {
  switch (op) {
    case StoreOp::Set: return "=";
    case StoreOp::Add: return "+=";
    case StoreOp::Min: return "min=";
    case StoreOp::Max: return "max=";
    case StoreOp::Or: return "|=";
  }
  throw InternalError("internal error: a StoreOp outside its enumeration");
}

/// `var = var + e` when the assignment has that form: the `e`.
const Expr* added(const Assign& node) {
  const auto* sum = std::get_if<Binary>(&node.value.node().kind);
  if (!sum || sum->op != BinaryOp::Add) return nullptr;
  const auto* use = std::get_if<VarUse>(&sum->left.node().kind);
  return use && use->var == node.var ? &sum->right : nullptr;
}

bool is_one(const Expr& e) {
  const auto* constant = std::get_if<Constant>(&e.node().kind);
  return constant && is_integer(constant->value.type()) && constant->value.as<std::int64_t>() == 1;
}

class Printer {
 public:
  std::string take() { return std::move(out_); }

  void print(const Stmt& stmt) {
    if (stmt) std::visit(*this, stmt->kind);
  }
  void line(const std::string& text) { out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + text + "\n"; }
  void blank() { out_ += "\n"; }
  /// `head {`, the body and `}`, the last line left open for an else.
  void open(const std::string& head, const Stmt& body) {
    line(head + " {");
    nested(body);
  }
  void nested(const Stmt& body) {
    depth_++;
    print(body);
    depth_--;
  }
  void close() { line("}"); }
  void indent(int by) { depth_ += by; }

  void operator()(const Declare& node) {
    const std::string size = node.size > 0 ? fmt::format("[{}] = 0", node.size) : "";
    line(type_text(node.var.type()) + " " + node.var.name() + size +
         (node.init.defined() ? " = " + to_string(node.init) : "") + ";");
  }
  void operator()(const Assign& node) {
    const Expr* summand = added(node);
    if (!summand) return line(fmt::format("{} = {};", node.var.name(), to_string(node.value)));
    if (is_one(*summand)) return line(node.var.name() + "++;");
    line(fmt::format("{} += {};", node.var.name(), to_string(*summand)));
  }
  void operator()(const Store& node) {
    const std::string stream =
        node.past_caches.defined() ? fmt::format("stream({}) ", to_string(node.past_caches)) : "";
    line(fmt::format("{}{}{} {} {};", node.atomic ? "atomic " : "", stream,
                     element_text(node.array, node.index, node.member), update_text(node.op), to_string(node.value)));
  }
  void operator()(const If& node) { print_if(node, "if"); }
  void operator()(const For& node) {
    const char* mode = node.mode == LoopMode::Serial ? "" : node.mode == LoopMode::Parallel ? "parallel " : "vector ";
    const std::string& v = node.var.name();
    std::string head =
        fmt::format("{}for ({} {} = {}; {} < {}; {})", mode, type_text(node.var.type()), v, to_string(node.low), v,
                    to_string(node.high), node.step == 1 ? v + "++" : fmt::format("{} += {}", v, node.step));
    for (const Reduction& each : node.reductions) {
      head += fmt::format(" reduce({} {})", each.var.name(), update_text(each.op));
    }
    for (const OwnSum& each : node.sums)
      head += fmt::format(" {}({}[{}] adds to {})", each.reuses ? "reuse" : "own", each.own.name(),
                          to_string(each.count), each.total.name());
    if (node.fixed) head += " fixed";
    if (node.ordered) head += " ordered";
    if (node.grain > 0) head += fmt::format(" grain({})", node.grain);
    if (node.task) {
      head += fmt::format(" task({}", node.task->name);
      for (const Var& each : node.task->captured)
        head += fmt::format("{} {}", &each == &node.task->captured.front() ? ":" : ",", each.name());
      head += ")";
    }
    if (node.lanes > 0) head += fmt::format(" lanes({})", node.lanes);
    if (node.unroll > 0) head += fmt::format(" unroll({})", node.unroll);
    line(head + " {");
    depth_++;
    part("setup", node.setup);
    print(node.body);
    part("teardown", node.teardown);
    depth_--;
    close();
  }
  void operator()(const While& node) {
    open(fmt::format("while ({})", to_string(node.condition)), node.body);
    close();
  }
  void operator()(const Block& node) {
    for (const Stmt& each : node.statements) print(each);
  }
  void operator()(const Comment& node) { line("// " + node.text); }
  void operator()(const Allocate& node) {
    line(fmt::format("{} = {}({});", node.array.name(), node.zeroed ? "allocate_zeroed" : "allocate",
                     to_string(node.count)));
  }
  void operator()(const Resize& node) {
    line(fmt::format("{0} = resize({0}, {1});", node.array.name(), to_string(node.count)));
  }
  void operator()(const Release& node) { line(fmt::format("release({});", node.array.name())); }
  void operator()(const Keep& node) {
    line(fmt::format("{}[{}] = keep({});", node.shelf.name(), to_string(node.index), node.array.name()));
  }
  void operator()(const Take& node) {
    line(fmt::format("{} = take({}[{}]);", node.array.name(), node.shelf.name(), to_string(node.index)));
  }
  void operator()(const Sort& node) {
    const std::string marks = node.marks ? fmt::format(", {}, {}", node.marks->name(), to_string(node.places)) : "";
    line(fmt::format("sort({}, {}, {}{});", node.array.name(), to_string(node.low), to_string(node.high), marks));
  }
  void operator()(const Fill& node) {
    line(fmt::format("fill({}, {}, {}, {});", node.array.name(), to_string(node.low), to_string(node.high),
                     to_string(node.value)));
  }
  void operator()(const MatrixProduct& node) {
    const auto matrix = [&](const Matrix& m, const Expr& rows, const Expr& columns) {
      return fmt::format("{}[{}; {} x {} by {}{}]", m.array.name(), to_string(m.first), to_string(rows),
                         to_string(columns), to_string(m.stride), m.transposed ? ", transposed" : "");
    };
    const std::string scalar = node.scalar.defined() ? to_string(node.scalar) + " * " : "";
    const std::string right = node.right ? " * " + matrix(*node.right, node.inner, node.columns) : "";
    line(fmt::format("{} {} {}{}{};", matrix(node.target, node.rows, node.columns), node.adds ? "+=" : "=", scalar,
                     matrix(node.left, node.rows, node.inner), right));
  }
  void operator()(const Prefetch& node) {
    line(fmt::format("prefetch({}[{}]);", node.array.name(), to_string(node.index)));
  }
  void operator()(const Fence&) { line("fence;"); }
  void operator()(const Launch& node) {
    std::string names;
    for (const Var& each : node.captured) names += (names.empty() ? ": " : ", ") + each.name();
    open(fmt::format("launch {}({} of {}, {} of {}{})", node.name, node.block.name(), to_string(node.blocks),
                     node.thread.name(), node.threads, names),
         node.body);
    close();
  }
  void operator()(const ReadBack& node) {
    line(fmt::format("{} = read_back({}[{}]);", node.var.name(), node.array.name(), to_string(node.index)));
  }
  void operator()(const Exchange& node) {
    line(fmt::format("{} = exchange({}, {} of {});", node.var.name(), node.value.name(), node.offset, node.group));
  }
  void operator()(const Barrier& node) { line(fmt::format("barrier of {};", node.group)); }
  void operator()(const Evaluate& node) { line(to_string(node.call) + ";"); }
  void operator()(const Return& node) {
    line(node.value.defined() ? fmt::format("return {};", to_string(node.value)) : "return;");
  }
  void operator()(const Break&) { line("break;"); }

 private:
  void part(const std::string& name, const Stmt& stmt) {
    if (!stmt) return;
    open(name, stmt);
    close();
  }

  void print_if(const If& node, const std::string& keyword) {
    open(fmt::format("{} ({})", keyword, to_string(node.condition)), node.then_branch);
    if (!node.else_branch) return close();
    if (const auto* chained = std::get_if<If>(&node.else_branch->kind)) return print_if(*chained, "} else if");
    line("} else {");
    nested(node.else_branch);
    close();
  }

  std::string out_;
  int depth_ = 0;
};

std::string parameter_list(const std::vector<Var>& parameters) {
  std::string text;
  for (const Var& each : parameters) {
    text += (text.empty() ? "" : ", ") + type_text(each.type()) + " " + each.name();
  }
  return text;
}

void print_record(Printer& printer, const Record& record) {
  printer.line(fmt::format("record {} {{", record.name));
  printer.indent(1);
  for (const Field& each : record.fields) {
    const std::string extent = each.count > 0 ? fmt::format("[{}]", each.count) : "";
    printer.line(fmt::format("{} {}{};", type_text(each.type), each.name, extent));
  }
  printer.indent(-1);
  printer.close();
  printer.blank();
}

void print_parameter(Printer& printer, const Parameter& parameter) {
  const char* role = parameter.out ? "out " : parameter.written ? "inout " : "in ";
  const std::string place = parameter.place.empty() ? "" : " = " + parameter.place;
  printer.line(fmt::format("{}{} {}{};", role, type_text(parameter.var.type()), parameter.var.name(), place));
}

}  // namespace

std::string to_string(const Stmt& stmt) {
  Printer printer;
  printer.print(stmt);
  return printer.take();
}

std::string to_string(const Module& module) {
  Printer printer;
  for (const auto& record : module.records) print_record(printer, *record);
  for (const Function& function : module.functions) {
    printer.open(
        fmt::format("{} {}({})", type_text(function.result), function.name, parameter_list(function.parameters)),
        function.body);
    printer.close();
    printer.blank();
  }
  if (!module.description.empty()) printer.line("// " + module.description);
  printer.line(fmt::format("kernel {}({}) {{", module.name, fmt::join(module.arguments, ", ")));
  printer.indent(1);
  for (const Parameter& each : module.parameters) print_parameter(printer, each);
  if (!module.parameters.empty() && module.body) printer.blank();
  printer.print(module.body);
  printer.indent(-1);
  printer.close();
  return printer.take();
}

}  // namespace lacuna::loop
