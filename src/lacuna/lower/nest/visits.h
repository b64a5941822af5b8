#pragma once

#include "lacuna/lower/nest/loop.h"

// Loops that visit all that the nodes under a root hold: one operand alone decides where they go.
namespace lacuna {

/// Whether a loop with this body must visit coordinates in their order: a result is put together in it.
bool needs_order(const concrete::Program& program, const concrete::Stmt& body);
/// Whether a loop may come to its coordinates in any order: it appends nothing, or only to levels that have none.
bool appends_in_any_order(const concrete::Program& program, const concrete::Forall& loop);
/// Whether a visit of an operand's level goes by coordinates though nothing needs that: what lies below was made in
/// this order, so that it is read as it lies in memory.
bool reads_in_order(const Format& format, int level);

/// Whether the loop is a visit. A share of one is better walked, if it can be, since a walk begins where it must.
bool is_visit(const OpenLoop& loop);
/// Throws Error where the loop has to go by coordinates through nodes without order.
void check_order_of_nodes(const OpenLoop& loop);
/// Visits each element of the nodes under the parent, once. A share of the loop leaves out those outside its window.
void emit_visit(OpenLoop& loop, Statements& out);

/// Whether it visits all that the nodes hold, in any order, so that threads can take parts of it.
bool comes_to_all_nodes(const OpenLoop& loop);
/// Emits such a loop: threads take the subtrees of a tree, or the stretches of a list.
void emit_shared_visit(OpenLoop& loop, Statements& out);

}  // namespace lacuna
