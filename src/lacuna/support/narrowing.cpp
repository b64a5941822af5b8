#include "lacuna/support/narrowing.h"

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna {

Narrowing narrowing_of(const Scalar& value, Type to) {
  return visit_type(value.type(), [&](auto from) {
    return visit_type(to, [&](auto target) { return narrowing_of<decltype(target)>(value.as<decltype(from)>()); });
  });
}

std::string describe_narrowing(Narrowing narrowing, Type to) {
  switch (narrowing) {
    case Narrowing::None: return fmt::format("fits {}", type_name(to));
    case Narrowing::Imaginary: return fmt::format("has an imaginary part, which {} cannot hold", type_name(to));
    case Narrowing::NotAnInteger: return "is not an integer";
    case Narrowing::OutOfRange: return fmt::format("does not fit {}", type_name(to));
  }
  throw InternalError("internal error: a Narrowing outside its enumeration");
}

}  // namespace lacuna
