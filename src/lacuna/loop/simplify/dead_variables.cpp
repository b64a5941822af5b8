#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/simplify/usage.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

class Remover : public Rewriter {
 public:
  explicit Remover(const Usages& used) : used_(used) {}

 protected:
  using Rewriter::rebuilt;
  Stmt rebuilt(Stmt stmt) override { return changes_dead(stmt) ? block({}) : stmt; }

 private:
  bool is_dead(const Var& var) const {
    const Usage& usage = used_.at(var);
    // Without a declaration here it is a parameter, or the variable of a loop.
    return usage.declarations > 0 && usage.reads == 0 && usage.writes == 0 && !usage.is_effect;
  }

  bool changes_dead(const Stmt& stmt) const {
    if (const auto* node = std::get_if<Declare>(&stmt->kind)) return is_dead(node->var);
    if (const auto* node = std::get_if<Assign>(&stmt->kind)) return is_dead(node->var);
    if (const auto* node = std::get_if<Allocate>(&stmt->kind)) return is_dead(node->array);
    if (const auto* node = std::get_if<Resize>(&stmt->kind)) return is_dead(node->array);
    if (const auto* node = std::get_if<Release>(&stmt->kind)) return is_dead(node->array);
    return false;
  }

  const Usages& used_;
};

}  // namespace

Stmt remove_dead_variables(const Stmt& body) {
  // What only dead variables read is dead, too.
  Stmt alive = body;
  for (Stmt before; before != alive;) {
    before = alive;
    const Usages used = usages(alive);
    alive = Remover(used).rewrite(alive);
  }
  return alive;
}

}  // namespace lacuna::loop::simplifier
