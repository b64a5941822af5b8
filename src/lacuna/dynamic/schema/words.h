#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "lacuna/support/type.h"

namespace lacuna::schema {

/// The words of the language itself, which nothing can be named after; the types of metadata are reserved, too.
inline constexpr std::array<std::string_view, 12> keywords{
    {"def", "supertype", "elem", "size", "in", "nonempty", "diff", "parent", "seq", "const", "state", "fn"}};

/// The types of metadata: bool and the integers.
inline constexpr std::array<Type, 9> metadata_types{{Type::Bool, Type::Int8, Type::Int16, Type::Int32, Type::Int64,
                                                     Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64}};

/// The types of differences of coordinates.
inline constexpr std::array<Type, 3> difference_types{{Type::UInt8, Type::UInt16, Type::UInt32}};

/// The type of metadata that a word names; none where it names none.
std::optional<Type> metadata_type(std::string_view word);
/// Whether a word is one of the language, or names a type of metadata.
bool is_reserved(std::string_view word);

/// "; did you mean X?" where one of the words is near to what was written, and nothing otherwise.
std::string did_you_mean(std::string_view written, const std::vector<std::string_view>& known);

/// The largest number in a schema: sizes are 32-bit integers (Table 1).
inline constexpr std::int64_t largest_number = 2147483647;
/// The most slots of an array that lies in its node.
inline constexpr std::int64_t largest_capacity = std::int64_t{1} << 20;
/// The most node types, supertypes and constants of a level together, and the most fields of a node.
inline constexpr std::size_t most_definitions = 64;
inline constexpr std::size_t most_fields = 64;
/// The most letters of a name.
inline constexpr std::size_t longest_name = 64;

}  // namespace lacuna::schema
