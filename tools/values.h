#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace CLI {
class Validator;
}

namespace lacuna::tool {

// What an option's value may be, for Option::transform. Their messages go on after the option's name: "must be …".

/// A whole number within bounds, also one written as 8e3.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// A number within bounds.
CLI::Validator real_number(double least, double most);
/// A number above 0.
CLI::Validator positive_number();
/// One of some words.
CLI::Validator one_of(const std::vector<std::string>& words);

/// What is said of a name that is no element type.
std::string unknown_type_message(const std::string& written);

}  // namespace lacuna::tool
