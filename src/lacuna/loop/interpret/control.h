#pragma once

#include "lacuna/loop/interpret/code.h"

/// What runs the statements other than those that touch elements.
namespace lacuna::loop::interpreter {

class Memory;

Flow run_declare(const Step& step, Machine& machine);        // with a value
Flow run_declare_bare(const Step& step, Machine& machine);   // unassigned
Flow run_declare_array(const Step& step, Machine& machine);  // without memory
Flow run_declare_local(const Step& step, Machine& machine);  // with zeros of its own
Flow run_assign(const Step& step, Machine& machine);
/// An assignment inside a parallel loop of a variable from outside of it.
Flow run_shared_assign(const Step& step, Machine& machine);
Flow run_if(const Step& step, Machine& machine);
Flow run_for(const Step& step, Machine& machine);
/// One turn of a For, with the given value of its variable.
Flow run_iteration(const Step& step, std::int64_t index, Machine& machine);
/// parallel.cpp: the turns of a For that is not serial, on any number of threads, as far as one can tell: in another
/// order, and watched.
Flow run_parallel(const Step& step, std::int64_t low, std::uint64_t trips, Machine& machine);
Flow run_while(const Step& step, Machine& machine);
Flow run_sequence(const Step& step, Machine& machine);
Flow run_allocate(const Step& step, Machine& machine);
Flow run_resize(const Step& step, Machine& machine);
Flow run_release(const Step& step, Machine& machine);
/// shelves.cpp: moves of memory. `slot`: the array, `other_slot`: the shelf.
Flow run_keep(const Step& step, Machine& machine);
Flow run_take(const Step& step, Machine& machine);
/// The memory that the statement allocates, moves or releases, which no other iteration may know.
Memory& changed_memory(const Step& step, Machine& machine);
/// launches.cpp: by the device, or by what stands for it.
Flow run_launch(const Step& step, Machine& machine);
/// blocks.cpp: a launch whose threads wait for each other, and where they do.
Flow run_blocks(const Step& launch, std::int64_t blocks, Machine& machine);
Flow run_exchange(const Step& step, Machine& machine);
Flow run_barrier(const Step& step, Machine& machine);
Flow run_read_back(const Step& step, Machine& machine);
Flow run_evaluate(const Step& step, Machine& machine);
Flow run_return(const Step& step, Machine& machine);
Flow run_break(const Step& step, Machine& machine);
Value run_call(const Code& code, Machine& machine);

}  // namespace lacuna::loop::interpreter
