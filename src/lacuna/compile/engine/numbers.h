#pragma once

#include <functional>
#include <string>

#include "lacuna/compile/engine/compiler.h"
#include "lacuna/notation/check.h"

namespace lacuna {

/// How a kernel gets the numbers of a statement: as arguments, so that it serves others, too (notation/numbers.h), or
/// compiled into it.
enum class Numbers : std::uint8_t { Passed, Compiled };

/// A tensor of order 0.
Storage scalar_tensor(const Scalar& value);

/// Makes operands of the numbers of a request's statement, unless its schedule writes expressions with numbers, which
/// have to be found in the statement. `facts`: of the operands, which may still be missing.
void pass_numbers(Request& request, const FactsByName& facts);
void pass_numbers(Request& request);

struct PreparedRequest {
  Request request;
  Prepared prepared;
};
/// Prepares what `ask` says, with numbers that are passed. What is refused is refused as it was written.
PreparedRequest prepare_passing_numbers(Compiler& engine, const Options& options,
                                        const std::function<Request(Numbers)>& ask);

/// Every stage of the compilation of such a request, from the notation to C, with notes; as `lacuna show` prints them.
std::string describe_stages(Compiler& engine, Options options, const std::function<Request(Numbers)>& ask);

/// What the operands that numbers became stand for, a line each.
std::string notes_on_numbers(const Request& request);

}  // namespace lacuna
