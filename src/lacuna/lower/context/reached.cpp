#include "lacuna/lower/context/reached.h"

#include <functional>
#include <set>
#include <string>

#include "lacuna/loop/walk.h"

namespace lacuna {

std::vector<loop::Function> called_functions(std::vector<loop::Function> all, const loop::Stmt& body) {
  std::set<std::string> called;
  const auto note = [&](const loop::Stmt& s) {
    bool more = false;
    loop::for_each_expression(s, [&](const loop::Expr& expr) {
      const auto* call = std::get_if<loop::Invoke>(&expr.node().kind);
      if (call != nullptr) more = called.insert(call->function).second || more;
    });
    return more;
  };
  note(body);
  for (bool more = true; more;) {
    more = false;
    for (const loop::Function& each : all) more = (called.contains(each.name) && note(each.body)) || more;
  }
  std::erase_if(all, [&](const loop::Function& each) { return !called.contains(each.name); });
  return all;
}

std::vector<std::shared_ptr<const loop::Record>> used_records(std::vector<std::shared_ptr<const loop::Record>> all,
                                                              const loop::Module& module) {
  std::set<const loop::Record*> used;
  const std::function<void(const loop::IrType&)> note = [&](const loop::IrType& type) {
    if (type.record == nullptr || !used.insert(type.record.get()).second) return;
    for (const loop::Field& field : type.record->fields) note(field.type);
  };
  const auto note_body = [&](const loop::Stmt& body) {
    loop::for_each(body, [&](const loop::Stmt& s) {
      if (const auto* declare = std::get_if<loop::Declare>(&s->kind)) note(declare->var.type());
    });
  };
  for (const loop::Parameter& each : module.parameters) note(each.var.type());
  for (const loop::Function& each : module.functions) {
    for (const loop::Var& parameter : each.parameters) note(parameter.type());
    note(each.result);
    note_body(each.body);
  }
  note_body(module.body);
  std::erase_if(all, [&](const auto& each) { return !used.contains(each.get()); });
  return all;
}

}  // namespace lacuna
