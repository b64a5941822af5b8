#include "lacuna/api/following.h"

#include "lacuna/api/engine_of.h"

namespace lacuna {

Following::Following(const Request& request, const std::string& operand)
    : result_(default_engine(), request, operand, compile_options({})) {}

void Following::add(const Storage& change) {
  value_.reset();
  result_.add(change);
}

const ValuePtr& Following::value() {
  if (!value_) value_ = std::make_shared<Value>(result_.result());
  return value_;
}

}  // namespace lacuna
