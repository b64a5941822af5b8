#pragma once

#include <functional>

#include "lacuna/dynamic/code/program.h"

namespace lacuna::schema {

/// The expressions directly inside another.
std::vector<const CodeExpr*> parts_of(const CodeExpr& expr);
/// The expressions that a statement itself evaluates, and the statements directly inside it.
std::vector<const CodeExpr*> expressions_of(const CodeStmt& statement);
std::vector<const CodeBlock*> blocks_of(const CodeStmt& statement);

/// Calls `visit` for all that is inside a function, outermost first.
void for_each(const CodeExpr& expr, const std::function<void(const CodeExpr&)>& visit);
void for_each(const CodeBlock& block, const std::function<void(const CodeStmt&)>& visit);

}  // namespace lacuna::schema
